import { type FindWaiting, waitingBy } from '../../../platform/waiting.ts'
import { IS_OPEN, REVIEW_CAUSES } from './store.ts'

const outgoing = (
  name: string,
  kind: 'PAYOUTS_AWAITING_APPROVAL' | 'PAYOUTS_ON_HOLD',
  phase: string,
): FindWaiting =>
  waitingBy(name, {
    kind,
    // By way of their expiry, as the list of them.
    rows: `select p.created_at as since, p.currency_code, p.amount, null::text as about
      from payment_tasks t join payments p on p.merchant_id = t.merchant_id and p.kind = t.kind and p.id_payment = t.id_payment
      where t.task = 'EXPIRE' and t.kind in ('PAYOUT', 'SETTLEMENT') and p.status = 'CREATED' and p.processor_status = $1`,
    values: [phase],
  })

/** Payouts and settlements that operators have to approve. */
export const findUnapproved = outgoing(
  'payments_count_unapproved',
  'PAYOUTS_AWAITING_APPROVAL',
  'AWAITING_APPROVAL',
)

/** Payouts and settlements that are on hold. */
export const findHeld = outgoing('payments_count_held', 'PAYOUTS_ON_HOLD', 'ON_HOLD')

/** Payments of which people have to find out what became of them: of those on hold nothing did, and `findHeld` has them. */
export const findReviews = waitingBy('payments_count_reviews', {
  kind: 'REVIEWS',
  rows: `select w.since, p.currency_code, p.amount, null::text as about from (${REVIEW_CAUSES}) w
    join payments p on p.merchant_id = w.merchant_id and p.kind = w.kind and p.id_payment = w.id_payment
    where ${IS_OPEN} and p.processor_status <> 'ON_HOLD'`,
})
