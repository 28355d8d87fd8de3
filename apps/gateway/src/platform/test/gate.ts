/** A promise that the test settles, for code that has to be stopped in the middle. */
export interface Gate<Value> {
  readonly promise: Promise<Value>
  open(value: Value): void
  fail(error: Error): void
}

export function gate<Value = void>(): Gate<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  return { promise, open: resolve, fail: reject }
}
