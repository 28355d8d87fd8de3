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
const BEING_ASKED = 'its institution is being asked about it at this moment. Try again in a minute'

/**
 * Cancels a payin for its merchant while nothing was paid, under the lock of its row. One that is cancelled stays so. The task of
 * its rail is locked, too: no worker begins to ask the institution while the payin ends.
 * Throws ENTITY_NOT_FOUND and PAYIN_NOT_CANCELLABLE.
 */
export async function cancelUnpaid(
  deps: TransitionDeps & { readonly db: Database },
  key: PaymentKey,
): Promise<Cancelling> {
  const outcome = await deps.db.transaction(async (tx) => {
    const [payment] = await listPaymentsForUpdate(tx, [key])
    if (payment === undefined) return unknownPayment(key)
    const decision = decide(payment, CANCELLATION)
    if (decision.kind === 'REFUSED') return notCancellable(payment, decision.why)
    if (decision.kind === 'SAME') return { payment, isNew: false }
    if ((await lockRailTask(tx, key)) === 'LEASED') return notCancellable(payment, BEING_ASKED)
    const [cancelled] = await transition(deps, tx, [{ key, proposal: CANCELLATION }])
    if (cancelled?.kind !== 'CHANGED')
      throw new Error('a payin was not cancelled although nothing spoke against it')
    return { payment, isNew: true }
  })
  // Handed out, not thrown: the COMMIT of the lock waits for the standby, and the merchant relies on what it hears.
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

function notCancellable({ status }: Payment, why: string): Refusal {
  const reason = status === 'CREATED' ? why : `it is ${status}`
  return new Refusal('PAYIN_NOT_CANCELLABLE', { message: `This payin cannot be cancelled: ${reason}.` })
}
