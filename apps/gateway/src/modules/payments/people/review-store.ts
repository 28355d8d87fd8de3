import type { Statement, Tx } from '../../../platform/database.ts'
import type { Payment, PaymentKind } from '../model.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../rows.ts'

/** A place in the list of what waits for people. Finer than a Date: two payments may share a millisecond. */
export interface ReviewPosition {
  /** Since when it waits, in microseconds since 1970. */
  readonly sinceUs: string
  readonly merchantId: string
  readonly kind: PaymentKind
  readonly idPayment: string
}

/** Which payments a list of reviews is to have. */
export interface ReviewQuery {
  readonly merchantId: string | undefined
  /** An outcome that is not known counts after so many seconds. */
  readonly unknownSeconds: number
  readonly after: ReviewPosition | undefined
  readonly limit: number
}

/** A payment that waits for people, since when, and its place in the list. */
export interface ReviewedPayment {
  readonly payment: Payment
  readonly since: Date
  readonly position: ReviewPosition
}

const LIST: Statement = {
  name: 'payments_list_reviews',
  text: `with waiting as (
      select merchant_id, kind, id_payment, min(since) as since from (
        select merchant_id, kind, id_payment, due_at as since from payment_tasks where task = 'REVIEW'
        union all
        select merchant_id, kind, id_payment, unknown_since from payment_tasks
        where unknown_since < statement_timestamp() - make_interval(secs => $2)) as cause
      group by merchant_id, kind, id_payment)
    select ${PAYMENT_COLUMNS}, w.since, (extract(epoch from w.since) * 1000000)::bigint::text as since_us
    from waiting w join payments p on p.merchant_id = w.merchant_id and p.kind = w.kind and p.id_payment = w.id_payment
    where ($1::bigint is null or p.merchant_id = $1) and (p.status = 'CREATED' or p.processor_status = 'IN_REVIEW')
      and ($3::bigint is null or (w.since, p.merchant_id, p.kind, p.id_payment)
        > (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::bigint, $5::text, $6::text))
    order by w.since, p.merchant_id, p.kind, p.id_payment limit $7`,
}

/** Payments of which people have to find out what became of them, those that wait for the longest time first. */
export async function listReviews(tx: Tx, query: ReviewQuery): Promise<readonly ReviewedPayment[]> {
  const { merchantId, unknownSeconds, after, limit } = query
  const rows = await tx.rows<PaymentRow & { readonly since: Date; readonly since_us: string }>(LIST, [
    merchantId ?? null,
    unknownSeconds,
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
