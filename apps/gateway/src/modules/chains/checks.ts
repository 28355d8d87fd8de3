import type { Check } from '../ledger/index.ts'

/** Payouts on chains against their payments, and the network's fees against the books. */
export const CHAIN_CHECKS: readonly Check[] = [
  {
    name: 'network_fees_are_of_transactions',
    text: `with booked as (
      select t.id_payment as reference, p.currency_code, p.amount from ledger_transfers t join ledger_postings p using (merchant_id, transfer_id)
      where t.event = 'NETWORK_FEE' and p.account = 'CLEARING')
    select format('%s cost the fee %s; booked are %s %s', coalesce(p.reference, b.reference), coalesce(p.network_fee, 0), coalesce(b.amount, 0),
      b.currency_code) as detail
    from (select reference, network_fee from chain_payouts where network_fee > 0
      union all select '0x' || encode(tx_hash, 'hex'), network_fee from chain_sweep_transactions where network_fee > 0) p full join booked b using (reference)
    where p.network_fee is distinct from b.amount`,
  },
  {
    name: 'chain_payouts_are_their_payments',
    text: `select format('payout %s on %s of %s %s is %s; its payment %s of merchant %s is %s, of %s %s', c.reference, c.chain_code, c.amount, c.currency_code,
      c.state, c.id_payment, c.merchant_id, coalesce(p.status, 'not there'), p.amount, p.currency_code) as detail
    from chain_payouts c left join payments p using (merchant_id, kind, id_payment)
    where p.reference is distinct from c.reference or p.amount <> c.amount or p.currency_code <> c.currency_code
      or p.status in ('SUCCESS', 'REVERSED') and c.state not in ('PAID', 'DECIDED') and not c.is_unclear or p.status not in ('CREATED', 'SUCCESS', 'REVERSED') and c.state = 'PAID'`,
  },
]
