import { type Log, systemClock, type WallClock } from '@tollgate/runtime'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Asset, buildAssets } from './assets/index.ts'
import { companyRoutes } from './company.ts'
import { encodingFor } from './compression.ts'
import type { Settings } from './config.ts'
import { catalogueExportRoute, exportRoutes } from './export.ts'
import { documentOf, FAVICON, type Page } from './frame.ts'
import { createHttp, type Refused } from './http.ts'
import { invitationRoutes } from './invitation.ts'
import { createLedgerWatch } from './ledger-watch.ts'
import { ApiAway, ApiRefusal, createOperatorApi } from './operator-api.ts'
import { SCREENS } from './screens/index.ts'
import { createCookies } from './session.ts'
import { signInRoutes } from './sign-in.ts'
import { awayPage, failurePage, powerlessPage, refusalPage, requestPage } from './trouble.ts'
import { type Deps, Powerless, screenRoutes, send, toSignIn } from './visit.ts'

interface ConsoleOptions extends Settings {
  readonly log: Log
  readonly clock?: WallClock
  /** How long the operator API may take. */
  readonly timeoutMs?: number
}

/** A console that is open to operators. */
interface Console {
  readonly url: string
  /** Finishes what is under way, and closes. */
  stop(): Promise<void>
}

const DRAIN_MS = 10_000

/** Opens the console, whether or not the operator API is there. Rejects when the port cannot be had. */
export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const { log, publicUrl } = options
  const deps = depsOf(options)
  let isDraining = false
  const app = createHttp({
    log,
    publicUrl,
    isDraining: () => isDraining,
    refuse: (_request, reply, reason) => refuse(deps, reply, reason),
    fail: (request, reply, error) => fail(deps, { request, reply }, error),
  })
  assetRoutes(app, deps)
  signInRoutes(app, deps)
  companyRoutes(app, deps)
  invitationRoutes(app, deps)
  exportRoutes(app, deps)
  catalogueExportRoute(app, deps)
  screenRoutes(app, deps, SCREENS)
  const url = await app.listen({ host: options.host, port: options.port })
  log.info({ address: url }, 'the console is open')
  return {
    url,
    async stop() {
      isDraining = true
      const patience = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
      const closed = app.close()
      app.server.closeIdleConnections()
      await closed
      clearTimeout(patience)
      log.info('the console has stopped')
    },
  }
}

function depsOf(options: ConsoleOptions): Deps {
  const { log, publicUrl, isLive, clock = systemClock } = options
  return {
    apiFor: (bearer, touch) => createOperatorApi(options, bearer, touch),
    cookies: createCookies(publicUrl.startsWith('https://')),
    assets: buildAssets(),
    ledger: createLedgerWatch(),
    ...{ log, publicUrl, isLive, clock },
  }
}

function refuse(deps: Deps, reply: FastifyReply, reason: Refused): FastifyReply {
  const page = requestPage(reason, deps.publicUrl)
  return send(reply, documentOf(page, deps, undefined), page.status)
}

/** A session that has ended leads to signing in; what the API says or does not say is a screen. */
function fail(
  deps: Deps,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  error: unknown,
): FastifyReply {
  if (error instanceof ApiRefusal && error.status === 401) return toSignIn(deps, exchange)
  const page = pageOf(error)
  if (page.status === 500) deps.log.error({ err: error }, 'a request failed')
  return send(exchange.reply, documentOf(page, deps, undefined), page.status)
}

function pageOf(error: unknown): Page {
  if (error instanceof ApiAway) return awayPage({})
  if (error instanceof ApiRefusal) return refusalPage(error)
  return error instanceof Powerless ? powerlessPage(error) : failurePage()
}

const FOR_EVER = 'public, max-age=31536000, immutable'

function assetRoutes(app: FastifyInstance, { assets }: Deps): void {
  for (const asset of [assets.stylesheet, assets.script])
    app.get(asset.path, (request, reply) => sendAsset(request, reply, asset))
  app.get('/favicon.svg', (_request, reply) => reply.type('image/svg+xml').send(FAVICON))
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== undefined) void reply.header('content-encoding', encoding)
  return reply
    .headers({ 'cache-control': FOR_EVER, 'content-type': asset.contentType, vary: 'accept-encoding' })
    .send(asset[encoding ?? 'body'])
}
