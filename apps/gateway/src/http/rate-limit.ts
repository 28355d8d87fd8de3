import type { Clock } from '../platform/clock.ts'

/** The answer of the limiter for one request. */
export interface Admission {
  readonly admitted: boolean
  /** Further requests that would be admitted now. */
  readonly remaining: number
  /** Milliseconds until the next request can be admitted; 0 while some remain. */
  readonly waitMs: number
}

export interface RateLimiter {
  admit(key: string, limitPerSecond: number): Admission
}

/** The window of the specification (section 8). */
const WINDOW_MS = 1_000
const SWEEP_EVERY_REQUESTS = 10_000

/** The times of the last admitted requests of one bucket, as a ring. */
interface Log {
  stamps: Float64Array
  next: number
}

/**
 * A sliding log: a request is admitted when fewer than the limit were admitted in the 1000 ms before it. Unlike fixed
 * windows and buckets of tokens, no window of 1000 ms ever holds more than the limit. A refused request is not counted.
 */
export function createRateLimiter(clock: Clock): RateLimiter {
  const logs = new Map<string, Log>()
  let requests = 0

  return {
    admit(key, limitPerSecond) {
      const nowMs = clock.monotonicMs()
      requests += 1
      if (requests % SWEEP_EVERY_REQUESTS === 0) sweep(logs, nowMs)
      const log = logFor(logs, key, limitPerSecond)
      const oldestMs = log.stamps[log.next] ?? Number.NEGATIVE_INFINITY
      const ageMs = nowMs - oldestMs
      if (ageMs < WINDOW_MS) return { admitted: false, remaining: 0, waitMs: WINDOW_MS - ageMs }
      log.stamps[log.next] = nowMs
      log.next = (log.next + 1) % limitPerSecond
      return { admitted: true, remaining: countFree(log, nowMs), waitMs: 0 }
    },
  }
}

function logFor(logs: Map<string, Log>, key: string, limit: number): Log {
  const known = logs.get(key)
  if (known !== undefined && known.stamps.length === limit) return known
  const log: Log = { stamps: new Float64Array(limit).fill(Number.NEGATIVE_INFINITY), next: 0 }
  // A changed limit keeps what was admitted: the newest stamps move to the new ring.
  if (known !== undefined) {
    const newest = [...known.stamps]
      .sort((a, b) => b - a)
      .slice(0, limit)
      .reverse()
    log.stamps.set(newest)
    log.next = newest.length % limit
  }
  logs.set(key, log)
  return log
}

/** Free places, looked for from the oldest stamp on; the count is capped, it only informs. */
const REMAINING_COUNTED_MAX = 100

function countFree(log: Log, nowMs: number): number {
  const size = log.stamps.length
  const most = Math.min(size, REMAINING_COUNTED_MAX)
  for (let free = 0; free < most; free += 1) {
    const stamp = log.stamps[(log.next + free) % size] ?? nowMs
    if (nowMs - stamp < WINDOW_MS) return free
  }
  return most
}

/** Buckets that have been quiet for a whole window say nothing any more. */
function sweep(logs: Map<string, Log>, nowMs: number): void {
  for (const [key, log] of logs) {
    const newest = log.stamps[(log.next + log.stamps.length - 1) % log.stamps.length] ?? 0
    if (nowMs - newest > WINDOW_MS) logs.delete(key)
  }
}
