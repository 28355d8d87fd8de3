import type { Money } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { EvidenceClass } from './evidence.ts'
import type { Payment, PaymentKey, PaymentStatus, ProcessorStatus } from './model.ts'
import { keyArrays, PAYMENT_COLUMNS, PAYMENTS_BY_KEYS, type PaymentRow, toPayment } from './rows.ts'

const LIST: Statement = {
  name: 'payments_list',
  text: `select ${PAYMENT_COLUMNS} from ${PAYMENTS_BY_KEYS}`,
}
const LIST_FOR_UPDATE: Statement = {
  name: 'payments_list_for_update',
  // In one order for everyone, so that two batches never wait for each other in a circle.
  text: `select ${PAYMENT_COLUMNS} from ${PAYMENTS_BY_KEYS} order by p.merchant_id, p.kind, p.id_payment for update of p`,
}
/** Times are the statement's, which begins when the rows are locked: those of the transaction could go backwards. */
const UPDATE: Statement = {
  name: 'payments_update',
  text: `with change as (
      select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
          $12::text[], $13::text[], $14::smallint[])
        as c(merchant_id, kind, id_payment, status, processor_status, received_amount, received_currency_code, failure_code, failure_message, actor, reason,
          evidence_class, operators, operators_needed)),
    updated as (
      update payments p set status = c.status, processor_status = c.processor_status,
        received_amount = coalesce(c.received_amount, p.received_amount), received_currency_code = coalesce(c.received_currency_code, p.received_currency_code),
        failure_code = case when c.status = 'SUCCESS' then null else coalesce(c.failure_code, p.failure_code) end,
        failure_message = case when c.status = 'SUCCESS' then null else coalesce(c.failure_message, p.failure_message) end,
        failed_at = case when c.status = 'SUCCESS' then null when c.failure_code is not null then statement_timestamp() else p.failed_at end,
        processed_at = coalesce(p.processed_at, statement_timestamp()), timeline_count = p.timeline_count + 1
      from change c where p.merchant_id = c.merchant_id and p.kind = c.kind and p.id_payment = c.id_payment
      returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, p.processor_status, c.actor, c.reason,
        c.evidence_class, string_to_array(nullif(c.operators, ''), ' ') as operators, c.operators_needed),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason, happened_at,
        evidence_class, operators, operators_needed, is_without_evidence)
      select merchant_id, kind, id_payment, timeline_count, status, processor_status, actor, reason, statement_timestamp(),
        evidence_class, operators, operators_needed, false from updated),
    done as (
      delete from payment_tasks t using change c where t.merchant_id = c.merchant_id and t.kind = c.kind and t.id_payment = c.id_payment)
    select count(*)::int as updated from updated`,
}
const UPDATE_PHASE: Statement = {
  name: 'payments_update_phase',
  text: `with updated as (
      update payments set processor_status = $5, timeline_count = timeline_count + 1, external_reference = coalesce($8, external_reference),
        received_amount = coalesce($9::numeric, received_amount), received_currency_code = coalesce($10::text, received_currency_code)
      where merchant_id = $1 and kind = $2 and id_payment = $3 and status = $4 and (processor_status <> 'IN_REVIEW' or $5 = 'IN_REVIEW' or $11)
      returning timeline_count, status),
    noted as (
      insert into payment_external_references (merchant_id, kind, id_payment, entry_no, external_reference)
      select $1, $2, $3, timeline_count, $8 from updated where $8 is not null),
    review as (
      insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
      select $1, $2, $3, 'REVIEW', clock_timestamp() from updated where $5 = 'IN_REVIEW'
      on conflict (merchant_id, kind, id_payment, task) do nothing)
    insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
    select $1, $2, $3, timeline_count, status, $5, $6, $7 from updated`,
}
const LIST_TIMELINE: Statement = {
  name: 'payments_list_timeline',
  text: `select entry_no, status, processor_status, actor, reason, happened_at, evidence_class, operators from payment_timeline
    where merchant_id = $1 and kind = $2 and id_payment = $3 order by entry_no`,
}

/** Every payment that exists among the keys, in no order. */
export async function listPayments(tx: Tx, keys: readonly PaymentKey[]): Promise<readonly Payment[]> {
  return (await tx.rows<PaymentRow>(LIST, keyArrays(keys))).map(toPayment)
}

/** The same, locked until the transaction ends. */
export async function listPaymentsForUpdate(
  tx: Tx,
  keys: readonly PaymentKey[],
): Promise<readonly Payment[]> {
  return (await tx.rows<PaymentRow>(LIST_FOR_UPDATE, keyArrays(keys))).map(toPayment)
}

/** One payment, locked until the transaction ends. */
export async function lockPayment(tx: Tx, key: PaymentKey): Promise<Payment | undefined> {
  const [payment] = await listPaymentsForUpdate(tx, [key])
  return payment
}

export interface PaymentChange extends PaymentKey {
  readonly status: PaymentStatus
  readonly processorStatus: ProcessorStatus
  readonly receivedAmount: string | undefined
  readonly receivedCurrencyCode: string | undefined
  readonly failureCode: string | undefined
  readonly failureMessage: string | undefined
  readonly actor: string
  readonly reason: string | undefined
  readonly evidenceClass: EvidenceClass
  readonly operators: readonly string[]
  /** How many different ones it took. */
  readonly operatorsNeeded: number
}

/** Changes the status of several payments, each with its line in the timeline, and removes their tasks. */
export async function updatePayments(tx: Tx, changes: readonly PaymentChange[]): Promise<void> {
  const [result] = await tx.rows<{ updated: number }>(UPDATE, [
    ...keyArrays(changes),
    changes.map((change) => change.status),
    changes.map((change) => change.processorStatus),
    changes.map((change) => change.receivedAmount ?? null),
    changes.map((change) => change.receivedCurrencyCode ?? null),
    changes.map((change) => change.failureCode ?? null),
    changes.map((change) => change.failureMessage ?? null),
    changes.map((change) => change.actor),
    changes.map((change) => change.reason ?? null),
    changes.map((change) => change.evidenceClass),
    // Codes of operators have no spaces: arrays of arrays would have to be of one length.
    changes.map((change) => change.operators.join(' ')),
    changes.map((change) => change.operatorsNeeded),
  ])
  if (result?.updated !== changes.length)
    throw new Error(`${String(changes.length)} changes but ${String(result?.updated)} rows`)
}

export interface PhaseChange extends PaymentKey {
  /** The status in which the caller saw the payment: when it has another by now, nothing is changed. */
  readonly status: PaymentStatus
  readonly processorStatus: ProcessorStatus
  /** The people who have the payment say so themselves. Nobody else takes it from them: then nothing is changed. */
  readonly isOfPeople?: true
  readonly actor: string
  readonly reason?: string
  readonly externalReference?: string
  /** Money that the institution says has arrived, and that is not the money asked for. */
  readonly received?: Money | undefined
}

/** Notes a change of phase within the same status, and a new external reference if there is one. What is IN_REVIEW waits for people. */
export async function updatePhase(tx: Tx, change: PhaseChange): Promise<void> {
  await tx.rows(UPDATE_PHASE, [
    change.merchantId,
    change.kind,
    change.idPayment,
    change.status,
    change.processorStatus,
    change.actor,
    change.reason ?? null,
    change.externalReference ?? null,
    change.received?.amount ?? null,
    change.received?.currencyCode ?? null,
    change.isOfPeople === true,
  ])
}

/** The same of several payments, which are locked in the order in which everyone locks payments. */
export async function updatePhases(tx: Tx, changes: readonly PhaseChange[]): Promise<void> {
  if (changes.length === 0) return
  await listPaymentsForUpdate(tx, changes)
  for (const change of changes) await updatePhase(tx, change)
}

/** One line of a payment's history. */
export interface TimelineEntry {
  readonly entryNo: number
  readonly status: PaymentStatus
  readonly processorStatus: ProcessorStatus
  readonly actor: string
  readonly reason: string | undefined
  /** What proved a change of status; undefined for a change of phase, and for what is older than evidence. */
  readonly evidence: { readonly class: EvidenceClass; readonly operators: readonly string[] } | undefined
  readonly happenedAt: Date
}

interface TimelineRow {
  readonly entry_no: number
  readonly status: PaymentStatus
  readonly processor_status: ProcessorStatus
  readonly actor: string
  readonly reason: string | null
  readonly happened_at: Date
  readonly evidence_class: EvidenceClass | null
  readonly operators: readonly string[] | null
}

/** Everything that has happened to the payment, in order. */
export async function listTimeline(tx: Tx, key: PaymentKey): Promise<readonly TimelineEntry[]> {
  const rows = await tx.rows<TimelineRow>(LIST_TIMELINE, [key.merchantId, key.kind, key.idPayment])
  return rows.map((row) => ({
    entryNo: row.entry_no,
    status: row.status,
    processorStatus: row.processor_status,
    actor: row.actor,
    reason: row.reason ?? undefined,
    evidence:
      row.evidence_class === null ? undefined : { class: row.evidence_class, operators: row.operators ?? [] },
    happenedAt: row.happened_at,
  }))
}
