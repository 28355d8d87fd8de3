import type { Database, Statement, Tx } from '../../platform/database.ts'
import type { Instructions } from '../../rails/rail.ts'
import { type PaymentKey, type PaymentKind, type ProcessorStatus, textOf } from './model.ts'
import type { SealedData } from './personal-data-store.ts'
import { keyArrays, toKey } from './rows.ts'

/** A payment that has passed every check and only needs to be accepted. */
export interface NewPayment extends PaymentKey {
  /** Made anew for every request: the row that carries it is ours, whatever became of the COMMIT's answer. */
  readonly nonce: string
  readonly requestDigest: Buffer
  readonly processorStatus: ProcessorStatus
  readonly amount: string
  readonly currencyCode: string
  readonly feeAmount: string
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly segmentCode: string | undefined
  readonly rail: string
  readonly reference: string
  readonly instructions: Instructions
  readonly callbackUrl: string | undefined
  readonly returnUrl: string | undefined
  readonly isTest: boolean
  readonly expiresAfterSeconds: number
  readonly personalData: SealedData | undefined
  /** Whether the rail has work as soon as the payment is durable. */
  readonly startsAtOnce: boolean
}

/** What became of one payment of a batch. */
export type AcceptVerdict =
  | {
      readonly kind: 'ACCEPTED'
      readonly acceptedAt: Date
      readonly expireAt: Date
      /** False when an earlier try of this very request, whose answer was lost, had accepted it. */
      readonly isNew: boolean
    }
  | { readonly kind: 'DUPLICATE'; readonly acceptedAt: Date; readonly requestDigest: Buffer }

/**
 * One statement, one round trip, one commit for the whole batch: payments, first timeline rows, personal data and tasks.
 * A row whose id exists is left alone; only the rows that are new come back. Ids are taken in one order by everyone, so
 * that two batches never wait for each other in a circle.
 */
const INSERT_PAYMENTS: Statement = {
  name: 'payments_insert',
  text: `with input as (
      select * from unnest($1::bigint[], $2::text[], $3::text[], $4::uuid[], $5::bytea[], $6::text[], $7::numeric[], $8::text[], $9::numeric[],
          $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::jsonb[], $16::text[], $17::text[], $18::boolean[], $19::integer[],
          $20::bytea[], $21::bytea[], $22::boolean[]) with ordinality
        as i(merchant_id, kind, id_payment, nonce, request_digest, processor_status, amount, currency_code, fee_amount,
          method_code, operator_code, segment_code, rail, reference, instructions, callback_url, return_url, is_test, expires_after_seconds,
          data_key, sealed, starts_at_once, position)),
    inserted as (
      insert into payments (merchant_id, kind, id_payment, nonce, request_digest, processor_status, amount, currency_code, fee_amount,
        method_code, operator_code, segment_code, rail, reference, instructions, callback_url, return_url, is_test, created_at, expire_at)
      select merchant_id, kind, id_payment, nonce, request_digest, processor_status, amount, currency_code, fee_amount,
        method_code, operator_code, segment_code, rail, reference, instructions, callback_url, return_url, is_test,
        now(), now() + make_interval(secs => expires_after_seconds)
      from input order by merchant_id, kind, id_payment, position
      on conflict (merchant_id, kind, id_payment) do nothing
      returning merchant_id, kind, id_payment, nonce, processor_status, created_at, expire_at),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, happened_at)
      select merchant_id, kind, id_payment, 1, 'CREATED', processor_status, 'merchant', created_at from inserted),
    personal_data as (
      insert into payment_personal_data (merchant_id, kind, id_payment, source, data_key, sealed)
      select n.merchant_id, n.kind, n.id_payment, 'REQUEST', i.data_key, i.sealed
      from inserted n join input i using (nonce) where i.sealed is not null),
    tasks as (
      insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
      select merchant_id, kind, id_payment, 'EXPIRE', expire_at from inserted
      union all
      select n.merchant_id, n.kind, n.id_payment, 'RAIL', n.created_at from inserted n join input i using (nonce) where i.starts_at_once)
    select nonce, created_at, expire_at from inserted`,
}
const LIST_ACCEPTED: Statement = {
  name: 'payments_list_accepted',
  text: `select p.merchant_id, p.kind, p.id_payment, p.nonce, p.request_digest, p.created_at, p.expire_at
    from unnest($1::bigint[], $2::text[], $3::text[]) as k(merchant_id, kind, id_payment)
      join payments p on p.merchant_id = k.merchant_id and p.kind = k.kind and p.id_payment = k.id_payment`,
}

interface InsertedRow {
  readonly nonce: string
  readonly created_at: Date
  readonly expire_at: Date
}
interface AcceptedRow extends InsertedRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly request_digest: Buffer
}

/**
 * Accepts a batch. Trying the same batch again after a lost answer is safe: a row that carries our nonce is ours,
 * so it counts as accepted and not as a duplicate.
 */
export async function insertPayments(
  tx: Tx,
  payments: readonly NewPayment[],
): Promise<readonly AcceptVerdict[]> {
  const rows = await tx.rows<InsertedRow>(INSERT_PAYMENTS, valuesOf(payments))
  const inserted = new Map(rows.map((row) => [row.nonce, row]))
  const taken = await listAccepted(
    tx,
    payments.filter((payment) => !inserted.has(payment.nonce)),
  )
  return payments.map((payment) => {
    const own = inserted.get(payment.nonce)
    if (own !== undefined)
      return { kind: 'ACCEPTED', acceptedAt: own.created_at, expireAt: own.expire_at, isNew: true }
    const earlier = taken.get(textOf(payment))
    if (earlier === undefined)
      throw new Error(`the payment ${payment.idPayment} was neither inserted nor found`)
    return verdictOn(payment, earlier)
  })
}

function verdictOn(payment: NewPayment, earlier: AcceptedRow): AcceptVerdict {
  const acceptedAt = earlier.created_at
  return earlier.nonce === payment.nonce
    ? { kind: 'ACCEPTED', acceptedAt, expireAt: earlier.expire_at, isNew: false }
    : { kind: 'DUPLICATE', acceptedAt, requestDigest: earlier.request_digest }
}

/**
 * The payments that hold the ids, in a statement of its own: the one that inserted cannot see a row that was committed
 * while it waited for it, nor one that it inserted itself.
 */
async function listAccepted(tx: Tx, keys: readonly PaymentKey[]): Promise<ReadonlyMap<string, AcceptedRow>> {
  if (keys.length === 0) return new Map()
  const rows = await tx.rows<AcceptedRow>(LIST_ACCEPTED, keyArrays(keys))
  return new Map(rows.map((row) => [textOf(toKey(row)), row]))
}

function valuesOf(payments: readonly NewPayment[]): readonly unknown[] {
  const column = (pick: (payment: NewPayment) => unknown): readonly unknown[] => payments.map(pick)
  return [
    ...keyArrays(payments),
    column((p) => p.nonce),
    column((p) => p.requestDigest),
    column((p) => p.processorStatus),
    column((p) => p.amount),
    column((p) => p.currencyCode),
    column((p) => p.feeAmount),
    column((p) => p.methodCode),
    column((p) => p.operatorCode ?? null),
    column((p) => p.segmentCode ?? null),
    column((p) => p.rail),
    column((p) => p.reference),
    column((p) => JSON.stringify(p.instructions)),
    column((p) => p.callbackUrl ?? null),
    column((p) => p.returnUrl ?? null),
    column((p) => p.isTest),
    column((p) => p.expiresAfterSeconds),
    column((p) => p.personalData?.dataKey ?? null),
    column((p) => p.personalData?.sealed ?? null),
    column((p) => p.startsAtOnce),
  ]
}

const UPDATE_DAILY_USAGE: Statement = {
  name: 'payments_update_daily_usage',
  text: `insert into payment_daily_usage as u (merchant_id, kind, method_code, currency_code, day, amount, payments)
    select $1, $2, $3, $4, (now() at time zone 'UTC')::date, $5, 1
    where ($6::numeric is null or $5::numeric <= $6) and ($7::integer is null or 1 <= $7)
    on conflict (merchant_id, kind, method_code, currency_code, day) do update
      set amount = u.amount + excluded.amount, payments = u.payments + 1
      where ($6::numeric is null or u.amount + excluded.amount <= $6) and ($7::integer is null or u.payments + 1 <= $7)
    returning 1`,
}

/** What a merchant may accept by one method in one currency and one day (UTC). */
export interface Cap {
  readonly amountMax?: string
  readonly countMax?: number
}

/** Thrown to roll the transaction back when the day's cap would be exceeded. */
export class CapExceeded extends Error {
  override readonly name = 'CapExceeded'
}

/** Accepts one payment whose merchant has a daily cap: the count and the payment stand or fall together. Throws CapExceeded. */
export function insertCappedPayment(db: Database, payment: NewPayment, cap: Cap): Promise<AcceptVerdict> {
  return db.transaction(async (tx) => {
    const [verdict] = await insertPayments(tx, [payment])
    if (verdict === undefined) throw new Error('no verdict')
    if (verdict.kind === 'DUPLICATE' || !verdict.isNew) return verdict
    const counted = await tx.rows(UPDATE_DAILY_USAGE, [
      payment.merchantId,
      payment.kind,
      payment.methodCode,
      payment.currencyCode,
      payment.amount,
      cap.amountMax ?? null,
      cap.countMax ?? null,
    ])
    if (counted.length === 0) throw new CapExceeded('the daily cap is used up')
    return verdict
  })
}
