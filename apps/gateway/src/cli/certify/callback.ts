/** A callback as the gateway sends it: its headers by their names in small letters, and its bytes. */
export interface Callback {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The same with other headers; undefined takes one away. */
export function withHeaders(
  callback: Callback,
  changes: Readonly<Record<string, string | undefined>>,
): Callback {
  const headers = Object.entries({ ...callback.headers, ...changes })
  return {
    ...callback,
    headers: Object.fromEntries(
      headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  }
}
