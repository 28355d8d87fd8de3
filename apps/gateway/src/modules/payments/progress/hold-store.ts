import type { Statement, Tx } from '../../../platform/database.ts'
import type { HoldCause, PaymentKey, PaymentKind, ProcessorStatus } from '../model.ts'
import { KEYS, keyArrays, toKey } from '../rows.ts'

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
export interface NewHold extends PaymentKey {
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
export interface HoldEnd {
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
