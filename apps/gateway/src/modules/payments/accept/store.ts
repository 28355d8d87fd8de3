import type { Money } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { Instructions } from '../../../rails/rail.ts'
import {
  type FeeConversion,
  type PaymentKey,
  type PaymentKind,
  type ProcessorStatus,
  textOf,
} from '../model.ts'
import type { SealedData } from '../privacy/personal-data-store.ts'
import { keyArrays, toKey } from '../rows.ts'

/** A payment that has passed every check and only needs to be accepted. */
export interface NewPayment extends PaymentKey {
  /** Made anew for every request: the row that carries it is ours, whatever became of the COMMIT's answer. */
  readonly nonce: string
  readonly requestDigest: Buffer
  readonly processorStatus: ProcessorStatus
  readonly amount: string
  readonly currencyCode: string
  readonly feeAmount: string
  readonly feeConversion?: FeeConversion | undefined
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly segmentCode: string | undefined
  readonly idCustomer?: string | undefined
  readonly rail: string
  readonly reference: string
  readonly instructions: Instructions
  readonly callbackUrl: string | undefined
  readonly returnUrl: string | undefined
  readonly isTest: boolean
  readonly expiresAfterSeconds: number
  readonly personalData: SealedData | undefined
  /** Keyed digest of the account that is paid to; outgoing payments only. */
  readonly beneficiaryDigest?: Buffer | undefined
  /** The id of the transfer that holds amount and fee; outgoing payments only. */
  readonly holdTransferId?: string | undefined
  /** Whether the rail has work as soon as the payment is durable. */
  readonly startsAtOnce: boolean
}

/** The columns of a payment that are given; `input` has them under these names. */
const GIVEN = `merchant_id, kind, id_payment, nonce, request_digest, processor_status, amount, currency_code, fee_amount, fee_conversion,
        method_code, operator_code, segment_code, id_customer, rail, reference, callback_url, return_url, is_test, beneficiary_digest`

/**
 * The batch as a table `input`, with the position of each row; parameters 1 to 26 are `inputArrays`. The instructions are one
 * document for all rows: as elements of an array, every quotation mark in them would be marked, sent and read back.
 */
const INPUT = `input as (
      select * from rows from (
        unnest($1::bigint[], $2::text[], $3::text[], $4::uuid[], $5::bytea[], $6::text[], $7::numeric[], $8::text[], $9::numeric[],
          $10::jsonb[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[],
          $19::boolean[], $20::bytea[], $21::integer[], $22::bytea[], $23::bytea[], $24::boolean[], $25::uuid[]),
        jsonb_array_elements($26::jsonb)) with ordinality
        as i(${GIVEN}, expires_after_seconds, data_key, sealed, starts_at_once, hold_transfer_id, instructions, position))`

/** Inserts the rows of `source`, which has the columns of `input`. A row whose id exists is left alone. */
const insertedFrom = (source: string): string => `inserted as (
      insert into payments (${GIVEN}, instructions, created_at, expire_at)
      select ${GIVEN}, instructions, statement_timestamp(), statement_timestamp() + make_interval(secs => expires_after_seconds)
      from ${source} order by merchant_id, kind, id_payment, position
      on conflict (merchant_id, kind, id_payment) do nothing
      returning merchant_id, kind, id_payment, nonce, processor_status, created_at, expire_at)`

/** What goes with every payment that was inserted: its first timeline row, personal data and tasks. */
const FOLLOWERS = `timeline as (
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
      select n.merchant_id, n.kind, n.id_payment, 'RAIL', n.created_at from inserted n join input i using (nonce) where i.starts_at_once)`

/** The values for INPUT. */
function inputArrays(payments: readonly NewPayment[]): readonly unknown[] {
  const column = (pick: (payment: NewPayment) => unknown): readonly unknown[] => payments.map(pick)
  return [
    ...keyArrays(payments),
    column((p) => p.nonce),
    column((p) => p.requestDigest),
    column((p) => p.processorStatus),
    column((p) => p.amount),
    column((p) => p.currencyCode),
    column((p) => p.feeAmount),
    column((p) => (p.feeConversion === undefined ? null : JSON.stringify(p.feeConversion))),
    column((p) => p.methodCode),
    column((p) => p.operatorCode ?? null),
    column((p) => p.segmentCode ?? null),
    column((p) => p.idCustomer ?? null),
    column((p) => p.rail),
    column((p) => p.reference),
    column((p) => p.callbackUrl ?? null),
    column((p) => p.returnUrl ?? null),
    column((p) => p.isTest),
    column((p) => p.beneficiaryDigest ?? null),
    column((p) => p.expiresAfterSeconds),
    column((p) => p.personalData?.dataKey ?? null),
    column((p) => p.personalData?.sealed ?? null),
    column((p) => p.startsAtOnce),
    column((p) => p.holdTransferId ?? null),
    JSON.stringify(column((p) => p.instructions)),
  ]
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
  /** The available balance does not cover amount and fee; nothing was stored. Outgoing payments only. */
  | { readonly kind: 'INSUFFICIENT' }

/**
 * One statement, one round trip, one commit for the whole batch: payments, first timeline rows, personal data and tasks.
 * A row whose id exists is left alone; only the rows that are new come back. Ids are taken in one order by everyone, so
 * that two batches never wait for each other in a circle.
 */
const INSERT_PAYMENTS: Statement = {
  name: 'payments_insert',
  isPlannedOnce: true,
  text: `with ${INPUT},
    ${insertedFrom('input')},
    ${FOLLOWERS}
    select nonce, created_at, expire_at from inserted`,
}
/**
 * The same for money that leaves, with its hold: who comes first gets what is there. The balances are locked (in the order
 * of everyone) before anything is decided; then each payment of an account takes its turn and is accepted if amount and
 * fee are left. Only payments that were really inserted are held: a row that was committed while we waited is a duplicate.
 * What is left is written from the locked row: the update would begin with the row as the statement's snapshot has it, and
 * the table's checks would judge that one. A batch must not name one id twice.
 * The plan is made once, perhaps while the tables are empty: `offset 0` and `= any (array(...))` leave it no choice but
 * to look rows up by their keys, however many there will be.
 * This statement knows the tables of the ledger, because the hold and the payment must stand or fall in one round trip.
 */
const INSERT_OUTGOING: Statement = {
  name: 'payments_insert_outgoing',
  isPlannedOnce: true,
  text: `with recursive ${INPUT},
    candidate as (
      select distinct on (merchant_id, kind, id_payment) merchant_id, currency_code, nonce, position, amount + fee_amount as need
      from input i
      where not exists (select from payments p where p.merchant_id = i.merchant_id and p.kind = i.kind and p.id_payment = i.id_payment offset 0)
      order by merchant_id, kind, id_payment, position),
    account as (
      select b.merchant_id, b.currency_code, b.available, b.reserved from balances b
      where (b.merchant_id, b.currency_code) in (select merchant_id, currency_code from candidate)
        and b.merchant_id = any (array(select merchant_id from candidate))
      order by (b.merchant_id || ' ' || b.currency_code) collate "C" for update),
    turn as materialized (
      select merchant_id, currency_code, nonce, need, row_number() over (partition by merchant_id, currency_code order by position) as turn_no,
        sum(need) over (partition by merchant_id, currency_code) as need_in_all
      from candidate),
    covered as materialized (
      select t.*, a.available >= t.need_in_all as is_covered from turn t join account a using (merchant_id, currency_code)),
    taken as (
      select merchant_id, currency_code, 0::bigint as turn_no, null::uuid as nonce, available as left_over, false as fits
      from account where (merchant_id, currency_code) in (select merchant_id, currency_code from covered where not is_covered)
      union all
      select t.merchant_id, t.currency_code, t.turn_no, t.nonce,
        case when b.left_over >= t.need then b.left_over - t.need else b.left_over end, b.left_over >= t.need
      from taken b join turn t on t.merchant_id = b.merchant_id and t.currency_code = b.currency_code and t.turn_no = b.turn_no + 1),
    affordable as (
      select i.* from input i join (select nonce from covered where is_covered union all select nonce from taken where fits) f using (nonce)),
    ${insertedFrom('affordable')},
    ${FOLLOWERS},
    held as (
      select n.merchant_id, n.kind, n.id_payment, i.hold_transfer_id, i.currency_code, i.amount + i.fee_amount as need
      from inserted n join input i using (nonce)),
    transfers as (
      insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment)
      select merchant_id, hold_transfer_id, 'PAYOUT_HELD', kind, id_payment from held),
    postings as (
      insert into ledger_postings (merchant_id, transfer_id, posting_no, account, currency_code, amount)
      select merchant_id, hold_transfer_id, posting_no, account, currency_code, sign * need
      from held cross join (values (1, 'AVAILABLE', -1), (2, 'RESERVED', 1)) as line (posting_no, account, sign)),
    spent as (
      update balances b set available = a.available - h.need, reserved = a.reserved + h.need, updated_at = statement_timestamp()
      from (select merchant_id, currency_code, sum(need) as need from held group by 1, 2) h join account a using (merchant_id, currency_code)
      where b.merchant_id = h.merchant_id and b.currency_code = h.currency_code and b.merchant_id = any (array(select merchant_id from held)))
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
 * Accepts a batch of payments that hold nothing. Trying the same batch again after a lost answer is safe: a row that
 * carries our nonce is ours, so it counts as accepted and not as a duplicate.
 */
export async function insertPayments(
  tx: Tx,
  payments: readonly NewPayment[],
): Promise<readonly AcceptVerdict[]> {
  const rows = await tx.rows<InsertedRow>(INSERT_PAYMENTS, inputArrays(payments))
  const verdicts = await verdictsOn(tx, payments, rows)
  if (verdicts.some((verdict) => verdict.kind === 'INSUFFICIENT'))
    throw new Error('a payment was neither inserted nor found')
  return verdicts
}

/** Accepts a batch of outgoing payments and holds their money, or says which of them the balance does not cover. */
export async function insertOutgoing(
  tx: Tx,
  payments: readonly NewPayment[],
): Promise<readonly AcceptVerdict[]> {
  const rows = await tx.rows<InsertedRow>(INSERT_OUTGOING, inputArrays(payments))
  return verdictsOn(tx, payments, rows)
}

async function verdictsOn(
  tx: Tx,
  payments: readonly NewPayment[],
  rows: readonly InsertedRow[],
): Promise<readonly AcceptVerdict[]> {
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
    return earlier === undefined ? { kind: 'INSUFFICIENT' } : verdictOn(payment, earlier)
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

const LIST_USED_UP: Statement = {
  name: 'payments_list_used_up',
  text: `select c.method_code from unnest($4::text[], $5::numeric[], $6::integer[]) as c (method_code, amount_max, count_max)
    left join payment_daily_usage u on u.merchant_id = $1 and u.kind = $2 and u.currency_code = $3 and u.method_code = c.method_code
      and u.day = (now() at time zone 'UTC')::date
    where coalesce(u.amount, 0) + $7::numeric > c.amount_max or coalesce(u.payments, 0) + 1 > c.count_max`,
}

/** What a merchant may accept by one method in one direction, currency and day (UTC). */
export interface Cap {
  readonly amountMax?: string
  readonly countMax?: number
}

/** A payment that may be made, and the caps of the methods that could take it. */
export interface CapQuestion {
  readonly merchantId: string
  readonly kind: PaymentKind
  readonly money: Money
  readonly caps: ReadonlyMap<string, Cap>
}

/** The methods of which the day's cap would not let the payment through now. */
export async function listUsedUp(
  tx: Tx,
  { merchantId, kind, money, caps }: CapQuestion,
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ method_code: string }>(LIST_USED_UP, [
    merchantId,
    kind,
    money.currencyCode,
    [...caps.keys()],
    [...caps.values()].map(({ amountMax }) => amountMax ?? null),
    [...caps.values()].map(({ countMax }) => countMax ?? null),
    money.amount,
  ])
  return new Set(rows.map((row) => row.method_code))
}

/** Counts the payment against the day's cap. False when that would exceed it, and then nothing was counted. */
export async function updateDailyUsage(tx: Tx, payment: NewPayment, cap: Cap): Promise<boolean> {
  const counted = await tx.rows(UPDATE_DAILY_USAGE, [
    payment.merchantId,
    payment.kind,
    payment.methodCode,
    payment.currencyCode,
    payment.amount,
    cap.amountMax ?? null,
    cap.countMax ?? null,
  ])
  return counted.length > 0
}
