import { type Money, parsePlainAmount } from '@tollgate/money'
import type { PaymentState, ProtocolMoney } from '@tollgate/rail-protocol'
import type { NotificationReading, RailPayment } from '../rail.ts'

type Report = Extract<NotificationReading, { kind: 'NOTICE' }>['report']

const ASK_AGAIN_SECONDS_MIN = 15
const ASK_AGAIN_SECONDS_MAX = 900
/** An old payment is asked for rarely: a quarter of its age passes between two questions. */
const ASK_AGAIN_SHARE = 4

/** Whether the state is the one of this payment, and not of another that was confused with it. */
export function fits(state: PaymentState, payment: RailPayment): boolean {
  return (
    state.reference === payment.reference &&
    state.merchantCode === payment.merchantCode &&
    state.direction === payment.kind
  )
}

/**
 * What follows from a state that is proven to be the institution's. What arrived is told as it arrived, whatever was
 * ordered: whoever knows the payment compares.
 */
export function reportOn(state: PaymentState, ageSeconds: number): Report {
  const { status, askAgainSeconds } = state
  switch (status) {
    case 'PENDING':
      // Notifications get lost, so the payment is asked for even where the institution did not say when.
      return { kind: 'WAITING', askAgainSeconds: askAgainSeconds ?? restSeconds(ageSeconds) }
    case 'SUCCEEDED':
      return {
        kind: 'SUCCEEDED',
        received: moneyOf(state.received ?? state.money),
        ...(state.payer !== undefined && { payer: state.payer }),
        ...watchOf(state),
      }
    case 'CANCELLED':
      return { kind: 'CANCELLED', message: whyOf(state).message }
    case 'FAILED':
    case 'RETURNED':
      return { kind: status, ...whyOf(state) }
  }
}

/** Money that went out may come back. */
function watchOf({ direction, askAgainSeconds }: PaymentState): { readonly watchSeconds?: number } {
  return direction === 'PAYOUT' && askAgainSeconds !== undefined ? { watchSeconds: askAgainSeconds } : {}
}

const WITHOUT_REASON = {
  FAILED: { code: 'DECLINED', message: 'The institution declined the payment.' },
  CANCELLED: { code: 'CANCELLED', message: 'The payment was cancelled at the institution.' },
  RETURNED: { code: 'RETURNED', message: 'The institution sent the money back.' },
} as const

function whyOf({ status, reason }: PaymentState): { readonly code: string; readonly message: string } {
  if (reason !== undefined) return reason
  return status === 'PENDING' || status === 'SUCCEEDED' ? WITHOUT_REASON.FAILED : WITHOUT_REASON[status]
}

/** Money of the wire in its one canonical form: the schema has let plain decimals through, and nothing else. */
export function moneyOf({ amount, currencyCode }: ProtocolMoney): Money {
  return { amount: parsePlainAmount(amount), currencyCode }
}

/** When to ask again about a payment of this age, in seconds, where nobody else says so. */
export function restSeconds(ageSeconds: number): number {
  const seconds = Math.ceil(ageSeconds / ASK_AGAIN_SHARE)
  return Math.min(ASK_AGAIN_SECONDS_MAX, Math.max(ASK_AGAIN_SECONDS_MIN, seconds))
}
