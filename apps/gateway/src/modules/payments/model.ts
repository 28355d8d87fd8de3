import type { Money } from '@tollgate/money'
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

/** Every edge of the state machine, with its phase. A change that is not here does not happen. */
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

/** True when no edge leads on for a rail or a worker. A payin that expired may still be paid late. */
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
  if (proposal.status === 'EXPIRED' && !payment.isDue)
    return { kind: 'REFUSED', why: 'its time to pay is not over' }
  if (proposal.status === 'SUCCESS' && !isExactMoney(payment.money, proposal.received)) {
    return { kind: 'REFUSED', why: 'other money arrived than was requested' }
  }
  return { kind: 'CHANGE', status: proposal.status, processorStatus: phaseAfter(payment, proposal.status) }
}

function isEdge(payment: Pick<Payment, 'kind' | 'status'>, proposal: Proposal): boolean {
  if (EDGES[payment.kind][payment.status]?.includes(proposal.status) === true) return true
  const isPerson = proposal.actor.startsWith(OPERATOR_ACTOR_PREFIX) && proposal.reason !== undefined
  return isPerson && OPERATOR_EDGES.some(([from, to]) => from === payment.status && to === proposal.status)
}

/** Never SUCCESS for other money than was asked for. */
function isExactMoney(requested: Money, received: Money | undefined): boolean {
  return (
    received !== undefined &&
    received.amount === requested.amount &&
    received.currencyCode === requested.currencyCode
  )
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

/** The proposal that follows from what a rail reports; undefined while there is nothing to propose. */
export function proposalFrom(report: RailReport, rail: string): Proposal | undefined {
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
    case 'WAITING':
    case 'UNKNOWN':
      return undefined
  }
}
