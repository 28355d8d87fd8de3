import { factsOf, historyBy } from '../../../platform/history.ts'

const OF_PAYMENT = 'merchant_id = $1 and kind = $2 and id_payment = $3'

/** Each status with its evidence, what institutions answered or said unasked, what operators decided, and holds. */
export const readPaymentHistory = historyBy({
  name: 'payments_list_history',
  text: `select happened_at, 'STATUS' as what, status || ' (' || processor_status || ')' as says,
      case when cardinality(operators) > 0 then array_to_string(operators, ', ') else actor end as by_whom,
      ${factsOf({ reason: 'reason', evidence: 'evidence_class' })}
    from payment_timeline where ${OF_PAYMENT}
    union all
    select asked_at, case question when 'OPERATOR' then 'DECISION' else 'ANSWER' end, answer, operator_code,
      ${factsOf({
        question: 'question',
        reasonCode: 'reason_code',
        reason: 'reason',
        times: 'case when times > 1 then times end',
        lastAnsweredAt: `case when times > 1 then to_char(last_answered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`,
        contradicts: `case when contradicts then 'true' end`,
      })}
    from payment_inquiries where ${OF_PAYMENT}
    union all
    select happened_at, 'HOLD', event, operator_code, ${factsOf({ cause: 'cause', reason: 'reason' })}
    from payment_holds where ${OF_PAYMENT}`,
})
