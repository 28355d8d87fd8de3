import { parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { Instructions } from '../../rails/rail.ts'
import type { Payment, PaymentKey, PaymentKind, PaymentStatus, ProcessorStatus } from './model.ts'

export interface PaymentRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly status: PaymentStatus
  readonly processor_status: ProcessorStatus
  readonly amount: string
  readonly currency_code: string
  readonly fee_amount: string
  readonly received_amount: string | null
  readonly received_currency_code: string | null
  readonly method_code: string
  readonly operator_code: string | null
  readonly segment_code: string | null
  readonly rail: string
  readonly reference: string
  readonly instructions: Instructions
  readonly external_reference: string | null
  readonly callback_url: string | null
  readonly return_url: string | null
  readonly failure_code: string | null
  readonly failure_message: string | null
  readonly failed_at: Date | null
  readonly is_test: boolean
  readonly request_digest: Buffer
  readonly timeline_count: number
  readonly created_at: Date
  readonly expire_at: Date
  readonly processed_at: Date | null
  readonly is_due: boolean
  readonly age_seconds: number
}

const COLUMNS = `p.merchant_id, p.kind, p.id_payment, p.status, p.processor_status, p.amount, p.currency_code, p.fee_amount,
  p.received_amount, p.received_currency_code, p.method_code, p.operator_code, p.segment_code, p.rail, p.reference, p.instructions,
  p.external_reference, p.callback_url, p.return_url, p.failure_code, p.failure_message, p.failed_at, p.is_test, p.request_digest,
  p.timeline_count, p.created_at, p.expire_at, p.processed_at, p.expire_at <= clock_timestamp() as is_due,
  extract(epoch from clock_timestamp() - p.created_at)::float8 as age_seconds`
const KEYS = `unnest($1::bigint[], $2::text[], $3::text[]) as k(merchant_id, kind, id_payment)`
const BY_KEYS = `payments p join ${KEYS} on p.merchant_id = k.merchant_id and p.kind = k.kind and p.id_payment = k.id_payment`

const LIST: Statement = { name: 'payments_list', text: `select ${COLUMNS} from ${BY_KEYS}` }
const LIST_FOR_UPDATE: Statement = {
  name: 'payments_list_for_update',
  // In one order for everyone, so that two batches never wait for each other in a circle.
  text: `select ${COLUMNS} from ${BY_KEYS} order by p.merchant_id, p.kind, p.id_payment for update of p`,
}
const UPDATE: Statement = {
  name: 'payments_update',
  text: `with change as (
      select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
        as c(merchant_id, kind, id_payment, status, processor_status, received_amount, received_currency_code, failure_code, failure_message, actor, reason)),
    updated as (
      update payments p set status = c.status, processor_status = c.processor_status,
        received_amount = coalesce(c.received_amount, p.received_amount), received_currency_code = coalesce(c.received_currency_code, p.received_currency_code),
        failure_code = case when c.status = 'SUCCESS' then null else coalesce(c.failure_code, p.failure_code) end,
        failure_message = case when c.status = 'SUCCESS' then null else coalesce(c.failure_message, p.failure_message) end,
        failed_at = case when c.failure_code is not null then now() when c.status = 'SUCCESS' then null else p.failed_at end,
        processed_at = coalesce(p.processed_at, now()), timeline_count = p.timeline_count + 1
      from change c where p.merchant_id = c.merchant_id and p.kind = c.kind and p.id_payment = c.id_payment
      returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, p.processor_status, c.actor, c.reason),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
      select merchant_id, kind, id_payment, timeline_count, status, processor_status, actor, reason from updated),
    done as (
      delete from payment_tasks t using change c where t.merchant_id = c.merchant_id and t.kind = c.kind and t.id_payment = c.id_payment)
    select count(*)::int as updated from updated`,
}
const UPDATE_PHASE: Statement = {
  name: 'payments_update_phase',
  text: `with updated as (
      update payments set processor_status = $4, timeline_count = timeline_count + 1, external_reference = coalesce($7, external_reference)
      where merchant_id = $1 and kind = $2 and id_payment = $3 returning timeline_count, status),
    noted as (
      insert into payment_external_references (merchant_id, kind, id_payment, entry_no, external_reference)
      select $1, $2, $3, timeline_count, $7 from updated where $7 is not null)
    insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
    select $1, $2, $3, timeline_count, status, $4, $5, $6 from updated`,
}
const UPSERT_TASK: Statement = {
  name: 'payments_upsert_task',
  text: `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at) values ($1, $2, $3, $4, clock_timestamp())
    on conflict (merchant_id, kind, id_payment, task) do update set due_at = excluded.due_at, lease_token = null`,
}
const INSERT_PERSONAL_DATA: Statement = {
  name: 'payments_insert_personal_data',
  text: `insert into payment_personal_data (merchant_id, kind, id_payment, source, data_key, sealed) values ($1, $2, $3, $4, $5, $6)
    on conflict do nothing`,
}
const LIST_PERSONAL_DATA: Statement = {
  name: 'payments_list_personal_data',
  text: `select k.merchant_id, k.kind, k.id_payment, d.source, d.data_key, d.sealed, d.collected_at
    from payment_personal_data d join ${KEYS} using (merchant_id, kind, id_payment) where d.sealed is not null
    order by case d.source when 'REQUEST' then 1 else 2 end`,
}
const LIST_TIMELINE: Statement = {
  name: 'payments_list_timeline',
  text: `select entry_no, status, processor_status, actor, reason, happened_at from payment_timeline
    where merchant_id = $1 and kind = $2 and id_payment = $3 order by entry_no`,
}

const keyArrays = (keys: readonly PaymentKey[]): readonly unknown[] => [
  keys.map((key) => key.merchantId),
  keys.map((key) => key.kind),
  keys.map((key) => key.idPayment),
]

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

export interface PaymentChange extends PaymentKey {
  readonly status: PaymentStatus
  readonly processorStatus: ProcessorStatus
  readonly receivedAmount: string | undefined
  readonly receivedCurrencyCode: string | undefined
  readonly failureCode: string | undefined
  readonly failureMessage: string | undefined
  readonly actor: string
  readonly reason: string | undefined
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
  ])
  if (result?.updated !== changes.length)
    throw new Error(`${String(changes.length)} changes but ${String(result?.updated)} rows`)
}

export interface PhaseChange extends PaymentKey {
  readonly processorStatus: ProcessorStatus
  readonly actor: string
  readonly reason?: string
  readonly externalReference?: string
}

/** Notes a change of phase within the same status, and a new external reference if there is one. */
export async function updatePhase(tx: Tx, change: PhaseChange): Promise<void> {
  await tx.rows(UPDATE_PHASE, [
    change.merchantId,
    change.kind,
    change.idPayment,
    change.processorStatus,
    change.actor,
    change.reason ?? null,
    change.externalReference ?? null,
  ])
}

/** Makes the task due now. */
export async function insertTask(tx: Tx, key: PaymentKey, task: 'EXPIRE' | 'RAIL'): Promise<void> {
  await tx.rows(UPSERT_TASK, [key.merchantId, key.kind, key.idPayment, task])
}

export interface SealedData {
  readonly dataKey: Buffer
  readonly sealed: Buffer
}

/** Stores personal data once per source; what was collected first stays. */
export async function insertPersonalData(
  tx: Tx,
  key: PaymentKey,
  data: SealedData & { readonly source: 'REQUEST' | 'PROCESS' },
): Promise<void> {
  await tx.rows(INSERT_PERSONAL_DATA, [
    key.merchantId,
    key.kind,
    key.idPayment,
    data.source,
    data.dataKey,
    data.sealed,
  ])
}

export interface StoredPersonalData extends PaymentKey, SealedData {
  readonly source: 'REQUEST' | 'PROCESS'
  readonly collectedAt: Date
}

interface PersonalDataRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly source: 'REQUEST' | 'PROCESS'
  readonly data_key: Buffer
  readonly sealed: Buffer
  readonly collected_at: Date
}

/** Personal data that has not been erased, REQUEST before PROCESS. */
export async function listPersonalData(
  tx: Tx,
  keys: readonly PaymentKey[],
): Promise<readonly StoredPersonalData[]> {
  const rows = await tx.rows<PersonalDataRow>(LIST_PERSONAL_DATA, keyArrays(keys))
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    kind: row.kind,
    idPayment: row.id_payment,
    source: row.source,
    dataKey: row.data_key,
    sealed: row.sealed,
    collectedAt: row.collected_at,
  }))
}

export interface TimelineEntry {
  readonly entryNo: number
  readonly status: PaymentStatus
  readonly processorStatus: ProcessorStatus
  readonly actor: string
  readonly reason: string | undefined
  readonly happenedAt: Date
}

interface TimelineRow {
  readonly entry_no: number
  readonly status: PaymentStatus
  readonly processor_status: ProcessorStatus
  readonly actor: string
  readonly reason: string | null
  readonly happened_at: Date
}

export async function listTimeline(tx: Tx, key: PaymentKey): Promise<readonly TimelineEntry[]> {
  const rows = await tx.rows<TimelineRow>(LIST_TIMELINE, [key.merchantId, key.kind, key.idPayment])
  return rows.map((row) => ({
    entryNo: row.entry_no,
    status: row.status,
    processorStatus: row.processor_status,
    actor: row.actor,
    reason: row.reason ?? undefined,
    happenedAt: row.happened_at,
  }))
}

function toPayment(row: PaymentRow): Payment {
  return {
    merchantId: row.merchant_id,
    kind: row.kind,
    idPayment: row.id_payment,
    status: row.status,
    processorStatus: row.processor_status,
    money: { amount: parsePlainAmount(row.amount), currencyCode: row.currency_code },
    fee: { amount: parsePlainAmount(row.fee_amount), currencyCode: row.currency_code },
    received:
      row.received_amount === null || row.received_currency_code === null
        ? undefined
        : { amount: parsePlainAmount(row.received_amount), currencyCode: row.received_currency_code },
    methodCode: row.method_code,
    operatorCode: row.operator_code ?? undefined,
    segmentCode: row.segment_code ?? undefined,
    rail: row.rail,
    reference: row.reference,
    instructions: row.instructions,
    externalReference: row.external_reference ?? undefined,
    callbackUrl: row.callback_url ?? undefined,
    returnUrl: row.return_url ?? undefined,
    failure: failureOf(row),
    isTest: row.is_test,
    requestDigest: row.request_digest,
    timelineCount: row.timeline_count,
    createdAt: row.created_at,
    expireAt: row.expire_at,
    processedAt: row.processed_at ?? undefined,
    isDue: row.is_due,
    ageSeconds: row.age_seconds,
  }
}

function failureOf(row: PaymentRow): Payment['failure'] {
  if (row.failure_code === null || row.failed_at === null) return undefined
  return { code: row.failure_code, message: row.failure_message ?? '', failedAt: row.failed_at }
}
