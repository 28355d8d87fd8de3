import { compareAmounts, type Money } from '@tollgate/money'
import type { CollectedAccount, Instructions, RailReport } from '../../rails/rail.ts'

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

export const PAYMENT_KINDS = ['PAYIN', 'PAYOUT', 'TOPUP'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

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
  readonly received: Money | undefined
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
  /** Whether the time to pay was over when the row was read, by the database's clock. */
  readonly isDue: boolean
  /** Seconds since acceptance when the row was read, by the database's clock. */
  readonly ageSeconds: number
}

export interface Failure {
  readonly code: string
  readonly message: string
  readonly failedAt: Date
}

/** What rails, workers and operators put forward; one function decides whether it happens. */
export interface Proposal {
  readonly status: Exclude<PaymentStatus, 'CREATED'>
  readonly actor: string
  readonly reason?: string
  readonly received?: Money
  readonly failure?: { readonly code: string; readonly message: string }
  readonly payer?: CollectedAccount
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

type DecidedOn = Pick<Payment, 'kind' | 'status' | 'processorStatus' | 'isDue' | 'money'>

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
    return payment.processorStatus === 'UNKNOWN' ? 'its outcome is not known' : undefined
  }
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
  const isPerson = proposal.actor.startsWith(OPERATOR_ACTOR_PREFIX) && (proposal.reason ?? '').trim() !== ''
  return isPerson && OPERATOR_EDGES.some(([from, to]) => from === payment.status && to === proposal.status)
}

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

/**
 * True when a refused report and the payment disagree about whether money arrived, so that a person must look at it.
 * A rejection of a payment that has expired is no news.
 */
export function isContradiction(status: PaymentStatus, proposal: Proposal): boolean {
  const isPaid = status === 'SUCCESS' || status === 'REVERSED'
  return isPaid !== (proposal.status === 'SUCCESS')
}

/** The phase that a rail's waiting for the outcome leads to; undefined when it stays as it is. */
export function phaseWhileWaiting(
  payment: Pick<Payment, 'kind' | 'processorStatus'>,
  report: 'WAITING' | 'UNKNOWN',
): ProcessorStatus | undefined {
  const isUnknown = payment.processorStatus === 'UNKNOWN'
  if (report === 'UNKNOWN') return isUnknown ? undefined : 'UNKNOWN'
  // It is known again that nothing has happened; an unknown outcome would keep the payment from expiring.
  if (!isUnknown) return undefined
  return payment.kind === 'PAYOUT' ? 'SUBMITTED' : 'AWAITING_CUSTOMER'
}

/** The phase after the customer submitted a reference. What waits for a person or for the institution goes on waiting. */
export function phaseAfterReference({
  status,
  processorStatus,
}: Pick<Payment, 'status' | 'processorStatus'>): ProcessorStatus {
  if (status !== 'CREATED') return 'IN_REVIEW'
  return processorStatus === 'UNKNOWN' || processorStatus === 'IN_REVIEW'
    ? processorStatus
    : 'REFERENCE_SUBMITTED'
}

/** A key as one text: for maps, and bound into the encryption of personal data. */
export function textOf(key: PaymentKey): string {
  return `${key.merchantId} ${key.kind} ${key.idPayment}`
}

/** The proposal that follows from what a rail reports once the outcome is known. */
export function proposalFrom(
  report: Exclude<RailReport, { kind: 'WAITING' | 'UNKNOWN' }>,
  rail: string,
): Proposal {
  const actor = `rail:${rail}`
  switch (report.kind) {
    case 'SUCCEEDED':
      return {
        status: 'SUCCESS',
        actor,
        received: report.received,
        ...(report.payer && { payer: report.payer }),
      }
    case 'FAILED':
      return { status: 'FAILED', actor, failure: { code: report.code, message: report.message } }
    case 'CANCELLED':
      return { status: 'CANCELLED', actor, failure: { code: 'CANCELLED', message: report.message } }
  }
}
