import { factsOf, historyBy } from '../../platform/history.ts'

/** Each callback, and each attempt to deliver it. */
export const readCallbackHistory = historyBy({
  name: 'callbacks_list_history',
  text: `with e as (select * from callback_events where id_entity = $3 and merchant_id = $1 and kind = $2)
    select e.created_at as happened_at, 'CALLBACK' as what, state as says, null as by_whom,
      ${factsOf({ eventId: 'e.event_id', url: 'e.url', attempts: `e.attempts_started || ' of ' || e.attempts_max` })}
    from e
    union all
    select a.started_at, 'ATTEMPT', coalesce(a.outcome, 'UNDER_WAY'), null,
      ${factsOf({
        eventId: 'a.event_id',
        attempt: 'a.attempt_no',
        httpStatus: 'a.http_status',
        tookMs: 'a.took_ms',
        message: 'a.message',
      })}
    from e join callback_attempts a using (event_id)`,
})
