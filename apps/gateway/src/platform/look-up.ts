/** Loads each of the keys once. What comes back knows every one of them, and throws for any other. */
export async function lookUp<Key, Value>(
  keys: Iterable<Key>,
  load: (key: Key) => Promise<Value>,
): Promise<(key: Key) => Value> {
  const values = new Map<Key, Value>()
  for (const key of keys) if (!values.has(key)) values.set(key, await load(key))
  return (key) => {
    const value = values.get(key)
    if (value === undefined) throw new Error('a key that was not looked up')
    return value
  }
}
