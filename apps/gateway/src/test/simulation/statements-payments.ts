import { addAmounts, compareAmounts, parsePlainAmount } from '@tollgate/money'
import type { EvidenceClass } from '../../modules/payments/evidence.ts'
import type {
  FeeConversion,
  PaymentKind,
  PaymentStatus,
  ProcessorStatus,
} from '../../modules/payments/model.ts'
import type { DataSource } from '../../modules/payments/privacy/personal-data-store.ts'
import type { PaymentRow } from '../../modules/payments/rows.ts'
import type { Instructions } from '../../rails/rail.ts'
import type { BalanceRecord, PaymentRecord, TimelineRecord } from './disk.ts'
import {
  dateOf,
  dateOrNull,
  element,
  type Kinds,
  keyText,
  keyTexts,
  later,
  type Session,
  type Statements,
  secondsBetween,
  type Texts,
} from './statements.ts'
import { balanceText, insertTransfer } from './statements-ledger.ts'

/** A payment as PAYMENT_COLUMNS reads it. */
export function rowOf(payment: PaymentRecord, at: number): PaymentRow {
  return {
    ...payment,
    created_at: dateOf(payment.created_at),
    expire_at: dateOf(payment.expire_at),
    processed_at: dateOrNull(payment.processed_at),
    failed_at: dateOrNull(payment.failed_at),
    submitted_at: dateOrNull(payment.submitted_at),
    is_due: payment.expire_at <= at,
    age_seconds: secondsBetween(payment.created_at, at),
  }
}

type Nullable<Item> = readonly (Item | null)[]

/** The arrays of `inputArrays`. */
type Input = [
  merchantIds: Texts,
  kinds: Kinds,
  ids: Texts,
  nonces: Texts,
  digests: readonly Buffer[],
  phases: readonly ProcessorStatus[],
  amounts: Texts,
  currencies: Texts,
  fees: Texts,
  conversions: Nullable<string>,
  methods: Texts,
  operators: Nullable<string>,
  segments: Nullable<string>,
  customers: Nullable<string>,
  rails: Texts,
  references: Texts,
  callbackUrls: Nullable<string>,
  returnUrls: Nullable<string>,
  tests: readonly boolean[],
  beneficiaries: Nullable<Buffer>,
  expiries: readonly number[],
  dataKeys: Nullable<Buffer>,
  sealed: Nullable<Buffer>,
  starts: readonly boolean[],
  holds: Nullable<string>,
  instructions: string,
]

interface Given {
  readonly payment: PaymentRecord
  readonly sealed: { readonly data_key: Buffer; readonly sealed: Buffer } | undefined
  readonly startsAtOnce: boolean
  readonly holdTransferId: string | null
}

function given({ at }: Session, input: Input): readonly Given[] {
  const [merchantIds, kinds, ids, nonces, digests, phases, amounts, currencies, fees, conversions] = input
  const instructions: readonly Instructions[] = JSON.parse(input[25])
  return ids.map((id_payment, i) => {
    const conversion = element(conversions, i)
    const parsed: FeeConversion | null = conversion === null ? null : JSON.parse(conversion)
    const [data_key, sealed] = [element(input[21], i), element(input[22], i)]
    return {
      payment: {
        merchant_id: element(merchantIds, i),
        kind: element(kinds, i),
        id_payment,
        nonce: element(nonces, i),
        request_digest: element(digests, i),
        status: 'CREATED',
        processor_status: element(phases, i),
        amount: element(amounts, i),
        currency_code: element(currencies, i),
        fee_amount: element(fees, i),
        fee_conversion: parsed,
        received_amount: null,
        received_currency_code: null,
        external_reference: null,
        method_code: element(input[10], i),
        operator_code: element(input[11], i),
        segment_code: element(input[12], i),
        id_customer: element(input[13], i),
        rail: element(input[14], i),
        reference: element(input[15], i),
        callback_url: element(input[16], i),
        return_url: element(input[17], i),
        is_test: element(input[18], i),
        beneficiary_digest: element(input[19], i),
        failure_code: null,
        failure_message: null,
        failed_at: null,
        processed_at: null,
        submitted_at: null,
        timeline_count: 1,
        created_at: at,
        expire_at: later(at, element(input[20], i)),
        instructions: element(instructions, i),
      },
      sealed: data_key === null || sealed === null ? undefined : { data_key, sealed },
      startsAtOnce: element(input[23], i),
      holdTransferId: element(input[24], i),
    }
  })
}

/** The payment and what goes with it; undefined when its id is taken. */
function insert({ disk, at }: Session, { payment, sealed, startsAtOnce }: Given): PaymentRecord | undefined {
  const { merchant_id, kind, id_payment } = payment
  const keyed = { merchant_id, kind, id_payment }
  const key = keyText(merchant_id, kind, id_payment)
  if (disk.payments.get(key) !== undefined) return undefined
  disk.payments.insert(key, payment)
  disk.timeline.insert(`${key} 1`, {
    ...keyed,
    entry_no: 1,
    status: 'CREATED',
    processor_status: payment.processor_status,
    actor: 'merchant',
    reason: null,
    happened_at: at,
    ...NO_EVIDENCE,
  })
  if (sealed !== undefined)
    disk.personalData.insert(`${key} REQUEST`, { ...keyed, ...sealed, source: 'REQUEST', collected_at: at })
  const task = { ...keyed, lease_token: null, unknown_since: null, unknown_answers: 0 }
  disk.tasks.insert(`${key} EXPIRE`, { ...task, task: 'EXPIRE', due_at: payment.expire_at })
  if (startsAtOnce) disk.tasks.insert(`${key} RAIL`, { ...task, task: 'RAIL', due_at: at })
  return payment
}

const answerOf = ({ nonce, created_at, expire_at }: PaymentRecord): object => ({
  nonce,
  created_at: dateOf(created_at),
  expire_at: dateOf(expire_at),
})

function insertIncoming(session: Session, ...input: Input): readonly object[] {
  const inserted = given(session, input).map((each) => insert(session, each))
  return inserted.filter((payment) => payment !== undefined).map(answerOf)
}

/** Who comes first gets what is there: each payment of an account takes its turn. */
function insertOutgoing(session: Session, ...input: Input): readonly object[] {
  const { disk, at } = session
  const seen = new Set<string>()
  return given(session, input).flatMap((each) => {
    const { merchant_id, kind, id_payment, amount, fee_amount, currency_code } = each.payment
    const key = keyText(merchant_id, kind, id_payment)
    const isCandidate = !seen.has(key) && disk.payments.get(key) === undefined
    seen.add(key)
    const balance = disk.balances.get(balanceText(merchant_id, currency_code))
    const need = addAmounts(parsePlainAmount(amount), parsePlainAmount(fee_amount))
    if (!isCandidate || balance === undefined || !covers(balance, need)) return []
    const payment = insert(session, each)
    if (payment === undefined || each.holdTransferId === null) throw new Error('a payment has no hold')
    hold({ ...session, at }, { payment, balance, need, transferId: each.holdTransferId })
    return [answerOf(payment)]
  })
}

const covers = ({ available }: BalanceRecord, need: string): boolean =>
  compareAmounts(parsePlainAmount(available), parsePlainAmount(need)) >= 0

interface Hold {
  readonly payment: PaymentRecord
  readonly balance: BalanceRecord
  readonly need: string
  readonly transferId: string
}

function hold({ disk, at }: Session, { payment, balance, need, transferId }: Hold): void {
  const { merchant_id, kind, id_payment, currency_code } = payment
  const amount = parsePlainAmount(need)
  insertTransfer(disk, { merchant_id, kind, id_payment, transfer_id: transferId, event: 'PAYOUT_HELD' }, [
    { account: 'AVAILABLE', currency_code, amount: `-${amount}` },
    { account: 'RESERVED', currency_code, amount },
  ])
  disk.balances.put(balanceText(merchant_id, currency_code), {
    ...balance,
    available: addAmounts(parsePlainAmount(balance.available), parsePlainAmount(`-${amount}`)),
    reserved: addAmounts(parsePlainAmount(balance.reserved), amount),
    updated_at: at,
  })
}

function listAccepted({ disk }: Session, ...keys: [Texts, Kinds, Texts]): readonly object[] {
  return keyTexts(...keys).flatMap((key) => {
    const payment = disk.payments.get(key)
    if (payment === undefined) return []
    const { merchant_id, kind, id_payment, request_digest } = payment
    return [{ ...answerOf(payment), merchant_id, kind, id_payment, request_digest }]
  })
}

function selectPayments({ disk, at }: Session, ...keys: [Texts, Kinds, Texts]): readonly object[] {
  return keyTexts(...keys).flatMap((key) => {
    const payment = disk.payments.get(key)
    return payment === undefined ? [] : [rowOf(payment, at)]
  })
}

type Changes = [
  merchantIds: Texts,
  kinds: Kinds,
  ids: Texts,
  statuses: readonly PaymentStatus[],
  phases: readonly ProcessorStatus[],
  amounts: Nullable<string>,
  currencies: Nullable<string>,
  failureCodes: Nullable<string>,
  failureMessages: Nullable<string>,
  actors: Texts,
  reasons: Nullable<string>,
  evidenceClasses: readonly EvidenceClass[],
  operators: Texts,
  operatorsNeeded: readonly number[],
]

const NO_EVIDENCE = { evidence_class: null, operators: null } as const
const NO_FAILURE = { failure_code: null, failure_message: null, failed_at: null }

/** The failure that is told now, or else the one from before. */
const failureAfter = (
  before: PaymentRecord,
  {
    code,
    message,
    at,
  }: { readonly code: string | null; readonly message: string | null; readonly at: number },
) => ({
  failure_code: code ?? before.failure_code,
  failure_message: message ?? before.failure_message,
  failed_at: code === null ? before.failed_at : at,
})

function update({ disk, at }: Session, ...changes: Changes): readonly object[] {
  const [merchantIds, kinds, ids, statuses, phases, amounts, currencies, codes, messages, actors] = changes
  let updated = 0
  keyTexts(merchantIds, kinds, ids).forEach((key, i) => {
    const before = disk.payments.get(key)
    if (before === undefined) return
    updated += 1
    const status = element(statuses, i)
    const failure = { code: element(codes, i), message: element(messages, i), at }
    const after: PaymentRecord = {
      ...before,
      status,
      processor_status: element(phases, i),
      received_amount: element(amounts, i) ?? before.received_amount,
      received_currency_code: element(currencies, i) ?? before.received_currency_code,
      ...(status === 'SUCCESS' ? NO_FAILURE : failureAfter(before, failure)),
      processed_at: before.processed_at ?? at,
      timeline_count: before.timeline_count + 1,
    }
    disk.payments.put(key, after)
    const operators = element(changes[12], i).split(' ')
    const by = { actor: element(actors, i), reason: element(changes[10], i) }
    noteEntry({ disk, at }, after, { ...by, evidence_class: element(changes[11], i), operators })
    for (const task of ['EXPIRE', 'RAIL', 'REVIEW']) disk.tasks.delete(`${key} ${task}`)
  })
  return [{ updated }]
}

/** The last entry of a payment's timeline. */
export function noteEntry(
  { disk, at }: Session,
  { merchant_id, kind, id_payment, timeline_count, status, processor_status }: PaymentRecord,
  by: Pick<TimelineRecord, 'actor' | 'reason'> & Partial<TimelineRecord>,
): void {
  disk.timeline.insert(`${keyText(merchant_id, kind, id_payment)} ${timeline_count}`, {
    merchant_id,
    kind,
    id_payment,
    entry_no: timeline_count,
    status,
    processor_status,
    ...NO_EVIDENCE,
    ...by,
    happened_at: at,
  })
}

type Told = [reason: string | null, reference: string | null, amount: string | null, currency: string | null]
type PhaseValues = [string, PaymentKind, string, PaymentStatus, ProcessorStatus, string, ...Told, boolean]

/** What people have stays with them, until they say something else. */
const mayChange = (before: PaymentRecord, phase: ProcessorStatus, isOfPeople: boolean): boolean =>
  before.processor_status !== 'IN_REVIEW' || phase === 'IN_REVIEW' || isOfPeople

function updatePhase(session: Session, ...values: PhaseValues): readonly object[] {
  const { disk } = session
  const [merchant_id, kind, id_payment, status, phase, actor, reason, reference, amount, currency] = values
  const keyed = { merchant_id, kind, id_payment }
  const key = keyText(merchant_id, kind, id_payment)
  const before = disk.payments.get(key)
  if (before?.status !== status || !mayChange(before, phase, values[10])) return []
  const after: PaymentRecord = {
    ...before,
    processor_status: phase,
    timeline_count: before.timeline_count + 1,
    external_reference: reference ?? before.external_reference,
    received_amount: amount ?? before.received_amount,
    received_currency_code: currency ?? before.received_currency_code,
  }
  disk.payments.put(key, after)
  noteEntry(session, after, { actor, reason })
  const entry_no = after.timeline_count
  if (reference !== null)
    disk.references.insert(`${key} ${entry_no}`, { ...keyed, entry_no, external_reference: reference })
  if (phase === 'IN_REVIEW') putToReview(session, keyed)
  return []
}

function putToReview(
  { disk, at }: Session,
  keyed: Pick<PaymentRecord, 'merchant_id' | 'kind' | 'id_payment'>,
): void {
  const key = `${keyText(keyed.merchant_id, keyed.kind, keyed.id_payment)} REVIEW`
  if (disk.tasks.get(key) !== undefined) return
  const none = { lease_token: null, unknown_since: null, unknown_answers: 0 }
  disk.tasks.insert(key, { ...keyed, task: 'REVIEW', due_at: at, ...none })
}

function insertPersonalData(
  { disk, at }: Session,
  ...values: [Texts, Kinds, Texts, readonly DataSource[], readonly Buffer[], readonly Buffer[]]
): readonly object[] {
  const [merchantIds, kinds, ids, sources, dataKeys, sealed] = values
  ids.forEach((id_payment, i) => {
    const keyed = { merchant_id: element(merchantIds, i), kind: element(kinds, i), id_payment }
    const source = element(sources, i)
    const key = `${keyText(keyed.merchant_id, keyed.kind, id_payment)} ${source}`
    if (disk.personalData.get(key) !== undefined) return
    const data = { data_key: element(dataKeys, i), sealed: element(sealed, i) }
    disk.personalData.insert(key, { ...keyed, source, ...data, collected_at: at })
  })
  return []
}

function listPersonalData({ disk }: Session, ...keys: [Texts, Kinds, Texts]): readonly object[] {
  const asked = keyTexts(...keys)
  return ['REQUEST', 'PROCESS'].flatMap((source) =>
    asked.flatMap((key) => {
      const found = disk.personalData.get(`${key} ${source}`)
      return found === undefined ? [] : [{ ...found, collected_at: dateOf(found.collected_at) }]
    }),
  )
}

function findByReference({ disk, at }: Session, reference: string): readonly object[] {
  const found = [...disk.payments.values()].filter((payment) => payment.reference === reference)
  return found.slice(0, 2).map((payment) => ({ ...rowOf(payment, at), cell: null }))
}

/** As matching sees them; nobody is told another form of a reference here. */
function listByReferences({ disk }: Session, references: Texts): readonly object[] {
  return [...disk.payments.values()]
    .filter((payment) => references.includes(payment.reference))
    .map((payment) => ({
      merchant_id: payment.merchant_id,
      kind: payment.kind,
      id_payment: payment.id_payment,
      status: payment.status,
      rail: payment.rail,
      amount: payment.amount,
      currency_code: payment.currency_code,
      reference: payment.reference,
      external_reference: payment.external_reference,
      printed_reference: null,
      is_submitted: payment.submitted_at !== null,
      payee_account: null,
      created_at: dateOf(payment.created_at),
    }))
}

type UsageValues = [
  merchantId: string,
  kind: string,
  method: string,
  currency: string,
  amount: string,
  amountMax: string | null,
  countMax: number | null,
]

function updateDailyUsage({ disk, at }: Session, ...values: UsageValues): readonly object[] {
  const [merchantId, kind, method, currency, amount, amountMax, countMax] = values
  const key = [merchantId, kind, method, currency, dateOf(at).toISOString().slice(0, 10)].join(' ')
  const before = disk.usage.get(key) ?? { amount: '0', payments: 0 }
  const after = {
    amount: addAmounts(parsePlainAmount(before.amount), parsePlainAmount(amount)),
    payments: before.payments + 1,
  }
  const isTooMuch = amountMax !== null && compareAmounts(after.amount, parsePlainAmount(amountMax)) > 0
  if (isTooMuch || (countMax !== null && after.payments > countMax)) return []
  disk.usage.put(key, after)
  return [{}]
}

/** The statements of the room of payments, but for its tasks and inquiries. */
export const PAYMENT_STATEMENTS: Statements = {
  payments_insert: insertIncoming,
  payments_insert_outgoing: insertOutgoing,
  payments_list_accepted: listAccepted,
  payments_list: selectPayments,
  payments_list_for_update: selectPayments,
  payments_update: update,
  payments_update_phase: updatePhase,
  payments_insert_personal_data: insertPersonalData,
  payments_list_personal_data: listPersonalData,
  payments_find_by_reference: findByReference,
  payments_list_by_references: listByReferences,
  payments_update_daily_usage: updateDailyUsage,
}
