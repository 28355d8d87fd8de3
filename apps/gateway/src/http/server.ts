import type { Socket } from 'node:net'
import { type Clock, endUnread, type Ids, STILL_MS } from '@tollgate/runtime'
import { flatLog, type Log } from '@tollgate/runtime/log'
import { type FastifyRequest, fastify } from 'fastify'
import type { AnsweredRequest } from '../platform/answered-request.ts'
import { parseJson } from '../platform/json/index.ts'
import type { Metrics } from '../platform/metrics.ts'
import { Refusal, sentencesOf } from '../platform/refusal.ts'
import type { App, WireTypes } from './app-type.ts'
import { answerErrors, basicError, refusalFor, send } from './errors.ts'
import { canonicalPath } from './gate.ts'
import { createValidatorCompiler } from './validation.ts'

export interface HttpServerDeps {
  /** Where callers reach this server. */
  readonly publicUrl: string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
  readonly trustProxy: readonly string[]
  readonly isLive: boolean
  /** Shown to the merchant's developers; only in a sandbox. */
  readonly record?: (answered: AnsweredRequest) => void
}

const KIB = 1024
const BODY_BYTES_MAX = 64 * KIB
const HEADER_BYTES_MAX = 16 * KIB
const URL_LENGTH_MAX = 8 * KIB
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 15_000
const KEEP_ALIVE_TIMEOUT_MS = 5_000
/** How often Node looks for connections past the limits above; its own default is half a minute. */
const CONNECTIONS_CHECK_MS = 1_000
const REQUESTS_PER_SOCKET_MAX = 0

/** An HTTP server with the limits, headers, parsing and error answers that every API of ours has. */
export function createHttpServer(deps: HttpServerDeps): App {
  const nextRequestId = requestIds(deps.ids)
  const app: App = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxRequestsPerSocket: REQUESTS_PER_SOCKET_MAX,
    http: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      insecureHTTPParser: false,
      // Node would refuse it with a 400 of its own that has no body; the hook below has one.
      requireHostHeader: false,
    },
    connectionTimeout: STILL_MS,
    trustProxy: deps.trustProxy.length === 0 ? false : [...deps.trustProxy],
    return503OnClosing: false,
    exposeHeadRoutes: false,
    genReqId: nextRequestId,
    // Absolute-form request lines never match a route: a proxy in front of us has no reason to send them.
    rewriteUrl: (request) => (request.url?.startsWith('/') === true ? request.url : '/-'),
    routerOptions: { maxParamLength: URL_LENGTH_MAX, querystringParser: parseQuery, caseSensitive: true },
    clientErrorHandler: (error, socket) => answerClientError(deps, nextRequestId(), error, socket),
    // Such a request has not passed any hook, so its answer gets the headers here.
    frameworkErrors: (error, request, reply) => {
      reply.headers(fixedHeaders(deps)).header('x-request-id', request.id)
      send(deps, refusalFor(error, request, deps.log), request, reply)
    },
  }).withTypeProvider<WireTypes>()

  // Node would answer 417, which is no status of the interface.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.decorateRequest('caller', null)
  app.decorateRequest('operator', null)
  app.decorateRequest('operatorRequestNo', null)
  app.decorateRequest('rawBody', null)
  app.decorateRequest('startedMs', 0)
  app.decorateRequest('refusal', null)
  app.setValidatorCompiler(({ schema }) => compileValidator(schema))
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  readJsonBodies(app)
  answerErrors(app, deps)
  observe(app, deps)
  return app
}

/** Ids that no two requests share, whatever the process. */
function requestIds(ids: Ids): () => string {
  const processId = ids.readable(8)
  let requestCount = 0
  return () => {
    requestCount += 1
    return `${processId}-${requestCount.toString(36)}`
  }
}

const compile = createValidatorCompiler()
function compileValidator(schema: unknown): (value: unknown) => { value: unknown } | { error: Error } {
  if (typeof schema !== 'object' || schema === null) throw new Error('a route schema must be an object')
  return compile(schema)
}

/** One strict parser for every body; the bytes are kept for signatures. */
function readJsonBodies(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.headers['content-encoding'] !== undefined) {
      done(new Refusal('BODY_INVALID', { message: 'The body must be sent without Content-Encoding.' }))
      return
    }
    const { config, schema } = request.routeOptions
    if (body.length === 0) {
      // Many clients send the type with every request, also where there is nothing to send.
      if (schema?.body === undefined) done(null, undefined)
      else done(new Refusal('BODY_INVALID', { message: 'The body is empty.' }))
      return
    }
    const { stringCharactersMax } = config
    const parsed = parseJson(body, stringCharactersMax === undefined ? {} : { stringCharactersMax })
    if (!parsed.ok) {
      done(
        new Refusal('BODY_INVALID', {
          message: `${parsed.problem.message} (byte ${String(parsed.problem.offset)})`,
        }),
      )
      return
    }
    request.rawBody = body
    done(null, parsed.value)
  })
}

/** Repeated parameters are joined by a comma, so that code never meets an array where it expects a text. */
function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === '__proto__') continue
    const known = Object.hasOwn(query, name) ? query[name] : undefined
    query[name] = known === undefined ? value : `${known},${value}`
  }
  return query
}

/** Headers of every answer. */
function fixedHeaders({ isLive }: Pick<HttpServerDeps, 'isLive'>): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(isLive && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  }
}

/** Headers, request log and metrics. */
function observe(app: App, deps: HttpServerDeps): void {
  const fixed = fixedHeaders(deps)
  const log = flatLog(deps.log)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedMs = deps.clock.monotonicMs()
    reply.headers(fixed)
    reply.header('x-request-id', request.id).raw.on('timeout', endUnread)
    const fault = faultOf(request)
    done(fault === undefined ? undefined : new Refusal('BODY_INVALID', { message: fault }))
  })
  app.addHook('onResponse', (request, reply, done) => {
    const tookMs = deps.clock.monotonicMs() - request.startedMs
    const route = routeOf(request)
    deps.metrics.httpDurationSeconds.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      tookMs / 1000,
    )
    if (isPageProbe(request, reply.statusCode)) {
      done()
      return
    }
    if (request.routeOptions.config.isUnrecorded !== true)
      deps.record?.(answeredRequest(request, reply.statusCode, tookMs))
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        tookMs: Math.round(tookMs * 10) / 10,
        merchant: request.caller?.merchantCode,
        operator: request.operator?.code,
        code: request.refusal?.code,
        merchantClaimed: reply.statusCode === 401 ? claimedMerchant(request) : undefined,
      },
      'request',
    )
    done()
  })
}

/** What is wrong with the request before anything else of it is read. */
function faultOf({ raw }: FastifyRequest): string | undefined {
  if ((raw.url?.length ?? 0) > URL_LENGTH_MAX) return 'The URL is longer than 8 KiB.'
  if (raw.headers.host === undefined && raw.httpVersion === '1.1') return 'The Host header is missing.'
  return queryFaultOf(raw.url ?? '')
}

/** The parser of queries would take a malformed code for text, so that a filter would silently select nothing. */
function queryFaultOf(url: string): string | undefined {
  const start = url.indexOf('?')
  if (start < 0 || isDecodable(url.slice(start))) return undefined
  const parameters = url.slice(start + 1).split('&')
  const [malformed = ''] = parameters.filter((parameter) => !isDecodable(parameter))
  const name = /^[A-Za-z]+(?==)/.exec(malformed)?.[0] ?? 'a parameter'
  return `The query is not valid: the percent-encoding of ${name} is malformed.`
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function answeredRequest(request: FastifyRequest, status: number, tookMs: number): AnsweredRequest {
  const { caller, refusal } = request
  return {
    requestId: request.id,
    method: request.method,
    status,
    tookMs,
    merchantCode: caller?.merchantCode ?? claimedMerchant(request),
    // A token is given only to who has proven to be the merchant.
    isProven: caller !== null || status === 200,
    path: request.is404 ? (request.url.split('?')[0] ?? '') : canonicalPath(routeOf(request), request.params),
    code: refusal?.code,
    says: refusal === null ? [] : sentencesOf(refusal),
  }
}

/** The payment page asks every few seconds whether its key is known. Others without a token get 404 there, and a line. */
function isPageProbe({ routeOptions, headers }: FastifyRequest, status: number): boolean {
  return status === 401 && routeOptions.config.access === 'checkout' && headers.authorization === undefined
}

const MERCHANT_CODE = /^[A-Za-z0-9_-]{1,64}$/

/** Who a refused request says it is from, in the body of a token request or in its token; nothing of it is proven. */
function claimedMerchant({ body, headers }: FastifyRequest): string | undefined {
  const claimed: unknown =
    typeof body === 'object' && body !== null
      ? Reflect.get(body, 'merchantCode')
      : subjectOf(headers.authorization)
  return typeof claimed === 'string' && MERCHANT_CODE.test(claimed) ? claimed : undefined
}

function subjectOf(authorization: string | undefined): unknown {
  const payload = /^Bearer +[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)\./i.exec(authorization ?? '')?.[1]
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString('utf8'))
    return typeof claims === 'object' && claims !== null ? Reflect.get(claims, 'sub') : undefined
  } catch {
    return undefined
  }
}

/** The route's template: the URL itself may hold anything, and never reaches a log or a label. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none'
}

/** What could not even be parsed as HTTP: answered with 400, logged as any request, and closed. */
function answerClientError(
  deps: HttpServerDeps,
  requestId: string,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const message = 'The request is not valid HTTP or exceeds a limit.'
  const body = JSON.stringify(basicError('BODY_INVALID', message, { ...deps, requestId }))
  const headers = {
    ...fixedHeaders(deps),
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`)
  deps.log.info(
    { requestId, route: 'none', status: 400, code: 'BODY_INVALID', reason: error.code },
    'request',
  )
}
