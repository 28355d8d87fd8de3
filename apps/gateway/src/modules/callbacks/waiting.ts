import { waitingBy } from '../../platform/waiting.ts'

/** Callbacks that nobody tries any more, by their receivers. */
export const findExhaustedCallbacks = waitingBy('callbacks_count_exhausted', {
  kind: 'CALLBACKS_EXHAUSTED',
  rows: `select created_at as since, null::text as currency_code, null::numeric as amount, receiver as about
    from callback_events where state = 'EXHAUSTED'`,
})
