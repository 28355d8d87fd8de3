import type { Statement, Tx } from '../../../platform/database.ts'
import { type DueWork, dueStatement, findDue } from '../../../platform/due.ts'
import type { Payment, PaymentKey } from '../model.ts'
import type { SealedData } from '../privacy/personal-data-store.ts'
import { keyArrays, PAYMENT_COLUMNS, type PaymentRow, toKey, toPayment } from '../rows.ts'

/** What there is to do for a payment: end it when its time is over, or talk to its rail. */
export type TaskName = 'EXPIRE' | 'RAIL'
/** The same, and what people have to do, which no worker takes up. */
type AnyTaskName = TaskName | 'REVIEW'

/** Work on a payment that has fallen due, held by a lease. */
export interface Task extends PaymentKey {
  readonly task: TaskName
  readonly leaseToken: string
  /** When it was taken up, by the database's clock. */
  readonly claimedAt: Date
  /** How often in a row the rail could not say what became of the payment. */
  readonly unknownAnswers: number
  /** Seconds since the first of them; 0 without any. */
  readonly unknownSeconds: number
  /** As it was when the task was taken up; undefined when there is none any more. */
  readonly payment: Payment | undefined
  /** The data that came with the request, for a talk with the rail; undefined when there is none, or when it was erased. */
  readonly sealed: SealedData | undefined
}

/** Leases the tasks of a query `due`: $2 to $4 are the lease's token, its length and the kind of task. */
const CLAIMED = `claimed as (
      update payment_tasks t set lease_token = $2, attempts = t.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $3)
      from due where t.merchant_id = due.merchant_id and t.kind = due.kind and t.id_payment = due.id_payment and t.task = due.task
      returning t.merchant_id, t.kind, t.id_payment, t.unknown_answers, t.unknown_since)`
// What the planner knows of the queue is of a minute ago, when it may have been empty: it would expect so many claimed rows that it
// reads all payments. `limit 1` leaves it no way but to look each of them up.
const CLAIMED_COLUMNS = `${PAYMENT_COLUMNS}, t.merchant_id, t.kind, t.id_payment, statement_timestamp() as claimed_at, t.unknown_answers,
      coalesce(extract(epoch from statement_timestamp() - t.unknown_since), 0)::float8 as unknown_seconds, d.data_key, d.sealed`
const CLAIMED_PAYMENTS = `left join lateral (
        select * from payments where merchant_id = t.merchant_id and kind = t.kind and id_payment = t.id_payment limit 1) p on true
      left join lateral (
        select data_key, sealed from payment_personal_data
        where merchant_id = t.merchant_id and kind = t.kind and id_payment = t.id_payment
          and source = 'REQUEST' and sealed is not null and $4 = 'RAIL' limit 1) d on true`
const CLAIM: Statement = {
  name: 'payment_tasks_claim',
  // statement_timestamp() and not clock_timestamp(), which no index can be searched for: every claim would read the whole queue.
  text: `with due as (
      select merchant_id, kind, id_payment, task from payment_tasks where task = $4 and due_at <= statement_timestamp()
      order by due_at limit $1 for update skip locked),
    ${CLAIMED}
    select ${CLAIMED_COLUMNS}
    from claimed t
      ${CLAIMED_PAYMENTS}`,
}
/** So many tasks are looked at from each end of what is due, where some of it is left alone. */
const LOOKED_AT = 500
const CLAIM_BESIDE: Statement = {
  name: 'payment_tasks_claim_beside',
  // A rail may have a million tasks due. Those that fell due last are where others are to be found whose rails answer; the walk from the
  // oldest on comes by all the rest. A task knows no rail, its payment does.
  text: `with walked as materialized (
      select merchant_id, kind, id_payment, due_at from payment_tasks
      where task = $4 and due_at <= statement_timestamp() and due_at > coalesce($6::timestamptz, '-infinity')
      order by due_at fetch first ${LOOKED_AT} rows with ties),
    newest as materialized (
      select merchant_id, kind, id_payment, due_at from payment_tasks where task = $4 and due_at <= statement_timestamp()
      order by due_at desc limit ${LOOKED_AT}),
    others as (
      select s.merchant_id, s.kind, s.id_payment from (select * from walked union select * from newest) s
        left join lateral (
          select rail from payments where merchant_id = s.merchant_id and kind = s.kind and id_payment = s.id_payment limit 1) p on true
      where p.rail is null or p.rail <> all ($5::text[]) order by s.due_at limit $1),
    due as (
      select t.merchant_id, t.kind, t.id_payment, t.task from others o cross join lateral (
        select merchant_id, kind, id_payment, task from payment_tasks
        where merchant_id = o.merchant_id and kind = o.kind and id_payment = o.id_payment and task = $4 and due_at <= statement_timestamp()
        limit 1 for update skip locked) t),
    ${CLAIMED}
    select ${CLAIMED_COLUMNS}, w.walked_to
    from (select case when count(*) >= ${LOOKED_AT} then max(due_at)::text end as walked_to from walked) w
      left join claimed t on true
      ${CLAIMED_PAYMENTS}`,
}
const UPDATE: Statement = {
  name: 'payment_tasks_update',
  text: `update payment_tasks set due_at = clock_timestamp() + make_interval(secs => $6), lease_token = null
    where merchant_id = $1 and kind = $2 and id_payment = $3 and task = $4 and lease_token = $5`,
}
const UPDATE_ANSWERED: Statement = {
  name: 'payment_tasks_update_answered',
  text: `update payment_tasks set due_at = clock_timestamp() + make_interval(secs => $6), lease_token = null,
      unknown_since = case when $7 then coalesce(unknown_since, clock_timestamp()) end,
      unknown_answers = case when $7 then unknown_answers + 1 else 0 end
    where merchant_id = $1 and kind = $2 and id_payment = $3 and task = $4 and lease_token = $5 returning 1`,
}
const DELETE: Statement = {
  name: 'payment_tasks_delete',
  text: `delete from payment_tasks where merchant_id = $1 and kind = $2 and id_payment = $3 and task = $4 and lease_token = $5 returning 1`,
}
const UPSERT: Statement = {
  name: 'payment_tasks_upsert',
  text: `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at) values ($1, $2, $3, $4, clock_timestamp())
    on conflict (merchant_id, kind, id_payment, task) do update set due_at = excluded.due_at, lease_token = null`,
}
const REOPEN: Statement = {
  name: 'payment_tasks_reopen_inquiries',
  text: `with closed as (
      delete from payment_tasks where merchant_id = $1 and kind = $2 and id_payment = $3 and task = 'REVIEW')
    insert into payment_tasks (merchant_id, kind, id_payment, task, due_at, unknown_since)
    values ($1, $2, $3, 'RAIL', clock_timestamp(), clock_timestamp())
    on conflict (merchant_id, kind, id_payment, task) do update
      set due_at = excluded.due_at, lease_token = null, unknown_since = excluded.unknown_since, unknown_answers = 0`,
}
const DELETE_ALL: Statement = {
  name: 'payment_tasks_delete_all_but',
  text: `delete from payment_tasks where merchant_id = $1 and kind = $2 and id_payment = $3 and task <> $4`,
}
const DELETE_REVIEW: Statement = {
  name: 'payment_tasks_delete_review',
  text: `delete from payment_tasks where merchant_id = $1 and kind = $2 and id_payment = $3 and task = 'REVIEW'`,
}
const LOCK_RAIL: Statement = {
  name: 'payment_tasks_lock_rail',
  text: `select lease_token is not null and due_at > clock_timestamp() as is_leased from payment_tasks
    where merchant_id = $1 and kind = $2 and id_payment = $3 and task = 'RAIL' for update`,
}
const INSERT_WATCHES: Statement = {
  name: 'payment_tasks_insert_watches',
  text: `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    select merchant_id, kind, id_payment, 'RAIL', clock_timestamp() + make_interval(secs => after_seconds)
    from unnest($1::bigint[], $2::text[], $3::text[], $4::float8[]) as w(merchant_id, kind, id_payment, after_seconds)`,
}
const FIND_NEXT_DUE: Statement = {
  name: 'payment_tasks_find_next_due',
  isPlannedOnce: true,
  // Of nothing the minimum is null, and must stay so: `greatest(0, …)` would make it 0, "due now", for ever.
  // A payout that a restore put in doubt never expires; PostgreSQL before 17 cannot tell how long never is.
  text: `select extract(epoch from min(due_at) - clock_timestamp())::float8 as seconds from payment_tasks where task = $1 and due_at < 'infinity'`,
}

interface ClaimedRow {
  readonly claimed_at: Date
  readonly unknown_answers: number
  readonly unknown_seconds: number
  readonly data_key: Buffer | null
  readonly sealed: Buffer | null
}

/** The key is the task's; of a payment that is not there, all else is null. */
type TaskRow = ClaimedRow &
  (PaymentRow | (Pick<PaymentRow, 'merchant_id' | 'kind' | 'id_payment'> & { readonly status: null }))

interface ClaimOrder {
  readonly task: TaskName
  readonly limit: number
  readonly leaseToken: string
  readonly leaseSeconds: number
}

/** Leases due tasks to the caller with their payments, the oldest first. Whoever dies with a lease loses it when it ends, and the task is due again. */
export async function claimTasks(tx: Tx, order: ClaimOrder): Promise<readonly Task[]> {
  return (await tx.rows<TaskRow>(CLAIM, valuesOf(order))).map((row) => toTask(row, order))
}

/** Tasks beside those of some rails, and how far the walk over what is due came. */
interface ClaimBeside {
  readonly tasks: readonly Task[]
  /** Where the next one goes on; undefined when it begins anew. */
  readonly walkedTo: string | undefined
}

/**
 * The same, but for payments of these rails. Looks at those that fell due last, and at the next ones of a walk from the oldest on: not at
 * all that is due.
 */
export async function claimTasksBeside(
  tx: Tx,
  order: ClaimOrder,
  { rails, from }: { readonly rails: readonly string[]; readonly from: string | undefined },
): Promise<ClaimBeside> {
  const rows = await tx.rows<
    (TaskRow | { readonly merchant_id: null }) & { readonly walked_to: string | null }
  >(CLAIM_BESIDE, [...valuesOf(order), rails, from ?? null])
  return {
    tasks: rows.flatMap((row) => (row.merchant_id === null ? [] : [toTask(row, order)])),
    walkedTo: rows[0]?.walked_to ?? undefined,
  }
}

const valuesOf = ({ limit, leaseToken, leaseSeconds, task }: ClaimOrder): readonly unknown[] => [
  limit,
  leaseToken,
  leaseSeconds,
  task,
]

const toTask = (row: TaskRow, { task, leaseToken }: ClaimOrder): Task => ({
  ...toKey(row),
  task,
  leaseToken,
  claimedAt: row.claimed_at,
  unknownAnswers: row.unknown_answers,
  unknownSeconds: row.unknown_seconds,
  payment: row.status === null ? undefined : toPayment(row),
  sealed:
    row.data_key === null || row.sealed === null ? undefined : { dataKey: row.data_key, sealed: row.sealed },
})

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

/** Puts the task off after an answer of the rail: one that knows the outcome, or one more that does not. False when the lease is lost. */
export async function updateTaskAnswered(
  tx: Tx,
  task: Task,
  answer: { readonly afterSeconds: number; readonly isUnknown: boolean },
): Promise<boolean> {
  const values = [...identityOf(task), answer.afterSeconds, answer.isUnknown]
  return (await tx.rows(UPDATE_ANSWERED, values)).length > 0
}

/** Nobody is left to ask: of what there is to do for the payment, only the work of people stays. */
export async function deleteTasksButReview(tx: Tx, key: PaymentKey): Promise<void> {
  const review: AnyTaskName = 'REVIEW'
  await tx.rows(DELETE_ALL, [key.merchantId, key.kind, key.idPayment, review])
}

/** Nobody has to look at the payment any more. */
export async function deleteReview(tx: Tx, key: PaymentKey): Promise<void> {
  await tx.rows(DELETE_REVIEW, [key.merchantId, key.kind, key.idPayment])
}

/** Has the rail asked at once, and the schedule of the inquiries begin anew; nobody has to look at the payment meanwhile. */
export async function reopenInquiries(tx: Tx, key: PaymentKey): Promise<void> {
  await tx.rows(REOPEN, [key.merchantId, key.kind, key.idPayment])
}

/** Removes the task, if the lease is still the caller's; false when it is not. */
export async function deleteTask(tx: Tx, task: Task): Promise<boolean> {
  return (await tx.rows(DELETE, identityOf(task))).length > 0
}

/** Makes the task due now, whoever holds it: what they then report about it comes too late. */
export async function insertTask(tx: Tx, key: PaymentKey, task: TaskName): Promise<void> {
  await tx.rows(UPSERT, [key.merchantId, key.kind, key.idPayment, task])
}

/**
 * Locks the task of the payment's rail until the transaction ends, so that no worker takes it up: LEASED when one has it, and asks the
 * rail perhaps at this moment.
 */
export async function lockRailTask(tx: Tx, key: PaymentKey): Promise<'LEASED' | 'FREE'> {
  const { merchantId, kind, idPayment } = key
  const [row] = await tx.rows<{ is_leased: boolean }>(LOCK_RAIL, [merchantId, kind, idPayment])
  return row?.is_leased === true ? 'LEASED' : 'FREE'
}

/** A payment that has ended, and when its rail is asked about it again. */
interface Watch extends PaymentKey {
  readonly afterSeconds: number
}

/** Has the rail asked again about payments that have ended. They must have no task. */
export async function insertWatches(tx: Tx, watches: readonly Watch[]): Promise<void> {
  if (watches.length === 0) return
  await tx.rows(INSERT_WATCHES, [...keyArrays(watches), watches.map((watch) => watch.afterSeconds)])
}

/** Seconds until the next such task falls due, negative when it is due; undefined without any. */
export async function findNextDueSeconds(tx: Tx, task: TaskName): Promise<number | undefined> {
  const [row] = await tx.rows<{ seconds: number | null }>(FIND_NEXT_DUE, [task])
  return row?.seconds ?? undefined
}

const FIND_DUE: Statement = dueStatement('payment_tasks_find_due', 'payment_tasks where task = $1')

/** How much is due of a kind of work. */
export const findDueTasks = (tx: Tx, task: TaskName): Promise<DueWork> => findDue(tx, FIND_DUE, [task])
