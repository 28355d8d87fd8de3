import { type Clock, createBoundedMap, type Log } from '@tollgate/runtime'
import { createBatcher } from '../platform/batch.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createRedisScript } from '../platform/redis.ts'
import { type Admission, createRateLimiter, type RateLimiter, SLIDING_LOG_LUA } from './rate-limit.ts'

/** The limiters of a process. */
export interface RateLimits {
  /** A limiter with buckets of its own: the same name means the same buckets in all processes that share. */
  limiter(name: string): RateLimiter
  /** Resolves also when what is shared cannot be reached: then each process counts by itself. */
  start(): Promise<void>
  stop(): void
}

/** Limits that are counted by this process alone. */
export function createOwnRateLimits(clock: Clock): RateLimits {
  return {
    limiter: () => createRateLimiter(clock),
    start: () => Promise.resolve(),
    stop: () => undefined,
  }
}

interface SharedRateLimitsDeps {
  readonly url: string
  /** Begins every key, so that two installations may use one Redis. */
  readonly installation: string
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<Metrics, 'rateLimitedAlone'>
}

/** Those that come while others are on their way share the next round trip. */
const BATCH_LIMITS = { rowsMax: 128, inFlightMax: 4, waitingMax: 20_000 } as const

interface Question {
  readonly bucket: string
  readonly limit: number
}

/**
 * Limits that are counted once for all processes, in Redis. While Redis is away, this process counts by itself: a shop is
 * not kept waiting, and what it may send at most is its limit times the number of processes.
 */
export function createSharedRateLimits(deps: SharedRateLimitsDeps): RateLimits {
  const prefix = `tollgate:${deps.installation}:`
  const script = createRedisScript({
    ...deps,
    lua: SLIDING_LOG_LUA,
    // So high that it writes, whoever else proves at the same time.
    proof: { keys: [`${prefix}proof`], args: [1_000_000] },
    consequence: 'this process counts the rate limit by itself',
  })
  const ask = createBatcher<Question, Admission>({
    limits: BATCH_LIMITS,
    run: async (questions) =>
      admissionsOf(
        await script.run(
          questions.map(({ bucket }) => bucket),
          questions.map(({ limit }) => limit),
        ),
      ),
    isPoison: () => false,
  })

  function limiter(name: string): RateLimiter {
    const own = createRateLimiter(deps.clock)
    const refusals = createRefusals(deps.clock)
    const alone = (key: string, limit: number): Admission => {
      deps.metrics.rateLimitedAlone.inc()
      return own.admit(key, limit)
    }
    return {
      admit(key, limitPerSecond) {
        const refusal = refusals.find(key, limitPerSecond)
        if (refusal !== undefined) return refusal
        if (!script.isThere()) return alone(key, limitPerSecond)
        const askedAtMs = deps.clock.monotonicMs()
        return ask({ bucket: `${prefix}${name} ${key}`, limit: limitPerSecond }).then(
          (admission) => {
            // Our own log knows what we admitted, so that an outage gives nobody a second helping.
            if (admission.admitted) void own.admit(key, limitPerSecond)
            else refusals.remember(key, limitPerSecond, askedAtMs + admission.waitMs)
            return admission
          },
          () => alone(key, limitPerSecond),
        )
      },
    }
  }

  return { limiter, start: () => script.start(), stop: () => script.stop() }
}

const NUMBERS_PER_ADMISSION = 3

/** What the script answers: three whole numbers for each question. */
function admissionsOf(answer: unknown): readonly Admission[] {
  if (!Array.isArray(answer)) throw new Error('the sliding log gave no list')
  const numbers = answer.map(Number)
  return Array.from({ length: numbers.length / NUMBERS_PER_ADMISSION }, (_unused, index) => {
    const [admitted, remaining = 0, waitMicros = 0] = numbers.slice(index * NUMBERS_PER_ADMISSION)
    return { admitted: admitted === 1, remaining, waitMs: waitMicros / 1000 }
  })
}

const REFUSALS_MAX = 10_000

interface Refusals {
  /** The refusal that still holds for the bucket. */
  find(key: string, limit: number): Admission | undefined
  remember(key: string, limit: number, untilMs: number): void
}

/**
 * A bucket that is full stays full until its oldest admission leaves the window, whoever asks: until then nobody need ask
 * again, and whoever floods us does not flood Redis.
 */
function createRefusals(clock: Clock): Refusals {
  const refusals = createBoundedMap<string, { readonly limit: number; readonly untilMs: number }>(
    REFUSALS_MAX,
  )
  return {
    find(key, limit) {
      const known = refusals.get(key)
      if (known === undefined) return undefined
      const waitMs = known.untilMs - clock.monotonicMs()
      if (known.limit === limit && waitMs > 0) return { admitted: false, remaining: 0, waitMs }
      refusals.delete(key)
      return undefined
    },
    remember(key, limit, untilMs) {
      refusals.set(key, { limit, untilMs })
    },
  }
}
