import type { Statement, Tx } from '../../platform/database.ts'
import type { PaymentKey, PaymentKind } from './model.ts'
import { keyArrays, toKey } from './rows.ts'

/** What there is to do for a payment: end it when its time is over, or talk to its rail. */
export type TaskName = 'EXPIRE' | 'RAIL'

/** Work on a payment that has fallen due, held by a lease. */
export interface Task extends PaymentKey {
  readonly task: TaskName
  readonly leaseToken: string
}

const CLAIM: Statement = {
  name: 'payment_tasks_claim',
  // statement_timestamp() and not clock_timestamp(), which no index can be searched for: every claim would read the whole queue.
  text: `with due as (
      select merchant_id, kind, id_payment, task from payment_tasks where task = $4 and due_at <= statement_timestamp()
      order by due_at limit $1 for update skip locked)
    update payment_tasks t set lease_token = $2, attempts = t.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $3)
    from due where t.merchant_id = due.merchant_id and t.kind = due.kind and t.id_payment = due.id_payment and t.task = due.task
    returning t.merchant_id, t.kind, t.id_payment`,
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
const UPSERT: Statement = {
  name: 'payment_tasks_upsert',
  text: `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at) values ($1, $2, $3, $4, clock_timestamp())
    on conflict (merchant_id, kind, id_payment, task) do update set due_at = excluded.due_at, lease_token = null`,
}
const INSERT_WATCHES: Statement = {
  name: 'payment_tasks_insert_watches',
  text: `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    select merchant_id, kind, id_payment, 'RAIL', clock_timestamp() + make_interval(secs => after_seconds)
    from unnest($1::bigint[], $2::text[], $3::text[], $4::float8[]) as w(merchant_id, kind, id_payment, after_seconds)`,
}
const UPDATE_SUBMITTED: Statement = {
  name: 'payments_update_submitted',
  text: `with leased as (
      select merchant_id, kind, id_payment from payment_tasks
      where merchant_id = $1 and kind = $2 and id_payment = $3 and task = 'RAIL' and lease_token = $4),
    submitted as (
      update payments p set submitted_at = clock_timestamp(), processor_status = 'SUBMITTED', timeline_count = p.timeline_count + 1
      from leased l where p.merchant_id = l.merchant_id and p.kind = l.kind and p.id_payment = l.id_payment
        and p.status = 'CREATED' and p.processor_status = 'QUEUED' and p.submitted_at is null
      returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, p.processor_status),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor)
      select merchant_id, kind, id_payment, timeline_count, status, processor_status, $5 from submitted),
    expiry as (
      delete from payment_tasks t using submitted s
      where t.merchant_id = s.merchant_id and t.kind = s.kind and t.id_payment = s.id_payment and t.task = 'EXPIRE')
    select 1 from submitted`,
}
const FIND_NEXT_DUE: Statement = {
  name: 'payment_tasks_find_next_due',
  text: `select greatest(0, extract(epoch from min(due_at) - clock_timestamp()))::float8 as seconds from payment_tasks where task = $1`,
}

interface TaskRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
}

export interface ClaimOrder {
  readonly task: TaskName
  readonly limit: number
  readonly leaseToken: string
  readonly leaseSeconds: number
}

/** Leases due tasks to the caller, the oldest first. Whoever dies with a lease loses it when it ends, and the task is due again. */
export async function claimTasks(tx: Tx, order: ClaimOrder): Promise<readonly Task[]> {
  const { task, leaseToken } = order
  const rows = await tx.rows<TaskRow>(CLAIM, [order.limit, leaseToken, order.leaseSeconds, task])
  return rows.map((row) => ({ ...toKey(row), task, leaseToken }))
}

const identityOf = (task: Task): readonly unknown[] => [
  task.merchantId,
  task.kind,
  task.idPayment,
  task.task,
  task.leaseToken,
]

/** Puts the task off, if the lease is still the caller's. */
export async function updateTaskDue(tx: Tx, task: Task, afterSeconds: number): Promise<void> {
  await tx.rows(UPDATE, [...identityOf(task), afterSeconds])
}

/** Removes the task, if the lease is still the caller's. */
export async function deleteTask(tx: Tx, task: Task): Promise<void> {
  await tx.rows(DELETE, identityOf(task))
}

/** Makes the task due now, whoever holds it: what they then report about it comes too late. */
export async function insertTask(tx: Tx, key: PaymentKey, task: TaskName): Promise<void> {
  await tx.rows(UPSERT, [key.merchantId, key.kind, key.idPayment, task])
}

/** A payment that has ended, and when its rail is asked about it again. */
export interface Watch extends PaymentKey {
  readonly afterSeconds: number
}

/** Has the rail asked again about payments that have ended. They must have no task. */
export async function insertWatches(tx: Tx, watches: readonly Watch[]): Promise<void> {
  if (watches.length === 0) return
  await tx.rows(INSERT_WATCHES, [...keyArrays(watches), watches.map((watch) => watch.afterSeconds)])
}

/**
 * Notes, before an institution hears of the payment, that it is being handed over; true for the one caller that may do so.
 * The lease is the fence: who has lost it, or comes second, gets false. From then on nothing but the institution's word
 * ends the payment, so its expiry is taken away.
 */
export async function updateSubmitted(tx: Tx, task: Task, actor: string): Promise<boolean> {
  const { merchantId, kind, idPayment, leaseToken } = task
  const rows = await tx.rows(UPDATE_SUBMITTED, [merchantId, kind, idPayment, leaseToken, actor])
  return rows.length > 0
}

/** Seconds until the next such task falls due; undefined without any. */
export async function findNextDueSeconds(tx: Tx, task: TaskName): Promise<number | undefined> {
  const [row] = await tx.rows<{ seconds: number | null }>(FIND_NEXT_DUE, [task])
  return row?.seconds ?? undefined
}
