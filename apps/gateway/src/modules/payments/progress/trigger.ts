import type { TriggerOutcome } from '@tollgate/contract/words'
import {
  type Amount,
  addAmounts,
  CURRENCIES_ISO_4217,
  fractionDigits,
  fromMinorUnits,
  isZero,
  type Money,
  toMinorUnits,
} from '@tollgate/money'
import type { FinalReport } from '../../../rails/rail.ts'
import { isOutgoing, type Payment, type PaymentKey } from '../model.ts'
import { updatePhase } from '../store.ts'
import { keepAnswer, putForward, type ReportDeps } from './reports.ts'
import { updateExpireAt, updateUnknown } from './trigger-store.ts'

/** What became of it. */
export type Triggered =
  | { readonly kind: 'CHANGED' }
  /** It was so already. */
  | { readonly kind: 'SAME' }
  /** It does not fit the payment, and went to review. */
  | { readonly kind: 'IN_REVIEW'; readonly why: string }
  /** Nothing happened. */
  | { readonly kind: 'REFUSED'; readonly why: string }

const ACTOR = 'sandbox:trigger'
/** It speaks for the simulated institution. */
const EVIDENCE = { class: 'SANDBOX' } as const
/** The institution is asked again so long after it was made not to know. */
const UNKNOWN_SECONDS = 15

/**
 * Makes an institution say something about a payment of the sandbox. It goes the way of every report: the table of edges
 * decides. Throws for a payment that is none of the sandbox's.
 */
export async function triggerOutcome(
  deps: ReportDeps,
  payment: Payment,
  outcome: TriggerOutcome,
): Promise<Triggered> {
  if (!payment.isTest) throw new Error('only payments of the sandbox can be triggered')
  const why = whyNot(payment, outcome)
  if (why !== undefined) return { kind: 'REFUSED', why }
  if (outcome === 'unknown') return makeUnknown(deps, payment)
  if (outcome === 'expired') return expire(deps, payment)
  if (outcome === 'late' && payment.status === 'CREATED') {
    const expired = await expire(deps, payment)
    if (expired.kind === 'REFUSED') return expired
  }
  return say(deps, payment, reportOf(payment, outcome))
}

function whyNot(payment: Payment, outcome: TriggerOutcome): string | undefined {
  const { kind, status, processorStatus } = payment
  if (outcome === 'late' && kind !== 'PAYIN') return 'only a payin can be paid late'
  if (outcome === 'unknown' && status !== 'CREATED') return `it is ${status} already`
  if (outcome === 'unknown' && processorStatus === 'IN_REVIEW') return 'it waits for people'
  if (isOutgoing(kind)) return whyNotOut(payment, outcome)
  if (outcome === 'partial' && halfOf(payment.money) === undefined) return 'it is too small to be halved'
  return undefined
}

function whyNotOut({ status, submittedAt }: Payment, outcome: TriggerOutcome): string | undefined {
  if (outcome === 'partial' || outcome === 'over') return 'money that goes out goes out whole'
  const isHere = status === 'CREATED' && submittedAt === undefined
  return isHere && outcome !== 'expired' ? 'no institution has it yet' : undefined
}

async function say(deps: ReportDeps, payment: Payment, report: FinalReport): Promise<Triggered> {
  const outcome = await putForward(deps, keyOf(payment), {
    report,
    actor: ACTOR,
    evidence: EVIDENCE,
    question: 'TRIGGER',
  })
  switch (outcome.kind) {
    case 'CHANGED':
    case 'SAME':
      return { kind: outcome.kind }
    case 'REFUSED':
      return { kind: 'IN_REVIEW', why: outcome.why }
    case 'MISSING':
      return { kind: 'REFUSED', why: 'it is gone' }
  }
}

function reportOf({ money }: Payment, outcome: Exclude<TriggerOutcome, 'unknown' | 'expired'>): FinalReport {
  switch (outcome) {
    case 'paid':
    case 'late':
      return { kind: 'SUCCEEDED', received: money }
    case 'partial':
      return { kind: 'SUCCEEDED', received: { ...money, amount: halfOf(money) ?? money.amount } }
    case 'over':
      return { kind: 'SUCCEEDED', received: { ...money, amount: addAmounts(money.amount, money.amount) } }
    case 'declined':
      return { kind: 'FAILED', code: 'DECLINED', message: 'The institution declined the payment.' }
    case 'cancelled':
      return { kind: 'CANCELLED', message: 'The customer cancelled at the institution.' }
    case 'returned':
      return { kind: 'RETURNED', code: 'RETURNED', message: 'The institution sent the money back.' }
  }
}

/** Half of it in whole minor units; undefined when that is nothing. */
function halfOf({ amount, currencyCode }: Money): Amount | undefined {
  const minorUnits = Math.max(CURRENCIES_ISO_4217.get(currencyCode)?.minorUnits ?? 0, fractionDigits(amount))
  const half = fromMinorUnits(toMinorUnits(amount, minorUnits) / 2n, minorUnits)
  return isZero(half) ? undefined : half
}

/** Lets the time to pay be over, and then does what the worker does. */
async function expire(deps: ReportDeps, payment: Payment): Promise<Triggered> {
  await updateExpireAt(deps.db, keyOf(payment))
  const outcome = await deps.payments.propose(keyOf(payment), {
    status: 'EXPIRED',
    actor: ACTOR,
    evidence: EVIDENCE,
    reason: 'the time to pay is over',
  })
  if (outcome.kind === 'CHANGED' || outcome.kind === 'SAME') return { kind: outcome.kind }
  return { kind: 'REFUSED', why: outcome.kind === 'REFUSED' ? outcome.why : 'it is gone' }
}

/** Until it is asked again, the institution does not know. */
async function makeUnknown(deps: ReportDeps, payment: Payment): Promise<Triggered> {
  if (payment.processorStatus === 'UNKNOWN') return { kind: 'SAME' }
  const key = keyOf(payment)
  await keepAnswer(deps, key, {
    report: { kind: 'UNKNOWN', askAgainSeconds: UNKNOWN_SECONDS },
    question: 'TRIGGER',
  })
  await deps.db.transaction(async (tx) => {
    await updatePhase(tx, { ...key, status: 'CREATED', processorStatus: 'UNKNOWN', actor: ACTOR })
    await updateUnknown(tx, key, UNKNOWN_SECONDS)
  })
  return { kind: 'CHANGED' }
}

function keyOf({ merchantId, kind, idPayment }: Payment): PaymentKey {
  return { merchantId, kind, idPayment }
}
