import type { Statement, Tx } from '../../../platform/database.ts'

const PARK: Statement = {
  name: 'payment_tasks_park',
  text: `with taken as (delete from payment_tasks where merchant_id = any ($1::bigint[]) returning *)
    insert into parked_payment_tasks select * from taken`,
}
const UNPARK: Statement = {
  name: 'payment_tasks_unpark',
  text: `with taken as (delete from parked_payment_tasks where merchant_id = any ($1::bigint[]) returning *)
    insert into payment_tasks select * from taken`,
}
const COUNT_OPEN_OUTGOING: Statement = {
  name: 'payments_count_open_outgoing',
  text: `select count(*)::int as count from payments
    where merchant_id = any ($1::bigint[]) and status = 'CREATED' and kind in ('PAYOUT', 'SETTLEMENT') and rail = any ($2)`,
}
const COUNT_ON_CHAINS: Statement = {
  name: 'payments_count_on_chains',
  text: `select count(*)::int as count from payments where merchant_id = any ($1::bigint[]) and instructions ? 'wallet'`,
}

/** Takes what is to be done for payments of the merchants from the workers of this cell. */
export async function parkTasks(tx: Tx, merchantIds: readonly string[]): Promise<void> {
  await tx.rows(PARK, [merchantIds])
}

/** Gives it back to them, with the leases that it had. */
export async function unparkTasks(tx: Tx, merchantIds: readonly string[]): Promise<void> {
  await tx.rows(UNPARK, [merchantIds])
}

/** How many payments of the merchants have an address on a chain, where money may still come. */
export async function countOnChains(tx: Tx, merchantIds: readonly string[]): Promise<number> {
  return (await tx.rows<{ count: number }>(COUNT_ON_CHAINS, [merchantIds]))[0]?.count ?? 0
}

/** How many payouts of the merchants, also those of settlements, are not decided yet at one of these rails. */
export async function countOpenOutgoing(
  tx: Tx,
  merchantIds: readonly string[],
  rails: readonly string[],
): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(COUNT_OPEN_OUTGOING, [merchantIds, rails])
  return row?.count ?? 0
}
