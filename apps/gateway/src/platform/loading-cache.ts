/** A bounded cache that loads what it lacks, shares concurrent loads, and never keeps what changed while it was loading. */
interface LoadingCache<Value> {
  /** The value if it is here now; no waiting. */
  readonly peek: (key: string) => Value | undefined
  readonly get: (key: string) => Promise<Value | undefined>
  drop(key: string): void
  clear(): void
}

interface LoadingCacheOptions<Value> {
  readonly entriesMax: number
  readonly load: (key: string) => Promise<Value | undefined>
}

/** Least recently loaded entries go first. A key without a value is not kept, so that strangers cannot fill the cache. */
export function createLoadingCache<Value>(options: LoadingCacheOptions<Value>): LoadingCache<Value> {
  const entries = new Map<string, Value>()
  const loads = new Map<string, Promise<Value | undefined>>()
  let generation = 0

  async function load(key: string): Promise<Value | undefined> {
    const started = generation
    const value = await options.load(key)
    if (value === undefined || generation !== started) return value
    entries.delete(key)
    entries.set(key, value)
    if (entries.size > options.entriesMax) {
      const oldest = entries.keys().next()
      if (oldest.done !== true) entries.delete(oldest.value)
    }
    return value
  }

  return {
    peek: (key) => entries.get(key),
    get(key) {
      const known = entries.get(key)
      if (known !== undefined) return Promise.resolve(known)
      const pending = loads.get(key)
      if (pending !== undefined) return pending
      const started = load(key).finally(() => {
        if (loads.get(key) === started) loads.delete(key)
      })
      loads.set(key, started)
      return started
    },
    drop(key) {
      generation += 1
      entries.delete(key)
      loads.delete(key)
    },
    clear() {
      generation += 1
      entries.clear()
      loads.clear()
    },
  }
}
