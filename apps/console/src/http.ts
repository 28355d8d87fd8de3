import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '@tollgate/runtime'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { compressScreens } from './compression.ts'
import type { Metrics } from './metrics.ts'

// The console's server: its limits, its headers, whom it answers, and its log.

const FORM_BYTES_MAX = 16_384
const HEADER_BYTES_MAX = 16_384
const TIMEOUTS_MS = { headers: 10_000, request: 60_000, check: 1_000 } as const

interface HttpOptions {
  readonly publicUrl: string
  readonly log: Log
  readonly metrics: Pick<Metrics, 'httpDurationSeconds'>
  readonly isDraining: () => boolean
  /** A screen that says why a request is not answered. */
  readonly refuse: (request: FastifyRequest, reply: FastifyReply, reason: Refused) => FastifyReply
  readonly fail: (request: FastifyRequest, reply: FastifyReply, error: unknown) => FastifyReply
}

/** HOST: for another address. SITE: a form of another site. NOWHERE: no such screen. BUSY: too many files at once. */
export type Refused = 'HOST' | 'SITE' | 'NOWHERE' | 'TOO_LARGE' | 'BUSY'

/** A server without routes but those for health. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const headers = securityHeaders(options.publicUrl.startsWith('https://'))
  const app = fastify({
    logger: false,
    bodyLimit: FORM_BYTES_MAX,
    requestTimeout: TIMEOUTS_MS.request,
    http: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: TIMEOUTS_MS.headers,
      connectionsCheckingInterval: TIMEOUTS_MS.check,
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // Absolute-form request lines never match a route: a proxy in front of us has no reason to send them.
    rewriteUrl: (request) => (request.url?.startsWith('/') === true ? request.url : '/-'),
    clientErrorHandler: answerClientError,
    // Such a request has not passed any hook, so its answer gets the headers here.
    frameworkErrors: (_error, request, reply) => {
      void options.refuse(request, reply.headers(headers), 'NOWHERE')
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, next) => next(null, new URLSearchParams(String(body))),
  )
  // Read by the few routes that take a file; the others have no use for it.
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, next) =>
    next(null, body),
  )
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(headers)
    const reason = isProbe(request) ? undefined : refusalOf(request, options.publicUrl)
    if (reason === undefined) next()
    else options.refuse(request, reply, reason)
  })
  compressScreens(app)
  observe(app, options)
  healthRoutes(app, options.isDraining)
  answerErrors(app, options)
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

const PROBES: readonly (string | undefined)[] = ['/livez', '/readyz']

/** Whether it is a load balancer that asks, by whatever name. */
const isProbe = (request: FastifyRequest): boolean => PROBES.includes(request.routeOptions.url)

/** A console without operator API is ready: its screen says more than a proxy's would. */
function healthRoutes(app: FastifyInstance, isDraining: () => boolean): void {
  app.get('/livez', (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', (_request, reply) =>
    isDraining() ? reply.code(503).send({ status: 'not ready' }) : reply.send({ status: 'ok' }),
  )
}

function observe(app: FastifyInstance, { log, metrics }: HttpOptions): void {
  app.addHook('onResponse', (request, reply, next) => {
    const { method } = request
    // The route, not the address: filters may name a customer.
    const path = request.routeOptions.url ?? 'none'
    metrics.httpDurationSeconds.observe(
      { method, route: path, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    if (!isProbe(request))
      log.info({ method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered')
    next()
  })
}

function answerErrors(app: FastifyInstance, { refuse, fail }: HttpOptions): void {
  app.setNotFoundHandler((request, reply) => refuse(request, reply, 'NOWHERE'))
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error)
    if (status === 413) return refuse(request, reply, 'TOO_LARGE')
    if (status !== undefined && status < 500) return refuse(request, reply, 'NOWHERE')
    try {
      return fail(request, reply, error)
    } catch {
      // The screen itself is what failed: no more is said than the status.
      return reply.code(500).type('text/plain; charset=utf-8').send('Internal Server Error')
    }
  })
}

/** Of the framework's own errors. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined
  return typeof error.statusCode === 'number' ? error.statusCode : undefined
}

const TWO_YEARS_SECONDS = 63_072_000

/** Nothing from elsewhere, nothing inline, in nobody's frame, and nothing kept. */
function securityHeaders(isSecure: boolean): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    // The script asks for screens of ours, and follows payments.
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
    // Our own forms have to say where they were, and nobody else is told.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
    ...(isSecure && { 'strict-transport-security': `max-age=${TWO_YEARS_SECONDS}; includeSubDomains` }),
  }
}

const CLIENT_ERRORS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** What could not even be read as HTTP, or not in time: one line, and the connection is closed. */
function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const status = CLIENT_ERRORS[error.code ?? ''] ?? 400
  const reason = STATUS_CODES[status] ?? ''
  const headers = [
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(reason)}`,
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${headers.join('\r\n')}\r\n\r\n${reason}`)
}
