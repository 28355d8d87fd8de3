import type { ClockMove } from '../../platform/clock-move.ts'
import type { Statement, Tx } from '../../platform/database.ts'
import { CALLBACK_CHANNEL } from './store.ts'

const MOVE: Statement = {
  name: 'callbacks_move_clock',
  // An attempt that is under way keeps its lease, so that nobody makes it a second time.
  text: `with moved as (
      update callback_events set due_at = due_at - make_interval(secs => $2)
      where merchant_id = $1 and state = 'PENDING' and lease_token is null returning 1)
    select pg_notify('${CALLBACK_CHANNEL}', '') from moved limit 1`,
}

const LIST_LEASES: Statement = {
  name: 'callbacks_list_leases',
  text: `select distinct lease_token from callback_events
    where merchant_id = $1 and state = 'PENDING' and lease_token is not null and due_at > clock_timestamp()`,
}

/** The leases under which attempts for the merchant are being made now. */
export async function listCallbackLeases(tx: Tx, merchantId: string): Promise<readonly string[]> {
  const rows = await tx.rows<{ lease_token: string }>(LIST_LEASES, [merchantId])
  return rows.map((row) => row.lease_token)
}

/** Makes the merchant's callbacks that wait for a repeat due earlier. */
export async function moveCallbacks(tx: Tx, { merchantId, seconds }: ClockMove): Promise<void> {
  await tx.rows(MOVE, [merchantId, seconds])
}
