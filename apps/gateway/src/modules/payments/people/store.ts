import type { Statement, Tx } from '../../../platform/database.ts'
import type { Payment, PaymentKind } from '../model.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../rows.ts'

/** A place in a list of outgoing payments. Finer than a Date: two payments may share a millisecond. */
export interface OutgoingPosition {
  /** Microseconds since 1970. */
  readonly createdAtUs: string
  readonly merchantId: string
  readonly idPayment: string
}

/** Which outgoing payments a list is to have. */
export interface OutgoingQuery {
  readonly kind: PaymentKind
  readonly merchantId: string | undefined
  /** Only those that wait for people: for their approval, or on hold. */
  readonly waiting: 'AWAITING_APPROVAL' | 'ON_HOLD' | undefined
  readonly after: OutgoingPosition | undefined
  readonly limit: number
}

/** An outgoing payment with its place in the list. */
export interface ListedPayment {
  readonly payment: Payment
  readonly position: OutgoingPosition
}

const COLUMNS = `${PAYMENT_COLUMNS}, (extract(epoch from p.created_at) * 1000000)::bigint::text as created_at_us`
/** Parameters 1 to 6: kind, merchant, the place to begin after, and how many. */
const PAGE = `p.kind = $1 and p.kind in ('PAYOUT', 'SETTLEMENT') and ($2::bigint is null or p.merchant_id = $2)
    and ($3::bigint is null or (p.created_at, p.merchant_id, p.id_payment) < (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::bigint, $5::text))
    order by p.created_at desc, p.merchant_id desc, p.id_payment desc limit $6`
const LIST_OUTGOING: Statement = {
  name: 'payments_list_outgoing',
  text: `select ${COLUMNS} from payments p where ${PAGE}`,
}
const LIST_WAITING: Statement = {
  name: 'payments_list_waiting',
  // By way of their expiry: what an institution has, or what has ended, is not among those tasks.
  text: `select ${COLUMNS} from payment_tasks t
    join payments p on p.merchant_id = t.merchant_id and p.kind = t.kind and p.id_payment = t.id_payment
    where t.task = 'EXPIRE' and t.kind = $1 and t.kind in ('PAYOUT', 'SETTLEMENT') and ($2::bigint is null or t.merchant_id = $2)
      and p.status = 'CREATED' and p.processor_status = $7 and ${PAGE}`,
}

/** Outgoing payments of a kind, the newest first, from after a place of an earlier page. */
export async function listOutgoing(tx: Tx, query: OutgoingQuery): Promise<readonly ListedPayment[]> {
  const { kind, merchantId, after, limit } = query
  const place = [after?.createdAtUs ?? null, after?.merchantId ?? null, after?.idPayment ?? null]
  const rows = await tx.rows<PaymentRow & { readonly created_at_us: string }>(
    query.waiting === undefined ? LIST_OUTGOING : LIST_WAITING,
    [kind, merchantId ?? null, ...place, limit, ...(query.waiting === undefined ? [] : [query.waiting])],
  )
  return rows.map((row) => ({
    payment: toPayment(row),
    position: {
      createdAtUs: row.created_at_us,
      merchantId: row.merchant_id,
      idPayment: row.id_payment,
    },
  }))
}

/** A place in the list of what waits for people. Finer than a Date: two payments may share a millisecond. */
export interface ReviewPosition {
  /** Since when it waits, in microseconds since 1970. */
  readonly sinceUs: string
  readonly merchantId: string
  readonly kind: PaymentKind
  readonly idPayment: string
}

/** Which payments a list of reviews is to have. */
interface ReviewQuery {
  readonly merchantId: string | undefined
  readonly after: ReviewPosition | undefined
  readonly limit: number
}

/** A payment that waits for people, since when, and its place in the list. */
export interface ReviewedPayment {
  readonly payment: Payment
  readonly since: Date
  readonly position: ReviewPosition
}

/** An outcome that is not known is asked for by itself; after this time people see it, too. */
const UNKNOWN_LISTED_SECONDS = 900

/** Which payments may wait for people's word, and since when, as SQL; those that have ended meanwhile are among them. */
export const REVIEW_CAUSES = `
      select merchant_id, kind, id_payment, min(since) as since from (
        select merchant_id, kind, id_payment, due_at as since from payment_tasks where task = 'REVIEW'
        union all
        select merchant_id, kind, id_payment, unknown_since from payment_tasks
        where unknown_since < statement_timestamp() - make_interval(secs => ${UNKNOWN_LISTED_SECONDS})) as cause
      group by merchant_id, kind, id_payment`
/** Of a payment `p` with a cause: its outcome is open. */
export const IS_OPEN = `(p.status = 'CREATED' or p.processor_status = 'IN_REVIEW')`

const LIST: Statement = {
  name: 'payments_list_reviews',
  text: `with waiting as (${REVIEW_CAUSES})
    select ${PAYMENT_COLUMNS}, w.since, (extract(epoch from w.since) * 1000000)::bigint::text as since_us
    from waiting w join payments p on p.merchant_id = w.merchant_id and p.kind = w.kind and p.id_payment = w.id_payment
    where ($1::bigint is null or p.merchant_id = $1) and ${IS_OPEN}
      and ($2::bigint is null or (w.since, p.merchant_id, p.kind, p.id_payment)
        > (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::bigint, $4::text, $5::text))
    order by w.since, p.merchant_id, p.kind, p.id_payment limit $6`,
}

/** Payments of which people have to find out what became of them, those that wait for the longest time first. */
export async function listReviews(tx: Tx, query: ReviewQuery): Promise<readonly ReviewedPayment[]> {
  const { merchantId, after, limit } = query
  const rows = await tx.rows<PaymentRow & { readonly since: Date; readonly since_us: string }>(LIST, [
    merchantId ?? null,
    after?.sinceUs ?? null,
    after?.merchantId ?? null,
    after?.kind ?? null,
    after?.idPayment ?? null,
    limit,
  ])
  return rows.map((row) => ({
    payment: toPayment(row),
    since: row.since,
    position: {
      sinceUs: row.since_us,
      merchantId: row.merchant_id,
      kind: row.kind,
      idPayment: row.id_payment,
    },
  }))
}
