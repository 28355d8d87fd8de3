import { sendAsset } from '@tollgate/page-server'
import { type Log, systemClock, type WallClock } from '@tollgate/runtime'
import { createMetricsServer } from '@tollgate/runtime/metrics'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { buildAssets } from './assets/index.ts'
import { cellAnswerRoutes } from './cell-answers.ts'
import { companyRoutes } from './company.ts'
import type { Settings } from './config.ts'
import { catalogueExportRoute, exportRoutes } from './export.ts'
import { documentOf, FAVICON, type Page } from './frame.ts'
import { createHttp, type Refused } from './http.ts'
import { invitationRoutes } from './invitation.ts'
import { createLedgerWatch } from './ledger-watch.ts'
import { createLive, type LiveLimits } from './live.ts'
import { liveRoute } from './live-route.ts'
import { type ApiResult, createMetrics, type Metrics } from './metrics.ts'
import { ApiAway, ApiRefusal, createOperatorApi } from './operator-api.ts'
import { CELL_SCREENS, SCREENS } from './screens/index.ts'
import { createCookies } from './session.ts'
import { signInRoutes } from './sign-in.ts'
import { awayPage, failurePage, powerlessPage, refusalPage, requestPage } from './trouble.ts'
import { type Deps, Powerless, screenRoutes, send, toSignIn } from './visit.ts'

type Defaulted = 'metricsHost' | 'metricsPort' | 'trustProxy'

interface ConsoleOptions extends Omit<Settings, Defaulted>, Partial<Pick<Settings, Defaulted>> {
  readonly log: Log
  readonly clock?: WallClock
  /** How long the operator API may take. */
  readonly timeoutMs?: number
  readonly live?: LiveLimits
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
  const { log, publicUrl, metricsPort = 0, metricsHost = options.host } = options
  const metrics = createMetrics()
  const deps = depsOf(options, metrics)
  let isDraining = false
  const app = createHttp({
    log,
    metrics,
    publicUrl,
    trustProxy: options.trustProxy ?? [],
    clock: deps.clock,
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
  const live = createLive(options.live)
  liveRoute(app, deps, live)
  cellAnswerRoutes(app, deps)
  screenRoutes(app, deps, deps.cells === undefined ? SCREENS : [...SCREENS, ...CELL_SCREENS])
  const metricsServer = createMetricsServer(metrics.registry)
  if (metricsPort !== 0) await metricsServer.listen({ host: metricsHost, port: metricsPort })
  const url = await app.listen({ host: options.host, port: options.port })
  log.info({ address: url }, 'the console is open')
  return {
    url,
    async stop() {
      isDraining = true
      const patience = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
      live.stop()
      const closed = app.close()
      app.server.closeIdleConnections()
      await closed
      clearTimeout(patience)
      await metricsServer.close()
      log.info('the console has stopped')
    },
  }
}

function depsOf(options: ConsoleOptions, { apiRequests }: Metrics): Deps {
  const { log, publicUrl, isLive, cells, clock = systemClock } = options
  const note = (result: ApiResult): void => apiRequests.inc({ result })
  return {
    apiFor: ({ ip }, bearer, more) =>
      createOperatorApi({ ...options, note, visitorAddress: ip }, bearer, more),
    cookies: createCookies(publicUrl.startsWith('https://')),
    assets: buildAssets(),
    ledger: createLedgerWatch(),
    log,
    publicUrl,
    isLive,
    cells,
    clock,
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

function assetRoutes(app: FastifyInstance, { assets }: Deps): void {
  for (const asset of [assets.stylesheet, assets.script, assets.cellScript])
    app.get(asset.path, (request, reply) => sendAsset(request, reply, asset))
  app.get('/favicon.svg', (_request, reply) => reply.type('image/svg+xml').send(FAVICON))
}
