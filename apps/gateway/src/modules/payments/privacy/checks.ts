import type { Check } from '../../ledger/index.ts'

/** How long after an erasure, or after the end of a payment that was accepted beside it, something may still be there. */
const GRACE = `interval '5 minutes'`

/** Erased customers against what is stored of their payments. */
export const ERASURE_CHECKS: readonly Check[] = [
  {
    name: 'erased_customers_have_no_data',
    text: `with ended as (
      select p.*, c.erased_at from customers c
        join payments p on p.merchant_id = c.merchant_id and p.id_customer = c.id_customer
      where c.status = 'ERASED' and p.status <> 'CREATED'
        and greatest(c.erased_at, p.processed_at) < clock_timestamp() - ${GRACE}),
    marks as (
      select e.merchant_id, e.kind, e.id_payment, count(d.source) as marks, count(d.sealed) as sealed
      from ended e left join payment_personal_data d using (merchant_id, kind, id_payment)
      group by e.merchant_id, e.kind, e.id_payment)
    select format('%s %s of merchant %s: its customer was erased, but %s', kind, id_payment, merchant_id, what) as detail from (
      select merchant_id, kind, id_payment, 'personal data is still there' as what from marks where sealed > 0
      union all
      select merchant_id, kind, id_payment, 'nothing keeps new personal data away' from marks where marks < 2
      union all
      select merchant_id, kind, id_payment, 'an external reference is still there' from ended e
      where external_reference is not null or exists (select 1 from payment_external_references r
        where r.merchant_id = e.merchant_id and r.kind = e.kind and r.id_payment = e.id_payment)
      union all
      select merchant_id, kind, id_payment, 'its return URL is still there' from ended where return_url is not null
      union all
      select merchant_id, kind, id_payment, 'a digest is still there' from ended
      where length(request_digest) > 0 or beneficiary_digest is not null
      union all
      select e.merchant_id, e.kind, e.id_payment, 'what the bank said of the payer is still there' from ended e
        join statement_lines l on l.merchant_id = e.merchant_id and l.kind = e.kind and l.id_payment = e.id_payment
      where l.open_amount = 0 and length(l.sealed) > 0 and l.state_since < clock_timestamp() - ${GRACE}
      union all
      select e.merchant_id, e.kind, e.id_payment, 'an answer of a receiver is still there' from ended e
        join callback_events v on v.id_entity = e.id_payment and v.merchant_id = e.merchant_id and v.kind = e.kind
        join callback_attempts a on a.event_id = v.event_id
      where a.answer_start is not null and a.started_at < e.erased_at) left_over`,
  },
]
