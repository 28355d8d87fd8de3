import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isProbe } from '@tollgate/page-server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from './addresses.ts'
import type { LimitName, Metrics } from './metrics.ts'
import { placeIn } from './opening.ts'

// What every request passes before its route, and what comes before there is a request.

/** A household, an office or a carrier may be behind one address. */
const ADDRESS_SECONDS_AT_ONCE = 3
/** A customer with a few tabs, who reloads. */
const PAYMENT: Allowance = { perSecond: 10, atOnce: 60 }

export interface EdgeOptions {
  readonly addressRatePerSecond: number
  readonly nowMs: () => number
  readonly metrics: Pick<Metrics, 'rateLimited'>
  readonly isDraining: () => boolean
  /** Answers 429. */
  readonly refuse: (request: FastifyRequest, reply: FastifyReply, retryAfterSeconds: number) => FastifyReply
}

/** The limits: of an address, and of an address at one payment. */
export function guardEdge(app: FastifyInstance, options: EdgeOptions): void {
  const { addressRatePerSecond: perSecond, nowMs, metrics, isDraining, refuse } = options
  const addresses = createLimiter({ perSecond, atOnce: perSecond * ADDRESS_SECONDS_AT_ONCE }, nowMs)
  const payments = createLimiter(PAYMENT, nowMs)
  app.addHook('onRequest', (request, reply, next) => {
    if (isProbe(request)) {
      next()
      return
    }
    const address = addressKey(request.ip)
    const place = placeIn(request)
    // Not by payment alone: anyone who knows its id could keep its customer out.
    const payment = place && `${place} ${address}`
    const waitMs =
      admit({ limiter: addresses, bucket: 'address', metrics }, address) ||
      admit({ limiter: payments, bucket: 'payment', metrics }, payment)
    if (waitMs === 0) next()
    else refuse(request, reply, Math.ceil(waitMs / 1000))
  })
  app.addHook('onSend', (_request, reply, _payload, next) => {
    // Whoever keeps the connection is to look for another process.
    if (isDraining()) void reply.header('connection', 'close')
    next()
  })
}

interface Gate {
  readonly limiter: Limiter
  readonly bucket: LimitName
  readonly metrics: Pick<Metrics, 'rateLimited'>
}

function admit({ limiter, bucket, metrics }: Gate, key: string | undefined): number {
  const waitMs = key === undefined ? 0 : limiter.admit(key)
  if (waitMs > 0) metrics.rateLimited.inc({ bucket })
  return waitMs
}

/**
 * Answers with what closes connections on which nothing was ever sent. Browsers open some beforehand, and a server that
 * closes waits for them, since they are not between two requests either.
 */
export function closerOfSilent(server: Server): () => void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
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
