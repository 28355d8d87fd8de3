import { ASSETS_PATH, sendAsset, type Timeouts } from '@tollgate/page-server'
import { type Ids, type Log, randomIds, systemClock, type WallClock } from '@tollgate/runtime'
import { createMetricsServer } from '@tollgate/runtime/metrics'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createApi } from './api-client.ts'
import { assets } from './assets/index.ts'
import { colourOf } from './branding.ts'
import { ADDRESS_RATE_DEFAULT, DRAIN_SECONDS_DEFAULT, type Settings } from './config.ts'
import { createCookieJar } from './cookies.ts'
import { createDirectory } from './directory.ts'
import { closerOfSilent } from './edge.ts'
import { watchGateway } from './gateway-watch.ts'
import { createHttp } from './http.ts'
import { createWatch } from './live.ts'
import { liveRoutes } from './live-routes.ts'
import { createLogos, LOGOS_PATH, type Logos } from './logos.ts'
import { createMetrics } from './metrics.ts'
import { arrive, showProblems, textIn } from './opening.ts'
import { paymentRoutes } from './payment-routes.ts'
import { readRedirectUrl, readStatusUrl } from './redirect-url.ts'
import { type Exchange, showTrouble } from './sending.ts'
import { createSessions, type Mode, type Session } from './sessions.ts'
import { readToken } from './token.ts'
import { type Deps, PATHS } from './visit.ts'

type Defaulted =
  | 'cell'
  | 'trustProxy'
  | 'addressRatePerSecond'
  | 'metricsHost'
  | 'metricsPort'
  | 'drainSeconds'

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
    sessions: createSessions(options.secret, () => clock.nowMs(), options.cell),
    cookies: createCookieJar(publicUrl.startsWith('https://')),
    assets: assets(options.cell),
    logos: createLogos({ ...options, clock }),
    clock,
    ids,
    log,
    isLive,
    publicUrl,
  }
}

function assetRoutes(app: FastifyInstance, deps: Deps): void {
  const { stylesheet, script, stylesheetIn } = deps.assets
  for (const asset of [stylesheet, script])
    app.get(asset.path, (request, reply) => sendAsset(request, reply, asset))
  app.get(`${ASSETS_PATH}:file`, (request, reply) => {
    const file = textIn(request.params, 'file')
    const colour = colourOf(/^(?:[A-Z]-)?checkout-(\w{6})\./.exec(file)?.[1])
    const asset = colour === undefined ? undefined : stylesheetIn(colour)
    return asset?.path === ASSETS_PATH + file
      ? sendAsset(request, reply, asset)
      : showTrouble(deps, { request, reply }, { kind: 'NOWHERE' })
  })
}

// Where customers arrive, with a token in the address. Nothing is made here: the gateway is asked about the token, and the
// address is cleaned before anything is shown, so that the token is in no history.

/** The RedirectURL and the status link (specification 4.9). */
function entryRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/', (request, reply) => {
    const reading = readRedirectUrl(queryOf(request), deps.isLive)
    if (!reading.ok) return showProblems(deps, reply, { mode: 'PAY', problems: reading.problems })
    const { merchantCode, idPayin, token, ...order } = reading.order
    const session = { ...sessionOf({ merchantCode, idPayin, token }), order }
    return admit(deps, { mode: 'PAY', request, reply }, session)
  })
  app.get('/status', (request, reply) => {
    const reading = readStatusUrl(queryOf(request))
    if (!reading.ok) return showProblems(deps, reply, { mode: 'STATUS', problems: reading.problems })
    const { idPayin, token } = reading.order
    const session = sessionOf({ merchantCode: readToken(token)?.merchantCode ?? '', idPayin, token })
    return admit(deps, { mode: 'STATUS', request, reply }, session)
  })
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1))
}

const sessionOf = (subject: Pick<Session, 'merchantCode' | 'idPayin' | 'token'>): Session => ({
  ...subject,
  expireAtMs: readToken(subject.token)?.expireAtMs ?? 0,
  drafts: {},
  refusals: [],
})

interface Arrival extends Exchange {
  readonly mode: Mode
}

/** Only a token that the gateway has accepted opens a session. */
async function admit(deps: Deps, arrival: Arrival, session: Session): Promise<FastifyReply> {
  const { mode, reply } = arrival
  const place = deps.sessions.placeOf(mode, session.merchantCode, session.idPayin)
  const kept = { mode, place, session }
  if (!deps.cookies.hasRoomFor(deps.sessions.seal(place, session))) {
    const problems = [
      { parameter: 'token', rule: 'TOO_LONG', value: `${session.token.length} characters` },
    ] as const
    return showProblems(deps, reply, { mode, problems })
  }
  // The clean address opens nothing, but for somebody who has been let in before.
  const turnAway = (): FastifyReply => reply.redirect(`${PATHS[mode]}/${place}`, 303)
  if (readToken(session.token)?.merchantCode !== session.merchantCode) return turnAway()
  if (deps.clock.nowMs() >= session.expireAtMs) return turnAway()
  const looked = await deps.api.look(session)
  if (looked.kind === 'BUSY' || looked.kind === 'UNREACHABLE') {
    // Who comes for the status has perhaps paid.
    const kind = mode === 'STATUS' ? 'UNSURE' : looked.kind
    return showTrouble(deps, arrival, { kind, retryAfterSeconds: looked.retryAfterSeconds })
  }
  return looked.kind === 'DENIED' && looked.lacks === undefined ? turnAway() : arrive(deps, reply, kept)
}

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** Serves them to browsers. */
function logoRoutes(app: FastifyInstance, { logos }: { readonly logos: Logos }): void {
  app.get(`${LOGOS_PATH}:file`, async (request, reply) => {
    const picture = await logos.find(textIn(request.params, 'file'))
    if (picture === undefined) return reply.code(404).type('text/plain').send('')
    return reply.headers(HEADERS).type(picture.mediaType).send(picture.content)
  })
}
