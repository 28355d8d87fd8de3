import type { Clock } from '../platform/clock.ts'

/** The answer of the limiter for one request. */
export interface Admission {
  readonly admitted: boolean
  /** Further requests that would be admitted now. */
  readonly remaining: number
  /** Milliseconds until the next request can be admitted; 0 while some remain. */
  readonly waitMs: number
}

/** Counts requests by bucket. */
export interface RateLimiter {
  /** A promise only where others have to be asked. */
  admit(key: string, limitPerSecond: number): Admission | Promise<Admission>
}

/** A limiter that asks nobody. */
export interface OwnRateLimiter extends RateLimiter {
  admit(key: string, limitPerSecond: number): Admission
}

/** The window of the specification (section 8). */
const WINDOW_MS = 1_000
const SWEEP_EVERY_REQUESTS = 10_000
/** How far `remaining` is counted: it only informs. */
export const REMAINING_COUNTED_MAX = 100

/** Most buckets never need more places; a ring that is too small doubles, up to its limit. */
const PLACES_AT_FIRST = 16

/** The times of the last admitted requests of one bucket: a ring, its oldest at `next`. An unused place holds -Infinity. */
interface Log {
  readonly limit: number
  readonly stamps: Float64Array
  next: number
}

/**
 * A sliding log: a request is admitted when fewer than the limit were admitted in the 1000 ms before it. Unlike fixed
 * windows and buckets of tokens, no window of 1000 ms ever holds more than the limit. A refused request is not counted.
 */
export function createRateLimiter(clock: Clock): OwnRateLimiter {
  const logs = new Map<string, Log>()
  let requests = 0

  function logFor(key: string, limit: number, nowMs: number): Log {
    const known = logs.get(key)
    if (known?.limit === limit && !needsPlaces(known, nowMs)) return known
    // Growth and a changed limit keep what was admitted: the newest stamps move to the new ring.
    const log = withPlaces(
      known?.stamps ?? [],
      limit,
      known?.limit === limit ? known.stamps.length * 2 : PLACES_AT_FIRST,
    )
    logs.set(key, log)
    return log
  }

  return {
    admit(key, limitPerSecond) {
      const nowMs = clock.monotonicMs()
      requests += 1
      if (requests % SWEEP_EVERY_REQUESTS === 0) sweep(logs, nowMs)
      const log = logFor(key, limitPerSecond, nowMs)
      const ageMs = nowMs - oldestOf(log)
      if (ageMs < WINDOW_MS) return { admitted: false, remaining: 0, waitMs: WINDOW_MS - ageMs }
      log.stamps[log.next] = nowMs
      log.next = (log.next + 1) % log.stamps.length
      return { admitted: true, remaining: countFree(log, nowMs), waitMs: 0 }
    },
  }
}

const oldestOf = (log: Log): number => log.stamps[log.next] ?? Number.NEGATIVE_INFINITY

/** True when the ring, and not the limit, is what stands in the way. */
function needsPlaces(log: Log, nowMs: number): boolean {
  return log.stamps.length < log.limit && nowMs - oldestOf(log) < WINDOW_MS
}

/** A ring with at least the places for the newest stamps, and at most as many as the limit. */
function withPlaces(known: Iterable<number>, limit: number, places: number): Log {
  const newest = [...known].sort((a, b) => a - b).slice(-limit)
  const size = Math.min(limit, Math.max(places, newest.length))
  const stamps = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
  stamps.set(newest)
  return { limit, stamps, next: newest.length % size }
}

/** Free places, looked for from the oldest stamp on. */
function countFree(log: Log, nowMs: number): number {
  const { length } = log.stamps
  const most = Math.min(log.limit, REMAINING_COUNTED_MAX)
  for (let place = 0; place < length && place < most; place += 1) {
    const stamp = log.stamps[(log.next + place) % length] ?? nowMs
    if (nowMs - stamp < WINDOW_MS) return Math.min(most, place + log.limit - length)
  }
  return most
}

/** Buckets that have been quiet for a whole window say nothing any more. */
function sweep(logs: Map<string, Log>, nowMs: number): void {
  for (const [key, log] of logs) {
    const newest = log.stamps[(log.next + log.stamps.length - 1) % log.stamps.length] ?? 0
    if (nowMs - newest >= WINDOW_MS) logs.delete(key)
  }
}
