import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { createApi } from './api-client.ts'
import { type Asset, assets } from './assets/index.ts'
import { brandStylesheet, colourOf } from './branding.ts'
import { type Clock, systemClock } from './clock.ts'
import { createCookieJar } from './cookies.ts'
import { createDirectory } from './directory.ts'
import { bareView, textsFor, troublePage } from './drawing.ts'
import { entryRoutes } from './entry-routes.ts'
import { type Ids, randomIds } from './ids.ts'
import { createWatch } from './live.ts'
import { liveRoutes } from './live-routes.ts'
import type { Log } from './log.ts'
import { textIn } from './opening.ts'
import { paymentRoutes, send } from './payment-routes.ts'
import type { ErrorKind } from './screens/errors.ts'
import { createSessions } from './sessions.ts'
import type { Deps } from './visit.ts'

export interface CheckoutOptions {
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  readonly publicUrl: string
  readonly apiUrl: string
  readonly secret: Uint8Array
  readonly serviceKey: string | undefined
  readonly isLive: boolean
  readonly log: Log
  readonly clock?: Clock
  readonly ids?: Ids
}

/** A page that is open to customers. */
export interface Checkout {
  readonly url: string
  stop(): Promise<void>
}

const FORM_BYTES_MAX = 16_384
/** The session travels in cookies, and the address that customers come with holds a token and two addresses. */
const HEADER_BYTES_MAX = 65_536
const REQUEST_TIMEOUT_MS = 15_000

/** Opens the page. */
export async function startCheckout(options: CheckoutOptions): Promise<Checkout> {
  const { clock = systemClock, ids = randomIds, log, publicUrl, isLive } = options
  const isSecure = publicUrl.startsWith('https://')
  const api = createApi({ ...options, clock })
  const watch = createWatch(api)
  const deps: Deps = {
    api,
    directory: createDirectory(api, clock),
    sessions: createSessions(options.secret, () => clock.nowMs()),
    cookies: createCookieJar(isSecure),
    assets: assets(),
    ...{ clock, ids, log, isLive, publicUrl },
  }
  const app = createServer(deps, isSecure)
  entryRoutes(app, deps)
  paymentRoutes(app, deps)
  liveRoutes(app, { ...deps, watch })
  assetRoutes(app, deps)
  const url = await app.listen({ host: options.host, port: options.port })
  log.info('the payment page is open', { url })
  return {
    url,
    async stop() {
      watch.stop()
      app.server.closeAllConnections()
      await app.close()
    },
  }
}

function createServer(deps: Deps, isSecure: boolean): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: FORM_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { maxHeaderSize: HEADER_BYTES_MAX },
    exposeHeadRoutes: false,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, next) => next(null, new URLSearchParams(String(body))),
  )
  const headers = securityHeaders(isSecure)
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers)
    next()
  })
  app.addHook('onResponse', (request, reply, next) => {
    // The address without what is behind it: there may be a token, and names.
    const path = request.routeOptions.url ?? 'none'
    deps.log.info('answered', {
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    })
    next()
  })
  app.setNotFoundHandler((request, reply) => show(deps, { request, reply }, 'NOWHERE'))
  app.setErrorHandler((error, request, reply) => {
    const isOurs = statusOf(error) >= 500
    if (isOurs)
      deps.log.error('a request failed', {
        error: error instanceof Error ? (error.stack ?? error.message) : 'unknown',
      })
    return show(deps, { request, reply }, isOurs ? 'UNEXPECTED' : 'FORBIDDEN')
  })
  return app
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return 500
  return typeof error.statusCode === 'number' ? error.statusCode : 500
}

function show(
  deps: Deps,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  kind: ErrorKind,
): FastifyReply {
  const view = bareView(deps, textsFor(request.headers['accept-language'], undefined))
  return send(deps, reply, view, troublePage(deps, view, kind))
}

const TWO_YEARS_SECONDS = 63_072_000

/** Nothing from elsewhere, nothing inline, in nobody's frame, and no word to anybody about where the customer was. */
export function securityHeaders(isSecure: boolean): Readonly<Record<string, string>> {
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

const FOR_EVER = 'public, max-age=31536000, immutable'

function assetRoutes(app: FastifyInstance, deps: Deps): void {
  const { stylesheet, script } = deps.assets
  for (const asset of [stylesheet, script]) {
    app.get(asset.path, (request, reply) => {
      const { body, encoding } = encoded(asset, request.headers['accept-encoding'] ?? '')
      if (encoding !== undefined) void reply.header('content-encoding', encoding)
      return reply
        .headers({ 'cache-control': FOR_EVER, 'content-type': asset.contentType, vary: 'accept-encoding' })
        .send(body)
    })
  }
  app.get('/brand/:file', (request, reply) => {
    const colour = colourOf(/^(\w{6})\.css$/.exec(textIn(request.params, 'file'))?.[1])
    if (colour === undefined) return show(deps, { request, reply }, 'NOWHERE')
    return reply
      .headers({ 'cache-control': FOR_EVER, 'content-type': 'text/css; charset=utf-8' })
      .send(brandStylesheet(colour))
  })
}

function encoded(
  { body, br, gzip }: Asset,
  accepted: string,
): { readonly body: Buffer; readonly encoding?: string } {
  if (/\bbr\b/.test(accepted)) return { body: br, encoding: 'br' }
  return /\bgzip\b/.test(accepted) ? { body: gzip, encoding: 'gzip' } : { body }
}
