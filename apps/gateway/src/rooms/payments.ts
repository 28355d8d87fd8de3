import { type BankAccountDirectory, createBankAccountDirectory } from '../modules/bank-accounts/index.ts'
import { type CatalogueService, createCatalogueService } from '../modules/catalogue/index.ts'
import { findConfirmations } from '../modules/chains/index.ts'
import { type CustomerService, createCustomerService } from '../modules/customers/index.ts'
import { createHealthWorker, type HealthWorker } from '../modules/health/index.ts'
import { createMerchantCodes } from '../modules/merchants/index.ts'
import {
  createNotificationIntake,
  createNotificationService,
  createNotificationWorker,
  type NotificationIntake,
  type NotificationService,
  type NotificationWorker,
} from '../modules/notifications/index.ts'
import { listPowerless } from '../modules/operators/index.ts'
import {
  createPageReader,
  createPayinService,
  type PageReader,
  type PayinService,
} from '../modules/payins/index.ts'
import {
  createIntake,
  createPaymentService,
  createPaymentWorker,
  type PaymentService,
  type PaymentWorker,
  triggerOutcome,
} from '../modules/payments/index.ts'
import { findFileOfPayment, findVerifications } from '../modules/payout-files/index.ts'
import {
  type ApprovalDeps,
  type ApprovalService,
  contentHashOf,
  createApprovalService,
  createPayoutPolicies,
  createPayoutService,
  type PayoutDeps,
  type PayoutService,
} from '../modules/payouts/index.ts'
import { createRateService, type RateService } from '../modules/rates/index.ts'
import { createRefundService, type RefundDeps, type RefundService } from '../modules/refunds/index.ts'
import { findHorizon } from '../modules/retention/index.ts'
import { createReviewService, type ReviewDeps, type ReviewService } from '../modules/reviews/index.ts'
import { createSandboxService, type SandboxService } from '../modules/sandbox/index.ts'
import { createSettlementService, type SettlementService } from '../modules/settlements/index.ts'
import { findWaitingMoney } from '../modules/statements/index.ts'
import { createTopUpService, type TopUpService } from '../modules/topups/index.ts'
import type { Rail } from '../rails/rail.ts'
import { isSandboxAddress } from '../rails/sandbox/index.ts'
import { buildChainPayouts } from './chains.ts'
import { PAYMENTS_OF_CUSTOMERS } from './erasure.ts'
import type { Identity } from './identity.ts'
import { callbackPolicy, decimalsBy, type Parts } from './parts.ts'
import { railsFor } from './rails.ts'

/** What can be paid and how, and the worker that moves payments on. */
export interface Payments {
  readonly accounts: BankAccountDirectory
  readonly catalogue: CatalogueService
  readonly customers: CustomerService
  readonly rates: RateService
  readonly payins: PayinService
  readonly payinPages: PageReader
  readonly payouts: PayoutService
  readonly approvals: ApprovalService
  /** Payments as they are stored, on the connections of the request path. */
  readonly stored: PaymentService
  /** Absent in live. */
  readonly sandbox: SandboxService | undefined
  readonly reviews: ReviewService
  readonly topUps: TopUpService
  readonly refunds: RefundService
  readonly settlements: SettlementService
  readonly worker: PaymentWorker
  readonly health: HealthWorker
  readonly rails: ReadonlyMap<string, Rail>
  /** Cuts what is under way to institutions. */
  closeRails(): Promise<void>
  readonly notifications: Notifications
}

/** Puts together what can be paid and how. */
export function buildPayments(
  parts: Parts,
  { changes, merchants }: Pick<Identity, 'changes' | 'merchants'>,
): Payments {
  const { config, db, workerDb, ids, log, secrets } = parts
  const accounts = createBankAccountDirectory({ db, changes, log })
  const { byCode: rails, close: closeRails } = railsFor(parts, {
    accounts,
    chainPayouts: buildChainPayouts(parts),
  })
  const batches = {
    batchRowsMax: config.TOLLGATE_BATCH_ROWS_MAX,
    batchesInFlightMax: config.TOLLGATE_BATCHES_IN_FLIGHT_MAX,
  }
  const catalogue = createCatalogueService({ db, changes, log })
  const rates = createRateService({ ...parts, changes, minorUnitsOf: decimalsBy(catalogue) })
  const hasSegment = (segmentCode: string): boolean => catalogue.current().segments.has(segmentCode)
  const customers = createCustomerService({ ...parts, ...batches, ...PAYMENTS_OF_CUSTOMERS, hasSegment })
  const payments = createPaymentService({ ...parts, ...batches })
  const health = createHealthWorker({ db: workerDb, log })
  const worker = buildWorker(parts, { batches, rails, health })
  const wakeWorker = (): void => worker.wake()
  const intake = createIntake({
    ids,
    secrets,
    clock: parts.clock,
    catalogue,
    rates,
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
  const trigger = config.isLive ? undefined : triggerOutcome.bind(undefined, { ...parts, payments })
  const sandbox = trigger && createSandboxService({ db, payments, trigger })
  const payinPages = createPageReader({
    intake,
    payments,
    rails,
    findWaitingMoney: (key, currencyCode) => findWaitingMoney(db, key, currencyCode),
    findConfirmations: (key) => findConfirmations(db, key),
  })
  const topUps = createTopUpService({ intake })
  const outgoing = buildPayouts(parts, {
    changes,
    merchants,
    intake,
    payments,
    wakeWorker,
    hasCustomer: async (merchantId, idCustomer) =>
      (await customers.findForPayment(merchantId, idCustomer)) !== undefined,
  })
  const { findPaidBack } = outgoing.refunds
  const payins = createPayinService({ intake, payments, wakeWorker, trigger, findPaidBack })
  return {
    accounts,
    catalogue,
    rates,
    customers,
    payins,
    payinPages,
    topUps,
    ...outgoing,
    worker,
    health,
    stored: payments,
    sandbox,
    rails,
    closeRails,
    notifications: buildNotifications(parts, rails),
  }
}

interface WorkerParts extends Pick<Payments, 'rails' | 'health'> {
  readonly batches: { readonly batchRowsMax: number; readonly batchesInFlightMax: number }
}

/** Lets payments progress, on connections that requests never take. */
function buildWorker(parts: Parts, { batches, rails, health }: WorkerParts): Payments['worker'] {
  const { workerDb: db, ids, log } = parts
  return createPaymentWorker({
    db,
    ids,
    log,
    payments: createPaymentService({ ...parts, ...batches, db }),
    rails,
    merchantCodeOf: createMerchantCodes(db),
    contentHashOf,
    onTalk: (talk) => health.note(talk),
  })
}

/** Puts together the money that leaves. */
function buildPayouts(
  parts: Parts,
  shared: Pick<Identity, 'changes' | 'merchants'> &
    Pick<PayoutDeps, 'intake'> &
    Pick<RefundDeps, 'payments' | 'hasCustomer'> &
    Pick<ReviewDeps, 'payments' | 'wakeWorker'> &
    Pick<ApprovalDeps, 'payments' | 'wakeWorker'>,
): Pick<Payments, 'payouts' | 'approvals' | 'refunds' | 'reviews' | 'settlements'> {
  const needs = {
    ...parts,
    ...shared,
    policies: createPayoutPolicies({ ...parts, ...shared }),
    merchantCodeOf: createMerchantCodes(parts.db),
    verificationsOf: findVerifications.bind(undefined, parts.db),
    findPayoutFile: findFileOfPayment.bind(undefined, parts.db),
  }
  return {
    payouts: createPayoutService(needs),
    approvals: createApprovalService({
      ...needs,
      listPowerless: (tx, codes) => listPowerless(tx, 'payouts.approve', codes),
    }),
    refunds: createRefundService(needs),
    reviews: createReviewService({
      ...needs,
      listPowerless: (tx, codes) => listPowerless(tx, 'reviews.decide', codes),
      findRemovedUntil: () => findHorizon(parts.db, 'INQUIRIES'),
    }),
    settlements: createSettlementService(needs),
  }
}

/** What institutions tell us on their own: taking it in, applying it, looking at it. */
interface Notifications {
  readonly intake: NotificationIntake
  readonly worker: NotificationWorker
  readonly service: NotificationService
}

/** Puts together what hears of institutions. */
function buildNotifications(parts: Parts, rails: ReadonlyMap<string, Rail>): Notifications {
  const { config, workerDb } = parts
  const payments = createPaymentService({
    ...parts,
    db: workerDb,
    batchRowsMax: config.TOLLGATE_BATCH_ROWS_MAX,
    batchesInFlightMax: config.TOLLGATE_BATCHES_IN_FLIGHT_MAX,
  })
  const merchantCodeOf = createMerchantCodes(workerDb)
  const worker = createNotificationWorker({ ...parts, db: workerDb, rails, payments, merchantCodeOf })
  return {
    worker,
    intake: createNotificationIntake({ ...parts, rails, wakeWorker: () => worker.wake() }),
    service: createNotificationService(parts),
  }
}
