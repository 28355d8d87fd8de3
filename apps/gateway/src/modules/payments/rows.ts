import { parsePlainAmount } from '@tollgate/money'
import type { Instructions } from '../../rails/rail.ts'
import type {
  FeeConversion,
  Payment,
  PaymentKey,
  PaymentKind,
  PaymentStatus,
  ProcessorStatus,
} from './model.ts'

/** A row of `payments` as PAYMENT_COLUMNS reads it. */
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
  readonly id_customer: string | null
  readonly fee_conversion: FeeConversion | null
  readonly submitted_at: Date | null
  readonly beneficiary_digest: Buffer | null
  readonly is_due: boolean
  readonly age_seconds: number
}

/**
 * By the clock of its merchant, which only a sandbox advances. Written out, and not `advanced_since`: a call of a function that reads
 * a table costs four times what reading the payment does.
 */
const AGE = `extract(epoch from clock_timestamp() - p.created_at)::float8 + case when p.is_test then (
    select coalesce(sum(a.seconds), 0) from clock_advances a where a.merchant_id = p.merchant_id and a.advanced_at > p.created_at)
    else 0 end`

/** The columns of a payment `p`, and what only the database's clock can say. */
export const PAYMENT_COLUMNS = `p.merchant_id, p.kind, p.id_payment, p.status, p.processor_status, p.amount, p.currency_code, p.fee_amount,
  p.received_amount, p.received_currency_code, p.method_code, p.operator_code, p.segment_code, p.rail, p.reference, p.instructions,
  p.external_reference, p.callback_url, p.return_url, p.failure_code, p.failure_message, p.failed_at, p.is_test, p.request_digest,
  p.timeline_count, p.created_at, p.expire_at, p.processed_at, p.id_customer, p.fee_conversion, p.submitted_at, p.beneficiary_digest,
  p.expire_at <= clock_timestamp() as is_due,
  ${AGE} as age_seconds`
/** Keys as a table `k`: parameters 1 to 3 are `keyArrays`. */
export const KEYS = `unnest($1::bigint[], $2::text[], $3::text[]) as k(merchant_id, kind, id_payment)`
/** The payments of the keys. */
export const PAYMENTS_BY_KEYS = `payments p join ${KEYS} on p.merchant_id = k.merchant_id and p.kind = k.kind and p.id_payment = k.id_payment`

/** The values for KEYS. */
export function keyArrays(keys: readonly PaymentKey[]): readonly [unknown, unknown, unknown] {
  return [keys.map((key) => key.merchantId), keys.map((key) => key.kind), keys.map((key) => key.idPayment)]
}

/** Reads the key that a row begins with. */
export function toKey(row: Pick<PaymentRow, 'merchant_id' | 'kind' | 'id_payment'>): PaymentKey {
  return { merchantId: row.merchant_id, kind: row.kind, idPayment: row.id_payment }
}

/** Reads a row. Throws for an amount that is no plain decimal: such a row is a fault of ours. */
export function toPayment(row: PaymentRow): Payment {
  return {
    ...toKey(row),
    status: row.status,
    processorStatus: row.processor_status,
    money: { amount: parsePlainAmount(row.amount), currencyCode: row.currency_code },
    fee: { amount: parsePlainAmount(row.fee_amount), currencyCode: row.currency_code },
    received: receivedOf(row),
    methodCode: row.method_code,
    rail: row.rail,
    reference: row.reference,
    instructions: row.instructions,
    failure: failureOf(row),
    isTest: row.is_test,
    requestDigest: row.request_digest,
    timelineCount: row.timeline_count,
    createdAt: row.created_at,
    expireAt: row.expire_at,
    isDue: row.is_due,
    ageSeconds: row.age_seconds,
    ...choicesOf(row),
    ...progressOf(row),
  }
}

/** What the merchant may have left out of its request. */
function choicesOf(row: PaymentRow) {
  return {
    operatorCode: row.operator_code ?? undefined,
    segmentCode: row.segment_code ?? undefined,
    idCustomer: row.id_customer ?? undefined,
    callbackUrl: row.callback_url ?? undefined,
    returnUrl: row.return_url ?? undefined,
  }
}

/** What only becomes known on the way, or of some payments. */
function progressOf(row: PaymentRow) {
  return {
    externalReference: row.external_reference ?? undefined,
    processedAt: row.processed_at ?? undefined,
    feeConversion: row.fee_conversion ?? undefined,
    submittedAt: row.submitted_at ?? undefined,
    beneficiaryDigest: row.beneficiary_digest ?? undefined,
  }
}

function receivedOf(row: PaymentRow): Payment['received'] {
  if (row.received_amount === null || row.received_currency_code === null) return undefined
  return { amount: parsePlainAmount(row.received_amount), currencyCode: row.received_currency_code }
}

function failureOf(row: PaymentRow): Payment['failure'] {
  if (row.failure_code === null || row.failed_at === null) return undefined
  return { code: row.failure_code, message: row.failure_message ?? '', failedAt: row.failed_at }
}
