import { createBoundedMap } from '@tollgate/runtime'

/** Remembers answers for a while. */
export interface Cache<Value> {
  /** The remembered answer, or what `find` gives; that is remembered if `isKept` says so. Concurrent questions are one. */
  get(key: string, find: () => Promise<Value>): Promise<Value>
  forget(key: string): void
}

interface CacheOptions<Value> {
  readonly lifeMs: number
  readonly sizeMax: number
  readonly nowMs: () => number
  readonly isKept: (value: Value) => boolean
}

export function createCache<Value>({ lifeMs, sizeMax, nowMs, isKept }: CacheOptions<Value>): Cache<Value> {
  const known = createBoundedMap<string, { readonly value: Promise<Value>; readonly untilMs: number }>(
    sizeMax,
  )
  return {
    forget(key) {
      known.delete(key)
    },
    async get(key, find) {
      const found = known.get(key)
      if (found !== undefined && nowMs() < found.untilMs) return found.value
      const entry = { value: find(), untilMs: nowMs() + lifeMs }
      known.set(key, entry)
      const forget = (): boolean => known.get(key) === entry && known.delete(key)
      try {
        const value = await entry.value
        if (!isKept(value)) forget()
        return value
      } catch (error) {
        forget()
        throw error
      }
    },
  }
}
