import { createHash } from 'node:crypto'
import { parsePlainAmount } from '@tollgate/money'
import { type Clock, randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { runSql, type SqlRow, type TestLife, testDatabase } from '@tollgate/testkit'
import { type Database, openDatabase } from '../../../platform/database.ts'
import { createMetrics, type Metrics } from '../../../platform/metrics.ts'
import { createSecrets, type Secrets } from '../../../platform/secrets.ts'
import type { Rail, RailReport } from '../../../rails/rail.ts'
import { contentHashOf, fund } from '../../../test/support/shop.ts'
import type { NewPayment, PaymentKey, PaymentService, PaymentWorker, Proposal } from '../index.ts'
import { createPaymentService, createPaymentWorker } from '../index.ts'
import type { InquirySchedule } from '../progress/rail-talk.ts'

const POOL_MAX = 8

/** What a test of this room works with. */
export interface Rig {
  readonly url: string
  readonly db: Database
  readonly secrets: Secrets
  readonly metrics: Metrics
  readonly service: PaymentService
  /** A service with a pool of its own, as another process has; by default on the same database. */
  openService(url?: string, given?: ServiceGiven): PaymentService
  /** A service whose transactions go to another database than its single statements, as after a failover between the two. */
  openServiceThatMoves(url: string): PaymentService
  /** Starts a worker; it is stopped when the test ends. */
  startWorker(given: WorkerGiven): PaymentWorker
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
}

type ServiceGiven = Pick<Parameters<typeof createPaymentService>[0], 'openFreshCallbacks'>

interface WorkerGiven {
  readonly rail?: Rail
  /** Instead of the one. */
  readonly rails?: ReadonlyMap<string, Rail>
  readonly clock?: Clock
  readonly merchantCodeOf?: (merchantId: string) => Promise<string>
  readonly service?: PaymentService
  readonly leaseSeconds?: number
  readonly railDeadlineSeconds?: number
  readonly inquirySchedule?: InquirySchedule
}

/** Questions follow each other at once: what a rail itself asks for decides. */
const HURRIED: InquirySchedule = { distancesSeconds: [], lastDistanceSeconds: 0.05, patienceSeconds: 60 }

/** A database of the test's own with a service on it. */
export async function openRig(t: TestLife, given: { readonly queryTimeoutMs?: number } = {}): Promise<Rig> {
  const { url } = await testDatabase(t)
  const log = createLog({ level: 'silent' })
  const secrets = createSecrets(Buffer.alloc(32, 7))
  const metrics = createMetrics()
  const workers: PaymentWorker[] = []
  const databases: Database[] = []
  t.after(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await Promise.all(databases.map((each) => each.close()))
  })
  const open = (at: string): Database => {
    const db = openDatabase({ ...given, url: at, poolMax: POOL_MAX, log, applicationName: 'payments test' })
    databases.push(db)
    return db
  }
  const serviceOn = (db: Database, given: ServiceGiven = {}): PaymentService =>
    createPaymentService({
      ...given,
      db,
      clock: systemClock,
      ids: randomIds,
      secrets,
      metrics,
      batchRowsMax: 100,
      batchesInFlightMax: 2,
    })
  const db = open(url)
  const service = serviceOn(db)
  return {
    url,
    db,
    secrets,
    metrics,
    service,
    openService: (at = url, given = {}) => serviceOn(open(at), given),
    openServiceThatMoves: (to) => serviceOn({ ...db, transaction: open(to).transaction }),
    startWorker({ rail = railThat(() => WAITING), ...given }) {
      const worker = createPaymentWorker({
        db,
        clock: systemClock,
        ids: randomIds,
        log,
        secrets,
        payments: service,
        rails: new Map([[rail.code, rail]]),
        contentHashOf,
        inquirySchedule: HURRIED,
        merchantCodeOf: async (merchantId) => `M${merchantId}`,
        ...given,
      })
      workers.push(worker)
      worker.start()
      return worker
    },
    sql: (text, values) => runSql(url, text, values),
  }
}

export const WAITING: RailReport = { kind: 'WAITING', askAgainSeconds: undefined }

const UNASKED = { ageSeconds: 0, externalReference: undefined, isPaid: false }

/** A rail that reports what it is told to. */
export function railThat(
  advance: (...asked: Parameters<Rail['advance']>) => RailReport | Promise<RailReport>,
): Rail {
  return {
    code: 'test',
    capabilities: { directions: ['PAYIN', 'PAYOUT', 'TOPUP'], flows: ['INSTRUCTIONS'], cancels: false },
    plan: () => ({ instructions: {}, startsAtOnce: true }),
    advance: async (...asked) => advance(...asked),
    submit: async (payment, signal) => advance(payment, UNASKED, signal),
    inquire: async (...asked) => advance(...asked),
  }
}

let payments = 0

/** A payin of 100 EUR with a fee of 3; every call makes another one. */
export function newPayment(given: Partial<NewPayment> = {}): NewPayment {
  payments += 1
  const idPayment = given.idPayment ?? `order-${payments}`
  const isOut = given.kind === 'PAYOUT' || given.kind === 'SETTLEMENT'
  return {
    merchantId: '1',
    kind: 'PAYIN',
    idPayment,
    nonce: randomIds.uuid(),
    requestDigest: digestOf(idPayment),
    processorStatus: isOut ? 'QUEUED' : 'AWAITING_CUSTOMER',
    amount: '100',
    currencyCode: 'EUR',
    feeAmount: '3',
    methodCode: 'BANK_TRANSFER',
    operatorCode: undefined,
    segmentCode: undefined,
    rail: 'test',
    reference: randomIds.readable(12),
    instructions: { takesReference: true },
    callbackUrl: 'https://shop.example/callbacks',
    returnUrl: undefined,
    isTest: true,
    expiresAfterSeconds: 3600,
    personalData: undefined,
    startsAtOnce: false,
    holdTransferId: isOut ? randomIds.uuid() : undefined,
    ...given,
  }
}

export const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

export const keyOf = ({ merchantId, kind, idPayment }: NewPayment): PaymentKey => ({
  merchantId,
  kind,
  idPayment,
})

/** The report that exactly the requested money arrived. */
export function paid(payment: Pick<NewPayment, 'amount' | 'currencyCode'>): Proposal {
  const { amount, currencyCode } = payment
  return {
    status: 'SUCCESS',
    actor: 'rail:test',
    evidence: { class: 'RAIL' },
    received: { amount: parsePlainAmount(amount), currencyCode },
  }
}

export const EXPIRED: Proposal = {
  status: 'EXPIRED',
  actor: 'worker',
  evidence: { class: 'CLOCK' },
}
export const REVERSED: Proposal = {
  status: 'REVERSED',
  actor: 'rail:test',
  evidence: { class: 'RAIL' },
}
export const FAILED: Proposal = {
  status: 'FAILED',
  actor: 'rail:test',
  evidence: { class: 'RAIL' },
  failure: { code: 'DECLINED', message: 'No.' },
}
export const CANCELLED: Proposal = {
  status: 'CANCELLED',
  actor: 'rail:test',
  evidence: { class: 'RAIL' },
  failure: { code: 'CANCELLED', message: 'Changed my mind.' },
}

/** Accepts a payment and gives its key. Throws where the service refuses it. */
export async function accepted(rig: Rig, given: Partial<NewPayment> = {}): Promise<PaymentKey> {
  const payment = newPayment(given)
  const { kind } = await rig.service.accept(payment)
  if (kind !== 'ACCEPTED') throw new Error(`the payment was not accepted: ${kind}`)
  return keyOf(payment)
}

/** A payout that the service has taken in. */
export const acceptedPayout = (rig: Rig, given: Partial<NewPayment> = {}): Promise<PaymentKey> =>
  accepted(rig, { kind: 'PAYOUT', callbackUrl: undefined, ...given })

/** With a merchant 1, SHOP, that has a million euros to pay out. */
export async function openRigThatPays(...asked: Parameters<typeof openRig>): Promise<Rig> {
  const rig = await openRig(...asked)
  await rig.sql(`insert into merchants (merchant_code, channel_name) values ('SHOP', 'Shop')`)
  await fund(rig.sql, { merchantId: '1', currencyCode: 'EUR', amount: '1000000' })
  return rig
}

/** Lets the time to pay of every payment be over. */
export function endTimeToPay(rig: Rig): Promise<unknown> {
  return rig.sql(`update payments set expire_at = clock_timestamp() - interval '1 s'`)
}

/** How often the payments counted as having entered the status. */
export async function countedAs(rig: Rig, status: string): Promise<number> {
  const { values } = await rig.metrics.payments.get()
  return values.filter((each) => each.labels.status === status).reduce((sum, each) => sum + each.value, 0)
}
