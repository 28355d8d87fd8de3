import { type Ids, type Log, randomIds, systemClock, type WallClock } from '@tollgate/runtime'
import { createMetricsServer } from '@tollgate/runtime/metrics'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createApi } from './api-client.ts'
import { ASSETS_PATH, type Asset, assets } from './assets/index.ts'
import { colourOf } from './branding.ts'
import { encodingFor } from './compression.ts'
import { ADDRESS_RATE_DEFAULT, DRAIN_SECONDS_DEFAULT, type Settings } from './config.ts'
import { createCookieJar } from './cookies.ts'
import { createDirectory } from './directory.ts'
import { closerOfSilent } from './edge.ts'
import { entryRoutes } from './entry-routes.ts'
import { watchGateway } from './gateway-watch.ts'
import { createHttp, type Timeouts } from './http.ts'
import { createWatch } from './live.ts'
import { liveRoutes } from './live-routes.ts'
import { logoRoutes } from './logo-routes.ts'
import { createLogos } from './logos.ts'
import { createMetrics } from './metrics.ts'
import { textIn } from './opening.ts'
import { paymentRoutes } from './payment-routes.ts'
import { type Exchange, showTrouble } from './sending.ts'
import { createSessions } from './sessions.ts'
import type { Deps } from './visit.ts'

type Defaulted = 'trustProxy' | 'addressRatePerSecond' | 'metricsHost' | 'metricsPort' | 'drainSeconds'

/** The settings, of which a port of 0 takes any that is free, and what tests change. */
export interface CheckoutOptions
  extends Omit<Settings, Defaulted | 'secret'>,
    Partial<Pick<Settings, Defaulted>> {
  readonly secret: Uint8Array
  /** How long a customer may take to send a request. */
  readonly timeouts?: Timeouts
  readonly log: Log
  readonly clock?: WallClock
  readonly ids?: Ids
}

/** A page that is open to customers. */
export interface Checkout {
  readonly url: string
  /** Ends the streams, finishes what is under way, and closes. */
  stop(): Promise<void>
}

/** Opens the page, whether or not the gateway is there. Rejects when a port cannot be had. */
export async function startCheckout(options: CheckoutOptions): Promise<Checkout> {
  const { log, metricsPort = 0, metricsHost = options.host, drainSeconds = DRAIN_SECONDS_DEFAULT } = options
  const deps = depsOf(options)
  const watch = createWatch(deps.api)
  const metrics = createMetrics()
  let isDraining = false
  const app = createHttp(deps, {
    metrics,
    isDraining: () => isDraining,
    addressRatePerSecond: options.addressRatePerSecond ?? ADDRESS_RATE_DEFAULT,
    trustProxy: options.trustProxy ?? [],
    ...(options.timeouts && { timeouts: options.timeouts }),
  })
  entryRoutes(app, deps)
  paymentRoutes(app, deps)
  liveRoutes(app, { ...deps, watch, metrics })
  assetRoutes(app, deps)
  logoRoutes(app, deps)
  const closeSilent = closerOfSilent(app.server)
  const metricsServer = createMetricsServer(metrics.registry)
  if (metricsPort !== 0) await metricsServer.listen({ host: metricsHost, port: metricsPort })
  const url = await app.listen({ host: options.host, port: options.port })
  const gateway = watchGateway(options)
  metrics.gauge('tollgate_checkout_streams', 'Screens that follow a payment by a stream.', () => watch.count)
  metrics.gauge('tollgate_checkout_gateway_up', 'Whether the gateway answers and knows this page.', () =>
    Number(gateway.state === 'OK'),
  )
  log.info({ address: url }, 'the payment page is open')
  return {
    url,
    async stop() {
      isDraining = true
      gateway.stop()
      watch.stop()
      const patience = setTimeout(() => app.server.closeAllConnections(), drainSeconds * 1000)
      const closed = app.close()
      closeSilent()
      await closed
      clearTimeout(patience)
      await metricsServer.close()
      log.info('the payment page has stopped')
    },
  }
}

function depsOf(options: CheckoutOptions): Deps {
  const { clock = systemClock, ids = randomIds, log, publicUrl, isLive } = options
  const api = createApi({ ...options, clock })
  return {
    api,
    directory: createDirectory(api, clock),
    sessions: createSessions(options.secret, () => clock.nowMs()),
    cookies: createCookieJar(publicUrl.startsWith('https://')),
    assets: assets(),
    logos: createLogos({ ...options, clock }),
    ...{ clock, ids, log, isLive, publicUrl },
  }
}

const FOR_EVER = 'public, max-age=31536000, immutable'

function assetRoutes(app: FastifyInstance, deps: Deps): void {
  const { stylesheet, script, stylesheetIn } = deps.assets
  for (const asset of [stylesheet, script])
    app.get(asset.path, (request, reply) => sendAsset({ request, reply }, asset))
  app.get(`${ASSETS_PATH}:file`, (request, reply) => {
    const file = textIn(request.params, 'file')
    const colour = colourOf(/^checkout-(\w{6})\./.exec(file)?.[1])
    const asset = colour === undefined ? undefined : stylesheetIn(colour)
    return asset?.path === ASSETS_PATH + file
      ? sendAsset({ request, reply }, asset)
      : showTrouble(deps, { request, reply }, { kind: 'NOWHERE' })
  })
}

function sendAsset({ request, reply }: Exchange, asset: Asset): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== undefined) void reply.header('content-encoding', encoding)
  return reply
    .headers({ 'cache-control': FOR_EVER, 'content-type': asset.contentType, vary: 'accept-encoding' })
    .send(asset[encoding ?? 'body'])
}
