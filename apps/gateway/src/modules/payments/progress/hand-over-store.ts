import type { Statement, Tx } from '../../../platform/database.ts'
import {
  type HoldCause,
  type Payment,
  type PaymentKey,
  type PaymentKind,
  type ProcessorStatus,
  STOP_REASONS,
  textOf,
} from '../model.ts'
import { KEYS, keyArrays, PAYMENT_COLUMNS, type PaymentRow, toKey, toPayment } from '../rows.ts'
import type { Task } from './task-store.ts'

/** Why the gateway does not hand a payment over. */
type Stop = keyof typeof STOP_REASONS

/** CONTENT_NEEDED: people had to approve the payment, and it was not said what is in it now. */
const CONTENT_NEEDED = 'CONTENT_NEEDED'

/** The sentence of a stop, where `stop` is a column. */
const REASON = `case stop ${Object.entries(STOP_REASONS)
  .map(([stop, reason]) => `when '${stop}' then '${reason}'`)
  .join(' ')} end`
/**
 * The row is locked first, and then the switches are looked at: a statement that waits for the lock would otherwise see
 * them as they were before. Who lost the lease, or comes second, finds nothing.
 */
const judged = (isOpen: string): string => `leased as (
      select merchant_id, kind, id_payment from payment_tasks
      where merchant_id = $1 and kind = $2 and id_payment = $3 and task = 'RAIL' and lease_token = $4),
    locked as materialized (
      select p.merchant_id, p.kind, p.id_payment, p.processor_status as phase, p.timeline_count, p.beneficiary_digest
      from payments p join leased l on p.merchant_id = l.merchant_id and p.kind = l.kind and p.id_payment = l.id_payment
      where p.status = 'CREATED' and ${isOpen} for update of p),
    judged as materialized (
      select k.*, outgoing_stop(k.merchant_id, k.kind, k.id_payment, k.beneficiary_digest, $6::bytea) as stop from locked k)`
const UPDATE_SUBMITTED: Statement = {
  name: 'payments_update_submitted',
  text: `with ${judged(`p.processor_status = 'QUEUED' and p.submitted_at is null`)},
    moved as (
      update payments p set submitted_at = case when j.stop is null then clock_timestamp() end, timeline_count = j.timeline_count + 1,
        processor_status = case when j.stop is null then 'SUBMITTED' else 'ON_HOLD' end
      from judged j where p.merchant_id = j.merchant_id and p.kind = j.kind and p.id_payment = j.id_payment
        and j.stop is distinct from '${CONTENT_NEEDED}'
      returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, p.processor_status, j.phase, j.stop),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
      select merchant_id, kind, id_payment, timeline_count, status, processor_status, $5, ${REASON} from moved),
    held as (
      insert into payment_holds (merchant_id, kind, id_payment, entry_no, event, cause, phase, reason)
      select merchant_id, kind, id_payment, timeline_count, 'HELD', stop, phase, ${REASON} from moved where stop is not null),
    review as (
      insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
      select merchant_id, kind, id_payment, 'REVIEW', clock_timestamp() from moved where stop is not null
      on conflict (merchant_id, kind, id_payment, task) do nothing),
    done as (
      delete from payment_tasks t using moved m where t.merchant_id = m.merchant_id and t.kind = m.kind and t.id_payment = m.id_payment
        and t.task = case when m.stop is null then 'EXPIRE' else 'RAIL' end)
    select stop from judged`,
}
/** What the institution ever answered about the payment, but that it does not know, says that it had it. */
const UPDATE_SUBMITTED_AGAIN: Statement = {
  name: 'payments_update_submitted_again',
  text: `with ${judged(`p.processor_status in ('SUBMITTED', 'UNKNOWN') and p.submitted_at < clock_timestamp() - make_interval(secs => $7)
        and not exists (select from payment_inquiries i where i.merchant_id = p.merchant_id and i.kind = p.kind
          and i.id_payment = p.id_payment and i.question <> 'OPERATOR' and i.answer <> 'UNKNOWN')`)},
    moved as (
      update payments p set submitted_at = clock_timestamp(), timeline_count = j.timeline_count + 1, processor_status = 'SUBMITTED'
      from judged j where p.merchant_id = j.merchant_id and p.kind = j.kind and p.id_payment = j.id_payment and j.stop is null
      returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, p.processor_status),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
      select merchant_id, kind, id_payment, timeline_count, status, processor_status, $5,
        'handed over again: the institution proved that it has nothing' from moved)
    select stop from judged`,
}
const LIST_STOPS: Statement = {
  name: 'payments_list_stops',
  text: `select p.merchant_id, p.kind, p.id_payment,
      outgoing_stop(p.merchant_id, p.kind, p.id_payment, p.beneficiary_digest, k.content) as stop
    from payments p join unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[]) as k(merchant_id, kind, id_payment, content)
      on p.merchant_id = k.merchant_id and p.kind = k.kind and p.id_payment = k.id_payment`,
}

/** What became of the attempt to note a hand-over. */
export type Noted =
  /** The caller, and nobody else, may hand it over. */
  | 'SUBMITTED'
  /** It is on hold now, and people see why. */
  | 'STOPPED'
  /** Nothing was noted: it takes the hash of its content, read under the lock of the payment. */
  | typeof CONTENT_NEEDED
  /** The lease is lost, or the payment is not there to be handed over. */
  | 'NOT_DUE'

/**
 * Notes, before an institution hears of the payment, that it is being handed over; or stops it, when it must not be. Both
 * are one statement with the look at block-list, merchant and approvals: what was switched before it is obeyed. The lease
 * is the fence. From then on nothing but the institution's word ends the payment, so its expiry is taken away.
 */
export async function updateSubmitted(
  tx: Tx,
  task: Task,
  note: { readonly actor: string; readonly contentHash?: Buffer },
): Promise<Noted> {
  const { merchantId, kind, idPayment, leaseToken } = task
  const values = [merchantId, kind, idPayment, leaseToken, note.actor, note.contentHash ?? null]
  return notedBy(await tx.rows<SubmittedRow>(UPDATE_SUBMITTED, values))
}

/**
 * Notes that a payment is handed over once more, under the same reference, after the institution proved that it has
 * nothing of it. Nothing is noted within so many seconds of the last time, since what was sent then may still be on its way;
 * of a payment that the institution has ever known; of one that people have; and of what must not be paid any more: STOPPED
 * leaves all as it is, because the institution may get it yet.
 */
export async function updateSubmittedAgain(
  tx: Tx,
  task: Task,
  note: { readonly actor: string; readonly afterSeconds: number; readonly contentHash?: Buffer },
): Promise<Noted> {
  const { merchantId, kind, idPayment, leaseToken } = task
  const { actor, contentHash, afterSeconds } = note
  const values = [merchantId, kind, idPayment, leaseToken, actor, contentHash ?? null, afterSeconds]
  return notedBy(await tx.rows<SubmittedRow>(UPDATE_SUBMITTED_AGAIN, values))
}

interface SubmittedRow {
  readonly stop: Stop | typeof CONTENT_NEEDED | null
}

function notedBy([row]: readonly SubmittedRow[]): Noted {
  if (row === undefined) return 'NOT_DUE'
  if (row.stop === null) return 'SUBMITTED'
  return row.stop === CONTENT_NEEDED ? CONTENT_NEEDED : 'STOPPED'
}

interface StopRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly stop: Stop | null
}

/**
 * What speaks against handing over payments that the caller has locked, each with the hash of its content as it is: by their
 * keys as texts. What is switched afterwards waits until the transaction ends.
 */
export async function findStops(
  tx: Tx,
  payments: readonly (PaymentKey & { readonly contentHash: Buffer })[],
): Promise<ReadonlyMap<string, Stop>> {
  if (payments.length === 0) return new Map()
  const hashes = payments.map(({ contentHash }) => contentHash)
  const rows = await tx.rows<StopRow>(LIST_STOPS, [...keyArrays(payments), hashes])
  return new Map(rows.flatMap((row) => (row.stop === null ? [] : [[textOf(toKey(row)), row.stop] as const])))
}

const UPDATE_HELD: Statement = {
  name: 'payments_update_held',
  text: `with named as (
      select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
        as n(merchant_id, kind, id_payment, phase, cause, operator_code, reason)),
    held as (
      update payments p set processor_status = 'ON_HOLD', timeline_count = p.timeline_count + 1
      from named n where p.merchant_id = n.merchant_id and p.kind = n.kind and p.id_payment = n.id_payment
        and p.status = 'CREATED' and p.processor_status = n.phase and p.submitted_at is null
      returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, n.phase, n.cause, n.operator_code, n.reason),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
      select merchant_id, kind, id_payment, timeline_count, status, 'ON_HOLD', $8, reason from held),
    noted as (
      insert into payment_holds (merchant_id, kind, id_payment, entry_no, event, cause, phase, operator_code, reason)
      select merchant_id, kind, id_payment, timeline_count, 'HELD', cause, phase, operator_code, reason from held),
    review as (
      insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
      select merchant_id, kind, id_payment, 'REVIEW', clock_timestamp() from held
      on conflict (merchant_id, kind, id_payment, task) do nothing),
    rail as (
      delete from payment_tasks t using held h
      where t.merchant_id = h.merchant_id and t.kind = h.kind and t.id_payment = h.id_payment and t.task = 'RAIL')
    select count(*)::int as held from held`,
}
const UPDATE_RELEASED: Statement = {
  name: 'payments_update_released',
  text: `with released as (
      update payments set processor_status = $4, timeline_count = timeline_count + 1
      where merchant_id = $1 and kind = $2 and id_payment = $3 and status = 'CREATED' and processor_status = 'ON_HOLD'
      returning timeline_count, status),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
      select $1, $2, $3, timeline_count, status, $4, $5, $7 from released),
    noted as (
      insert into payment_holds (merchant_id, kind, id_payment, entry_no, event, operator_code, reason)
      select $1, $2, $3, timeline_count, 'RELEASED', $6, $7 from released),
    -- What a restore put on hold does not expire until then.
    expiry as (
      update payment_tasks t set due_at = clock_timestamp() + interval '3 days' from released
      where t.merchant_id = $1 and t.kind = $2 and t.id_payment = $3 and t.task = 'EXPIRE' and t.due_at = 'infinity'),
    closed as (
      delete from payment_tasks where merchant_id = $1 and kind = $2 and id_payment = $3 and task = 'REVIEW')
    select count(*)::int as released from released`,
}
const INSERT_CANCELLED: Statement = {
  name: 'payment_holds_insert_cancelled',
  text: `insert into payment_holds (merchant_id, kind, id_payment, entry_no, event, operator_code, reason)
    values ($1, $2, $3, $4, 'CANCELLED', $5, $6)`,
}
const IS_GAP_OPEN: Statement = {
  name: 'payment_holds_is_gap_open',
  text: 'select from restore_gaps where closed_at is null',
}
const LIST: Statement = {
  name: 'payment_holds_list',
  text: `select h.merchant_id, h.kind, h.id_payment, h.event, h.cause, h.phase, h.operator_code, h.reason, h.happened_at
    from payment_holds h join ${KEYS} using (merchant_id, kind, id_payment) order by h.merchant_id, h.kind, h.id_payment, h.entry_no`,
}

/** Whether it is not known, after a restore, what was handed over since the backup. */
export async function isRestoreGapOpen(tx: Tx): Promise<boolean> {
  return (await tx.rows(IS_GAP_OPEN, [])).length > 0
}

/** A payment that is to be stopped: in which phase it is, why, and by which operator, if by one. */
interface NewHold extends PaymentKey {
  readonly phase: ProcessorStatus
  readonly cause: HoldCause
  readonly operatorCode: string | undefined
  readonly reason: string
}

/** Puts payments on hold, which the caller has locked, and that no institution has; answers how many it were. */
export async function updateHeld(tx: Tx, holds: readonly NewHold[], actor: string): Promise<number> {
  const [row] = await tx.rows<{ held: number }>(UPDATE_HELD, [
    ...keyArrays(holds),
    holds.map(({ phase }) => phase),
    holds.map(({ cause }) => cause),
    holds.map(({ operatorCode }) => operatorCode ?? null),
    holds.map(({ reason }) => reason),
    actor,
  ])
  return row?.held ?? 0
}

/** An operator's word about a hold. */
interface HoldEnd {
  readonly operatorCode: string
  readonly actor: string
  readonly reason: string
}

/** Ends a hold: the payment, which the caller has locked, is in the phase again. Its rail is not asked yet. */
export async function updateReleased(
  tx: Tx,
  key: PaymentKey,
  end: HoldEnd & { readonly phase: ProcessorStatus },
): Promise<void> {
  const { merchantId, kind, idPayment } = key
  const { phase, actor, operatorCode, reason } = end
  const values = [merchantId, kind, idPayment, phase, actor, operatorCode, reason]
  const [row] = await tx.rows<{ released: number }>(UPDATE_RELEASED, values)
  if (row?.released !== 1) throw new Error('a payment that was on hold could not be released')
}

/** Notes that a hold ended with its payment, by the entry of the timeline that says so. */
export async function insertHoldCancelled(
  tx: Tx,
  key: PaymentKey,
  end: Omit<HoldEnd, 'actor'> & { readonly entryNo: number },
): Promise<void> {
  const { merchantId, kind, idPayment } = key
  await tx.rows(INSERT_CANCELLED, [merchantId, kind, idPayment, end.entryNo, end.operatorCode, end.reason])
}

/** An entry in the history of a payment's holds. */
export interface HoldEntry extends PaymentKey {
  readonly event: 'HELD' | 'RELEASED' | 'CANCELLED'
  /** Of HELD. */
  readonly cause: HoldCause | undefined
  /** Of HELD: where a release leads back to. */
  readonly phase: ProcessorStatus | undefined
  /** Undefined when the gateway stopped the payment by itself. */
  readonly operatorCode: string | undefined
  readonly reason: string
  readonly happenedAt: Date
}

interface HoldRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly event: HoldEntry['event']
  readonly cause: HoldCause | null
  readonly phase: ProcessorStatus | null
  readonly operator_code: string | null
  readonly reason: string
  readonly happened_at: Date
}

/** All that stopped the payments and let them go on, of each in order. */
export async function listHolds(tx: Tx, keys: readonly PaymentKey[]): Promise<readonly HoldEntry[]> {
  const rows = await tx.rows<HoldRow>(LIST, keyArrays(keys))
  return rows.map((row) => ({
    ...toKey(row),
    event: row.event,
    cause: row.cause ?? undefined,
    phase: row.phase ?? undefined,
    operatorCode: row.operator_code ?? undefined,
    reason: row.reason,
    happenedAt: row.happened_at,
  }))
}

const LIST_COLLECTABLE: Statement = {
  name: 'payments_list_collectable',
  // By way of their expiry: what an institution has, or what has ended, is not among those tasks.
  text: `select ${PAYMENT_COLUMNS} from payment_tasks t
    join payments p on p.merchant_id = t.merchant_id and p.kind = t.kind and p.id_payment = t.id_payment
    where t.task = 'EXPIRE' and t.kind in ('PAYOUT', 'SETTLEMENT') and p.status = 'CREATED' and p.processor_status = 'QUEUED'
      and p.submitted_at is null and p.rail = $1 and p.currency_code = $2 and ($5::text[] is null or p.method_code = any ($5))
      and not (p.merchant_id::text || ' ' || p.kind || ' ' || p.id_payment = any ($3::text[]))
    order by p.created_at, p.merchant_id, p.kind, p.id_payment limit $4`,
}
const UPDATE_COLLECTED: Statement = {
  name: 'payments_update_collected',
  text: `with named as (
      select * from unnest($1::bigint[], $2::text[], $3::text[]) as n(merchant_id, kind, id_payment)),
    submitted as (
      update payments p set submitted_at = statement_timestamp(), processor_status = 'SUBMITTED', timeline_count = p.timeline_count + 1
      from named n where p.merchant_id = n.merchant_id and p.kind = n.kind and p.id_payment = n.id_payment
        and p.status = 'CREATED' and p.processor_status = 'QUEUED' and p.submitted_at is null
      returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, p.processor_status),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
      select merchant_id, kind, id_payment, timeline_count, status, processor_status, $4, $5 from submitted),
    done as (
      delete from payment_tasks t using submitted s
      where t.merchant_id = s.merchant_id and t.kind = s.kind and t.id_payment = s.id_payment and t.task in ('EXPIRE', 'RAIL'))
    select count(*)::int as submitted from submitted`,
}

/** Which payments wait to be collected: of one rail, in one currency, but for some. */
export interface CollectQuery {
  readonly rail: string
  readonly currencyCode: string
  /** By one of these methods alone, if they are named. */
  readonly methodCodes?: readonly string[]
  /** As `textOf` names them. */
  readonly except: readonly string[]
  readonly limit: number
}

/** Outgoing payments that may be handed over, the oldest first, not locked. */
export async function listCollectable(tx: Tx, query: CollectQuery): Promise<readonly Payment[]> {
  const { rail, currencyCode, except, limit, methodCodes } = query
  const rows = await tx.rows<PaymentRow>(LIST_COLLECTABLE, [
    rail,
    currencyCode,
    except,
    limit,
    methodCodes ?? null,
  ])
  return rows.map(toPayment)
}

/** Notes that payments, which the caller has locked, are being handed over together; answers how many were. */
export async function updateCollected(
  tx: Tx,
  keys: readonly PaymentKey[],
  by: { readonly actor: string; readonly reason: string },
): Promise<number> {
  const [row] = await tx.rows<{ submitted: number }>(UPDATE_COLLECTED, [
    ...keyArrays(keys),
    by.actor,
    by.reason,
  ])
  return row?.submitted ?? 0
}
