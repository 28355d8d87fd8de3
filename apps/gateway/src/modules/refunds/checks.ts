import type { Check } from '../ledger/index.ts'
import { COUNTS, PAYMENT_OF } from './store.ts'

/** Refunds against the payins that they pay back, and the payouts that they are. */
export const REFUND_CHECKS: readonly Check[] = [
  {
    name: 'refunds_do_not_exceed_what_was_received',
    text: `with sums as (
      select r.merchant_id, r.id_payin, r.currency_code, sum(r.amount) filter (where ${COUNTS}) as refunded
      from refunds r join payments p on ${PAYMENT_OF} group by r.merchant_id, r.id_payin, r.currency_code)
    select format('payin %s of merchant %s received %s %s and %s %s of it are refunded', s.id_payin, s.merchant_id,
      coalesce(i.received_amount, 0), coalesce(i.received_currency_code, s.currency_code), s.refunded, s.currency_code) as detail
    from sums s left join payments i on i.merchant_id = s.merchant_id and i.kind = 'PAYIN' and i.id_payment = s.id_payin
    where s.refunded > 0 and (i.status is null or i.status not in ('SUCCESS', 'REVERSED')
      or i.received_currency_code is distinct from s.currency_code or s.refunded > coalesce(i.received_amount, 0))`,
  },
  {
    name: 'refunds_are_payouts',
    text: `select format('refund %s of payin %s of merchant %s is of %s %s; its payout %s', r.id_refund, r.id_payin, r.merchant_id, r.amount,
      r.currency_code, case when p.id_payment is null then 'does not exist' else format('is of %s %s', p.amount, p.currency_code) end) as detail
    from refunds r left join payments p on ${PAYMENT_OF}
    where (p.amount, p.currency_code) is distinct from (r.amount, r.currency_code)`,
  },
]
