/** How much one key may do: so many a second in the long run, and so many at once. */
export interface Allowance {
  readonly perSecond: number
  readonly atOnce: number
}

export interface Limiter {
  /** 0 when it is let in; otherwise the milliseconds until it would be. What is not let in is not counted. */
  admit(key: string): number
  /** Keys that are remembered. */
  readonly size: number
}

interface Bucket {
  level: number
  filledMs: number
}

/** Most keys at a time; beyond, those that were quiet for longest are forgotten. Some 10 MB. */
const KEYS_MAX = 50_000

/** Buckets that fill at a steady rate, kept in memory: each process counts for itself. */
export function createLimiter(
  { perSecond, atOnce }: Allowance,
  nowMs: () => number,
  keysMax = KEYS_MAX,
): Limiter {
  /** In the order of their last use. */
  const buckets = new Map<string, Bucket>()
  return {
    admit(key) {
      const now = nowMs()
      const bucket = buckets.get(key) ?? { level: atOnce, filledMs: now }
      // A clock that was set back gives nothing, and takes nothing away.
      const elapsedMs = Math.max(0, now - bucket.filledMs)
      bucket.level = Math.min(atOnce, bucket.level + (elapsedMs * perSecond) / 1000)
      bucket.filledMs = now
      buckets.delete(key)
      buckets.set(key, bucket)
      forgetOldest(buckets, keysMax)
      if (bucket.level < 1) return Math.ceil(((1 - bucket.level) * 1000) / perSecond)
      bucket.level -= 1
      return 0
    },
    get size() {
      return buckets.size
    },
  }
}

function forgetOldest(buckets: Map<string, Bucket>, keysMax: number): void {
  for (const key of buckets.keys()) {
    if (buckets.size <= keysMax) return
    buckets.delete(key)
  }
}
