import { compareAmounts, type Money } from '@tollgate/money'
import type { NotificationReading } from '../../rails/rail.ts'
import type { Payment, PaymentKey, PaymentKind } from '../payments/index.ts'

/** PENDING until a worker has looked at it. APPLIED changed its payment; KNOWN said nothing new. */
export const NOTIFICATION_STATES = ['PENDING', 'APPLIED', 'KNOWN', 'QUARANTINED'] as const
export type NotificationState = (typeof NOTIFICATION_STATES)[number]

/** Why a message is kept for people to look at, and was not applied. */
const QUARANTINE_REASONS = [
  /** It comes from the institution, but it cannot be understood. */
  'UNREADABLE',
  /** Its id was another message's. */
  'ID_REUSED',
  /** No payment has its reference, and none got it within a minute. */
  'REFERENCE_UNKNOWN',
  /** The payment went by another rail. */
  'RAIL_DIFFERS',
  'MERCHANT_DIFFERS',
  'DIRECTION_DIFFERS',
  'MONEY_DIFFERS',
  /** It says what the payment cannot become, such as FAILED after SUCCESS. */
  'CONTRADICTS',
  /** Working on it failed again and again. */
  'FAULT',
] as const
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number]

/** A message as people see it: without its words. */
export interface ListedNotification {
  readonly notificationNo: string
  readonly railCode: string
  readonly idNotification: string | undefined
  readonly state: NotificationState
  readonly reason: QuarantineReason | undefined
  readonly detail: string | undefined
  /** As told. */
  readonly reference: string | undefined
  readonly merchantCode: string | undefined
  readonly report: string | undefined
  /** The payment that it was found to be about. */
  readonly payment:
    | { readonly merchantCode: string; readonly kind: PaymentKind; readonly id: string }
    | undefined
  readonly repeats: number
  readonly attempts: number
  readonly receivedAt: Date
  readonly doneAt: Date | undefined
}

/** What an institution told us about a payment, proven and read. */
export type Notice = Extract<NotificationReading, { kind: 'NOTICE' }>

/** The payment that a notice's reference belongs to, with its merchant's public code. */
export interface Found {
  readonly payment: Payment
  readonly merchantCode: string
  /** Where the merchant is by now, if that is another cell. */
  readonly cell?: string | undefined
}

/** What is done with a notice. */
export type Judgement =
  /** It fits its payment: the state machine has the last word. */
  | { readonly kind: 'PROPOSE' }
  /** Nothing is decided at the institution yet. */
  | { readonly kind: 'NO_NEWS' }
  /** Something that must have come before it has not come yet; after a while it goes to people. */
  | { readonly kind: 'EARLY'; readonly reason: 'REFERENCE_UNKNOWN' | 'CONTRADICTS'; readonly detail: string }
  | {
      readonly kind: 'QUARANTINE'
      readonly reason: QuarantineReason
      readonly detail: string
      /** The institution speaks of this payment and says that money moved: people look at the payment, too. */
      readonly needsReview: boolean
    }

/** How long a notice may be ahead of what it is about, in seconds. */
export const EARLY_SECONDS_MAX = 60

/** Judges a notice of a rail against its payment. Whatever differs keeps it from being applied. */
export function judgeNotice(railCode: string, notice: Notice, found: Found | undefined): Judgement {
  if (found === undefined)
    return { kind: 'EARLY', reason: 'REFERENCE_UNKNOWN', detail: 'no payment has this reference' }
  const difference = differenceOf(railCode, notice, found)
  if (difference !== undefined) return { kind: 'QUARANTINE', ...difference }
  if (found.cell !== undefined)
    return {
      kind: 'QUARANTINE',
      reason: 'REFERENCE_UNKNOWN',
      detail: `its merchant is in cell ${found.cell}: have the institution send it there`,
      needsReview: false,
    }
  if (notice.report.kind === 'WAITING') return { kind: 'NO_NEWS' }
  if (notice.report.kind === 'RETURNED' && found.payment.status === 'CREATED')
    return { kind: 'EARLY', reason: 'CONTRADICTS', detail: 'money came back that has not moved' }
  return { kind: 'PROPOSE' }
}

type Difference = Omit<Extract<Judgement, { kind: 'QUARANTINE' }>, 'kind'>

function differenceOf(
  railCode: string,
  notice: Notice,
  { payment, merchantCode }: Found,
): Difference | undefined {
  const differs = (reason: QuarantineReason, told: string, known: string): Difference => ({
    reason,
    detail: `it says ${told}, the payment has ${known}`,
    needsReview: false,
  })
  if (payment.rail !== railCode) return differs('RAIL_DIFFERS', railCode, payment.rail)
  if (notice.merchantCode !== merchantCode)
    return differs('MERCHANT_DIFFERS', notice.merchantCode, merchantCode)
  const direction = directionOf(payment)
  if (notice.direction !== direction) return differs('DIRECTION_DIFFERS', notice.direction, direction)
  const { report } = notice
  if (report.kind === 'SUCCEEDED' && !isSame(report.received, payment.money))
    return {
      ...differs('MONEY_DIFFERS', textOf(report.received), textOf(payment.money)),
      needsReview: payment.status !== 'SUCCESS',
    }
  if (isSame(notice.money, payment.money)) return undefined
  return differs('MONEY_DIFFERS', textOf(notice.money), textOf(payment.money))
}

/** As institutions see it: paying out a merchant's own money is a payout. */
function directionOf({ kind }: Pick<PaymentKey, 'kind'>): Notice['direction'] {
  return kind === 'SETTLEMENT' ? 'PAYOUT' : kind
}

const textOf = (money: Money): string => `${money.amount} ${money.currencyCode}`

function isSame(told: Money, known: Money): boolean {
  return told.currencyCode === known.currencyCode && compareAmounts(told.amount, known.amount) === 0
}

const RETRY_SECONDS_MIN = 0.5
const RETRY_SECONDS_MAX = 10

/** Seconds until an early notice is looked at again; undefined when its time is over. */
export function retryAfterSeconds(ageSeconds: number): number | undefined {
  const left = EARLY_SECONDS_MAX - ageSeconds
  if (left <= 0) return undefined
  return Math.min(left, RETRY_SECONDS_MAX, Math.max(RETRY_SECONDS_MIN, ageSeconds / 2))
}
