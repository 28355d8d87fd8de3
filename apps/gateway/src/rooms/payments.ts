import { type BankAccountDirectory, createBankAccountDirectory } from '../modules/bank-accounts/index.ts'
import type { CallbackWorker } from '../modules/callbacks/index.ts'
import { type CatalogueService, createCatalogueService } from '../modules/catalogue/index.ts'
import { canStillBePaid, findConfirmations } from '../modules/chains/index.ts'
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
  callbacks: Pick<CallbackWorker, 'openFresh'>,
): Payments {
  const { config, db, ids, log, secrets } = parts
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
  const progress = buildProgress(parts, { batches, rails, callbacks })
  const wakeWorker = (): void => progress.worker.wake()
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
    ...progress,
    stored: payments,
    sandbox,
    rails,
    closeRails,
  }
}

interface ProgressParts extends Pick<Payments, 'rails'> {
  readonly batches: { readonly batchRowsMax: number; readonly batchesInFlightMax: number }
  readonly callbacks: Pick<CallbackWorker, 'openFresh'>
}

/** Lets payments progress, on connections that requests never take: by asking institutions, and by what they tell. */
function buildProgress(
  parts: Parts,
  { batches, rails, callbacks }: ProgressParts,
): Pick<Payments, 'worker' | 'health' | 'notifications'> {
  const { workerDb: db, clock, ids, log, secrets } = parts
  const openFreshCallbacks = callbacks.openFresh
  const payments = createPaymentService({ ...parts, ...batches, db, openFreshCallbacks })
  const health = createHealthWorker({ db, log })
  const merchantCodeOf = createMerchantCodes(db)
  const worker = createPaymentWorker({
    db,
    clock,
    ids,
    log,
    secrets,
    payments,
    rails,
    merchantCodeOf,
    contentHashOf,
    onTalk: (talk) => health.note(talk),
  })
  const notified = createNotificationWorker({ ...parts, db, rails, payments, merchantCodeOf })
  const notifications = {
    worker: notified,
    intake: createNotificationIntake({ ...parts, rails, wakeWorker: () => notified.wake() }),
    service: createNotificationService(parts),
  }
  return { worker, health, notifications }
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
      canStillBePaid: (tx, { reference }) => canStillBePaid(tx, reference),
      findRemovedUntil: () => findHorizon(parts.db, 'INQUIRIES'),
    }),
    settlements: createSettlementService({ ...needs, needsSecondPerson: parts.config.needsSecondPerson }),
  }
}

/** What institutions tell us on their own: taking it in, applying it, looking at it. */
interface Notifications {
  readonly intake: NotificationIntake
  readonly worker: NotificationWorker
  readonly service: NotificationService
}
