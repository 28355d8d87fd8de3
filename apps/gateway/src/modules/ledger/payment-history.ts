import { factsOf, historyBy } from '../../platform/history.ts'

/** Each transfer, with its postings: account, amount, currency. */
export const readLedgerHistory = historyBy({
  name: 'ledger_list_history',
  text: `select t.created_at as happened_at, 'BOOKING' as what, t.event as says, null as by_whom,
      ${factsOf({ transferId: 't.transfer_id', postings: 'p.postings' })}
    from ledger_transfers t cross join lateral (
      select string_agg(account || ' ' || trim_scale(amount) || ' ' || currency_code, '; ' order by posting_no) as postings
      from ledger_postings where merchant_id = t.merchant_id and transfer_id = t.transfer_id) p
    where t.merchant_id = $1 and t.kind = $2 and t.id_payment = $3`,
})
