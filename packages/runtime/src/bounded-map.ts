/** What is known of the names that came last: whatever strangers name, it does not grow. */
export interface BoundedMap<Key, Value> {
  /** Counts as a use. */
  get(key: Key): Value | undefined
  /** Does not count as a use. */
  has(key: Key): boolean
  /** Beyond the bound, what was not used for the longest time is forgotten. */
  set(key: Key, value: Value): void
  delete(key: Key): boolean
  clear(): void
  /** From what was not used for the longest time on. */
  keys(): Iterable<Key>
}

/** At most `sizeMax` entries. Unlike lru-cache it takes no room for entries that never come. */
export function createBoundedMap<Key, Value extends object | string | number | boolean>(
  sizeMax: number,
): BoundedMap<Key, Value> {
  // A map keeps its insertion order: what is used is taken out and put back.
  const entries = new Map<Key, Value>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    has: (key) => entries.has(key),
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      const oldest = entries.keys().next()
      if (entries.size > sizeMax && oldest.done !== true) entries.delete(oldest.value)
    },
    delete: (key) => entries.delete(key),
    clear: () => entries.clear(),
    keys: () => entries.keys(),
  }
}
