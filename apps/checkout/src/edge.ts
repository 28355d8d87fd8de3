import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, type Bucket, limitVisitors } from '@tollgate/page-server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { LimitName, Metrics } from './metrics.ts'
import { placeIn } from './opening.ts'

// What every request passes before its route, and what comes before there is a request.

/** A household, an office or a carrier may be behind one address. */
const ADDRESS_SECONDS_AT_ONCE = 3
/** A customer with a few tabs, who reloads. */
const PAYMENT = { perSecond: 10, atOnce: 60 }

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
  const { addressRatePerSecond: perSecond, isDraining } = options
  const address = { perSecond, atOnce: perSecond * ADDRESS_SECONDS_AT_ONCE }
  const buckets: readonly (Bucket & { readonly name: LimitName })[] = [
    { name: 'address', allowance: address, keyOf: ({ ip }) => addressKey(ip) },
    { name: 'payment', allowance: PAYMENT, keyOf: paymentKey },
  ]
  limitVisitors(app, { ...options, buckets })
  app.addHook('onSend', (_request, reply, _payload, next) => {
    // Whoever keeps the connection is to look for another process.
    if (isDraining()) void reply.header('connection', 'close')
    next()
  })
}

/** Not by payment alone: anyone who knows its id could keep its customer out. */
function paymentKey(request: FastifyRequest): string | undefined {
  const place = placeIn(request)
  return place && `${place} ${addressKey(request.ip)}`
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
