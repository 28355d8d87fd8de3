import type { Statement, Tx } from '../../platform/database.ts'
import { CALLBACK_CHANNEL } from './store.ts'

const PARK: Statement = {
  name: 'callbacks_park',
  text: `with taken as (delete from callback_events where merchant_id = any ($1::bigint[]) and state = 'PENDING' returning *)
    insert into parked_callback_events select * from taken`,
}
const UNPARK: Statement = {
  name: 'callbacks_unpark',
  text: `with taken as (delete from parked_callback_events where merchant_id = any ($1::bigint[]) returning *),
      given as (insert into callback_events select * from taken returning 1)
    select pg_notify('${CALLBACK_CHANNEL}', '') from given limit 1`,
}

/** Takes the callbacks that merchants have not got yet from the workers of this cell. */
export async function parkCallbacks(tx: Tx, merchantIds: readonly string[]): Promise<void> {
  await tx.rows(PARK, [merchantIds])
}

/** Gives them back, with the times at which they are due. */
export async function unparkCallbacks(tx: Tx, merchantIds: readonly string[]): Promise<void> {
  await tx.rows(UNPARK, [merchantIds])
}
