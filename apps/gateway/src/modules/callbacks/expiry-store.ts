import type { Statement } from '../../platform/database.ts'
import {
  countOver,
  type ExpiringRows,
  LOOKED_AT,
  moment,
  nextRows,
  removeNext,
} from '../../platform/expiry.ts'

/** Events `e` that are over. Only what has ended is called back, so it is enough that nothing is left to do for the payment. */
const OVER = `e.created_at < ${moment('$1')} and e.state <> 'PENDING' and e.done_at < ${moment('$1')}
        and not exists (select 1 from payment_tasks t
          where t.merchant_id = e.merchant_id and t.kind = e.kind and t.id_payment = e.id_entity)`

/** What is leased by another worker or a resend is passed over. A callback goes together with its attempts. */
const DELETE: Statement = {
  name: 'callbacks_delete_over',
  text: `with ${nextRows('event_id', 'created_at', 'callback_events where')},
    gone as materialized (
      select e.event_id from callback_events e
      where e.event_id = any (array(select event_id from next)) and ${OVER} for update of e skip locked),
    attempts as (delete from callback_attempts where event_id = any (array(select event_id from gone))),
    events as (delete from callback_events where event_id = any (array(select event_id from gone)) returning 1)
    select ${LOOKED_AT}, (select count(*) from events)::int as removed`,
}
const COUNT: Statement = {
  name: 'callbacks_count_over',
  text: `select count(*)::float8 as over, min(e.done_at) as oldest_at from callback_events e where ${OVER}`,
}

/** Callbacks that are over, with their attempts. */
export const EXPIRING_DELIVERIES: ExpiringRows = {
  remove: (db, look) => removeNext(db, DELETE, look),
  findOver: (tx, cutoffUs) => countOver(tx, COUNT, [cutoffUs]),
}
