import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Counter } from 'prom-client'
import { isProbe } from './http.ts'

// How much a visitor may ask for.

/** A share of what the server does, for each key by itself. */
export interface Bucket {
  readonly name: string
  readonly allowance: Allowance
  /** Whom a request counts for; undefined where it is no matter of this bucket. */
  readonly keyOf: (request: FastifyRequest) => string | undefined
}

interface LimitOptions {
  /** In their order: what one refuses does not count in the next. */
  readonly buckets: readonly Bucket[]
  readonly nowMs: () => number
  readonly metrics: { readonly rateLimited: Counter<'bucket'> }
  /** Answers 429. */
  readonly refuse: (request: FastifyRequest, reply: FastifyReply, retryAfterSeconds: number) => FastifyReply
}

/** Refuses every request that is too many, before its route. Probes are let through. */
export function limitVisitors(app: FastifyInstance, { buckets, nowMs, metrics, refuse }: LimitOptions): void {
  const gates = buckets.map(({ name, allowance, keyOf }) => {
    const limiter = createLimiter(allowance, nowMs)
    return (request: FastifyRequest): number => {
      const key = keyOf(request)
      const waitMs = key === undefined ? 0 : limiter.admit(key)
      if (waitMs > 0) metrics.rateLimited.inc({ bucket: name })
      return waitMs
    }
  })
  app.addHook('onRequest', (request, reply, next) => {
    const waitMs = isProbe(request) ? 0 : firstWait(gates, request)
    if (waitMs === 0) next()
    else refuse(request, reply, Math.ceil(waitMs / 1000))
  })
}

function firstWait(gates: readonly ((request: FastifyRequest) => number)[], request: FastifyRequest): number {
  for (const gate of gates) {
    const waitMs = gate(request)
    if (waitMs > 0) return waitMs
  }
  return 0
}

/** How much one key may do: so many a second in the long run, and so many at once. */
interface Allowance {
  readonly perSecond: number
  readonly atOnce: number
}

interface Limiter {
  /** 0 when it is let in; otherwise the milliseconds until it would be. What is not let in is not counted. */
  admit(key: string): number
  /** Keys that are remembered. */
  readonly size: number
}

interface Level {
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
  const buckets = new Map<string, Level>()
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

function forgetOldest(buckets: Map<string, Level>, keysMax: number): void {
  for (const key of buckets.keys()) {
    if (buckets.size <= keysMax) return
    buckets.delete(key)
  }
}
