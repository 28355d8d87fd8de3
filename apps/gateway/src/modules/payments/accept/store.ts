import type { Statement, Tx } from '../../../platform/database.ts'
import { type PaymentKey, type PaymentKind, textOf } from '../model.ts'
import { keyArrays, toKey } from '../rows.ts'
import { FOLLOWERS, INPUT, inputArrays, insertedFrom, type NewPayment } from './rows.ts'

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
