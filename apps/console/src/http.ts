import { addressKey, type Bucket, createPageServer, isProbe, limitVisitors } from '@tollgate/page-server'
import type { Log, WallClock } from '@tollgate/runtime'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from './metrics.ts'

// The console's server: its limits, and whom it answers.

const HEADER_BYTES_MAX = 16_384
const TIMEOUTS = { headersMs: 10_000, requestMs: 60_000, checkMs: 1_000 }

interface HttpOptions {
  readonly publicUrl: string
  readonly trustProxy: readonly string[]
  readonly clock: WallClock
  readonly log: Log
  readonly metrics: Pick<Metrics, 'httpDurationSeconds' | 'rateLimited'>
  readonly isDraining: () => boolean
  /** A screen that says why a request is not answered. */
  readonly refuse: (request: FastifyRequest, reply: FastifyReply, reason: Refused) => FastifyReply
  readonly fail: (request: FastifyRequest, reply: FastifyReply, error: unknown) => FastifyReply
}

/** HOST: for another address. SITE: a form of another site. NOWHERE: no such screen. BUSY: too many files at once. LIMITED: too many requests. */
export type Refused = 'HOST' | 'SITE' | 'NOWHERE' | 'TOO_LARGE' | 'BUSY' | 'LIMITED'

// Less than half of what the operator API grants to one address: one visitor cannot use that up even where the API takes all
// visitors for the console.

/** An office may be behind one address. */
const ADDRESS = { perSecond: 100, atOnce: 300 }
const SIGN_IN = { perSecond: 4, atOnce: 20 }
/** Where the operator API is asked before anybody has proven anything. */
const SIGN_IN_ROUTE = /^\/(?:sign-in|invitation)(?:\/|$)/

const BUCKETS: readonly Bucket[] = [
  { name: 'address', allowance: ADDRESS, keyOf: ({ ip }) => addressKey(ip) },
  {
    name: 'sign-in',
    allowance: SIGN_IN,
    keyOf: ({ ip, routeOptions: { url = '' } }) => (SIGN_IN_ROUTE.test(url) ? addressKey(ip) : undefined),
  },
]

/** A server without routes but those for health. */
export function createHttp({ publicUrl, clock, refuse, fail, ...options }: HttpOptions): FastifyInstance {
  const app = createPageServer({
    ...options,
    headerBytesMax: HEADER_BYTES_MAX,
    timeouts: TIMEOUTS,
    // Our own forms have to say where they were, and nobody else is told.
    headers: { isSecure: publicUrl.startsWith('https://'), referrerPolicy: 'same-origin' },
    nowhere: (request, reply) => refuse(request, reply, 'NOWHERE'),
    trouble: (request, reply, { error, status }) => {
      if (status === 413) return refuse(request, reply, 'TOO_LARGE')
      return status < 500 ? refuse(request, reply, 'NOWHERE') : fail(request, reply, error)
    },
  })
  // Read by the few routes that take a file; the others have no use for it.
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, next) =>
    next(null, body),
  )
  limitVisitors(app, {
    buckets: BUCKETS,
    nowMs: () => clock.nowMs(),
    metrics: options.metrics,
    refuse: (request, reply, seconds) => refuse(request, reply.header('retry-after', seconds), 'LIMITED'),
  })
  app.addHook('onRequest', (request, reply, next) => {
    const reason = isProbe(request) ? undefined : refusalOf(request, publicUrl)
    if (reason === undefined) next()
    else refuse(request, reply, reason)
  })
  return app
}

/**
 * Another name of ours would share neither cookie nor rules with this one, and a name that an attacker points here must not
 * be answered at all. What changes something comes from our own pages alone: every browser says where a form was.
 */
function refusalOf({ headers, method }: FastifyRequest, publicUrl: string): Refused | undefined {
  if (headers.host !== new URL(publicUrl).host) return 'HOST'
  if (method === 'GET') return undefined
  const { origin, 'sec-fetch-site': site } = headers
  const isOurs = origin === publicUrl && (site === undefined || site === 'same-origin')
  return isOurs ? undefined : 'SITE'
}
