/** What is known of the names that came last: whatever strangers name, it does not grow. */
export interface BoundedMap<Key, Value> {
  /** Counts as a use. */
  get(key: Key): Value | undefined
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
  function set(key: Key, value: Value): void {
    entries.delete(key)
    entries.set(key, value)
    for (const oldest of entries.keys()) {
      if (entries.size <= sizeMax) return
      entries.delete(oldest)
    }
  }
  return {
    get(key) {
      const value = entries.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
    delete: (key) => entries.delete(key),
    clear: () => entries.clear(),
    keys: () => entries.keys(),
  }
}
