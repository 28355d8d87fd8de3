import type { Statement, Tx } from '../../platform/database.ts'
import type { PaymentKey, PaymentKind } from './model.ts'

/** Work on a payment that has fallen due, held by a lease. */
export interface Task extends PaymentKey {
  readonly task: 'EXPIRE' | 'RAIL'
  readonly leaseToken: string
  readonly attempts: number
}

const CLAIM: Statement = {
  name: 'payment_tasks_claim',
  text: `with due as (
      select merchant_id, kind, id_payment, task from payment_tasks where due_at <= clock_timestamp()
      order by due_at limit $1 for update skip locked)
    update payment_tasks t set lease_token = $2, attempts = t.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $3)
    from due where t.merchant_id = due.merchant_id and t.kind = due.kind and t.id_payment = due.id_payment and t.task = due.task
    returning t.merchant_id, t.kind, t.id_payment, t.task, t.attempts`,
}
const UPDATE: Statement = {
  name: 'payment_tasks_update',
  text: `update payment_tasks set due_at = clock_timestamp() + make_interval(secs => $6), lease_token = null
    where merchant_id = $1 and kind = $2 and id_payment = $3 and task = $4 and lease_token = $5`,
}
const DELETE: Statement = {
  name: 'payment_tasks_delete',
  text: `delete from payment_tasks where merchant_id = $1 and kind = $2 and id_payment = $3 and task = $4 and lease_token = $5`,
}
const FIND_NEXT_DUE: Statement = {
  name: 'payment_tasks_find_next_due',
  text: `select greatest(0, extract(epoch from min(due_at) - clock_timestamp()))::float8 as seconds from payment_tasks`,
}

interface TaskRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly task: 'EXPIRE' | 'RAIL'
  readonly attempts: number
}

/** Leases due tasks to the caller. Whoever dies with a lease loses it when it ends, and the task is due again. */
export async function claimTasks(
  tx: Tx,
  claim: { readonly limit: number; readonly leaseToken: string; readonly leaseSeconds: number },
): Promise<readonly Task[]> {
  const rows = await tx.rows<TaskRow>(CLAIM, [claim.limit, claim.leaseToken, claim.leaseSeconds])
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    kind: row.kind,
    idPayment: row.id_payment,
    task: row.task,
    leaseToken: claim.leaseToken,
    attempts: row.attempts,
  }))
}

/** Puts the task off, if the lease is still the caller's. */
export async function updateTaskDue(tx: Tx, task: Task, afterSeconds: number): Promise<void> {
  await tx.rows(UPDATE, [
    task.merchantId,
    task.kind,
    task.idPayment,
    task.task,
    task.leaseToken,
    afterSeconds,
  ])
}

/** Removes the task, if the lease is still the caller's. */
export async function deleteTask(tx: Tx, task: Task): Promise<void> {
  await tx.rows(DELETE, [task.merchantId, task.kind, task.idPayment, task.task, task.leaseToken])
}

/** Seconds until the next task falls due; undefined without any task. */
export async function findNextDueSeconds(tx: Tx): Promise<number | undefined> {
  const [row] = await tx.rows<{ seconds: number | null }>(FIND_NEXT_DUE, [])
  return row?.seconds ?? undefined
}
