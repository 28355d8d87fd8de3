import type { Statement } from '../../platform/database.ts'
import {
  type Ageing,
  countOver,
  type ExpiringRows,
  LOOKED_AT,
  moment,
  nextRows,
  removeNext,
} from '../../platform/expiry.ts'

/** Events `e` that are over. Only what has ended is called back, so it is enough that nothing is left to do for the payment. */
const overBy = ({
  aged,
}: Ageing): string => `${aged('e.created_at', 'e.merchant_id')} < ${moment('$1')} and e.state <> 'PENDING'
        and ${aged('e.done_at', 'e.merchant_id')} < ${moment('$1')} and not exists (select 1 from payment_tasks t
          where t.merchant_id = e.merchant_id and t.kind = e.kind and t.id_payment = e.id_entity)`

/** What is leased by another worker or a resend is passed over. A callback goes together with its attempts. */
const deleteBy = (ageing: Ageing): Statement => ({
  name: `callbacks_delete_over${ageing.suffix}`,
  text: `with ${nextRows('event_id', 'created_at', { rows: 'callback_events where', ageing })},
    gone as materialized (
      select e.event_id from callback_events e
      where e.event_id = any (array(select event_id from next)) and ${overBy(ageing)} for update of e skip locked),
    attempts as (delete from callback_attempts where event_id = any (array(select event_id from gone))),
    events as (delete from callback_events where event_id = any (array(select event_id from gone)) returning 1)
    select ${LOOKED_AT}, (select count(*) from events)::int as removed`,
})
const countBy = (ageing: Ageing): Statement => ({
  name: `callbacks_count_over${ageing.suffix}`,
  text: `select count(*)::float8 as over, min(e.done_at) as oldest_at from callback_events e where ${overBy(ageing)}`,
})

/** Callbacks that are over, with their attempts. */
export function expiringDeliveries(ageing: Ageing): ExpiringRows {
  const remove = deleteBy(ageing)
  const count = countBy(ageing)
  return {
    remove: (db, look) => removeNext(db, remove, look),
    findOver: (tx, cutoffUs) => countOver(tx, count, [cutoffUs]),
  }
}
