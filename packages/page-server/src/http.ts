import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { endUnread, type Log, STILL_MS } from '@tollgate/runtime'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Histogram } from 'prom-client'
import { compressScreens } from './compression.ts'

const FORM_BYTES_MAX = 16_384

/** How long a request may take to come in. */
export interface Timeouts {
  readonly headersMs: number
  readonly requestMs: number
  /** How often connections past the two are looked for; Node's own default is half a minute. */
  readonly checkMs: number
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

interface PageServerOptions {
  readonly log: Log
  readonly metrics: { readonly httpDurationSeconds: Histogram<'method' | 'route' | 'status'> }
  readonly isDraining: () => boolean
  readonly headerBytesMax: number
  readonly timeouts: Timeouts
  /** Proxies whose X-Forwarded-For is believed; none by default. */
  readonly trustProxy?: readonly string[]
  readonly headers: HeaderOptions
  /** The screen for an address that is none of ours, and for a request that the framework cannot read. */
  readonly nowhere: Answer
  /** The screen for an error; it may throw. */
  readonly trouble: (request: FastifyRequest, reply: FastifyReply, trouble: Trouble) => FastifyReply
}

/** What a route threw, or the framework. */
interface Trouble {
  readonly error: unknown
  /** The framework's own, such as 413; 500 for what else was thrown. */
  readonly status: number
}

/** A server without routes but those for health: its limits, its headers, its log, and a screen for whatever goes wrong. */
export function createPageServer(options: PageServerOptions): FastifyInstance {
  const { timeouts, trustProxy = [], nowhere } = options
  const headers = securityHeaders(options.headers)
  const app = fastify({
    logger: false,
    bodyLimit: FORM_BYTES_MAX,
    requestTimeout: timeouts.requestMs,
    http: {
      maxHeaderSize: options.headerBytesMax,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
    },
    connectionTimeout: STILL_MS,
    exposeHeadRoutes: false,
    trustProxy: trustProxy.length === 0 ? false : [...trustProxy],
    // Who is here already is served to the end.
    return503OnClosing: false,
    // Absolute-form request lines never match a route: a proxy in front of us has no reason to send them.
    rewriteUrl: (request) => (request.url?.startsWith('/') === true ? request.url : '/-'),
    clientErrorHandler: answerClientError,
    // Such a request has not passed any hook, so its answer gets the headers here.
    frameworkErrors: (_error, request, reply) => {
      void nowhere(request, reply.headers(headers))
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, next) => next(null, new URLSearchParams(String(body))),
  )
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers).raw.on('timeout', endUnread)
    next()
  })
  compressScreens(app)
  observe(app, options)
  healthRoutes(app, options.isDraining)
  answerErrors(app, options)
  return app
}

const PROBES: readonly (string | undefined)[] = ['/livez', '/readyz']

/** Whether it is a load balancer that asks, again and again and by whatever name. */
export const isProbe = (request: FastifyRequest): boolean => PROBES.includes(request.routeOptions.url)

/** The same addresses as the gateway's. A server without gateway is ready: its screen says more than a proxy's would. */
function healthRoutes(app: FastifyInstance, isDraining: () => boolean): void {
  app.get('/livez', (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', (_request, reply) =>
    isDraining()
      ? reply.code(503).send({ status: 'not ready', checks: { drain: 'the server is stopping' } })
      : reply.send({ status: 'ok', checks: { drain: 'ok' } }),
  )
}

function observe(app: FastifyInstance, { log, metrics }: PageServerOptions): void {
  app.addHook('onResponse', (request, reply, next) => {
    const { method } = request
    // The route, not the address: there may be a token, and names.
    const path = request.routeOptions.url ?? 'none'
    const status = reply.statusCode
    metrics.httpDurationSeconds.observe({ method, route: path, status }, reply.elapsedTime / 1000)
    if (!isProbe(request)) log.info({ method, path, status, ms: Math.round(reply.elapsedTime) }, 'answered')
    next()
  })
}

function answerErrors(app: FastifyInstance, { nowhere, trouble }: PageServerOptions): void {
  app.setNotFoundHandler(nowhere)
  app.setErrorHandler((error, request, reply) => {
    try {
      return trouble(request, reply, { error, status: statusOf(error) })
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

interface HeaderOptions {
  /** Whether browsers reach the pages by https; then they are told never to come by http again. */
  readonly isSecure: boolean
  readonly referrerPolicy: 'same-origin' | 'no-referrer'
  /** Sources of pictures beside our own. */
  readonly pictures?: 'data:'
}

const TWO_YEARS_SECONDS = 63_072_000
const CONNECT = "connect-src 'self'"
const POLICY = 'content-security-policy'

/** Lets the script of this one answer ask these origins as well. */
export function allowAsking(reply: FastifyReply, origins: readonly string[]): FastifyReply {
  const policy = String(reply.getHeader(POLICY))
  return reply.header(POLICY, policy.replace(CONNECT, [CONNECT, ...origins].join(' ')))
}

/** Nothing from elsewhere, nothing inline, in nobody's frame, and nothing kept. */
function securityHeaders({
  isSecure,
  referrerPolicy,
  pictures,
}: HeaderOptions): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${pictures === undefined ? '' : ` ${pictures}`}`,
    // The script asks for screens of ours, and follows payments.
    CONNECT,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...(isSecure ? ['upgrade-insecure-requests'] : []),
  ]
  return {
    [POLICY]: policy.join('; '),
    'integrity-policy': 'blocked-destinations=(script)',
    'referrer-policy': referrerPolicy,
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
