import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NO_REDIS, redisServer } from '@tollgate/testkit'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { heldClock } from '../../platform/test/index.ts'
import { type Admission, createRateLimiter, SLIDING_LOG_LUA } from '../rate-limit.ts'

const WINDOW_MICROS = 1_000_000
const DAY_MICROS = 86_400 * WINDOW_MICROS
const START_MICROS = 1_795_000_000 * WINDOW_MICROS

/** The script with a clock that the test holds: its time comes as one more argument. */
const HELD_LUA = SLIDING_LOG_LUA.replace(`redis.call('TIME')`, `{ ARGV[#KEYS + 1], 0 }`).replace(
  'time[1] * 1000000 + time[2]',
  'tonumber(time[1])',
)

const redis = NO_REDIS === false ? await openRedis() : undefined
let buckets = 0

async function openRedis(): Promise<Redis> {
  const { url } = await redisServer({ after })
  const client = new Redis(url)
  after(() => client.disconnect())
  return client
}

interface Arrival {
  readonly atMicros: number
  readonly limit: number
}

/** What the script answers to arrivals at one bucket, one after the other, in one round trip. */
async function answersTo(arrivals: readonly Arrival[]): Promise<readonly Admission[]> {
  assert.ok(redis !== undefined)
  buckets += 1
  const bucket = `bucket ${buckets}`
  const pipeline = redis.pipeline()
  for (const { atMicros, limit } of arrivals)
    pipeline.eval(HELD_LUA, 1, bucket, limit, START_MICROS + atMicros)
  const replies = (await pipeline.exec()) ?? []
  return replies.map(([error, reply]) => {
    assert.equal(error, null)
    assert.ok(Array.isArray(reply))
    const [admitted, remaining, waitMicros] = reply.map(Number)
    return { admitted: admitted === 1, remaining: remaining ?? -1, waitMs: (waitMicros ?? -1) / 1000 }
  })
}

/** Close to the edges of the window, since that is where limiters err. */
const EDGES_MS = [0, 0, 1, 499, 500, 501, 998, 999, 1000, 1001]
const pauses = fc.array(
  fc.oneof(fc.constantFrom(...EDGES_MS), fc.integer({ min: 0, max: 40 }), fc.integer({ max: 1500, min: 0 })),
  { maxLength: 120, size: 'max' },
)
const limits = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 130 }))
const RUNS = { numRuns: 60 }

test('the clock of the script is the only thing that the tests replace', () => {
  assert.equal(SLIDING_LOG_LUA.match(/TIME'/g)?.length, 1)
  assert.doesNotMatch(HELD_LUA, /TIME'/)
})

test('the script answers as the log in memory does', { skip: NO_REDIS }, async () => {
  await fc.assert(
    fc.asyncProperty(pauses, limits, async (pausesMs, limit) => {
      const clock = heldClock()
      const limiter = createRateLimiter(clock)
      const expected: Admission[] = []
      const arrivals = pausesMs.map((pauseMs) => {
        clock.advance(pauseMs)
        expected.push(limiter.admit('shop', limit))
        return { atMicros: clock.monotonicMs() * 1000, limit }
      })
      assert.deepEqual(await answersTo(arrivals), expected)
    }),
    RUNS,
  )
})

test('limits that change count what was admitted under the others', { skip: NO_REDIS }, async () => {
  const arrivalsOf = fc.array(
    fc.record({
      pauseMicros: fc.oneof(
        fc.integer({ min: 0, max: 90_000 }),
        fc.constantFrom(0, 1, 500_000, 999_999, 1_000_000),
      ),
      limit: fc.integer({ min: 1, max: 30 }),
    }),
    {
      maxLength: 120,
      size: 'max',
    },
  )
  await fc.assert(
    fc.asyncProperty(arrivalsOf, async (steps) => {
      let atMicros = 0
      const arrivals = steps.map(({ pauseMicros, limit }) => {
        atMicros += pauseMicros
        return { atMicros, limit }
      })
      const times: number[] = []
      const expected = arrivals.map(({ atMicros: now, limit }) => {
        const isAdmitted = times.filter((time) => now - time < WINDOW_MICROS).length < limit
        if (isAdmitted) times.push(now)
        return isAdmitted
      })
      assert.deepEqual(
        (await answersTo(arrivals)).map(({ admitted }) => admitted),
        expected,
      )
    }),
    RUNS,
  )
})

test('a place is free again a whole window after it was taken, to the microsecond', {
  skip: NO_REDIS,
}, async () => {
  const arrivals = [0, WINDOW_MICROS - 1, WINDOW_MICROS].map((atMicros) => ({ atMicros, limit: 1 }))
  assert.deepEqual(await answersTo(arrivals), [
    { admitted: true, remaining: 0, waitMs: 0 },
    { admitted: false, remaining: 0, waitMs: 0.001 },
    { admitted: true, remaining: 0, waitMs: 0 },
  ])
})

test('a clock that is set back lets nobody have more, and keeps nobody out for long', {
  skip: NO_REDIS,
}, async () => {
  const ten = (atMicros: number): Arrival[] => Array.from({ length: 10 }, () => ({ atMicros, limit: 10 }))
  const admittedOf = async (arrivals: readonly Arrival[]): Promise<number> =>
    (await answersTo(arrivals)).filter(({ admitted }) => admitted).length
  assert.equal(await admittedOf([...ten(0), ...ten(-500_000)]), 10)
  assert.equal(await admittedOf([...ten(0), ...ten(-DAY_MICROS)]), 10)
  assert.equal(await admittedOf([...ten(0), ...ten(-DAY_MICROS), ...ten(WINDOW_MICROS - DAY_MICROS)]), 20)
  assert.equal(await admittedOf([...ten(0), ...ten(-500_000), ...ten(WINDOW_MICROS)]), 20)
})

test('a bucket never holds more than its limit, and is gone when it is quiet', {
  skip: NO_REDIS,
}, async () => {
  assert.ok(redis !== undefined)
  const arrivals = Array.from({ length: 2_000 }, (_unused, index) => ({ atMicros: index * 7_000, limit: 25 }))
  await answersTo(arrivals)
  const bucket = `bucket ${buckets}`
  assert.equal(await redis.llen(bucket), 25)
  const lifeMs = await redis.pttl(bucket)
  assert.ok(lifeMs > 0 && lifeMs <= 2_000, `${lifeMs} ms`)
})

test('several buckets are asked in one call, by the clock of Redis', { skip: NO_REDIS }, async () => {
  assert.ok(redis !== undefined)
  const answer = await redis.eval(SLIDING_LOG_LUA, 3, 'a', 'b', 'a', 1, 2, 1)
  assert.ok(Array.isArray(answer))
  assert.deepEqual(answer.slice(0, 8), [1, 0, 0, 1, 1, 0, 0, 0])
  assert.equal(answer[8], WINDOW_MICROS)
})
