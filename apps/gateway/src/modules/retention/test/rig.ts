import { randomIds, systemClock } from '@tollgate/runtime'
import type { SqlRow, TestLife } from '@tollgate/testkit'
import type { Database } from '../../../platform/database.ts'
import { createMetrics, type Metrics } from '../../../platform/metrics.ts'
import { createSecrets } from '../../../platform/secrets.ts'
import { testLog, testPostgres } from '../../../platform/test/index.ts'
import { EXPIRING, expiringIn } from '../../../rooms/retention.ts'
import {
  createPaymentService,
  type PaymentKey,
  type PaymentService,
  recountVolumes,
  sealPersonalData,
} from '../../payments/index.ts'
import {
  createRetentionService,
  createRetentionWorker,
  type RetentionDays,
  type RetentionService,
  type RetentionSettings,
  type RetentionWorker,
} from '../index.ts'

/** A class each has its own number of days, so that none is taken for another. */
export const DAYS: RetentionDays = { DELIVERIES: 90, INQUIRIES: 60, PERSONAL_DATA: 30 }

/** Payments that have a callback, and those that know whom they name. */
export const EVENTS = 'select id_entity from callback_events'
export const HELD = 'select id_payment from payment_personal_data where sealed is not null'

/** What a test of this room works with: a database of its own, payments in it, and the time that it says has passed. */
export interface Rig {
  readonly db: Database
  readonly payments: PaymentService
  readonly metrics: Metrics
  /** Lines of the workers' log. */
  readonly lines: readonly string[]
  worker(
    given?: {
      readonly days?: RetentionDays
      readonly documentDays?: number
      /** As in a sandbox, by merchants' clocks. */
      readonly isByClocks?: boolean
    } & Partial<RetentionSettings>,
  ): RetentionWorker
  service(days?: RetentionDays): RetentionService
  /** A payin with everything that a payment may hold of a person. */
  open(idPayment: string): Promise<PaymentKey>
  /** The same, declined; its callback is PENDING. */
  ended(idPayment: string): Promise<PaymentKey>
  /** By a session beside the gateway's, always the same. */
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
  /** One column of what is there, as texts, in order. */
  list(text: string): Promise<readonly string[]>
}

export async function openRig(t: TestLife): Promise<Rig> {
  const { db, outside } = await testPostgres(t)
  const { log, lines } = testLog()
  const metrics = createMetrics()
  const secrets = createSecrets(Buffer.alloc(32, 7))
  const shared = { db, clock: systemClock, ids: randomIds, secrets, metrics }
  const payments = createPaymentService({ ...shared, batchRowsMax: 100, batchesInFlightMax: 2 })
  const sql: Rig['sql'] = async (text, values = []) => (await outside.query<SqlRow>(text, [...values])).rows
  const open: Rig['open'] = async (idPayment) => {
    const key = { merchantId: '1', kind: 'PAYIN', idPayment } as const
    const personalData = sealPersonalData(secrets, key, { accountName: 'Jana Nováková' })
    await payments.accept({ ...PAYIN, ...key, nonce: randomIds.uuid(), reference: idPayment, personalData })
    return key
  }
  return {
    db,
    payments,
    metrics,
    lines,
    sql,
    open,
    worker: ({ days = DAYS, documentDays = 0, isByClocks = false, rowsMax = 100, pauseMs = 0 } = {}) =>
      createRetentionWorker({
        db,
        expiring: isByClocks ? expiringIn({ isLive: false }) : EXPIRING,
        log,
        metrics,
        days,
        documentDays,
        settings: { rowsMax, pauseMs },
      }),
    service: (days = DAYS) => createRetentionService({ db, expiring: EXPIRING, documentDays: 0, days }),
    async ended(idPayment) {
      const key = await open(idPayment)
      await payments.propose(key, DECLINED)
      return key
    },
    async list(text) {
      return (await sql(text)).map((row) => String(Object.values(row)[0])).toSorted()
    },
  }
}

const PAYIN = {
  requestDigest: Buffer.alloc(32, 1),
  processorStatus: 'AWAITING_CUSTOMER',
  amount: '100',
  currencyCode: 'EUR',
  feeAmount: '3',
  methodCode: 'BANK_TRANSFER',
  operatorCode: undefined,
  segmentCode: undefined,
  rail: 'test',
  instructions: { takesReference: true },
  callbackUrl: 'https://shop.example/callbacks',
  returnUrl: 'https://shop.example/thanks?name=jana',
  isTest: true,
  expiresAfterSeconds: 3600,
  startsAtOnce: false,
} as const

const DECLINED = {
  status: 'FAILED',
  actor: 'rail:test',
  evidence: { class: 'RAIL' },
  failure: { code: 'DECLINED', message: 'No.' },
} as const

/** A second more than so many days: over; `within`: a minute less. */
export const over = (days: number): string => `clock_timestamp() - interval '${days} days 1 second'`
export const within = (days: number): string =>
  `clock_timestamp() - interval '${days} days' + interval '1 minute'`

/** Callbacks are done since then, one attempt each; of these payments, or of all. */
export async function endCallbacks(rig: Rig, since: string, ids?: readonly string[]): Promise<void> {
  await rig.sql(
    `with ended as (
        update callback_events set state = 'DELIVERED', attempts_started = 1, due_at = null, created_at = ${since}, done_at = ${since}
        where $1::text[] is null or id_entity = any ($1) returning event_id)
      insert into callback_attempts (event_id, attempt_no, started_at, finished_at, outcome, http_status)
      select event_id, 1, ${since}, ${since}, 'OK', 200 from ended`,
    [ids ?? null],
  )
}

/** An answer about the payment, asked and last answered at these times. */
export async function keepInquiry(
  rig: Rig,
  idPayment: string,
  { asked, last = asked }: { readonly asked: string; readonly last?: string },
): Promise<void> {
  await rig.sql(
    `insert into payment_inquiries (merchant_id, kind, id_payment, question, answer, asked_at, answered_at, last_answered_at)
      values (1, 'PAYIN', $1, 'ADVANCE', 'FAILED', ${asked}, ${asked}, ${last})`,
    [idPayment],
  )
}

/** The payments' last change, and all that they hold, are of then. */
export async function datePayments(rig: Rig, since: string, ids?: readonly string[]): Promise<void> {
  await dateTimeline(rig, since, ids)
  await rig.sql(
    `update payment_personal_data set collected_at = ${since} where $1::text[] is null or id_payment = any ($1)`,
    [ids ?? null],
  )
}

/** The payments' last change is of then; volumes are counted anew, since they were counted up to now. */
export async function dateTimeline(rig: Rig, since: string, ids?: readonly string[]): Promise<void> {
  await rig.sql(
    `update payment_timeline set happened_at = ${since} where $1::text[] is null or id_payment = any ($1)`,
    [ids ?? null],
  )
  await rig.db.transaction((tx) => recountVolumes(tx, new Date(0)))
}
