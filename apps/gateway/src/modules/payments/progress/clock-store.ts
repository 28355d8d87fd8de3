import type { ClockMove } from '../../../platform/clock-move.ts'
import type { Statement, Tx } from '../../../platform/database.ts'

const EARLIER = 'make_interval(secs => $2)'

const LOCK: Statement = {
  name: 'payments_lock_for_clock',
  // In the order of everyone else. Whoever changes a task of a payment has locked the payment first, or locks that task alone.
  text: `select 1 from payments p where p.merchant_id = $1 and (p.status = 'CREATED' or exists (select from payment_tasks t
      where t.merchant_id = p.merchant_id and t.kind = p.kind and t.id_payment = p.id_payment))
    order by p.merchant_id, p.kind, p.id_payment for update of p`,
}
const MOVE_PAYMENTS: Statement = {
  name: 'payments_move_clock',
  text: `update payments set expire_at = expire_at - ${EARLIER} where merchant_id = $1 and status = 'CREATED'`,
}
const MOVE_TASKS: Statement = {
  name: 'payment_tasks_move_clock',
  // What a worker has under way is being done now. The end of its lease stays: nobody else may begin it meanwhile.
  text: `update payment_tasks set due_at = case when lease_token is null then due_at - ${EARLIER} else due_at end,
      unknown_since = unknown_since - ${EARLIER}
    where merchant_id = $1`,
}
const BEGIN_DAY: Statement = {
  name: 'payments_begin_day',
  text: `update payment_daily_usage set amount = 0, payments = 0 where merchant_id = $1 and day = (now() at time zone 'UTC')::date`,
}
const LIST_LEASES: Statement = {
  name: 'payment_tasks_list_leases',
  text: `select distinct lease_token from payment_tasks where merchant_id = $1 and lease_token is not null and due_at > clock_timestamp()`,
}
const FIND_REAL: Statement = {
  name: 'payments_find_real',
  text: 'select 1 from payments where merchant_id = $1 and not is_test limit 1',
}

/** Makes what is due of the merchant's payments due earlier: their end, and questions to institutions. */
export async function movePayments(tx: Tx, { merchantId, seconds, isNewDay }: ClockMove): Promise<void> {
  await tx.rows(LOCK, [merchantId])
  await tx.rows(MOVE_PAYMENTS, [merchantId, seconds])
  await tx.rows(MOVE_TASKS, [merchantId, seconds])
  if (isNewDay) await tx.rows(BEGIN_DAY, [merchantId])
}

/** The leases under which workers do something about the merchant's payments now. */
export async function listPaymentLeases(tx: Tx, merchantId: string): Promise<readonly string[]> {
  const rows = await tx.rows<{ lease_token: string }>(LIST_LEASES, [merchantId])
  return rows.map((row) => row.lease_token)
}

/** Whether the merchant has a payment that moved real money, or may. */
export async function hasRealPayments(tx: Tx, merchantId: string): Promise<boolean> {
  return (await tx.rows(FIND_REAL, [merchantId])).length > 0
}
