import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { runSql, type SqlRow, type TestLife, testDatabase } from '@tollgate/testkit'
import {
  createPaymentService,
  createPaymentWorker,
  type PaymentService,
  type PaymentWorker,
} from '../../modules/payments/index.ts'
import { contentHashOf } from '../../modules/payouts/index.ts'
import { type Database, openDatabase } from '../../platform/database.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createSecrets } from '../../platform/secrets.ts'
import type { Rail } from '../../rails/rail.ts'
import { verifyBooks } from '../../rooms/books.ts'
import { fund } from '../support/shop.ts'

const SECRETS = createSecrets(Buffer.alloc(32, 7))

/** Opens what a worker needs, as one process of an installation has it. */
export function openPayments(url: string): { readonly db: Database; readonly payments: PaymentService } {
  const log = createLog({ level: 'silent' })
  const db = openDatabase({ url, poolMax: 6, log, applicationName: 'never twice' })
  const payments = createPaymentService({
    db,
    clock: systemClock,
    ids: randomIds,
    secrets: SECRETS,
    metrics: createMetrics(),
    batchRowsMax: 100,
    batchesInFlightMax: 2,
  })
  return { db, payments }
}

interface Hurry {
  readonly leaseSeconds: number
  readonly railDeadlineSeconds: number
  /** How long an outcome may stay unknown before it goes to people. */
  readonly patienceSeconds: number
}

/** A worker that asks again soon, so that a test need not wait for hours. */
export function openWorker(
  { db, payments }: ReturnType<typeof openPayments>,
  rail: Rail,
  { patienceSeconds, ...hurry }: Hurry,
): PaymentWorker {
  return createPaymentWorker({
    contentHashOf,
    db,
    secrets: SECRETS,
    payments,
    clock: systemClock,
    ids: randomIds,
    log: createLog({ level: 'silent' }),
    rails: new Map([[rail.code, rail]]),
    merchantCodeOf: () => Promise.resolve('SHOP'),
    inquirySchedule: { distancesSeconds: [0.2], lastDistanceSeconds: 0.5, patienceSeconds },
    ...hurry,
  })
}

/** A merchant's payouts of 1 EUR each, accepted and held, and what became of them. */
interface Installation {
  readonly url: string
  readonly db: Database
  readonly payments: PaymentService
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
  /** Accepts so many payouts through the rail at once; their references. */
  accept(count: number, rail: string): Promise<readonly string[]>
  /** How many payouts are in each status and phase. */
  states(): Promise<Readonly<Record<string, number>>>
  /** Status and phase by reference. */
  stateByReference(): Promise<ReadonlyMap<string, string>>
  /** What does not agree in the books. */
  findings(): Promise<readonly unknown[]>
}

export async function openInstallation(t: TestLife): Promise<Installation> {
  const { url } = await testDatabase(t)
  const { db, payments } = openPayments(url)
  t.after(() => db.close())
  const sql: Installation['sql'] = (text, values) => runSql(url, text, values)
  let accepted = 0
  return {
    url,
    db,
    payments,
    sql,
    async accept(count, rail) {
      await fund(sql, { merchantId: '1', currencyCode: 'EUR', amount: String(count) })
      return Promise.all(
        Array.from({ length: count }, () => {
          accepted += 1
          return acceptOne(payments, { idPayment: `OUT-${accepted}`, rail })
        }),
      )
    },
    async states() {
      const rows = await sql(
        `select status || ' ' || processor_status as state, count(*)::int as n from payments where kind = 'PAYOUT' group by 1`,
      )
      return Object.fromEntries(rows.map((row) => [String(row['state']), Number(row['n'])]))
    },
    async stateByReference() {
      const rows = await sql(
        `select reference, status || ' ' || processor_status as state from payments where kind = 'PAYOUT'`,
      )
      return new Map(rows.map((row) => [String(row['reference']), String(row['state'])]))
    },
    findings: async () => (await verifyBooks(db)).findings,
  }
}

async function acceptOne(
  payments: PaymentService,
  { idPayment, rail }: { readonly idPayment: string; readonly rail: string },
): Promise<string> {
  const reference = randomIds.readable(12)
  const verdict = await payments.accept({
    merchantId: '1',
    kind: 'PAYOUT',
    idPayment,
    reference,
    rail,
    nonce: randomIds.uuid(),
    requestDigest: Buffer.alloc(32),
    processorStatus: 'QUEUED',
    amount: '1',
    currencyCode: 'EUR',
    feeAmount: '0',
    methodCode: 'BANK_TRANSFER',
    operatorCode: undefined,
    segmentCode: undefined,
    callbackUrl: undefined,
    returnUrl: undefined,
    instructions: {},
    isTest: true,
    expiresAfterSeconds: 3600,
    personalData: undefined,
    startsAtOnce: true,
    holdTransferId: randomIds.uuid(),
  })
  if (verdict.kind !== 'ACCEPTED') throw new Error(`${idPayment} is ${verdict.kind}`)
  return reference
}
