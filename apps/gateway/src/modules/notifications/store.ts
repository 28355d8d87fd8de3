import type { Statement, Tx } from '../../platform/database.ts'
import { type DueWork, dueStatement, findDue } from '../../platform/due.ts'
import type { PaymentKey, PaymentKind } from '../payments/index.ts'
import type { SealedMessage } from './message.ts'
import type { ListedNotification, NotificationState, QuarantineReason } from './model.ts'

/** A message that is to be kept. Without a reason it waits for a worker. */
export interface NewNotification extends SealedMessage {
  readonly nonce: string
  readonly railCode: string
  readonly idNotification: string | undefined
  readonly contentDigest: Buffer
  readonly unreadable: string | undefined
  readonly reference: string | undefined
  readonly merchantCode: string | undefined
  readonly report: string | undefined
}

const LOCK_ID: Statement = {
  name: 'rail_notifications_lock_id',
  text: `select pg_advisory_xact_lock(hashtext('rail notifications'), hashtext($1 || ' ' || $2))`,
}
const INSERT: Statement = {
  name: 'rail_notifications_insert',
  text: `with judged as (
      select case when $6::text is not null then 'UNREADABLE'
        when exists (select 1 from rail_notifications where rail_code = $2 and id_notification = $3 and content_digest <> $4) then 'ID_REUSED'
        end as reason)
    insert into rail_notifications as n (nonce, rail_code, id_notification, content_digest, data_key, detail, sealed, reference, merchant_code, report,
      state, reason, done_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
      case when reason is null then 'PENDING' else 'QUARANTINED' end, reason, case when reason is not null then clock_timestamp() end
    from judged
    on conflict (rail_code, id_notification, content_digest) do update
      set repeats = n.repeats + case when n.nonce = excluded.nonce then 0 else 1 end
    returning nonce = $1 as is_new, state`,
}

/**
 * Keeps a message, durably once the transaction is committed; of a repeat only the number is kept. Two with the same id wait for each
 * other: neither would see that the other has another content.
 */
export async function insertNotification(
  tx: Tx,
  given: NewNotification,
): Promise<{ readonly isNew: boolean; readonly state: NotificationState }> {
  const { railCode, idNotification } = given
  const locked = idNotification === undefined ? undefined : tx.rows(LOCK_ID, [railCode, idNotification])
  const inserted = tx.rows<{ is_new: boolean; state: NotificationState }>(INSERT, [
    given.nonce,
    given.railCode,
    given.idNotification ?? null,
    given.contentDigest,
    given.dataKey,
    given.unreadable ?? null,
    given.sealed,
    given.reference ?? null,
    given.merchantCode ?? null,
    given.report ?? null,
  ])
  const [[row]] = await Promise.all([inserted, locked])
  if (row === undefined) throw new Error('an insert answered nothing')
  return { isNew: row.is_new, state: row.state }
}

const CLAIM: Statement = {
  name: 'rail_notifications_claim',
  // statement_timestamp() and not clock_timestamp(), which no index can be searched for.
  text: `with due as (
      select notification_no from rail_notifications where state = 'PENDING' and due_at <= statement_timestamp()
      order by due_at limit $1 for update skip locked)
    update rail_notifications n set lease_token = $2, attempts = n.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $3)
    from due where n.notification_no = due.notification_no
    returning n.notification_no, n.nonce, n.rail_code, n.data_key, n.sealed, n.attempts,
      extract(epoch from clock_timestamp() - n.received_at)::float8 as age_seconds`,
}

/** A message that a worker has taken up. */
export interface ClaimedNotification extends SealedMessage {
  readonly notificationNo: string
  readonly nonce: string
  readonly railCode: string
  readonly attempts: number
  readonly ageSeconds: number
  readonly leaseToken: string
}

interface ClaimedRow {
  readonly notification_no: string
  readonly nonce: string
  readonly rail_code: string
  readonly data_key: Buffer
  readonly sealed: Buffer
  readonly attempts: number
  readonly age_seconds: number
}

/** Leases messages that are due, the oldest first. */
export async function claimNotifications(
  tx: Tx,
  order: { readonly limit: number; readonly leaseToken: string; readonly leaseSeconds: number },
): Promise<readonly ClaimedNotification[]> {
  const { limit, leaseToken, leaseSeconds } = order
  const rows = await tx.rows<ClaimedRow>(CLAIM, [limit, leaseToken, leaseSeconds])
  return rows.map((row) => ({
    notificationNo: row.notification_no,
    nonce: row.nonce,
    railCode: row.rail_code,
    dataKey: row.data_key,
    sealed: row.sealed,
    attempts: row.attempts,
    ageSeconds: row.age_seconds,
    leaseToken,
  }))
}

const UPDATE_DUE: Statement = {
  name: 'rail_notifications_update_due',
  text: `update rail_notifications set due_at = clock_timestamp() + make_interval(secs => $3), lease_token = null,
      attempts = attempts - case when $4::boolean then 0 else 1 end
    where notification_no = $1 and lease_token = $2`,
}

/** Puts a message off, if the lease is still the caller's. What does not count is not the message's fault. */
export async function updateNotificationDue(
  tx: Tx,
  { notificationNo, leaseToken }: ClaimedNotification,
  { afterSeconds, counts }: { readonly afterSeconds: number; readonly counts: boolean },
): Promise<void> {
  await tx.rows(UPDATE_DUE, [notificationNo, leaseToken, afterSeconds, counts])
}

/** What became of a message. */
export interface NotificationEnd {
  readonly state: Exclude<NotificationState, 'PENDING'>
  readonly reason?: QuarantineReason
  readonly detail?: string
  readonly key?: PaymentKey
}

const UPDATE_DONE: Statement = {
  name: 'rail_notifications_update_done',
  text: `update rail_notifications set state = $3, reason = $4, detail = $5, merchant_id = $6, kind = $7, id_payment = $8,
      done_at = clock_timestamp(), lease_token = null,
      data_key = case when $3 = 'QUARANTINED' then data_key end, sealed = case when $3 = 'QUARANTINED' then sealed end
    where notification_no = $1 and lease_token = $2`,
}

/** Ends the work on a message, if the lease is still the caller's. What nobody has to look at is erased. */
export async function updateNotificationDone(
  tx: Tx,
  { notificationNo, leaseToken }: ClaimedNotification,
  end: NotificationEnd,
): Promise<void> {
  await tx.rows(UPDATE_DONE, [
    notificationNo,
    leaseToken,
    end.state,
    end.reason ?? null,
    end.detail ?? null,
    end.key?.merchantId ?? null,
    end.key?.kind ?? null,
    end.key?.idPayment ?? null,
  ])
}

const COLUMNS = `n.notification_no, n.rail_code, n.id_notification, n.state, n.reason, n.detail, n.reference, n.merchant_code, n.report,
  n.kind, n.id_payment, m.merchant_code as owner_code, n.repeats, n.attempts, n.received_at, n.done_at`
const LIST: Statement = {
  name: 'rail_notifications_list',
  text: `select ${COLUMNS} from rail_notifications n left join merchants m using (merchant_id)
    where ($1::text is null or n.state = $1) and ($2::text is null or n.rail_code = $2) and ($3::bigint is null or n.notification_no < $3)
    order by n.notification_no desc limit $4`,
}
const FIND: Statement = {
  name: 'rail_notifications_find',
  text: `select ${COLUMNS}, n.nonce, n.data_key, n.sealed from rail_notifications n left join merchants m using (merchant_id)
    where n.notification_no = $1`,
}
const DELETE_OLD: Statement = {
  name: 'rail_notifications_delete_old',
  text: `delete from rail_notifications where notification_no in (
      select notification_no from rail_notifications where done_at < clock_timestamp() - make_interval(days => $1) limit $2)`,
}

interface ListedRow {
  readonly notification_no: string
  readonly rail_code: string
  readonly id_notification: string | null
  readonly state: NotificationState
  readonly reason: QuarantineReason | null
  readonly detail: string | null
  readonly reference: string | null
  readonly merchant_code: string | null
  readonly report: string | null
  readonly kind: PaymentKind | null
  readonly id_payment: string | null
  readonly owner_code: string | null
  readonly repeats: number
  readonly attempts: number
  readonly received_at: Date
  readonly done_at: Date | null
}

export interface NotificationFilter {
  readonly state: NotificationState | undefined
  readonly railCode: string | undefined
  /** Only messages before this one. */
  readonly beforeNo: string | undefined
  readonly limit: number
}

/** Messages, the newest first. */
export async function listNotifications(
  tx: Tx,
  { state, railCode, beforeNo, limit }: NotificationFilter,
): Promise<readonly ListedNotification[]> {
  const values = [state ?? null, railCode ?? null, beforeNo ?? null, limit]
  return (await tx.rows<ListedRow>(LIST, values)).map(toListed)
}

interface FoundRow extends ListedRow {
  readonly nonce: string
  readonly data_key: Buffer | null
  readonly sealed: Buffer | null
}

/** One message, with its words while they are kept. */
export async function findNotification(
  tx: Tx,
  notificationNo: string,
): Promise<
  | {
      readonly listed: ListedNotification
      readonly nonce: string
      readonly message: SealedMessage | undefined
    }
  | undefined
> {
  const [row] = await tx.rows<FoundRow>(FIND, [notificationNo])
  if (row === undefined) return undefined
  const { data_key: dataKey, sealed } = row
  const message = dataKey === null || sealed === null ? undefined : { dataKey, sealed }
  return { listed: toListed(row), nonce: row.nonce, message }
}

/** Removes messages that were done with so many days ago. */
export async function deleteOldNotifications(tx: Tx, days: number, rowsMax: number): Promise<void> {
  await tx.rows(DELETE_OLD, [days, rowsMax])
}

function toListed(row: ListedRow): ListedNotification {
  return {
    notificationNo: row.notification_no,
    railCode: row.rail_code,
    idNotification: row.id_notification ?? undefined,
    state: row.state,
    reason: row.reason ?? undefined,
    detail: row.detail ?? undefined,
    reference: row.reference ?? undefined,
    merchantCode: row.merchant_code ?? undefined,
    report: row.report ?? undefined,
    payment: paymentOf(row),
    repeats: row.repeats,
    attempts: row.attempts,
    receivedAt: row.received_at,
    doneAt: row.done_at ?? undefined,
  }
}

function paymentOf({
  owner_code: merchantCode,
  kind,
  id_payment: id,
}: ListedRow): ListedNotification['payment'] {
  return merchantCode === null || kind === null || id === null ? undefined : { merchantCode, kind, id }
}

const FIND_TRACES: Statement = {
  name: 'rail_notifications_find_traces',
  text: `select count(*)::int as messages, max(n.done_at) as done_at from rail_notifications n
    join unnest($1::bigint[], $2::text[], $3::text[]) as k(merchant_id, kind, id_payment) using (merchant_id, kind, id_payment)
    where n.sealed is not null`,
}

/** How many messages about the payments are kept, and when the last of them was done with. */
export async function findMessageTraces(
  tx: Tx,
  keys: readonly PaymentKey[],
): Promise<{ readonly messages: number; readonly doneAt: Date | undefined }> {
  const [row] = await tx.rows<{ messages: number; done_at: Date | null }>(FIND_TRACES, [
    keys.map((key) => key.merchantId),
    keys.map((key) => key.kind),
    keys.map((key) => key.idPayment),
  ])
  return { messages: row?.messages ?? 0, doneAt: row?.done_at ?? undefined }
}

const FIND_DUE: Statement = dueStatement(
  'rail_notifications_find_due',
  `rail_notifications where state = 'PENDING'`,
)

/** How many messages are due to be applied. */
export const findDueNotifications = (tx: Tx): Promise<DueWork> => findDue(tx, FIND_DUE)
