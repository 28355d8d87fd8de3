import type { Check } from '../ledger/index.ts'

/** What the ledger has of each statement line: how much arrived in SUSPENSE, and how much of it is there still. */
const BOOKED = `select split_part(t.id_payment, '-', 1) as line, max(p.currency_code) as currency_code, sum(p.amount) as held,
        sum(p.amount) filter (where t.event = 'SUSPENSE_RECEIVED') as received
      from ledger_transfers t join ledger_postings p using (merchant_id, transfer_id)
      where t.event like 'SUSPENSE%' and p.account = 'SUSPENSE' group by 1`

/** What the payments of matched lines got. */
const PAID = `select l.line_id, -sum(p.amount) as moved
      from statement_lines l join ledger_transfers t on t.merchant_id = l.merchant_id and t.kind = l.kind and t.id_payment = l.id_payment
        join ledger_postings p on p.merchant_id = t.merchant_id and p.transfer_id = t.transfer_id and p.currency_code = l.currency_code
      where l.state = 'MATCHED' and l.direction = 'CREDIT' and p.account = 'CLEARING'
        and t.event in ('PAYIN_SUCCESS', 'TOPUP_SUCCESS', 'PAYOUT_REVERSED') group by l.line_id`

/** The lines of bank statements against the books: money that arrived is a payment's, or lies in suspense. */
export const SUSPENSE_CHECKS: readonly Check[] = [
  {
    name: 'suspense_is_of_the_lines',
    text: `select format('statement line %s has %s %s open; in suspense are %s %s', coalesce(l.line_id::text, b.line), l.open_amount, l.currency_code,
      b.held, b.currency_code) as detail
    from statement_lines l full join (${BOOKED}) b on b.line = l.line_id::text
    where l.line_id is null or coalesce(b.held, 0) <> l.open_amount or b.currency_code <> l.currency_code`,
  },
  {
    name: 'credit_lines_are_somewhere',
    text: `with facts as (
      select line_id::text as line, amount, currency_code, state, null::numeric as received, null::numeric as moved
      from statement_lines where direction = 'CREDIT' and state not in ('NEW', 'SPLIT')
      union all
      select line, null, null, null, received, null from (${BOOKED}) b
      union all
      select line_id::text, null, null, null, null, moved from (${PAID}) m),
    gathered as (
      select line, max(amount) as amount, max(currency_code) as currency_code, max(state) as state, sum(received) as received, sum(moved) as moved
      from facts group by line)
    select format('statement line %s brought %s %s and is %s; into suspense came %s, into payments %s', line, amount, currency_code, state,
      coalesce(received, 0), coalesce(moved, 0)) as detail
    from gathered
    where state is not null and case when state = 'MATCHED' then moved is distinct from amount or received is not null
      else received is distinct from amount end`,
  },
  {
    name: 'payments_are_paid_by_lines_once',
    text: `select format('%s %s of merchant %s is paid by the statement lines %s', kind, id_payment, merchant_id,
      string_agg(line_id::text, ', ' order by line_id)) as detail
    from statement_lines where direction = 'CREDIT' and state in ('MATCHED', 'APPLIED', 'SAME_MONEY') and kind in ('PAYIN', 'TOPUP')
    group by merchant_id, kind, id_payment having count(*) > 1 and bool_or(state <> 'APPLIED')`,
  },
  {
    name: 'payments_leave_by_one_line',
    text: `select format('%s %s of merchant %s left by the statement lines %s', kind, id_payment, merchant_id,
      string_agg(line_id::text, ', ' order by line_id)) as detail
    from statement_lines where direction = 'DEBIT' and state = 'MATCHED' and kind in ('PAYOUT', 'SETTLEMENT')
    group by merchant_id, kind, id_payment having count(*) > 1`,
  },
  {
    name: 'decided_money_is_the_payments',
    text: `select format('%s %s of merchant %s is %s with %s; operators gave it %s', d.kind, d.id_payment, d.merchant_id, p.status, p.amount, d.given) as detail
    from (select merchant_id, kind, id_payment, sum(amount) as given from statement_decisions where decision in ('ACCEPT', 'COVER')
        group by merchant_id, kind, id_payment) d
      left join payments p using (merchant_id, kind, id_payment)
    where p.amount is distinct from d.given or p.status not in ('SUCCESS', 'REVERSED')`,
  },
  {
    name: 'split_sums_are_their_parts',
    text: `select format('statement line %s of %s %s was split into %s', s.line_id, s.amount, s.currency_code, coalesce(sum(l.amount), 0)) as detail
    from statement_lines s left join statement_lines l on l.account_code = s.account_code and l.entry_fingerprint = s.entry_fingerprint
      and l.occurrence = s.occurrence and l.part > s.part
    where s.state = 'SPLIT' group by s.line_id having s.amount <> coalesce(sum(l.amount), 0)`,
  },
]
