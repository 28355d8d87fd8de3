import { CURRENCIES_ISO_4217 } from '@tollgate/money'
import type { Config } from './config.ts'
import { CALLBACK_SETTINGS, type CallbackWorker, createCallbackWorker } from './modules/callbacks/index.ts'
import { type CatalogueService, createCatalogueService } from './modules/catalogue/index.ts'
import {
  type CustomerService,
  type CustomerSweeper,
  createCustomerService,
  createCustomerSweeper,
} from './modules/customers/index.ts'
import { createJournalWorker, type JournalWorker } from './modules/ledger/index.ts'
import {
  type CallbackSigner,
  createCallbackSigner,
  createMerchantDirectory,
  findMerchantCode,
  type MerchantDirectory,
} from './modules/merchants/index.ts'
import { createPayinService, type PayinService } from './modules/payins/index.ts'
import {
  createIntake,
  createPaymentService,
  createPaymentWorker,
  eraseCustomerPayments,
  hasOpenPayments,
  type PaymentWorker,
} from './modules/payments/index.ts'
import {
  type ApprovalDeps,
  type ApprovalService,
  createApprovalService,
  createPayoutPolicies,
  createPayoutService,
  type PayoutDeps,
  type PayoutService,
} from './modules/payouts/index.ts'
import { createRateService, type RateService } from './modules/rates/index.ts'
import {
  createConverter,
  createSettlementService,
  createSettlementWorker,
  type SettlementService,
} from './modules/settlements/index.ts'
import {
  createAuthenticator,
  createKeyring,
  createTokenService,
  type Keyring,
  type TokenService,
} from './modules/tokens/index.ts'
import { createTopUpService, type TopUpService } from './modules/topups/index.ts'
import type { Clock } from './platform/clock.ts'
import { type ConfigurationChanges, watchConfiguration } from './platform/configuration-changes.ts'
import type { Database } from './platform/database.ts'
import type { Ids } from './platform/ids.ts'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'
import { createOutboundClient, LIVE_PORTS, type TargetPolicy } from './platform/outbound/index.ts'
import type { Secrets } from './platform/secrets.ts'
import type { Rail } from './rails/rail.ts'
import { createSandboxRail, isSandboxAddress } from './rails/sandbox/index.ts'
import { VERSION } from './version.ts'

/** What every room may need. */
export interface Parts {
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
  readonly secrets: Secrets
  /** Connections of the request path. */
  readonly db: Database
  /** Connections of the workers: a flood of requests must not take them, nor the reverse. */
  readonly workerDb: Database
  /** Connections for work that gathers much: its statements may take minutes. */
  readonly patientDb: Database
}

/** Who may do what: merchants, their keys and tokens. */
export interface Identity {
  readonly changes: ConfigurationChanges
  readonly merchants: MerchantDirectory
  readonly keyring: Keyring
  readonly signer: CallbackSigner
  readonly tokens: TokenService
  readonly authenticator: ReturnType<typeof createAuthenticator>
}

/** What can be paid and how, and the worker that moves payments on. */
export interface Payments {
  readonly catalogue: CatalogueService
  readonly customers: CustomerService
  readonly rates: RateService
  readonly payins: PayinService
  readonly payouts: PayoutService
  readonly approvals: ApprovalService
  readonly topUps: TopUpService
  readonly settlements: SettlementService
  readonly worker: PaymentWorker
}

/** Puts together who may do what. */
export function buildIdentity(parts: Parts): Identity {
  const { config, db, clock, ids, log, secrets } = parts
  const shared = {
    environment: config.TOLLGATE_ENVIRONMENT,
    timestampToleranceSeconds: config.TOLLGATE_TIMESTAMP_TOLERANCE_SECONDS,
  }
  const changes = watchConfiguration({ db, clock, log })
  const merchants = createMerchantDirectory({ db, changes })
  const keyring = createKeyring({ db, clock, ids, secrets, changes })
  return {
    changes,
    merchants,
    keyring,
    signer: createCallbackSigner({ db, secrets, changes }),
    tokens: createTokenService({ merchants, keyring, secrets, clock, ids, ...shared }),
    authenticator: createAuthenticator({ db, clock, changes, merchants, keyring, ...shared }),
  }
}

/** Puts together what can be paid and how. */
export function buildPayments(
  parts: Parts,
  { changes, merchants }: Pick<Identity, 'changes' | 'merchants'>,
): Payments {
  const { config, db, workerDb, ids, log, secrets } = parts
  const rails = railsFor(config)
  const batches = {
    batchRowsMax: config.TOLLGATE_BATCH_ROWS_MAX,
    batchesInFlightMax: config.TOLLGATE_BATCHES_IN_FLIGHT_MAX,
  }
  const catalogue = createCatalogueService({ db, changes, log })
  const rates = createRateService({ ...parts, changes, minorUnitsOf: decimalsBy(catalogue) })
  const hasSegment = (segmentCode: string): boolean => catalogue.current().segments.has(segmentCode)
  const customers = createCustomerService({ ...parts, ...batches, ...PAYMENTS_OF_CUSTOMERS, hasSegment })
  const payments = createPaymentService({ ...parts, ...batches })
  const worker = createPaymentWorker({
    db: workerDb,
    ids,
    log,
    payments: createPaymentService({ ...parts, ...batches, db: workerDb }),
    rails,
    merchantCodeOf: (merchantId) => findMerchantCode(workerDb, merchantId),
  })
  const wakeWorker = (): void => worker.wake()
  const intake = createIntake({
    ids,
    secrets,
    catalogue,
    feeRates: () => ({ snapshot: rates.current(), atMs: parts.clock.nowMs() }),
    merchants,
    payments,
    rails,
    findCustomer: (merchantId, idCustomer) => customers.findForPayment(merchantId, idCustomer),
    callbackPolicy: callbackPolicy(config),
    returnPolicy: { httpsOnly: config.isLive, portsAllowed: 'any', allowPrivate: true },
    isLive: config.isLive,
    isSandboxAddress,
    wakeWorker,
  })
  const payins = createPayinService({ intake, payments, wakeWorker })
  const topUps = createTopUpService({ intake })
  const outgoing = buildPayouts(parts, { changes, merchants, intake, payments, wakeWorker })
  return { catalogue, rates, customers, payins, topUps, ...outgoing, worker }
}

/** Puts together the money that leaves. */
function buildPayouts(
  parts: Parts,
  shared: Pick<Identity, 'changes' | 'merchants'> &
    Pick<PayoutDeps, 'intake'> &
    Pick<ApprovalDeps, 'payments' | 'wakeWorker'>,
): Pick<Payments, 'payouts' | 'approvals' | 'settlements'> {
  const needs = {
    ...parts,
    ...shared,
    policies: createPayoutPolicies({ ...parts, ...shared }),
    merchantCodeOf: (merchantId: string) => findMerchantCode(parts.db, merchantId),
  }
  return {
    payouts: createPayoutService(needs),
    approvals: createApprovalService(needs),
    settlements: createSettlementService(needs),
  }
}

/** What customers ask of payments, which stand above them. */
const PAYMENTS_OF_CUSTOMERS = { hasOpenPayments, erasePayments: eraseCustomerPayments }

/** The decimals of a currency, also of one that is in no method here. */
function decimalsBy(catalogue: CatalogueService): (currencyCode: string) => number | undefined {
  return (code) => (catalogue.current().currencies.get(code) ?? CURRENCIES_ISO_4217.get(code))?.minorUnits
}

/** The rails of this installation: one line each. The sandbox's exists in the sandbox only. */
function railsFor(config: Config): ReadonlyMap<string, Rail> {
  const rails: Rail[] = config.isLive ? [] : [createSandboxRail({ simulatorUrl: config.publicSimulatorUrl })]
  return new Map(rails.map((rail) => [rail.code, rail]))
}

/** The workers of a process: payments that fall due, callbacks, and the journal of the ledger. */
export interface Workers {
  start(): void
  /** Takes no new work, finishes what is under way. */
  stop(): Promise<void>
}

/** Puts the workers together. The outbound client lives as long as they do. */
export function buildWorkers(
  parts: Parts,
  identity: Identity,
  { worker: paymentWorker, catalogue, rates }: Pick<Payments, 'worker' | 'catalogue' | 'rates'>,
): Workers {
  const outbound = createOutboundClient({ policy: callbackPolicy(parts.config) })
  const callbacks: CallbackWorker = createCallbackWorker({
    ...parts,
    db: parts.workerDb,
    outbound,
    sign: (merchantId, message) => identity.signer.sign(merchantId, message),
    settings: {
      ...CALLBACK_SETTINGS,
      version: VERSION,
      intervalSeconds: parts.config.TOLLGATE_CALLBACK_INTERVAL_SECONDS,
      deadlineMs: parts.config.TOLLGATE_CALLBACK_TIMEOUT_SECONDS * 1000,
    },
  })
  const journal: JournalWorker = createJournalWorker({ ...parts, db: parts.workerDb })
  const sweeper: CustomerSweeper = createCustomerSweeper({
    ...PAYMENTS_OF_CUSTOMERS,
    db: parts.workerDb,
    log: parts.log,
  })
  const settlements = createSettlementWorker({
    ...parts,
    db: parts.patientDb,
    convert: createConverter({ ...parts, rates, minorUnitsOf: decimalsBy(catalogue) }),
  })
  return {
    start() {
      paymentWorker.start()
      callbacks.start()
      settlements.start()
      journal.start()
      sweeper.start()
    },
    async stop() {
      await Promise.all([
        paymentWorker.stop(),
        callbacks.stop(),
        journal.stop(),
        sweeper.stop(),
        settlements.stop(),
      ])
      await outbound.close()
    },
  }
}

function callbackPolicy(config: Config): TargetPolicy {
  return {
    httpsOnly: config.isLive,
    portsAllowed: config.isLive ? LIVE_PORTS : 'any',
    allowPrivate: config.callbackAllowPrivate,
    allowedCidrs: config.callbackAllowCidrs,
  }
}
