import { createPageServer, type Timeouts } from '@tollgate/page-server'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type EdgeOptions, guardEdge } from './edge.ts'
import { askLater } from './live-routes.ts'
import type { Metrics } from './metrics.ts'
import { placeIn } from './opening.ts'
import type { ErrorKind } from './screens/errors.ts'
import { type Exchange, showTrouble } from './sending.ts'
import type { Mode } from './sessions.ts'
import { type Deps, PATHS } from './visit.ts'

// The page's server: its limits, and a screen for whatever goes wrong.

/** The session travels in cookies, and the address that customers come with holds a token and two addresses. */
const HEADER_BYTES_MAX = 65_536
const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 15_000, checkMs: 1_000 }

interface HttpOptions extends Omit<EdgeOptions, 'refuse' | 'nowMs' | 'metrics'> {
  readonly metrics: Metrics
  readonly trustProxy: readonly string[]
  readonly timeouts?: Timeouts
}

const KINDS: Readonly<Record<number, ErrorKind>> = { 413: 'TOO_LARGE', 415: 'NO_FORM' }

/** A server without routes but those for health. */
export function createHttp(deps: Deps, options: HttpOptions): FastifyInstance {
  const { trustProxy, metrics, isDraining, timeouts = TIMEOUTS } = options
  const app = createPageServer({
    log: deps.log,
    metrics,
    isDraining,
    trustProxy,
    timeouts,
    headerBytesMax: HEADER_BYTES_MAX,
    // Nobody is told where the customer was.
    headers: {
      isSecure: deps.publicUrl.startsWith('https://'),
      referrerPolicy: 'no-referrer',
      pictures: 'data:',
    },
    nowhere: (request, reply) => showTrouble(deps, { request, reply }, { kind: 'NOWHERE' }),
    trouble: (request, reply, { error, status }) => {
      if (status >= 500) deps.log.error({ err: error }, 'a request failed')
      const kind = status >= 500 ? 'UNEXPECTED' : (KINDS[status] ?? 'FORBIDDEN')
      return showTrouble(deps, { request, reply }, { kind })
    },
  })
  guardEdge(app, {
    ...options,
    nowMs: () => deps.clock.nowMs(),
    refuse: (request, reply, seconds) => tooMany(deps, { request, reply }, seconds),
  })
  return app
}

/** People see a screen that tries again at the payment, not at what was sent; scripts get what they read. */
function tooMany(deps: Deps, { request, reply }: Exchange, retryAfterSeconds: number): FastifyReply {
  const route = request.routeOptions.url ?? ''
  if (/\/(?:state|events)$/.test(route))
    return askLater(deps, reply, { status: 429, seconds: retryAfterSeconds })
  const mode: Mode = route.startsWith(PATHS.STATUS) ? 'STATUS' : 'PAY'
  const place = placeIn(request)
  const base = place === undefined ? '' : `${PATHS[mode]}/${place}`
  return showTrouble(deps, { request, reply }, { kind: 'LIMITED', base, retryAfterSeconds })
}
