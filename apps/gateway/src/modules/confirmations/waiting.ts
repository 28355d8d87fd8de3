import { waitingBy } from '../../platform/waiting.ts'

/** Proposals that a second operator has to decide. */
export const findWaitingActs = waitingBy('confirmations_count_waiting', {
  kind: 'CONFIRMATIONS',
  rows: `select confirmation_id, proposed_at as since, null::text as about from confirmations where state = 'WAITING'`,
  sums: `select s.currency_code, sum(s.amount) as amount from waiting join confirmation_sums s using (confirmation_id)
    group by s.currency_code`,
})
