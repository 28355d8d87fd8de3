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
/** Payments on a chain, where money may still come, and payouts that are not decided yet at one of these rails. */
const LIST_BOUND: Statement = {
  name: 'payments_list_bound',
  text: `select merchant_id as "merchantId", count(*) filter (where instructions ? 'wallet')::int as "onChains",
      count(*) filter (where status = 'CREATED' and kind in ('PAYOUT', 'SETTLEMENT') and rail = any ($2))::int as outgoing
    from payments where merchant_id = any ($1::bigint[])
      and (instructions ? 'wallet' or status = 'CREATED' and kind in ('PAYOUT', 'SETTLEMENT') and rail = any ($2))
    group by merchant_id order by merchant_id`,
}

const COUNT: Statement = {
  name: 'payments_count_of_merchant',
  text: 'select count(*)::int as payments from payments where merchant_id = $1',
}

/** What only the cell that began it can end, of a merchant. */
interface BoundPayments {
  readonly merchantId: string
  /** Payments with an address on a chain. */
  readonly onChains: number
  /** Payouts that the rails asked for have not decided yet. */
  readonly outgoing: number
}

/** Takes what is to be done for payments of the merchants from the workers of this cell. */
export async function parkTasks(tx: Tx, merchantIds: readonly string[]): Promise<void> {
  await tx.rows(PARK, [merchantIds])
}

/** Gives it back to them, with the leases that it had. */
export async function unparkTasks(tx: Tx, merchantIds: readonly string[]): Promise<void> {
  await tx.rows(UNPARK, [merchantIds])
}

/** Those of the merchants who have payments that only this cell can end: on chains, and payouts at these rails. */
export function listBoundPayments(
  tx: Tx,
  merchantIds: readonly string[],
  rails: readonly string[],
): Promise<readonly BoundPayments[]> {
  return tx.rows<BoundPayments>(LIST_BOUND, [merchantIds, rails])
}

/** How many payments of all kinds the merchant has. */
export async function countPayments(tx: Tx, merchantId: string): Promise<number> {
  const [row] = await tx.rows<{ payments: number }>(COUNT, [merchantId])
  return row?.payments ?? 0
}
