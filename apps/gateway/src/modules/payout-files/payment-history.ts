import { factsOf, historyBy } from '../../platform/history.ts'

const OF_PAYMENT = 'merchant_id = $1 and kind = $2 and id_payment = $3'

/** The file that the payment is in, what became of it, and what the bank's reports say of the payment. */
export const readFileHistory = historyBy({
  name: 'payout_files_list_history',
  text: `with f as (select f.* from payout_file_payments p join payout_files f using (file_id) where ${OF_PAYMENT})
    select created_at as happened_at, 'FILE' as what, 'MADE' as says, created_by as by_whom,
      ${factsOf({ fileId: 'file_id', accountCode: 'account_code', executionOn: 'execution_on' })}
    from f
    union all
    select e.happened_at, 'FILE', e.event, e.actor, ${factsOf({ fileId: 'e.file_id' })}
    from f join payout_file_events e using (file_id)
    union all
    select r.received_at, 'REPORT', n.says, concat_ws(', ', r.actor, r.confirmed_by),
      ${factsOf({
        reportId: 'r.report_id',
        statusCode: 'n.status_code',
        reasonCode: 'n.reason_code',
        outcome: 'n.outcome',
        why: 'n.why',
      })}
    from payout_report_entries n join payout_reports r using (report_id) where ${OF_PAYMENT}`,
})
