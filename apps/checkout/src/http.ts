import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import { compressScreens } from './compression.ts'
import { answerClientError, type EdgeOptions, guardEdge, isProbe } from './edge.ts'
import { askLater } from './live-routes.ts'
import type { Metrics } from './metrics.ts'
import { placeIn } from './opening.ts'
import type { ErrorKind } from './screens/errors.ts'
import { type Exchange, showTrouble } from './sending.ts'
import type { Mode } from './sessions.ts'
import { type Deps, PATHS } from './visit.ts'

// The page's server: its limits, its headers, its log, and a screen for whatever goes wrong.

const FORM_BYTES_MAX = 16_384
/** The session travels in cookies, and the address that customers come with holds a token and two addresses. */
const HEADER_BYTES_MAX = 65_536

/** How long a request may take to come in. */
export interface Timeouts {
  readonly headersMs: number
  readonly requestMs: number
  /** How often connections past the two are looked for; Node's own default is half a minute. */
  readonly checkMs: number
}

const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 15_000, checkMs: 1_000 }

interface HttpOptions extends Omit<EdgeOptions, 'refuse' | 'nowMs' | 'metrics'> {
  readonly metrics: Metrics
  readonly trustProxy: readonly string[]
  readonly timeouts?: Timeouts
}

/** A server without routes but those for health. */
export function createHttp(deps: Deps, options: HttpOptions): FastifyInstance {
  const { trustProxy, metrics, timeouts = TIMEOUTS } = options
  const headers = securityHeaders(deps.publicUrl.startsWith('https://'))
  const app = fastify({
    logger: false,
    bodyLimit: FORM_BYTES_MAX,
    requestTimeout: timeouts.requestMs,
    http: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
    },
    exposeHeadRoutes: false,
    trustProxy: trustProxy.length === 0 ? false : [...trustProxy],
    // A customer who is here already is served to the end.
    return503OnClosing: false,
    // Absolute-form request lines never match a route: a proxy in front of us has no reason to send them.
    rewriteUrl: (request) => (request.url?.startsWith('/') === true ? request.url : '/-'),
    clientErrorHandler: answerClientError,
    // Such a request has not passed any hook, so its answer gets the headers here.
    frameworkErrors: (_error, request, reply) => {
      void showTrouble(deps, { request, reply: reply.headers(headers) }, { kind: 'NOWHERE' })
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, next) => next(null, new URLSearchParams(String(body))),
  )
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers)
    next()
  })
  compressScreens(app)
  observe(app, deps, metrics)
  guardEdge(app, {
    ...options,
    nowMs: () => deps.clock.nowMs(),
    refuse: (request, reply, seconds) => tooMany(deps, { request, reply }, seconds),
  })
  answerErrors(app, deps)
  return app
}

function observe(app: FastifyInstance, deps: Deps, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, next) => {
    const { method } = request
    // The address without what is behind it: there may be a token, and names.
    const path = request.routeOptions.url ?? 'none'
    const status = reply.statusCode
    metrics.httpDurationSeconds.observe({ method, route: path, status }, reply.elapsedTime / 1000)
    if (!isProbe(request))
      deps.log.info({ method, path, status, ms: Math.round(reply.elapsedTime) }, 'answered')
    next()
  })
}

const KINDS: Readonly<Record<number, ErrorKind>> = { 413: 'TOO_LARGE', 415: 'NO_FORM' }

function answerErrors(app: FastifyInstance, deps: Deps): void {
  app.setNotFoundHandler((request, reply) => showTrouble(deps, { request, reply }, { kind: 'NOWHERE' }))
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error)
    if (status >= 500) deps.log.error({ err: error }, 'a request failed')
    const kind = status >= 500 ? 'UNEXPECTED' : (KINDS[status] ?? 'FORBIDDEN')
    try {
      return showTrouble(deps, { request, reply }, { kind })
    } catch {
      // The screen itself is what failed: no more is said than the status.
      return reply.code(500).type('text/plain; charset=utf-8').send('Internal Server Error')
    }
  })
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return 500
  return typeof error.statusCode === 'number' ? error.statusCode : 500
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

const TWO_YEARS_SECONDS = 63_072_000

/** Nothing from elsewhere, nothing inline, in nobody's frame, and no word to anybody about where the customer was. */
function securityHeaders(isSecure: boolean): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...(isSecure ? ['upgrade-insecure-requests'] : []),
  ]
  return {
    'content-security-policy': policy.join('; '),
    'integrity-policy': 'blocked-destinations=(script)',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
    ...(isSecure && { 'strict-transport-security': `max-age=${TWO_YEARS_SECONDS}; includeSubDomains` }),
  }
}
