import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../platform/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { decide, type Payment, type PaymentKey, type Proposal } from '../model.ts'
import { listPaymentsForUpdate } from '../store.ts'
import { unknownPayment } from '../unknown-payment.ts'
import { lockRailTask } from './task-store.ts'
import { type TransitionDeps, transition } from './transitions.ts'

/** The payment as it was, and whether it was cancelled just now. */
interface Cancelling {
  readonly payment: Payment
  readonly isNew: boolean
}

const CANCELLATION: Proposal = {
  status: 'CANCELLED',
  actor: 'merchant',
  evidence: { class: 'MERCHANT' },
  failure: { code: 'CANCELLED_BY_MERCHANT', message: 'The merchant cancelled the payment.' },
}
const BEING_ASKED = 'its institution is being asked about it at this moment. Try again shortly'
/** A question to an institution is mostly answered at once, and right after a create there is always one. */
const PAUSES_MS = [25, 50, 100, 250, 500] as const

type CancellingDeps = TransitionDeps & { readonly db: Database }

/**
 * Cancels a payin for its merchant while nothing was paid. One that is cancelled stays so. While its institution is being asked, it
 * is tried again for about a second. Throws ENTITY_NOT_FOUND and PAYIN_NOT_CANCELLABLE.
 */
export async function cancelUnpaid(deps: CancellingDeps, key: PaymentKey): Promise<Cancelling> {
  let outcome = await cancelUnlessAsked(deps, key)
  for (const pauseMs of PAUSES_MS) {
    if (outcome !== 'BEING_ASKED') break
    await sleep(pauseMs)
    outcome = await cancelUnlessAsked(deps, key)
  }
  if (outcome === 'BEING_ASKED') throw notCancellable(BEING_ASKED)
  // Handed out, not thrown: the COMMIT of the lock waits for the standby, and the merchant relies on what it hears.
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

/**
 * One attempt, under the lock of the payin's row. The task of its rail is locked, too: no worker begins to ask the institution while
 * the payin ends.
 */
const cancelUnlessAsked = (
  deps: CancellingDeps,
  key: PaymentKey,
): Promise<Cancelling | Refusal | 'BEING_ASKED'> =>
  deps.db.transaction(async (tx) => {
    const [payment] = await listPaymentsForUpdate(tx, [key])
    if (payment === undefined) return unknownPayment(key)
    const { status } = payment
    const decision = decide(payment, CANCELLATION)
    if (decision.kind === 'REFUSED')
      return notCancellable(status === 'CREATED' ? decision.why : `it is ${status}`)
    if (decision.kind === 'SAME') return { payment, isNew: false }
    if ((await lockRailTask(tx, key)) === 'LEASED') return 'BEING_ASKED'
    const [cancelled] = await transition(deps, tx, [{ key, proposal: CANCELLATION }])
    if (cancelled?.kind !== 'CHANGED')
      throw new Error('a payin was not cancelled although nothing spoke against it')
    return { payment, isNew: true }
  })

const notCancellable = (reason: string): Refusal =>
  new Refusal('PAYIN_NOT_CANCELLABLE', { message: `This payin cannot be cancelled: ${reason}.` })
