import type { PaymentState } from '@tollgate/rail-protocol'
import type { Ids } from '@tollgate/runtime'
import { type Line, type Notice, type Payment, type Plan, stateOf } from './books.ts'
import { delayMsOf, moneyMoved } from './moods.ts'

/** What changes a payment's status writes. Pure but for ids: the same payment and moment give the same change. */

type Change = Extract<Line, { type: 'CHANGED' }>

const PAYER_NAME = 'Simulated Customer'
/** Of a bank that does not exist, with right check digits: what was paid from it can be refunded to it. */
const PAYER_ACCOUNT = 'DE66999999990000000002'
const BANK = { bankCode: 'TGSBDE99XXX', bankName: 'Tollgate bank simulator' }

/** When something happens, and what the gateway hears of it. */
export interface Moment {
  readonly atMs: number
  readonly ids: Ids
  /** False where nobody is told: there is no gateway to tell, or this change is to be found out by asking. */
  readonly notifies: boolean
}

/** The money moves. `userName` is the customer's at the page. */
export function executed(payment: Payment, moment: Moment, userName: string | undefined): Change {
  const { request, mood } = payment
  const { accountName, accountNumber, bankCode } = request.customer
  const isIncoming = request.direction !== 'PAYOUT'
  const payer = {
    accountName: accountName ?? userName ?? PAYER_NAME,
    accountNumber: accountNumber ?? PAYER_ACCOUNT,
    ...BANK,
    ...(bankCode !== undefined && { bankCode }),
  }
  return change(payment, moment, {
    status: 'SUCCEEDED',
    movement: { kind: 'EXECUTED', money: moneyMoved(request.money, mood.mood) },
    ...(isIncoming && { payer }),
    ...(mood.mood === 'BOUNCE' && { plan: planAt('RETURN', moment.atMs + delayMsOf(mood)) }),
  })
}

/** The money that had moved comes back. */
export function returned(payment: Payment, moment: Moment): Change {
  return change(payment, moment, {
    status: 'RETURNED',
    movement: { kind: 'RETURNED', money: payment.moved ?? payment.request.money },
    reason: { code: 'RETURNED', message: 'The money came back.' },
  })
}

/** The customer says no. */
export function declined(payment: Payment, moment: Moment): Change {
  const reason = { code: 'DECLINED', message: 'The customer declined the payment.' }
  return change(payment, moment, { status: 'FAILED', reason })
}

/** The gateway called it off. */
export function cancelled(payment: Payment, moment: Moment): Change {
  const reason = { code: 'CANCELLED', message: 'The gateway called the payment off.' }
  return change(payment, moment, { status: 'CANCELLED', reason })
}

export function planAt(action: Plan['action'], atMs: number): Plan {
  return { action, at: new Date(atMs).toISOString() }
}

type Outcome = Pick<Change, 'status' | 'movement' | 'payer' | 'reason' | 'plan'>

function change(payment: Payment, moment: Moment, outcome: Outcome): Change {
  // Later than the state before, also where the clock stands still: whoever orders states by their time must be able to.
  const atMs = Math.max(moment.atMs, Date.parse(payment.updatedAt) + 1)
  const at = new Date(atMs).toISOString()
  const { status, movement, payer, reason, plan } = outcome
  const after: Payment = {
    ...payment,
    status,
    moved: movement?.kind === 'EXECUTED' ? movement.money : payment.moved,
    payer: payer ?? payment.payer,
    reason,
    plan,
    updatedAt: at,
  }
  return {
    type: 'CHANGED',
    at,
    reference: payment.request.reference,
    ...outcome,
    notices: moment.notifies ? noticesOf(payment, after, moment.ids) : [],
  }
}

function noticesOf(before: Payment, after: Payment, ids: Ids): Notice[] {
  const notice = (payment: PaymentState, sendings = 1): Notice => ({
    idNotification: ids.uuid(),
    sendings,
    payment,
  })
  const newer = stateOf(after)
  if (after.mood.mood === 'NOTIFY_TWICE') return [notice(newer, 2), notice(newer)]
  if (after.mood.mood === 'NOTIFY_WRONG_ORDER') return [notice(newer), notice(stateOf(before))]
  return [notice(newer)]
}
