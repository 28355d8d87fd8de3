import { compareAmounts, type Money } from '@tollgate/money'
import type { CollectedAccount, Instructions } from '../../rails/rail.ts'

/** `process.status` (specification section 3). CREATED is the only value before the end. */
export const PAYMENT_STATUSES = ['CREATED', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED', 'REVERSED'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** `process.processorStatus`: the finer phase, for people. */
export const PROCESSOR_STATUSES = [
  'ACCEPTED',
  'AWAITING_CUSTOMER',
  'AWAITING_REFERENCE',
  'REFERENCE_SUBMITTED',
  'AWAITING_APPROVAL',
  'QUEUED',
  'ON_HOLD',
  'SUBMITTED',
  'IN_REVIEW',
  'UNKNOWN',
  'CONFIRMED',
  'CONFIRMED_LATE',
  'CONFIRMED_DIFFERENT_AMOUNT',
  'REJECTED',
  'RETURNED',
] as const
export type ProcessorStatus = (typeof PROCESSOR_STATUSES)[number]

/** SETTLEMENT is a payout of a merchant's own money to its own account; the merchant asks for it, and no customer is there. */
export const PAYMENT_KINDS = ['PAYIN', 'PAYOUT', 'TOPUP', 'SETTLEMENT'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/** Whether money leaves: it is held when the payment is accepted, and handed to an institution once. */
export function isOutgoing(kind: PaymentKind): boolean {
  return kind === 'PAYOUT' || kind === 'SETTLEMENT'
}

/** Names a payment: unique per merchant and kind. */
export interface PaymentKey {
  readonly merchantId: string
  readonly kind: PaymentKind
  readonly idPayment: string
}

/** A payment as it is stored, without personal data. */
export interface Payment extends PaymentKey {
  readonly status: PaymentStatus
  readonly processorStatus: ProcessorStatus
  readonly money: Money
  readonly fee: Money
  readonly feeConversion: FeeConversion | undefined
  readonly received: Money | undefined
  readonly idCustomer: string | undefined
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly segmentCode: string | undefined
  readonly rail: string
  readonly reference: string
  readonly instructions: Instructions
  readonly externalReference: string | undefined
  readonly callbackUrl: string | undefined
  readonly returnUrl: string | undefined
  readonly failure: Failure | undefined
  readonly isTest: boolean
  readonly requestDigest: Buffer
  readonly timelineCount: number
  readonly createdAt: Date
  readonly expireAt: Date
  readonly processedAt: Date | undefined
  /** When it was handed to an institution; outgoing payments only. From then on it is asked for, never handed over again. */
  readonly submittedAt: Date | undefined
  /** Keyed digest of the account that is paid to. */
  readonly beneficiaryDigest: Buffer | undefined
  /** Whether the time to pay was over when the row was read, by the database's clock. */
  readonly isDue: boolean
  /** Seconds since acceptance when the row was read, by the database's clock. */
  readonly ageSeconds: number
}

/** How a fee that is priced in another currency came about: which sheet of which rate list said what. Amounts are texts. */
export interface FeeConversion {
  readonly listCode: string
  readonly version: number
  /** The row of the sheet. */
  readonly currencyCode: string
  readonly side: string
  readonly rate: string
  readonly priced: { readonly amount: string; readonly currencyCode: string }
}

export interface Failure {
  readonly code: string
  readonly message: string
  readonly failedAt: Date
}

/**
 * Why an outgoing payment is on hold: an operator stopped it, or the gateway did when it was about to hand it over.
 * The sentences are for operators.
 */
export const HOLD_CAUSES = [
  'OPERATOR',
  'BENEFICIARY_BLOCKED',
  'MERCHANT_DISABLED',
  'APPROVAL_CHANGED',
] as const
export type HoldCause = (typeof HOLD_CAUSES)[number]

export const STOP_REASONS: Readonly<Record<Exclude<HoldCause, 'OPERATOR'>, string>> = {
  BENEFICIARY_BLOCKED: 'stopped before the hand-over: the account to pay to is on the block-list',
  MERCHANT_DISABLED: 'stopped before the hand-over: the merchant is disabled',
  APPROVAL_CHANGED: 'stopped before the hand-over: two operators have not approved what the payment says now',
}

/** What rails, workers and operators put forward; one function decides whether it happens. */
export interface Proposal {
  readonly status: Exclude<PaymentStatus, 'CREATED'>
  readonly actor: string
  readonly reason?: string
  readonly received?: Money
  readonly failure?: { readonly code: string; readonly message: string }
  readonly payer?: CollectedAccount
  /** After a success: when the institution is asked whether the money came back. */
  readonly watchSeconds?: number
}

/** Every edge of the state machine. A change that is not here does not happen. */
const EDGES: Readonly<
  Record<PaymentKind, Readonly<Partial<Record<PaymentStatus, readonly PaymentStatus[]>>>>
> = {
  PAYIN: {
    CREATED: ['SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED'],
    EXPIRED: ['SUCCESS'],
    SUCCESS: ['REVERSED'],
  },
  PAYOUT: { CREATED: ['SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED'], SUCCESS: ['REVERSED'] },
  SETTLEMENT: { CREATED: ['SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED'], SUCCESS: ['REVERSED'] },
  TOPUP: { CREATED: ['SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED'], SUCCESS: ['REVERSED'] },
}

/** FAILED to SUCCESS takes a person: an operator, with a reason. */
const OPERATOR_EDGES: readonly (readonly [PaymentStatus, PaymentStatus])[] = [['FAILED', 'SUCCESS']]

export const OPERATOR_ACTOR_PREFIX = 'operator:'

/** True when the payment has ended and nobody works on it. A payin that expired may still be paid late. */
export function isFinal(status: PaymentStatus): boolean {
  return status !== 'CREATED'
}

/** What a proposal does to a payment. */
export type Decision =
  | { readonly kind: 'CHANGE'; readonly status: PaymentStatus; readonly processorStatus: ProcessorStatus }
  /** It says what is true already: a repeated notice changes nothing. */
  | { readonly kind: 'SAME' }
  /** No edge leads there, or it is too early. */
  | { readonly kind: 'REFUSED'; readonly why: string }

type DecidedOn = Pick<Payment, 'kind' | 'status' | 'processorStatus' | 'isDue' | 'money' | 'submittedAt'>

/** Decides a proposal against the payment as it is under its lock. */
export function decide(payment: DecidedOn, proposal: Proposal): Decision {
  if (payment.status === proposal.status) return { kind: 'SAME' }
  if (!isEdge(payment, proposal)) {
    return {
      kind: 'REFUSED',
      why: `a ${payment.kind} cannot go from ${payment.status} to ${proposal.status}`,
    }
  }
  const why = whyNot(payment, proposal)
  if (why !== undefined) return { kind: 'REFUSED', why }
  return { kind: 'CHANGE', status: proposal.status, processorStatus: phaseAfter(payment, proposal.status) }
}

/** What speaks against a change that the table of edges allows. */
function whyNot(payment: DecidedOn, proposal: Proposal): string | undefined {
  if (proposal.status === 'EXPIRED') {
    if (!payment.isDue) return 'its time to pay is not over'
    // The institution may have moved the money: it is asked again, and nothing is guessed.
    if (payment.submittedAt !== undefined) return 'an institution has it'
    return payment.processorStatus === 'UNKNOWN' ? 'its outcome is not known' : undefined
  }
  if (proposal.status === 'CANCELLED' && isByPerson(proposal) && payment.submittedAt !== undefined)
    return 'an institution has it'
  return proposal.status === 'SUCCESS' ? otherMoney(payment.money, proposal.received) : undefined
}

/** Never SUCCESS for other money than was asked for. */
function otherMoney(requested: Money, received: Money | undefined): string | undefined {
  if (received === undefined) return 'it is not said what money arrived'
  const isExact =
    compareAmounts(received.amount, requested.amount) === 0 &&
    received.currencyCode === requested.currencyCode
  return isExact ? undefined : `${textOfMoney(received)} arrived instead of ${textOfMoney(requested)}`
}

const textOfMoney = (money: Money): string => `${money.amount} ${money.currencyCode}`

function isEdge(payment: Pick<Payment, 'kind' | 'status'>, proposal: Proposal): boolean {
  if (EDGES[payment.kind][payment.status]?.includes(proposal.status) === true) return true
  const isJustified = isByPerson(proposal) && (proposal.reason ?? '').trim() !== ''
  return isJustified && OPERATOR_EDGES.some(([from, to]) => from === payment.status && to === proposal.status)
}

const isByPerson = ({ actor }: Proposal): boolean => actor.startsWith(OPERATOR_ACTOR_PREFIX)

function phaseAfter(before: DecidedOn, after: PaymentStatus): ProcessorStatus {
  switch (after) {
    case 'SUCCESS':
      return before.status === 'EXPIRED' ? 'CONFIRMED_LATE' : 'CONFIRMED'
    case 'REVERSED':
      return 'RETURNED'
    case 'FAILED':
      return 'REJECTED'
    // Nobody rejected it: the phase still says what it was waiting for.
    case 'CANCELLED':
    case 'EXPIRED':
    case 'CREATED':
      return before.processorStatus
  }
}

/** A key as one text: for maps, and bound into the encryption of personal data. */
export function textOf(key: PaymentKey): string {
  return `${key.merchantId} ${key.kind} ${key.idPayment}`
}
