import { waitingBy } from '../../platform/waiting.ts'
import { WAITING_STATES } from './model.ts'

/** Lines of statements that are nobody's yet, with what is open of their money; of those that are decided in this cell. */
export const findWaitingLines = waitingBy('statements_count_waiting', {
  kind: 'SUSPENSE',
  rows: `select booked_on::timestamp at time zone 'UTC' as since, currency_code, nullif(open_amount, 0) as amount, null::text as about
    from statement_lines where state = any($1) and (not exists (select from cell_splits) or cell_of_line(merchant_id, created_at) is null)`,
  values: [WAITING_STATES],
})
