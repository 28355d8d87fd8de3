import { type Clock, type Log, randomIdsIn, systemClock } from '@tollgate/runtime'
import { createMetricsServer } from '@tollgate/runtime/metrics'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { App } from './http/app-type.ts'
import { guardRoutes, limitCaller } from './http/gate.ts'
import { documentRoutes } from './http/openapi.ts'
import { healthRoutes, type ReadinessCheck } from './http/operations.ts'
import type { RateLimiter } from './http/rate-limit.ts'
import { errorPageRoutes, referenceRoutes } from './http/reference/routes.ts'
import { createHttpServer } from './http/server.ts'
import { createOwnRateLimits, createSharedRateLimits, type RateLimits } from './http/shared-rate-limit.ts'
import { checkoutServiceKey } from './keys/checkout-keys.ts'
import { catalogueRoutes } from './modules/catalogue/routes.ts'
import { recordPolicy } from './modules/confirmations/index.ts'
import { customerRoutes } from './modules/customers/routes.ts'
import { createBalanceService } from './modules/ledger/index.ts'
import { balanceRoutes } from './modules/ledger/routes.ts'
import { logoRoutes } from './modules/merchants/logo-routes.ts'
import { merchantRoutes } from './modules/merchants/routes.ts'
import { notificationRoutes } from './modules/notifications/routes.ts'
import { checkoutRoutes } from './modules/payins/checkout-routes.ts'
import { payinRoutes } from './modules/payins/routes.ts'
import { createCustomerPaymentService } from './modules/payments/index.ts'
import { customerPaymentRoutes } from './modules/payments/routes.ts'
import { findOpenGap } from './modules/payouts/index.ts'
import { payoutRoutes } from './modules/payouts/routes.ts'
import { rateRoutes } from './modules/rates/routes.ts'
import { refundRoutes } from './modules/refunds/routes.ts'
import { sandboxRoutes } from './modules/sandbox/routes.ts'
import { settlementRoutes } from './modules/settlements/routes.ts'
import { tokenRoutes } from './modules/tokens/routes.ts'
import { topUpRoutes } from './modules/topups/routes.ts'
import { buildOperatorApi } from './operator-api.ts'
import { openDatabase } from './platform/database.ts'
import { createMetrics } from './platform/metrics.ts'
import { pendingMigrations } from './platform/migrate.ts'
import type { Secrets } from './platform/secrets.ts'
import { readBankChannels } from './rooms/bank-channel-settings.ts'
import { buildBankChannels } from './rooms/bank-channels.ts'
import { buildCallbacks } from './rooms/callbacks.ts'
import { buildChains } from './rooms/chains.ts'
import { buildConfirmations, buildConfirmationWorker, secondPersonSettings } from './rooms/confirmations.ts'
import { buildIdentity, type Identity } from './rooms/identity.ts'
import { createImportProcesses } from './rooms/import-process.ts'
import type { Parts } from './rooms/parts.ts'
import { buildPayments, type Payments } from './rooms/payments.ts'
import { buildPayoutFiles, instantMethodsBy } from './rooms/payout-files.ts'
import { buildStatements } from './rooms/statements.ts'
import { buildWorkers } from './rooms/workers.ts'

export interface GatewayOptions {
  readonly config: Config
  readonly databaseUrl: string
  readonly secrets: Secrets
  readonly log: Log
  /** What this process does: answer requests, work off durable rows, or both. */
  readonly roles: readonly ('api' | 'worker')[]
  /** Takes the metrics, where others have the port for them; otherwise this process opens one. */
  readonly publishMetrics?: (registry: Registry) => void
  /** Tests may hold the clock. */
  readonly clock?: Clock
}

/** A gateway, built and not started. */
export interface Gateway {
  readonly api: App
  /** What operators call; it listens where the API does, on a port of its own. */
  readonly operatorApi: App
  /** Reads what it caches, listens and works. */
  start(): Promise<void>
  /** Turns new requests away, finishes what is under way, and closes everything it opened. */
  stop(): Promise<void>
  /** What a stop still waits for. */
  stopsWaitingFor(): readonly string[]
}

/** Puts a gateway together: every room gets what it needs by name, here and in rooms.ts and nowhere else. */
export async function buildGateway(options: GatewayOptions): Promise<Gateway> {
  const { config } = options
  const parts = buildParts(options)
  const identity = buildIdentity(parts)
  const callbacks = buildCallbacks(parts, identity)
  const payments = buildPayments(parts, identity, callbacks.worker)
  const processes = createImportProcesses(parts)
  const statements = buildStatements(parts, identity.merchants, processes)
  const channels = readBankChannels(config)
  const payoutFiles = buildPayoutFiles(parts, {
    channels,
    instantMethods: instantMethodsBy(payments.catalogue),
  })
  const acts = { statementActs: statements.acts, reportActs: payoutFiles.acts }
  const bankChannels = buildBankChannels(parts, channels, acts)
  const chains = buildChains(parts, acts)
  const confirmations = buildConfirmations(parts, acts, processes)
  const confirmationWorker = buildConfirmationWorker(parts, payoutFiles.acts)
  const workers = buildWorkers(parts, {
    ...payments,
    callbacks,
    statements,
    payoutFiles,
    bankChannels,
    chains,
    confirmationWorker,
  })
  const limits = buildLimits(parts)
  const ending = createEnding()
  const drain = new AbortController()
  const edge = (name: string): Edge => ({ limiter: limits.limiter(name), draining: drain.signal })
  const api = await buildApi({ parts, identity, payments, ...edge('api') })
  const operatorApi = await buildOperatorApi(
    { ...parts, ...identity, ...payments, statements, payoutFiles, bankChannels, chains, confirmations },
    edge('operators'),
  )
  const metricsServer = createMetricsServer(parts.metrics.registry)
  const { publishMetrics } = options
  publishMetrics?.(parts.metrics.registry)
  const hasRole = (role: 'api' | 'worker'): boolean => options.roles.includes(role)

  return {
    api,
    operatorApi,
    async start() {
      await identity.keyring.start()
      await payments.accounts.start()
      await payments.catalogue.start()
      await payments.rates.start()
      await identity.authenticator.start()
      await identity.changes.start()
      await recordPolicy(parts.db, secondPersonSettings(config))
      if (hasRole('worker')) workers.start()
      const { hosts } = config
      if (publishMetrics === undefined)
        await metricsServer.listen({ host: hosts.METRICS, port: config.TOLLGATE_METRICS_PORT })
      if (!hasRole('api')) return
      await limits.start()
      await operatorApi.listen({ host: hosts.OPERATOR, port: config.TOLLGATE_OPERATOR_PORT })
      await api.listen({ host: hosts.API, port: config.TOLLGATE_API_PORT })
    },
    async stop() {
      drain.abort()
      const patience = setTimeout(() => {
        for (const { server } of [api, operatorApi]) server.closeAllConnections()
      }, config.TOLLGATE_DRAIN_SECONDS * 1000)
      await ending.all({ API: api.close(), 'operator API': operatorApi.close(), workers: workers.stop() })
      clearTimeout(patience)
      await ending.all({ metrics: metricsServer.close() })
      limits.stop()
      identity.changes.stop()
      await ending.all({
        'connections of requests': parts.db.close(),
        'connections of workers': parts.workerDb.close(),
        'connections of settlements': parts.patientDb.close(),
      })
    },
    stopsWaitingFor: ending.names,
  }
}

/** Waits for things by name, so that a stop that takes too long can say what it waits for. */
function createEnding() {
  const unfinished = new Set<string>()
  const wait = async (name: string, end: Promise<unknown>): Promise<void> => {
    unfinished.add(name)
    await end
    unfinished.delete(name)
  }
  return {
    all: async (ends: Readonly<Record<string, Promise<unknown>>>): Promise<void> => {
      await Promise.all(Object.entries(ends).map(([name, end]) => wait(name, end)))
    },
    names: (): readonly string[] => [...unfinished],
  }
}

/** Connections that requests can never take from the workers. */
const WORKER_CONNECTIONS = 6
/** For statements that gather a day's bookings. */
const PATIENT_CONNECTIONS = 1
const PATIENT_TIMEOUT_MS = 600_000

function buildParts(options: GatewayOptions): Parts {
  const { config, log, secrets, databaseUrl: url } = options
  return {
    config,
    clock: options.clock ?? systemClock,
    ids: randomIdsIn(config.TOLLGATE_CELL),
    log,
    metrics: createMetrics(),
    secrets,
    databaseUrl: url,
    db: openDatabase({
      url,
      poolMax: config.TOLLGATE_DATABASE_POOL_MAX,
      log,
      applicationName: 'tollgate api',
    }),
    workerDb: openDatabase({ url, poolMax: WORKER_CONNECTIONS, log, applicationName: 'tollgate worker' }),
    patientDb: openDatabase({
      url,
      poolMax: PATIENT_CONNECTIONS,
      log,
      applicationName: 'tollgate settlements',
      queryTimeoutMs: PATIENT_TIMEOUT_MS,
    }),
  }
}

/** Counted by all processes together where they have a Redis for it. */
function buildLimits(parts: Parts): RateLimits {
  const { TOLLGATE_REDIS_URL: url } = parts.config
  if (url === undefined) return createOwnRateLimits(parts.clock)
  const installation = parts.secrets.digest('rate-limit', 'installation').toString('hex', 0, 4)
  return createSharedRateLimits({ ...parts, url, installation })
}

/** What both servers have at their doors. */
interface Edge {
  readonly limiter: RateLimiter
  readonly draining: AbortSignal
}

interface ApiNeeds extends Edge {
  readonly parts: Parts
  readonly identity: Identity
  readonly payments: Payments
}

async function buildApi(needs: ApiNeeds): Promise<App> {
  const { parts, identity, payments, limiter, draining } = needs
  const { config, metrics } = parts
  const { sandbox } = payments
  const api = createHttpServer({
    ...parts,
    publicUrl: config.publicApiUrl,
    trustProxy: config.trustProxy,
    isLive: config.isLive,
    ...(sandbox !== undefined && { record: sandbox.record }),
  })
  guardRoutes(api, {
    authenticator: identity.authenticator,
    limiter,
    metrics,
    addressRatePerSecond: config.TOLLGATE_ADDRESS_RATE_PER_SECOND,
    checkoutKey: checkoutServiceKey(parts.secrets),
    draining,
  })
  await documentRoutes(api, config.publicApiUrl)
  referenceRoutes(api, { publicUrl: config.publicApiUrl, isLive: config.isLive })
  errorPageRoutes(api, config)
  healthRoutes(api, readinessChecks(needs))
  tokenRoutes(api, {
    ...identity,
    limit: ({ merchant }, reply) => {
      const bucket = {
        key: `merchant ${merchant.merchantId}`,
        limitPerSecond: merchant.rateLimitPerSecond,
        name: 'merchant' as const,
      }
      return limitCaller({ limiter, metrics }, { bucket }, reply)
    },
  })
  payinRoutes(api, payments.payins, identity.knowsBrowserOrigin)
  checkoutRoutes(api, payments.payins, payments.payinPages)
  refundRoutes(api, payments.refunds)
  payoutRoutes(api, payments.payouts)
  topUpRoutes(api, payments.topUps)
  customerRoutes(api, payments.customers)
  customerPaymentRoutes(api, createCustomerPaymentService({ ...parts, ...payments }))
  balanceRoutes(api, createBalanceService(parts))
  settlementRoutes(api, { ...payments, isLive: config.isLive })
  merchantRoutes(api, { ...identity, isLive: config.isLive, publicUrl: config.publicApiUrl })
  logoRoutes(api, identity.logos)
  catalogueRoutes(api, payments.catalogue)
  rateRoutes(api, payments.rates)
  notificationRoutes(api, payments.notifications.intake)
  if (sandbox !== undefined) sandboxRoutes(api, sandbox)
  return api
}

const CONFIGURATION_STALE_MS_MAX = 10_000

function readinessChecks({ parts, identity, draining }: ApiNeeds): readonly ReadinessCheck[] {
  const { db } = parts
  return [
    { name: 'drain', run: () => Promise.resolve(draining.aborted ? 'shutting down' : undefined) },
    { name: 'database', run: () => db.rows({ name: 'ready', text: 'select 1' }, []).then(() => undefined) },
    {
      name: 'migrations',
      run: async () =>
        (await pendingMigrations(db)).length === 0
          ? undefined
          : 'the schema is not up to date: run `tollgate migrate`',
    },
    {
      name: 'configuration',
      run: () =>
        Promise.resolve(
          identity.changes.staleMs() > CONFIGURATION_STALE_MS_MAX ? 'changes cannot be read' : undefined,
        ),
    },
    {
      name: 'outgoing',
      isNotice: true,
      run: async () =>
        (await findOpenGap(db)) === undefined
          ? undefined
          : 'no payouts are accepted or handed over: a restore gap is open',
    },
  ]
}
