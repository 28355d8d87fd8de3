import { REMAINING_COUNTED_MAX } from './rate-limit.ts'

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
