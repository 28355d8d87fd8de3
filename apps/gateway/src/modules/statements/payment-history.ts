import { factsOf, historyBy } from '../../platform/history.ts'

const OF_PAYMENT = 'l.merchant_id = $1 and l.kind = $2 and l.id_payment = $3'

/** The lines of statements that are about the payment, and what people decided about them. */
export const readStatementHistory = historyBy({
  name: 'statement_lines_list_history',
  text: `select l.created_at as happened_at, 'STATEMENT' as what, l.state as says, null as by_whom,
      ${factsOf({
        lineId: 'l.line_id',
        accountCode: 'l.account_code',
        direction: 'l.direction',
        amount: `trim_scale(l.amount) || ' ' || l.currency_code`,
        bookedOn: 'l.booked_on',
        reasons: `nullif(array_to_string(l.reasons, ', '), '')`,
      })}
    from statement_lines l where ${OF_PAYMENT}
    union all
    select d.decided_at, 'DECISION', d.decision, concat_ws(', ', d.actor, d.confirmed_by),
      ${factsOf({ lineId: 'l.line_id', reason: 'd.reason' })}
    from statement_lines l join statement_decisions d using (line_id) where ${OF_PAYMENT}`,
})
