import type { PaymentKind, PaymentStatus, ProcessorStatus } from '@tollgate/contract/words'
import { compareAmounts, type Money } from '@tollgate/money'
import type { CollectedAccount, Instructions } from '../../rails/rail.ts'
import { type Evidence, evidenceMissing } from './evidence.ts'

export {
  PAYMENT_KINDS,
  PAYMENT_STATUSES,
  type PaymentKind,
  type PaymentStatus,
  PROCESSOR_STATUSES,
  type ProcessorStatus,
} from '@tollgate/contract/words'
export { OPERATOR_ACTOR_PREFIX } from './evidence.ts'

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

interface Failure {
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
  'RESTORED',
  'PAYIN_REVERSED',
] as const
export type HoldCause = (typeof HOLD_CAUSES)[number]

export const STOP_REASONS: Readonly<Record<Exclude<HoldCause, 'OPERATOR'>, string>> = {
  BENEFICIARY_BLOCKED: 'stopped before the hand-over: the account to pay to is on the block-list',
  MERCHANT_DISABLED: 'stopped before the hand-over: the merchant is disabled',
  APPROVAL_CHANGED: 'stopped before the hand-over: two operators have not approved what the payment says now',
  RESTORED: 'stopped after a restore: it may have been handed over since the backup',
  PAYIN_REVERSED: 'stopped before the hand-over: the payin that it refunds was reversed',
}

/** What rails, workers and operators put forward; one function decides whether it happens. */
export interface Proposal {
  readonly status: Exclude<PaymentStatus, 'CREATED'>
  readonly actor: string
  /** What proves it. Without sufficient evidence nothing changes. */
  readonly evidence: Evidence
  readonly reason?: string
  readonly received?: Money
  readonly failure?: { readonly code: string; readonly message: string }
  readonly payer?: CollectedAccount
  /** After a success: when the institution is asked whether the money came back. */
  readonly watchSeconds?: number
}

const OPEN_ENDS: readonly PaymentStatus[] = ['SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED']
/** What had ended without money, and turns out paid: two people say so, with a reason. */
const PAID_AFTER_ALL = {
  FAILED: ['SUCCESS'],
  CANCELLED: ['SUCCESS'],
} as const satisfies Partial<Record<PaymentStatus, readonly PaymentStatus[]>>
const OUTGOING_EDGES = { CREATED: OPEN_ENDS, SUCCESS: ['REVERSED'], ...PAID_AFTER_ALL } as const
const INCOMING_EDGES = { ...OUTGOING_EDGES, EXPIRED: ['SUCCESS'] } as const

/** Every edge of the state machine. A change that is not here does not happen. What does not go out does not come back paid. */
const EDGES: Readonly<
  Record<PaymentKind, Readonly<Partial<Record<PaymentStatus, readonly PaymentStatus[]>>>>
> = {
  PAYIN: INCOMING_EDGES,
  PAYOUT: OUTGOING_EDGES,
  SETTLEMENT: OUTGOING_EDGES,
  TOPUP: INCOMING_EDGES,
}

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

type DecidedOn = Pick<
  Payment,
  'kind' | 'status' | 'processorStatus' | 'isDue' | 'money' | 'received' | 'submittedAt' | 'isTest'
>

/** Decides a proposal against the payment as it is under its lock. */
export function decide(payment: DecidedOn, proposal: Proposal): Decision {
  if (payment.status === proposal.status) return { kind: 'SAME' }
  if (EDGES[payment.kind][payment.status]?.includes(proposal.status) !== true) {
    return {
      kind: 'REFUSED',
      why: `a ${payment.kind} cannot go from ${payment.status} to ${proposal.status}`,
    }
  }
  const why = whyNot(payment, proposal)
  if (why !== undefined) return { kind: 'REFUSED', why }
  return { kind: 'CHANGE', status: proposal.status, processorStatus: phaseAfter(payment, proposal) }
}

/** What speaks against a change that the table of edges allows. */
function whyNot(payment: DecidedOn, proposal: Proposal): string | undefined {
  const { status, evidence } = proposal
  const missing = evidenceMissing(payment, status, evidence)
  if (missing !== undefined) return missing
  if (status === 'EXPIRED') return whyNotExpired(payment)
  if (status === 'CANCELLED' && evidence.class === 'PEOPLE' && payment.submittedAt !== undefined)
    return 'an institution has it'
  if (status === 'CANCELLED' && evidence.class === 'MERCHANT') return whyPerhapsPaid(payment)
  return status === 'SUCCESS' ? whyNotPaid(payment, proposal) : undefined
}

/** Phases of a payin that nobody has begun to pay, as far as is known. */
const UNPAID: readonly ProcessorStatus[] = ['ACCEPTED', 'AWAITING_CUSTOMER', 'AWAITING_REFERENCE']

/** What speaks against that nothing was paid. */
function whyPerhapsPaid({ processorStatus, received }: DecidedOn): string | undefined {
  if (received !== undefined) return `${textOfMoney(received)} arrived for it`
  if (UNPAID.includes(processorStatus)) return undefined
  return processorStatus === 'REFERENCE_SUBMITTED'
    ? 'its customer says that it was paid'
    : `it is not known whether it was paid (${processorStatus})`
}

function whyNotExpired(payment: DecidedOn): string | undefined {
  if (!payment.isDue) return 'its time to pay is not over'
  // The institution may have moved the money: it is asked again, and nothing is guessed.
  if (payment.submittedAt !== undefined) return 'an institution has it'
  return payment.processorStatus === 'UNKNOWN' ? 'its outcome is not known' : undefined
}

function whyNotPaid(payment: DecidedOn, { reason, received }: Proposal): string | undefined {
  const { kind, status, money, submittedAt } = payment
  if (status === 'CANCELLED' && isOutgoing(kind) && submittedAt === undefined)
    return 'it was never handed over'
  const needsNoReason = status === 'CREATED' || (kind === 'PAYIN' && status === 'EXPIRED')
  if (!needsNoReason && (reason ?? '').trim() === '') return 'it is not said why it was paid after all'
  return otherMoney(money, received)
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

function phaseAfter(before: DecidedOn, { status, evidence }: Proposal): ProcessorStatus {
  switch (status) {
    case 'SUCCESS':
      return before.status === 'EXPIRED' ? 'CONFIRMED_LATE' : 'CONFIRMED'
    case 'REVERSED':
      return 'RETURNED'
    case 'FAILED':
      return 'REJECTED'
    case 'CANCELLED':
      // People were asked for their approval, and said no.
      return before.processorStatus === 'AWAITING_APPROVAL' && evidence.class === 'PEOPLE'
        ? 'REJECTED'
        : before.processorStatus
    // Nobody rejected it: the phase still says what it was waiting for.
    case 'EXPIRED':
      return before.processorStatus
  }
}

/** A key as one text: for maps, and bound into the encryption of personal data. */
export function textOf(key: PaymentKey): string {
  return `${key.merchantId} ${key.kind} ${key.idPayment}`
}
