import type { STATEMENT_LINE_DECISIONS, STATEMENT_LINE_STATES } from '@tollgate/contract/words'
import { type Amount, compareAmounts, type Money, subtractAmounts } from '@tollgate/money'
import type { PaymentKey, Proposal } from '../payments/index.ts'
import type { LineDirection, PartDetails } from './formats/parsed.ts'

/** Money that came lies in SUSPENSE in the states that wait, and while it is going back. */
export type LineState = (typeof STATEMENT_LINE_STATES)[number]

/** The states in which a line waits for an operator. */
export const WAITING_STATES = [
  'UNDER',
  'OVER',
  'LATE',
  'DOUBLE',
  'UNKNOWN',
  'AMBIGUOUS',
  'OTHER_CURRENCY',
] as const satisfies readonly LineState[]

export function isWaiting(state: LineState): boolean {
  return WAITING_STATES.some((waiting) => waiting === state)
}

export type LineDecision = (typeof STATEMENT_LINE_DECISIONS)[number]

/** Names the transfers of lines in the ledger. */
export const LINE_KIND = 'STATEMENT_LINE'

/** A line as it is stored. */
export interface StatementLine {
  readonly lineId: string
  readonly statementId: string
  readonly accountCode: string
  readonly currencyCode: string
  readonly position: number
  readonly part: number
  readonly direction: LineDirection
  readonly isReversal: boolean
  readonly amount: Amount
  readonly charge: Amount | undefined
  /** ISO 8601. */
  readonly bookedOn: string
  readonly valuedOn: string | undefined
  readonly bankReference: string | undefined
  readonly transactionCode: string | undefined
  readonly state: LineState
  readonly openAmount: Amount
  readonly payment: PaymentKey | undefined
  readonly score: string | undefined
  readonly reasons: readonly string[]
  readonly returnReference: string | undefined
  readonly decisionCount: number
  readonly createdAt: Date
}

/** Which lines are listed. */
export interface LinesQuery {
  readonly states: readonly LineState[]
  readonly before: string | undefined
  readonly limit: number
  readonly accountCode?: string | undefined
  readonly currencyCode?: string | undefined
  /** Days, both included; ISO 8601. */
  readonly bookedFrom?: string | undefined
  readonly bookedTo?: string | undefined
}

/** A payment that a line may be about. */
export interface Candidate extends PaymentKey {
  readonly status: string
  readonly money: Money
  readonly reference: string
  readonly isSubmitted: boolean
  /** How it was found: by our reference, or by one that the customer typed; and then whether the stored payer paid. */
  readonly by: 'REFERENCE' | 'CLAIM' | 'CLAIM_OF_PAYER'
  /** Earlier lines by which exactly its money left; of payments that leave. */
  readonly debitLineIds: readonly string[]
}

/** What matching makes of a line. */
export interface Verdict {
  readonly state: LineState
  readonly payment: PaymentKey | undefined
  /** How sure it is, 0 to 1. */
  readonly score: number
  readonly reasons: readonly string[]
  /** What is put forward; the line is in `state` only if it happens. */
  readonly proposed?: Pick<Proposal, 'status' | 'received' | 'failure'>
}

type Judged = Pick<StatementLine, 'direction' | 'isReversal' | 'amount' | 'currencyCode' | 'charge'>

const SCORES = { certain: 1, byPayer: 0.9, byClaim: 0.5, otherMoney: 0.6, several: 0.3, nothing: 0 } as const

/** Decides what a line is, against the payments that it names. Only one payment with exactly its money is certain. */
export function judgeLine(line: Judged, found: readonly Candidate[]): Verdict {
  const byReference = found.filter(({ by }) => by === 'REFERENCE')
  const named = byReference.length > 0 ? byReference : found
  const [only, ...others] = named
  if (only === undefined) return nothing(['no payment has a reference that it names'])
  if (others.length > 0)
    return {
      state: 'AMBIGUOUS',
      payment: undefined,
      score: SCORES.several,
      reasons: [`it names ${named.length} payments: ${named.map(nameOf).join(', ')}`],
    }
  return line.direction === 'CREDIT' ? judgeCredit(line, only) : judgeDebit(line, only)
}

const nothing = (reasons: readonly string[], payment?: PaymentKey): Verdict => ({
  state: 'UNKNOWN',
  payment,
  score: SCORES.nothing,
  reasons,
})

const nameOf = ({ kind, idPayment }: PaymentKey): string => `${kind} ${idPayment}`
const keyOf = ({ merchantId, kind, idPayment }: PaymentKey): PaymentKey => ({ merchantId, kind, idPayment })
const isOut = ({ kind }: PaymentKey): boolean => kind === 'PAYOUT' || kind === 'SETTLEMENT'
const isSame = (line: Judged, { money }: Candidate): boolean =>
  line.currencyCode === money.currencyCode && compareAmounts(line.amount, money.amount) === 0

function howFound({ by, reference }: Candidate): string {
  return by === 'REFERENCE' ? `it names our reference ${reference}` : CLAIMED
}

/** Of a line that was found by what a customer typed. Nothing that the line says of its payer is for the merchant. */
export const CLAIMED = 'it has the reference that the customer typed'

function judgeCredit(line: Judged, candidate: Candidate): Verdict {
  if (isOut(candidate)) return judgeBounce(line, candidate)
  const { status, money } = candidate
  const payment = keyOf(candidate)
  const reasons = [howFound(candidate)]
  if (candidate.by === 'CLAIM')
    return {
      state: 'UNKNOWN',
      payment,
      score: SCORES.byClaim,
      reasons: [...reasons, 'which proves nothing: an operator has to look whose money it is'],
    }
  if (line.currencyCode !== money.currencyCode)
    return {
      state: 'OTHER_CURRENCY',
      payment,
      score: SCORES.otherMoney,
      reasons: [...reasons, `${money.currencyCode} was asked for`],
    }
  const isExact = isSame(line, candidate)
  const told = [...reasons, isExact ? 'the amount is the one asked for' : differenceOf(line, money)]
  const verdict = { payment, score: scoreOf(isExact, candidate), reasons: told }
  if (status === 'SUCCESS' || status === 'REVERSED')
    return { ...verdict, state: 'DOUBLE', reasons: [...told, `the payment is ${status} already`] }
  if (!isOpen(candidate)) return { ...verdict, state: 'LATE', reasons: [...told, `the payment is ${status}`] }
  if (isExact) return { ...verdict, state: 'MATCHED', proposed: { status: 'SUCCESS', received: money } }
  return { ...verdict, state: compareAmounts(line.amount, money.amount) < 0 ? 'UNDER' : 'OVER' }
}

function scoreOf(isExact: boolean, { by }: Candidate): number {
  if (!isExact) return SCORES.otherMoney
  return by === 'REFERENCE' ? SCORES.certain : SCORES.byPayer
}

/** A payin that expired can still be paid. */
const isOpen = ({ kind, status }: Candidate): boolean =>
  status === 'CREATED' || (kind === 'PAYIN' && status === 'EXPIRED')

function differenceOf({ amount, charge }: Judged, money: Money): string {
  const gap = subtractAmounts(amount, money.amount)
  const text = gap.startsWith('-')
    ? `${gap.slice(1)} ${money.currencyCode} less than asked for`
    : `${gap} ${money.currencyCode} more than asked for`
  return charge === undefined ? text : `${text}; a bank took ${charge} on the way`
}

/** Money comes back that had been paid out. */
function judgeBounce(line: Judged, candidate: Candidate): Verdict {
  const payment = keyOf(candidate)
  const reasons = [howFound(candidate), `that is a ${candidate.kind}, so its money comes back`]
  const { status } = candidate
  // The books have not had this money leave, or have it back already.
  if ((status === 'REVERSED' || status === 'FAILED') && isSame(line, candidate))
    return double(payment, [...reasons, `the payment is ${status} already`])
  if (status !== 'SUCCESS' || !isSame(line, candidate))
    return nothing([...reasons, `but the payment is ${status} of ${textOf(candidate.money)}`], payment)
  const times = candidate.debitLineIds.length
  if (times > 1)
    return double(payment, [
      ...reasons,
      `the bank took it ${times} times, so this may be what it took too often`,
    ])
  return {
    state: 'MATCHED',
    payment,
    reasons,
    score: SCORES.certain,
    proposed: {
      status: 'REVERSED',
      failure: { code: 'RETURNED', message: 'The bank of the beneficiary sent the money back.' },
    },
  }
}

const textOf = (money: Money): string => `${money.amount} ${money.currencyCode}`

const double = (payment: PaymentKey, reasons: readonly string[]): Verdict => ({
  state: 'DOUBLE',
  payment,
  score: SCORES.otherMoney,
  reasons,
})

/** Whether the line takes exactly the money of a payment that leaves. */
export function isDebitOf(line: Judged, candidate: Candidate): boolean {
  return line.direction === 'DEBIT' && !line.isReversal && isOut(candidate) && isSame(line, candidate)
}

function judgeDebit(line: Judged, candidate: Candidate): Verdict {
  const reasons = [howFound(candidate)]
  const against = againstDebit(line, candidate)
  const payment = keyOf(candidate)
  if (against !== undefined) return nothing([...reasons, against], payment)
  const { status, money } = candidate
  const certain = { state: 'MATCHED', payment, score: SCORES.certain } as const
  if (!isOut(candidate))
    return {
      ...certain,
      reasons: [...reasons, 'the bank takes its money back'],
      proposed: {
        status: 'REVERSED',
        failure: { code: 'RECALLED', message: 'The bank took the money back.' },
      },
    }
  const told = [...reasons, 'the amount is its own']
  const [first] = candidate.debitLineIds
  // The bank may have carried it out twice, and then nobody else would notice.
  if (first !== undefined) return double(payment, [...told, `statement line ${first} took its money already`])
  if (status !== 'CREATED') return { ...certain, reasons: [...told, `the payment is ${status}`] }
  return { ...certain, reasons: told, proposed: { status: 'SUCCESS', received: money } }
}

/** Why money that left is not certainly that of the payment; undefined when it is. */
function againstDebit(line: Judged, candidate: Candidate): string | undefined {
  const { status, money, kind } = candidate
  if (!isSame(line, candidate)) return `but the payment is of ${textOf(money)}`
  if (isOut(candidate)) return line.isReversal ? 'but it takes a booking back' : againstPayout(candidate)
  return line.isReversal && status === 'SUCCESS' ? undefined : `money left for a ${kind} that is ${status}`
}

function againstPayout({ status, isSubmitted }: Candidate): string | undefined {
  const mayHaveLeft = status === 'CREATED' ? isSubmitted : status === 'SUCCESS' || status === 'REVERSED'
  return mayHaveLeft
    ? undefined
    : `but the payment is ${status}${isSubmitted ? '' : ' and was never handed over'}`
}

/** The payer as the payment keeps it; undefined where the bank names nobody. */
export function payerOf(details: PartDetails): Proposal['payer'] | undefined {
  const { partyName, partyAccount, partyBank } = details
  if (partyAccount === undefined) return undefined
  return {
    accountName: partyName ?? '',
    accountNumber: partyAccount,
    ...(partyBank !== undefined && { bankCode: partyBank }),
  }
}
