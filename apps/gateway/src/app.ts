import type { Config } from './config.ts'
import type { App } from './http/app-type.ts'
import { guardRoutes, limitCaller } from './http/gate.ts'
import { documentRoutes } from './http/openapi.ts'
import { createMetricsServer, healthRoutes, type ReadinessCheck } from './http/operations.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { createHttpServer } from './http/server.ts'
import { CALLBACK_SETTINGS, createCallbackWorker } from './modules/callbacks/index.ts'
import { catalogueRoutes, createCatalogueService } from './modules/catalogue/index.ts'
import { balanceRoutes } from './modules/ledger/index.ts'
import {
  createCallbackSigner,
  createMerchantDirectory,
  findMerchantCode,
  merchantRoutes,
} from './modules/merchants/index.ts'
import { createPayinService, payinRoutes } from './modules/payins/index.ts'
import { createPaymentService, createPaymentWorker } from './modules/payments/index.ts'
import {
  createAuthenticator,
  createKeyring,
  createTokenService,
  tokenRoutes,
} from './modules/tokens/index.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { watchConfiguration } from './platform/configuration-changes.ts'
import { type Database, openDatabase } from './platform/database.ts'
import { type Ids, randomIds } from './platform/ids.ts'
import type { Log } from './platform/log.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { pendingMigrations } from './platform/migrate.ts'
import { createOutboundClient, LIVE_PORTS, type TargetPolicy } from './platform/outbound/index.ts'
import { createSecrets, type Secrets } from './platform/secrets.ts'
import type { Rail } from './rails/rail.ts'
import { createSandboxRail, isSandboxAddress } from './rails/sandbox/index.ts'
import { VERSION } from './version.ts'

export interface GatewayOptions {
  readonly config: Config
  readonly databaseUrl: string
  readonly masterKey: Uint8Array
  readonly log: Log
  /** What this process does: answer requests, work off durable rows, or both. */
  readonly roles: readonly ('api' | 'worker')[]
  /** Tests may hold the clock. */
  readonly clock?: Clock
}

/** A gateway, built and not started. */
export interface Gateway {
  readonly api: App
  /** Reads what it caches, listens and works. */
  start(): Promise<void>
  /** Turns new requests away, finishes what is under way, and closes everything it opened. */
  stop(): Promise<void>
}

interface Parts {
  readonly options: GatewayOptions
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
  readonly db: Database
  readonly secrets: Secrets
}

/** Puts a gateway together: every room gets what it needs by name, here and nowhere else. */
export async function buildGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, log } = options
  const parts: Parts = {
    options,
    config,
    clock: options.clock ?? systemClock,
    ids: randomIds,
    log,
    metrics: createMetrics(),
    db: openDatabase({
      url: options.databaseUrl,
      poolMax: config.TOLLGATE_DATABASE_POOL_MAX,
      log,
      applicationName: 'tollgate',
    }),
    secrets: createSecrets(options.masterKey),
  }
  const rooms = buildRooms(parts)
  let isDraining = false
  const api = await buildApi(parts, rooms, () => isDraining)
  const metricsServer = createMetricsServer(parts.metrics.registry)
  const hasRole = (role: 'api' | 'worker'): boolean => options.roles.includes(role)

  return {
    api,
    async start() {
      await rooms.start()
      if (hasRole('worker')) rooms.startWorkers()
      const host = config.TOLLGATE_HOST
      await metricsServer.listen({ host, port: config.TOLLGATE_METRICS_PORT })
      if (hasRole('api')) await api.listen({ host, port: config.TOLLGATE_API_PORT })
    },
    async stop() {
      isDraining = true
      const patience = setTimeout(
        () => api.server.closeAllConnections(),
        config.TOLLGATE_DRAIN_SECONDS * 1000,
      )
      await Promise.all([api.close(), hasRole('worker') ? rooms.stopWorkers() : undefined])
      clearTimeout(patience)
      await metricsServer.close()
      await rooms.stop()
    },
  }
}

type Rooms = ReturnType<typeof buildRooms>

function buildRooms(parts: Parts) {
  const { config, db, clock, ids, log, metrics, secrets } = parts
  const environment = config.TOLLGATE_ENVIRONMENT
  const timestampToleranceSeconds = config.TOLLGATE_TIMESTAMP_TOLERANCE_SECONDS
  const changes = watchConfiguration({ db, clock, log })
  const merchants = createMerchantDirectory({ db, changes })
  const signer = createCallbackSigner({ db, secrets, changes })
  const keyring = createKeyring({ db, clock, ids, secrets, changes })
  const catalogue = createCatalogueService({ db, changes, log })
  const tokens = createTokenService({
    merchants,
    keyring,
    secrets,
    clock,
    ids,
    environment,
    timestampToleranceSeconds,
  })
  const authenticator = createAuthenticator({
    db,
    clock,
    changes,
    merchants,
    keyring,
    environment,
    timestampToleranceSeconds,
  })
  const rails = railsFor(config)
  const payments = createPaymentService({
    db,
    clock,
    ids,
    secrets,
    metrics,
    batchRowsMax: config.TOLLGATE_BATCH_ROWS_MAX,
    batchesInFlightMax: config.TOLLGATE_BATCHES_IN_FLIGHT_MAX,
  })
  const merchantCodeOf = (merchantId: string): Promise<string> => findMerchantCode(db, merchantId)
  const paymentWorker = createPaymentWorker({ db, ids, log, payments, rails, merchantCodeOf })
  const workers = buildCallbackWorker(parts, signer)
  const payins = createPayinService({
    db,
    ids,
    secrets,
    catalogue,
    merchants,
    payments,
    rails,
    callbackPolicy: callbackPolicy(config),
    returnPolicy: { httpsOnly: config.isLive, portsAllowed: 'any', allowPrivate: true },
    isLive: config.isLive,
    isSandboxAddress,
    wakeWorker: () => paymentWorker.wake(),
  })
  return {
    changes,
    merchants,
    signer,
    keyring,
    catalogue,
    tokens,
    authenticator,
    payins,
    async start() {
      await keyring.start()
      await catalogue.start()
      await authenticator.start()
      await changes.start()
    },
    startWorkers() {
      paymentWorker.start()
      workers.callbacks.start()
    },
    async stopWorkers() {
      await Promise.all([paymentWorker.stop(), workers.callbacks.stop()])
    },
    async stop() {
      changes.stop()
      await workers.outbound.close()
      await db.close()
    },
  }
}

function buildCallbackWorker(parts: Parts, signer: ReturnType<typeof createCallbackSigner>) {
  const { config } = parts
  const outbound = createOutboundClient({ policy: callbackPolicy(config) })
  const callbacks = createCallbackWorker({
    ...parts,
    outbound,
    sign: (merchantId, message) => signer.sign(merchantId, message),
    settings: {
      ...CALLBACK_SETTINGS,
      version: VERSION,
      intervalSeconds: config.TOLLGATE_CALLBACK_INTERVAL_SECONDS,
      deadlineMs: config.TOLLGATE_CALLBACK_TIMEOUT_SECONDS * 1000,
    },
  })
  return { outbound, callbacks }
}

function callbackPolicy(config: Config): TargetPolicy {
  return {
    httpsOnly: config.isLive,
    portsAllowed: config.isLive ? LIVE_PORTS : 'any',
    allowPrivate: config.callbackAllowPrivate,
    allowedCidrs: config.callbackAllowCidrs,
  }
}

/** The rails of this installation: one line each. The sandbox's exists in the sandbox only. */
function railsFor(config: Config): ReadonlyMap<string, Rail> {
  const rails: Rail[] = config.isLive ? [] : [createSandboxRail({ simulatorUrl: config.publicSimulatorUrl })]
  return new Map(rails.map((rail) => [rail.code, rail]))
}

async function buildApi(parts: Parts, rooms: Rooms, isDraining: () => boolean): Promise<App> {
  const { config, clock, ids, log, metrics } = parts
  const api = createHttpServer({
    clock,
    ids,
    log,
    metrics,
    trustProxy: config.trustProxy,
    isLive: config.isLive,
  })
  const limiter = createRateLimiter(clock)
  guardRoutes(api, {
    authenticator: rooms.authenticator,
    limiter,
    metrics,
    addressRatePerSecond: config.TOLLGATE_ADDRESS_RATE_PER_SECOND,
    isDraining,
  })
  await documentRoutes(api, config.publicApiUrl)
  healthRoutes(api, readinessChecks(parts, rooms, isDraining))
  tokenRoutes(api, {
    tokens: rooms.tokens,
    keyring: rooms.keyring,
    limit: ({ merchant }, reply) => {
      const bucket = {
        key: `merchant ${merchant.merchantId}`,
        limitPerSecond: merchant.rateLimitPerSecond,
        name: 'merchant' as const,
      }
      limitCaller({ limiter, metrics }, { bucket }, reply)
    },
  })
  payinRoutes(api, rooms.payins)
  balanceRoutes(api, parts)
  merchantRoutes(api, { merchants: rooms.merchants, signer: rooms.signer, isLive: config.isLive })
  catalogueRoutes(api, rooms.catalogue)
  return api
}

const CONFIGURATION_STALE_MS_MAX = 10_000

function readinessChecks(parts: Parts, rooms: Rooms, isDraining: () => boolean): readonly ReadinessCheck[] {
  return [
    { name: 'drain', run: () => Promise.resolve(isDraining() ? 'shutting down' : undefined) },
    {
      name: 'database',
      run: () => parts.db.rows({ name: 'ready', text: 'select 1' }, []).then(() => undefined),
    },
    {
      name: 'migrations',
      run: async () =>
        (await pendingMigrations(parts.db)).length === 0
          ? undefined
          : 'the schema is not up to date: run `tollgate migrate`',
    },
    {
      name: 'configuration',
      run: () =>
        Promise.resolve(
          rooms.changes.staleMs() > CONFIGURATION_STALE_MS_MAX ? 'changes cannot be read' : undefined,
        ),
    },
  ]
}
