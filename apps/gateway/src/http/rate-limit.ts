import type { Clock } from '@tollgate/runtime'

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
interface OwnRateLimiter extends RateLimiter {
  admit(key: string, limitPerSecond: number): Admission
}

/** The window of the specification (section 8). */
const WINDOW_MS = 1_000
const SWEEP_EVERY_REQUESTS = 10_000
/** How far `remaining` is counted: it only informs. */
const REMAINING_COUNTED_MAX = 100

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

/**
 * The sliding log of rate-limit.ts in Redis, for one or several buckets at once: KEYS are buckets, ARGV their limits; the
 * answer has three numbers for each: 1 or 0 for admitted, how many more would be admitted now, microseconds to wait.
 *
 * A bucket is a list of the times of its admissions by Redis' own clock, the oldest first. Whether one more is admitted is
 * seen at a single place of it, the limit-th from its end. What the window has left is cut off at the front whenever
 * something is added, so a list is never longer than the highest limit, and only the lists' ends are touched: the cost of
 * an admission does not grow with the limit. A list that nothing is added to ends by itself.
 */
export const SLIDING_LOG_LUA = `
local WINDOW = 1000000
local LIFE_MS = 2000
local COUNTED_MAX = ${String(REMAINING_COUNTED_MAX)}

local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]

local function stampAt(key, place)
  return tonumber(redis.call('LINDEX', key, place) or nil)
end

local function append(key, stamp)
  redis.call('RPUSH', key, string.format('%.0f', stamp))
end

-- The clock was set back. By less than a window: time stands still until it has caught up. By more: what is known
-- counts as admitted now, since nothing could ever be admitted if we waited for a clock that was wrong by a day.
local function timeOf(key)
  local newest = stampAt(key, -1)
  if newest == nil or newest <= clock then return clock end
  if newest - clock < WINDOW then return newest end
  local known = redis.call('LLEN', key)
  redis.call('DEL', key)
  for _ = 1, known do append(key, clock) end
  return clock
end

-- How many of the oldest have left the window; the stamps are in order, so halving finds it.
local function countStale(key, length, now)
  local low, high = 0, math.min(length, COUNTED_MAX)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if now - stampAt(key, middle) < WINDOW then high = middle else low = middle + 1 end
  end
  return low
end

local answer = {}
for index, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[index])
  local now = timeOf(key)
  local length = redis.call('LLEN', key)
  local age = WINDOW
  if length >= limit then age = now - stampAt(key, length - limit) end
  local admitted, remaining = 0, 0
  if age >= WINDOW then
    local stale = countStale(key, length, now)
    if stale > 0 then redis.call('LTRIM', key, stale, -1) end
    append(key, now)
    redis.call('PEXPIRE', key, LIFE_MS)
    admitted = 1
    remaining = math.max(0, math.min(limit - (length - stale) - 1, COUNTED_MAX))
  end
  table.insert(answer, admitted)
  table.insert(answer, remaining)
  table.insert(answer, admitted == 1 and 0 or WINDOW - age)
end
return answer
`
