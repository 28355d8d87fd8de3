import { type Money, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey, PaymentKind } from '../../payments/index.ts'
import type { LineDirection } from '../formats/parsed.ts'
import { type LineState, type LinesQuery, type StatementLine, WAITING_STATES } from '../model.ts'

/** A stored line with what it is encrypted by and bound to. */
export interface SealedLine extends StatementLine {
  readonly fingerprint: Buffer
  readonly occurrence: number
  readonly dataKey: Buffer
  readonly sealed: Buffer
}

const COLUMNS = `line_id, statement_id, account_code, currency_code, position, part, direction, is_reversal, amount, charge_amount, booked_on,
  valued_on, bank_reference, transaction_code, entry_fingerprint, occurrence, data_key, sealed, state, open_amount, merchant_id, kind, id_payment,
  score, reasons, return_reference, decision_count, created_at`
const LIST_KNOWN: Statement = {
  name: 'statements_list_known_entries',
  text: `select entry_fingerprint, occurrence, count(*)::int as parts, min(line_id)::text as line_id, min(state) as state, sum(decision_count)::int as decisions
    from statement_lines where account_code = $1 and entry_fingerprint = any($2) group by entry_fingerprint, occurrence`,
}
/** New ones only, in the order in which they came. */
const CLAIM_NEW: Statement = {
  name: 'statements_claim_new_lines',
  text: `select ${COLUMNS} from statement_lines where state = $1 order by line_id limit $2 for update`,
}
const HAS_NEW: Statement = {
  name: 'statements_has_new_lines',
  text: `select exists (select from statement_lines where state = $1) as "hasNew"`,
}
const HAS_WAITING_OF: Statement = {
  name: 'statements_has_waiting_lines_of',
  text: `select exists (select from statement_lines where merchant_id = $1 and state = any ($2)) as "hasWaiting"`,
}
const LIST_NEW_AFTER: Statement = {
  name: 'statements_list_new_lines_after',
  text: `select ${COLUMNS} from statement_lines where state = $1 and line_id > $2 order by line_id limit $3`,
}
const LIST_FOR_UPDATE: Statement = {
  name: 'statements_list_lines_for_update',
  text: `select ${COLUMNS} from statement_lines where line_id = any($1) order by line_id for update`,
}
const FIND: Statement = {
  name: 'statements_find_line',
  text: `select ${COLUMNS} from statement_lines where line_id = $1`,
}
const LIST: Statement = {
  name: 'statements_list_lines',
  text: `select ${COLUMNS} from statement_lines
    where state = any($1) and ($2::bigint is null or line_id < $2) and ($4::text is null or account_code = $4)
      and ($5::text is null or currency_code = $5) and ($6::date is null or booked_on >= $6) and ($7::date is null or booked_on <= $7)
    order by line_id desc limit $3`,
}
const LIST_UNKNOWN_DEBITS: Statement = {
  name: 'statements_list_unknown_debits',
  text: `select ${COLUMNS} from statement_lines
    where state in ('NEW', 'UNKNOWN', 'AMBIGUOUS', 'NOTED') and direction = 'DEBIT' and not is_reversal
      and (created_at >= $1 or booked_on >= $2)
    order by line_id`,
}
const LIST_RETURNING: Statement = {
  name: 'statements_list_returning_lines',
  text: `select ${COLUMNS} from statement_lines where return_reference = any($1) and state = 'RETURNING'`,
}
/** Other lines that are, or stand for, this payment's money. One of which it got a part may wait with the rest, or be another payment's by now. */
const LIST_PAYING: Statement = {
  name: 'statements_list_paying_lines',
  text: `select line_id::text from (
      select line_id from statement_lines where merchant_id = $1 and kind = $2 and id_payment = $3
        and state in ('MATCHED', 'APPLIED', 'SAME_MONEY') and direction = 'CREDIT'
      union
      select line_id from statement_decisions where merchant_id = $1 and kind = $2 and id_payment = $3
        and decision in ('ACCEPT', 'COVER', 'SAME_MONEY')) l
    where line_id <> $4 order by line_id`,
}
/** By which exactly the money of payments left, the first line first. */
const LIST_DEBITS: Statement = {
  name: 'statements_list_debits_of_payments',
  text: `select l.merchant_id, l.kind, l.id_payment, l.line_id::text from statement_lines l
      join unnest($1::bigint[], $2::text[], $3::text[], $4::numeric[], $5::text[]) as p(merchant_id, kind, id_payment, amount, currency_code)
        using (merchant_id, kind, id_payment, amount, currency_code)
    where l.direction = 'DEBIT' and not l.is_reversal and l.state not in ('NEW', 'SPLIT') order by l.line_id`,
}
const LOCK_MATCHING: Statement = {
  name: 'statements_lock_matching',
  text: 'select pg_advisory_xact_lock($1)',
}
/** Any number that nobody else locks. */
const MATCHING_LOCK = 5_073_200_017

interface PaymentRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
}

interface LineRow {
  readonly line_id: string
  readonly statement_id: string
  readonly account_code: string
  readonly currency_code: string
  readonly position: number
  readonly part: number
  readonly direction: LineDirection
  readonly is_reversal: boolean
  readonly amount: string
  readonly charge_amount: string | null
  readonly booked_on: string
  readonly valued_on: string | null
  readonly bank_reference: string | null
  readonly transaction_code: string | null
  readonly entry_fingerprint: Buffer
  readonly occurrence: number
  readonly data_key: Buffer
  readonly sealed: Buffer
  readonly state: LineState
  readonly open_amount: string
  readonly merchant_id: string | null
  readonly kind: PaymentKind | null
  readonly id_payment: string | null
  readonly score: string | null
  readonly reasons: readonly string[] | null
  readonly return_reference: string | null
  readonly decision_count: number
  readonly created_at: Date
}

/** One at a time decides about lines: two could give the same money to two payments. Until the transaction ends. */
export async function lockMatching(tx: Tx): Promise<void> {
  await tx.rows(LOCK_MATCHING, [MATCHING_LOCK])
}

/** An entry that is stored already. */
export interface KnownEntry {
  readonly fingerprint: Buffer
  readonly occurrence: number
  readonly parts: number
  /** Of its first part. */
  readonly lineId: string
  readonly state: LineState
  readonly decisions: number
}

/** Which of these entries of the account are stored. */
export async function listKnownEntries(
  tx: Tx,
  accountCode: string,
  fingerprints: readonly Buffer[],
): Promise<readonly KnownEntry[]> {
  const rows = await tx.rows<{
    entry_fingerprint: Buffer
    occurrence: number
    parts: number
    line_id: string
    state: LineState
    decisions: number
  }>(LIST_KNOWN, [accountCode, fingerprints])
  return rows.map((row) => ({
    fingerprint: row.entry_fingerprint,
    occurrence: row.occurrence,
    parts: row.parts,
    lineId: row.line_id,
    state: row.state,
    decisions: row.decisions,
  }))
}

/** Lines that nobody has looked at, locked. */
export async function claimNewLines(tx: Tx, limit: number): Promise<readonly SealedLine[]> {
  return (await tx.rows<LineRow>(CLAIM_NEW, ['NEW', limit])).map(toLine)
}

/** New lines that come after one, not locked. */
export async function listNewLinesAfter(
  tx: Tx,
  lineId: string,
  limit: number,
): Promise<readonly SealedLine[]> {
  return (await tx.rows<LineRow>(LIST_NEW_AFTER, ['NEW', lineId, limit])).map(toLine)
}

/** Whether an operator has yet to decide on a line that names a payment of the merchant. */
export async function hasWaitingLinesOf(tx: Tx, merchantId: string): Promise<boolean> {
  const [row] = await tx.rows<{ hasWaiting: boolean }>(HAS_WAITING_OF, [merchantId, WAITING_STATES])
  return row?.hasWaiting === true
}

/** Whether there are lines that were imported and not looked at yet. */
export async function hasNewLines(tx: Tx): Promise<boolean> {
  const [row] = await tx.rows<{ hasNew: boolean }>(HAS_NEW, ['NEW'])
  return row?.hasNew === true
}

export async function listLinesForUpdate(tx: Tx, lineIds: readonly string[]): Promise<readonly SealedLine[]> {
  return (await tx.rows<LineRow>(LIST_FOR_UPDATE, [lineIds])).map(toLine)
}

export async function findLine(tx: Tx, lineId: string): Promise<SealedLine | undefined> {
  return (await tx.rows<LineRow>(FIND, [lineId])).map(toLine)[0]
}

/** Lines in one of the states, the newest first, from before one of an earlier page. */
export async function listLines(tx: Tx, query: LinesQuery): Promise<readonly SealedLine[]> {
  const { states, before, limit, accountCode, currencyCode, bookedFrom, bookedTo } = query
  const filters = [accountCode, currencyCode, bookedFrom, bookedTo].map((value) => value ?? null)
  return (await tx.rows<LineRow>(LIST, [states, before ?? null, limit, ...filters])).map(toLine)
}

/** Money that left for no payment that is known here, by lines that came since a moment or were booked since a day. */
export async function listUnknownDebitLines(
  tx: Tx,
  since: { readonly moment: Date; readonly day: string },
): Promise<readonly SealedLine[]> {
  return (await tx.rows<LineRow>(LIST_UNKNOWN_DEBITS, [since.moment, since.day])).map(toLine)
}

/** Lines that are on their way back under one of these references. */
export async function listReturningLines(
  tx: Tx,
  references: readonly string[],
): Promise<readonly SealedLine[]> {
  return (await tx.rows<LineRow>(LIST_RETURNING, [references])).map(toLine)
}

/** The ids of other lines that are this payment's money: that paid it or, where it had left, that came back. */
export async function listPayingLines(
  tx: Tx,
  payment: PaymentKey,
  exceptLineId: string,
): Promise<readonly string[]> {
  const { merchantId, kind, idPayment } = payment
  const rows = await tx.rows<{ line_id: string }>(LIST_PAYING, [merchantId, kind, idPayment, exceptLineId])
  return rows.map((row) => row.line_id)
}

/** The lines by which exactly the money of these payments left, the first one first; decided or not. */
export async function listDebitsOf(
  tx: Tx,
  payments: readonly (PaymentKey & { readonly money: Money })[],
): Promise<readonly { readonly payment: PaymentKey; readonly lineId: string }[]> {
  if (payments.length === 0) return []
  const rows = await tx.rows<Pick<LineRow, 'line_id'> & PaymentRow>(LIST_DEBITS, [
    payments.map(({ merchantId }) => merchantId),
    payments.map(({ kind }) => kind),
    payments.map(({ idPayment }) => idPayment),
    payments.map(({ money }) => money.amount),
    payments.map(({ money }) => money.currencyCode),
  ])
  return rows.map((row) => ({
    payment: { merchantId: row.merchant_id, kind: row.kind, idPayment: row.id_payment },
    lineId: row.line_id,
  }))
}

function toLine(row: LineRow): SealedLine {
  return {
    lineId: row.line_id,
    statementId: row.statement_id,
    accountCode: row.account_code,
    currencyCode: row.currency_code,
    position: row.position,
    part: row.part,
    direction: row.direction,
    isReversal: row.is_reversal,
    amount: parsePlainAmount(row.amount),
    bookedOn: row.booked_on,
    fingerprint: row.entry_fingerprint,
    occurrence: row.occurrence,
    dataKey: row.data_key,
    sealed: row.sealed,
    state: row.state,
    openAmount: parsePlainAmount(row.open_amount),
    reasons: row.reasons ?? [],
    decisionCount: row.decision_count,
    createdAt: row.created_at,
    payment: paymentOf(row),
    ...optionalsOf(row),
  }
}

function optionalsOf(row: LineRow) {
  return {
    charge: row.charge_amount === null ? undefined : parsePlainAmount(row.charge_amount),
    valuedOn: row.valued_on ?? undefined,
    bankReference: row.bank_reference ?? undefined,
    transactionCode: row.transaction_code ?? undefined,
    score: row.score === null ? undefined : parsePlainAmount(row.score),
    returnReference: row.return_reference ?? undefined,
  }
}

function paymentOf({ merchant_id, kind, id_payment }: LineRow): PaymentKey | undefined {
  if (merchant_id === null || kind === null || id_payment === null) return undefined
  return { merchantId: merchant_id, kind, idPayment: id_payment }
}
