import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@tollgate/runtime'
import { NO_REDIS, type RedisServer, redisServer, type TestLife, waitUntil } from '@tollgate/testkit'
import { createMetrics, type Metrics } from '../../platform/metrics.ts'
import { testLog } from '../../platform/test/index.ts'
import type { Admission, RateLimiter } from '../rate-limit.ts'
import { createSharedRateLimits, type RateLimits } from '../shared-rate-limit.ts'

const WAIT_MS = 15_000
const LIMIT = 10
const RUNS_MAX = 4

/** One for all tests: each leaves it as it found it. */
const server = NO_REDIS === false ? await redisServer({ after }) : undefined

function sharedRedis(): RedisServer {
  assert.ok(server !== undefined)
  return server
}

/** The part of a process of the gateway that limits. */
interface Side {
  readonly limits: RateLimits
  readonly limiter: RateLimiter
  readonly metrics: Metrics
  readonly lines: string[]
}

async function side(t: TestLife, { url }: Pick<RedisServer, 'url'>, installation = 'one'): Promise<Side> {
  const metrics = createMetrics()
  const { log, lines } = testLog()
  const limits = createSharedRateLimits({ url, installation, clock: systemClock, log, metrics })
  t.after(() => limits.stop())
  await limits.start()
  return { limits, limiter: limits.limiter('api'), metrics, lines }
}

/** How many requests the sides counted by themselves. */
async function countedAlone(sides: readonly Side[]): Promise<number> {
  const counts = await Promise.all(sides.map(({ metrics }) => metrics.rateLimitedAlone.get()))
  return counts.reduce((sum, { values }) => sum + (values[0]?.value ?? 0), 0)
}

interface Asked {
  readonly fromMs: number
  readonly untilMs: number
  readonly admission: Admission
}

async function ask(limiter: RateLimiter, bucket: string, limit: number): Promise<Asked> {
  const fromMs = performance.now()
  const admission = await limiter.admit(bucket, limit)
  return { fromMs, untilMs: performance.now(), admission }
}

/** Sends to all sides in turn, ten at once, for so long. */
async function saturate(sides: readonly Side[], bucket: string, durationMs: number): Promise<Asked[]> {
  const asked: Promise<Asked>[] = []
  const endMs = performance.now() + durationMs
  while (performance.now() < endMs) {
    for (const { limiter } of sides) {
      for (let count = 0; count < 5; count += 1) asked.push(ask(limiter, bucket, LIMIT))
    }
    await sleep(7)
  }
  return Promise.all(asked)
}

/**
 * The most admissions that surely lie in one window of 1000 ms: they were sent after its beginning, and answered before its
 * end.
 */
function fullestWindow(asked: readonly Asked[]): number {
  const admitted = asked.filter(({ admission }) => admission.admitted)
  return Math.max(
    0,
    ...admitted.map(
      ({ fromMs }) => admitted.filter((one) => one.fromMs >= fromMs && one.untilMs < fromMs + 1_000).length,
    ),
  )
}

/** Runs it until no side has counted by itself meanwhile, which happens where the machine holds Redis up for 200 ms. */
async function undisturbed<Result>(
  sides: readonly Side[],
  work: (run: number) => Promise<Result>,
): Promise<Result> {
  for (let run = 1; run <= RUNS_MAX; run += 1) {
    const before = await countedAlone(sides)
    const result = await work(run)
    if ((await countedAlone(sides)) === before) return result
    await untilShared(sides)
  }
  throw new Error(`Redis was held up in each of ${RUNS_MAX} runs`)
}

/** Waits until each side asks Redis again. */
async function untilShared(sides: readonly Side[]): Promise<void> {
  for (const one of sides) {
    const isShared = async (): Promise<boolean> => {
      const before = await countedAlone([one])
      await one.limiter.admit(`probe ${performance.now()}`, LIMIT)
      return (await countedAlone([one])) === before
    }
    await waitUntil(isShared, { timeoutMs: WAIT_MS, what: 'the shared limit' })
  }
}

const warnings = ({ lines }: Side): number => lines.filter((line) => line.includes('"level":"warn"')).length

test('two processes together admit the limit in every window, and no more', { skip: NO_REDIS }, async (t) => {
  const redis = sharedRedis()
  const sides = [await side(t, redis), await side(t, redis)]
  const durationMs = 2_200
  const asked = await undisturbed(sides, (run) => saturate(sides, `shop ${run}`, durationMs))
  assert.ok(fullestWindow(asked) <= LIMIT, `${fullestWindow(asked)} in a window`)
  const admitted = asked.filter(({ admission }) => admission.admitted).length
  assert.ok(admitted >= 2 * LIMIT, `${admitted} of ${asked.length} admitted`)
})

test('all processes, servers and installations have the buckets that are theirs', {
  skip: NO_REDIS,
}, async (t) => {
  const redis = sharedRedis()
  const here = await side(t, redis)
  const there = await side(t, redis)
  const elsewhere = await side(t, redis, 'another')
  const admitted = await undisturbed([here, there, elsewhere], async (run) => {
    const limiters = [here.limiter, there.limiter, elsewhere.limiter, here.limits.limiter('operators')]
    const admissions: Admission[] = []
    for (const limiter of limiters) admissions.push(await limiter.admit(`mine ${run}`, 1))
    return admissions.map((admission) => admission.admitted)
  })
  assert.deepEqual(admitted, [true, false, true, true])
})

test('what is known of a full bucket is not asked again, and is forgotten in time', {
  skip: NO_REDIS,
}, async (t) => {
  const redis = sharedRedis()
  const one = await side(t, redis)
  const [first, second, third] = await undisturbed(
    [one],
    async (run) =>
      [
        await one.limiter.admit(`full ${run}`, 1),
        await one.limiter.admit(`full ${run}`, 1),
        one.limiter.admit(`full ${run}`, 1),
      ] as const,
  )
  assert.deepEqual(first, { admitted: true, remaining: 0, waitMs: 0 })
  assert.ok(!second.admitted && second.waitMs > 0 && second.waitMs <= 1_000)
  assert.ok(!(third instanceof Promise) && !third.admitted, 'the answer was there at once')
  const again = await undisturbed([one], async (run) => {
    await one.limiter.admit(`late ${run}`, 1)
    const refused = await one.limiter.admit(`late ${run}`, 1)
    await sleep(refused.waitMs + 5)
    return one.limiter.admit(`late ${run}`, 1)
  })
  assert.equal(again.admitted, true)
})

test('a Redis that freezes, dies and comes back makes nobody wait, and one line in the log', {
  skip: NO_REDIS,
}, async (t) => {
  const redis = sharedRedis()
  const one = await side(t, redis)
  await untilShared([one])
  const warned = warnings(one)

  redis.freeze()
  const frozen = await Promise.all(Array.from({ length: 20 }, () => ask(one.limiter, 'frozen', LIMIT)))
  const waitedMs = Math.max(...frozen.map(({ fromMs, untilMs }) => untilMs - fromMs))
  assert.ok(waitedMs < 2_000, `${waitedMs} ms until the first answers`)
  assert.equal(frozen.filter(({ admission }) => admission.admitted).length, LIMIT)
  const next = one.limiter.admit('frozen', LIMIT)
  assert.ok(!(next instanceof Promise), 'nobody else waits')
  assert.equal(warnings(one), warned + 1)
  redis.thaw()
  await untilShared([one])
  const back = one.lines.filter((line) => line.includes('Redis is back')).length
  assert.ok(back >= 1)

  const warnedBefore = warnings(one)
  await redis.kill()
  await waitUntil(() => warnings(one) > warnedBefore, { timeoutMs: WAIT_MS, what: 'the loss to be seen' })
  const alone = await Promise.all(Array.from({ length: 20 }, () => ask(one.limiter, 'dead', LIMIT)))
  assert.equal(alone.filter(({ admission }) => admission.admitted).length, LIMIT)
  await sleep(400)
  assert.equal(warnings(one), warnedBefore + 1, 'one warning per outage')
  await redis.start()
  await untilShared([one])
})

test('what Redis admitted before an outage counts in it', { skip: NO_REDIS }, async (t) => {
  const redis = sharedRedis()
  const one = await side(t, redis)
  let bucket = ''
  const before = await undisturbed([one], async (run) => {
    bucket = `early ${run}`
    return Promise.all(Array.from({ length: LIMIT }, () => ask(one.limiter, bucket, LIMIT)))
  })
  await redis.kill()
  const during = await Promise.all(Array.from({ length: 5 }, () => ask(one.limiter, bucket, LIMIT)))
  assert.ok(fullestWindow([...before, ...during]) <= LIMIT)
  await redis.start()
})

test('without Redis the start takes little, and the limits hold in this process', async (t) => {
  const nowhere = { url: 'redis://127.0.0.1:1' }
  const one = await side(t, nowhere)
  const admissions = Array.from({ length: 12 }, () => one.limiter.admit('shop', LIMIT))
  const admitted = admissions.map((admission) => {
    assert.ok(!(admission instanceof Promise), 'nobody waits')
    return admission.admitted
  })
  assert.equal(admitted.filter(Boolean).length, LIMIT)
  assert.equal(await countedAlone([one]), 12)
  assert.equal(warnings(one), 1)
})
