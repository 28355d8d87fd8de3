import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey } from '../model.ts'
import { keyArrays } from '../rows.ts'

/** Where an answer about a payment came from: a question to the institution, its own message, a statement, or a person. */
export type InquiryQuestion =
  | 'SUBMIT'
  | 'INQUIRE'
  | 'ADVANCE'
  | 'NOTIFICATION'
  | 'STATEMENT'
  /** A developer made it happen, in the sandbox. */
  | 'TRIGGER'
  | 'OPERATOR'

/** What an operator can say about a payment of which nobody else can say what became. */
export const REVIEW_OUTCOMES = ['EXECUTED', 'NOT_EXECUTED', 'RETURNED', 'STILL_WAITING', 'UNCHANGED'] as const
export type ReviewOutcome = (typeof REVIEW_OUTCOMES)[number]

export type InquiryAnswer =
  | 'SUCCEEDED'
  | 'FAILED'
  | 'CANCELLED'
  | 'RETURNED'
  | 'WAITING'
  | 'UNKNOWN'
  | ReviewOutcome

/** An answer to be kept. */
export interface NewInquiry extends PaymentKey {
  readonly question: Exclude<InquiryQuestion, 'OPERATOR'>
  readonly answer: Exclude<InquiryAnswer, ReviewOutcome> | 'RETURNED'
  readonly reasonCode: string | undefined
  /** It does not fit what our books say. */
  readonly contradicts: boolean
  /** SHA-256 of the answer, without persons. */
  readonly digest: Buffer | undefined
  /** By the database's clock; undefined for what came unasked, now. */
  readonly askedAt: Date | undefined
}

/** An operator's word about a payment in a certain state. */
interface NewDecision extends PaymentKey {
  readonly outcome: ReviewOutcome
  readonly operatorCode: string
  readonly reason: string
  /** The number of the last entry of the timeline. */
  readonly timelineEntryNo: number
}

/** An answer, or a decision, as it was kept. */
export interface Inquiry {
  readonly question: InquiryQuestion
  readonly answer: InquiryAnswer
  readonly reasonCode: string | undefined
  readonly contradicts: boolean
  readonly digest: Buffer | undefined
  readonly askedAt: Date
  /** How often in a row it was the same, and when the last time. */
  readonly times: number
  readonly lastAnsweredAt: Date
  /** Of a decision. */
  readonly operatorCode: string | undefined
  readonly reason: string | undefined
  readonly timelineEntryNo: number | undefined
}

/** Rows that are kept of one payment, beside decisions. From then on the newest one is written over. */
export const INQUIRIES_KEPT_MAX = 200
const REASON_CODE_CHARACTERS_MAX = 64

const OF_PAYMENT = `merchant_id = $1 and kind = $2 and id_payment = $3`
const SAME_PAYMENT = `i.merchant_id = n.merchant_id and i.kind = n.kind and i.id_payment = n.id_payment`
const INSERT: Statement = {
  name: 'payment_inquiries_insert',
  text: `with new as (
      select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::bytea[], $9::timestamptz[])
        with ordinality as n(merchant_id, kind, id_payment, question, answer, reason_code, contradicts, answer_digest, asked_at, new_no)),
    last as (
      select n.new_no, l.* from new n cross join lateral (
        select i.inquiry_id, i.question, i.answer, i.reason_code, i.contradicts, i.answer_digest, count(*) over () as kept
        from payment_inquiries i where ${SAME_PAYMENT} and i.question <> 'OPERATOR' order by i.inquiry_id desc limit 1) l),
    again as (
      update payment_inquiries i set times = i.times + 1, last_answered_at = clock_timestamp(), question = n.question, answer = n.answer,
        reason_code = n.reason_code, contradicts = n.contradicts, answer_digest = n.answer_digest
      from last l join new n using (new_no) where ${SAME_PAYMENT} and i.inquiry_id = l.inquiry_id
        and ((l.question, l.answer, l.reason_code, l.contradicts, l.answer_digest)
            is not distinct from (n.question, n.answer, n.reason_code, n.contradicts, n.answer_digest) or l.kept >= $10)
      returning n.new_no)
    insert into payment_inquiries (merchant_id, kind, id_payment, question, answer, reason_code, contradicts, answer_digest, asked_at)
    select merchant_id, kind, id_payment, question, answer, reason_code, contradicts, answer_digest, coalesce(asked_at, clock_timestamp())
    from new n where not exists (select 1 from again a where a.new_no = n.new_no) order by new_no`,
}
const INSERT_DECISION: Statement = {
  name: 'payment_inquiries_insert_decision',
  text: `insert into payment_inquiries (merchant_id, kind, id_payment, question, answer, operator_code, reason, timeline_entry_no, asked_at)
    values ($1, $2, $3, 'OPERATOR', $4, $5, $6, $7, clock_timestamp())`,
}
const LIST: Statement = {
  name: 'payment_inquiries_list',
  text: `select question, answer, reason_code, contradicts, answer_digest, asked_at, times, last_answered_at, operator_code, reason, timeline_entry_no
    from payment_inquiries where ${OF_PAYMENT} order by inquiry_id`,
}
const LIST_DECISIONS: Statement = {
  name: 'payment_inquiries_list_decisions',
  text: `select question, answer, reason_code, contradicts, answer_digest, asked_at, times, last_answered_at, operator_code, reason, timeline_entry_no
    from payment_inquiries where ${OF_PAYMENT} and question = 'OPERATOR' and timeline_entry_no = $4 order by inquiry_id`,
}

/** Keeps answers. The same one several times in a row is one row. */
export async function insertInquiries(tx: Tx, inquiries: readonly NewInquiry[]): Promise<void> {
  await tx.rows(INSERT, [
    ...keyArrays(inquiries),
    inquiries.map(({ question }) => question),
    inquiries.map(({ answer }) => answer),
    inquiries.map(({ reasonCode }) => reasonCode?.slice(0, REASON_CODE_CHARACTERS_MAX) ?? null),
    inquiries.map(({ contradicts }) => contradicts),
    inquiries.map(({ digest }) => digest ?? null),
    inquiries.map(({ askedAt }) => askedAt ?? null),
    INQUIRIES_KEPT_MAX,
  ])
}

/** Keeps an operator's word. It can neither be changed nor removed. */
export async function insertDecision(tx: Tx, decision: NewDecision): Promise<void> {
  await tx.rows(INSERT_DECISION, [
    decision.merchantId,
    decision.kind,
    decision.idPayment,
    decision.outcome,
    decision.operatorCode,
    decision.reason,
    decision.timelineEntryNo,
  ])
}

interface InquiryRow {
  readonly question: InquiryQuestion
  readonly answer: InquiryAnswer
  readonly reason_code: string | null
  readonly contradicts: boolean
  readonly answer_digest: Buffer | null
  readonly asked_at: Date
  readonly times: number
  readonly last_answered_at: Date
  readonly operator_code: string | null
  readonly reason: string | null
  readonly timeline_entry_no: number | null
}

/** All that was asked and decided about the payment, in order. */
export async function listInquiries(tx: Tx, key: PaymentKey): Promise<readonly Inquiry[]> {
  const rows = await tx.rows<InquiryRow>(LIST, [key.merchantId, key.kind, key.idPayment])
  return rows.map(toInquiry)
}

/** What operators said about the payment as it has been since the entry of its timeline. */
export async function listDecisions(
  tx: Tx,
  key: PaymentKey,
  timelineEntryNo: number,
): Promise<readonly Inquiry[]> {
  const values = [key.merchantId, key.kind, key.idPayment, timelineEntryNo]
  return (await tx.rows<InquiryRow>(LIST_DECISIONS, values)).map(toInquiry)
}

function toInquiry(row: InquiryRow): Inquiry {
  return {
    question: row.question,
    answer: row.answer,
    reasonCode: row.reason_code ?? undefined,
    contradicts: row.contradicts,
    digest: row.answer_digest ?? undefined,
    askedAt: row.asked_at,
    times: row.times,
    lastAnsweredAt: row.last_answered_at,
    operatorCode: row.operator_code ?? undefined,
    reason: row.reason ?? undefined,
    timelineEntryNo: row.timeline_entry_no ?? undefined,
  }
}

const RAISE_NUMBERS: Statement = {
  name: 'payment_inquiries_raise_numbers',
  text: `select setval(sequence, greatest(nextval(sequence), max(inquiry_id)))
    from payment_inquiries, pg_get_serial_sequence('payment_inquiries', 'inquiry_id') as sequence
    where merchant_id = $1 group by sequence`,
}

/** Leaves out the numbers of a merchant's inquiries that came from another database. By the owner of the tables. */
export async function raiseInquiryNumbers(tx: Tx, merchantId: string): Promise<void> {
  await tx.rows(RAISE_NUMBERS, [merchantId])
}
