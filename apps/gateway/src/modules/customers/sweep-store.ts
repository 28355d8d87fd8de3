import type { Statement, Tx } from '../../platform/database.ts'
import type { CustomerKey } from './model.ts'

/** Moved on with the claim: whatever becomes of it, the customer comes again. */
const CLAIM: Statement = {
  name: 'customers_claim_sweeps',
  text: `update customers c set sweep_due_at = clock_timestamp() + make_interval(secs => $2)
    from (select merchant_id, id_customer from customers where sweep_due_at <= clock_timestamp()
      order by sweep_due_at limit $1 for update skip locked) due
    where c.merchant_id = due.merchant_id and c.id_customer = due.id_customer
    returning c.merchant_id, c.id_customer, c.erased_at <= clock_timestamp() - make_interval(secs => $3) as is_last`,
}
const UPDATE_DONE: Statement = {
  name: 'customers_update_sweep_done',
  text: `update customers set sweep_due_at = null where merchant_id = $1 and id_customer = $2`,
}

const UPDATE_DUE: Statement = {
  name: 'customers_update_sweep_due',
  text: `update customers c set sweep_due_at = statement_timestamp() from unnest($1::bigint[], $2::text[]) as k(merchant_id, id_customer)
    where c.merchant_id = k.merchant_id and c.id_customer = k.id_customer and c.status = 'ERASED'`,
}

interface SweepClaim {
  readonly limit: number
  /** From one sweep of a customer to the next. */
  readonly intervalSeconds: number
  /** For how long after the erasure a create that was under way may still appear. */
  readonly lastAfterSeconds: number
}

/** An erased customer to look at again. */
export interface Sweep extends CustomerKey {
  /** No create can appear any more. */
  readonly isLast: boolean
}

/** Takes erased customers that are due, by the database's clock. */
export async function claimSweeps(tx: Tx, claim: SweepClaim): Promise<readonly Sweep[]> {
  const values = [claim.limit, claim.intervalSeconds, claim.lastAfterSeconds]
  const rows = await tx.rows<{ merchant_id: string; id_customer: string; is_last: boolean }>(CLAIM, values)
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    idCustomer: row.id_customer,
    isLast: row.is_last,
  }))
}

/** There is nothing left to look for. */
export async function updateSweepDone(tx: Tx, { merchantId, idCustomer }: CustomerKey): Promise<void> {
  await tx.rows(UPDATE_DONE, [merchantId, idCustomer])
}

/** Those of the customers who are erased are looked at again: something new names them. */
export async function sweepAgain(tx: Tx, customers: readonly CustomerKey[]): Promise<void> {
  await tx.rows(UPDATE_DUE, [
    customers.map((customer) => customer.merchantId),
    customers.map((customer) => customer.idCustomer),
  ])
}
