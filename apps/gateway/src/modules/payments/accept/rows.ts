import type { Instructions } from '../../../rails/rail.ts'
import type { FeeConversion, PaymentKey, ProcessorStatus } from '../model.ts'
import type { SealedData } from '../privacy/personal-data-store.ts'
import { keyArrays } from '../rows.ts'

/** A payment that has passed every check and only needs to be accepted. */
export interface NewPayment extends PaymentKey {
  /** Made anew for every request: the row that carries it is ours, whatever became of the COMMIT's answer. */
  readonly nonce: string
  readonly requestDigest: Buffer
  readonly processorStatus: ProcessorStatus
  readonly amount: string
  readonly currencyCode: string
  readonly feeAmount: string
  readonly feeConversion?: FeeConversion | undefined
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly segmentCode: string | undefined
  readonly idCustomer?: string | undefined
  readonly rail: string
  readonly reference: string
  readonly instructions: Instructions
  readonly callbackUrl: string | undefined
  readonly returnUrl: string | undefined
  readonly isTest: boolean
  readonly expiresAfterSeconds: number
  readonly personalData: SealedData | undefined
  /** Keyed digest of the account that is paid to; outgoing payments only. */
  readonly beneficiaryDigest?: Buffer | undefined
  /** The id of the transfer that holds amount and fee; outgoing payments only. */
  readonly holdTransferId?: string | undefined
  /** Whether the rail has work as soon as the payment is durable. */
  readonly startsAtOnce: boolean
}

/** The columns of a payment that are given; `input` has them under these names. */
const GIVEN = `merchant_id, kind, id_payment, nonce, request_digest, processor_status, amount, currency_code, fee_amount, fee_conversion,
        method_code, operator_code, segment_code, id_customer, rail, reference, callback_url, return_url, is_test, beneficiary_digest`

/**
 * The batch as a table `input`, with the position of each row; parameters 1 to 26 are `inputArrays`. The instructions are one
 * document for all rows: as elements of an array, every quotation mark in them would be marked, sent and read back.
 */
export const INPUT = `input as (
      select * from rows from (
        unnest($1::bigint[], $2::text[], $3::text[], $4::uuid[], $5::bytea[], $6::text[], $7::numeric[], $8::text[], $9::numeric[],
          $10::jsonb[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[],
          $19::boolean[], $20::bytea[], $21::integer[], $22::bytea[], $23::bytea[], $24::boolean[], $25::uuid[]),
        jsonb_array_elements($26::jsonb)) with ordinality
        as i(${GIVEN}, expires_after_seconds, data_key, sealed, starts_at_once, hold_transfer_id, instructions, position))`

/** Inserts the rows of `source`, which has the columns of `input`. A row whose id exists is left alone. */
export const insertedFrom = (source: string): string => `inserted as (
      insert into payments (${GIVEN}, instructions, created_at, expire_at)
      select ${GIVEN}, instructions, now(), now() + make_interval(secs => expires_after_seconds)
      from ${source} order by merchant_id, kind, id_payment, position
      on conflict (merchant_id, kind, id_payment) do nothing
      returning merchant_id, kind, id_payment, nonce, processor_status, created_at, expire_at)`

/** What goes with every payment that was inserted: its first timeline row, personal data and tasks. */
export const FOLLOWERS = `timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, happened_at)
      select merchant_id, kind, id_payment, 1, 'CREATED', processor_status, 'merchant', created_at from inserted),
    personal_data as (
      insert into payment_personal_data (merchant_id, kind, id_payment, source, data_key, sealed)
      select n.merchant_id, n.kind, n.id_payment, 'REQUEST', i.data_key, i.sealed
      from inserted n join input i using (nonce) where i.sealed is not null),
    tasks as (
      insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
      select merchant_id, kind, id_payment, 'EXPIRE', expire_at from inserted
      union all
      select n.merchant_id, n.kind, n.id_payment, 'RAIL', n.created_at from inserted n join input i using (nonce) where i.starts_at_once)`

/** The values for INPUT. */
export function inputArrays(payments: readonly NewPayment[]): readonly unknown[] {
  const column = (pick: (payment: NewPayment) => unknown): readonly unknown[] => payments.map(pick)
  return [
    ...keyArrays(payments),
    column((p) => p.nonce),
    column((p) => p.requestDigest),
    column((p) => p.processorStatus),
    column((p) => p.amount),
    column((p) => p.currencyCode),
    column((p) => p.feeAmount),
    column((p) => (p.feeConversion === undefined ? null : JSON.stringify(p.feeConversion))),
    column((p) => p.methodCode),
    column((p) => p.operatorCode ?? null),
    column((p) => p.segmentCode ?? null),
    column((p) => p.idCustomer ?? null),
    column((p) => p.rail),
    column((p) => p.reference),
    column((p) => p.callbackUrl ?? null),
    column((p) => p.returnUrl ?? null),
    column((p) => p.isTest),
    column((p) => p.beneficiaryDigest ?? null),
    column((p) => p.expiresAfterSeconds),
    column((p) => p.personalData?.dataKey ?? null),
    column((p) => p.personalData?.sealed ?? null),
    column((p) => p.startsAtOnce),
    column((p) => p.holdTransferId ?? null),
    JSON.stringify(column((p) => p.instructions)),
  ]
}
