/** Something that is read as a whole and held in memory, so that requests need not wait for it. */
interface Snapshot<Value> {
  /** Reads it again. One reload after the other: a slow one can never put an older picture over a newer. */
  reload(): Promise<void>
  /** The picture of now. Take it once per request, so that the request sees one picture. Throws before the first reload. */
  readonly current: () => Value
}

/** Nothing is read yet. `name` says what it is to whoever asks for it all the same. */
export function createSnapshot<Value>(name: string, read: () => Promise<Value>): Snapshot<Value> {
  let held: { readonly value: Value } | undefined
  let last: Promise<void> = Promise.resolve()
  async function load(): Promise<void> {
    held = { value: await read() }
  }
  return {
    reload() {
      const next = last.then(load)
      last = next.catch(() => undefined)
      return next
    },
    current() {
      if (held === undefined) throw new Error(`${name} used before it was started`)
      return held.value
    },
  }
}
