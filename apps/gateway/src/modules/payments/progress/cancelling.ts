import type { Database } from '../../../platform/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Payment, PaymentKey } from '../model.ts'
import { listPaymentsForUpdate } from '../store.ts'
import { lockRailTask } from './task-store.ts'
import { type TransitionDeps, transition } from './transitions.ts'

/** The payment as it was, and whether it was cancelled just now. */
interface Cancelling {
  readonly payment: Payment
  readonly isNew: boolean
}

const FAILURE = { code: 'CANCELLED_BY_MERCHANT', message: 'The merchant cancelled the payment.' } as const

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
    if (payment === undefined) return new Refusal('ENTITY_NOT_FOUND')
    if (payment.status === 'CREATED' && (await lockRailTask(tx, key)) === 'LEASED')
      return notCancellable('its institution is being asked about it at this moment. Try again in a minute')
    const [cancelled] = await transition(deps, tx, [
      {
        key,
        proposal: {
          status: 'CANCELLED',
          actor: 'merchant',
          evidence: { class: 'MERCHANT' },
          failure: FAILURE,
        },
      },
    ])
    if (cancelled?.kind === 'REFUSED')
      return notCancellable(cancelled.status === 'CREATED' ? cancelled.why : `it is ${cancelled.status}`)
    return { payment, isNew: cancelled?.kind === 'CHANGED' }
  })
  // Handed out, not thrown: the COMMIT of the lock waits for the standby, and the merchant relies on what it hears.
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

const notCancellable = (why: string): Refusal =>
  new Refusal('PAYIN_NOT_CANCELLABLE', { message: `This payin cannot be cancelled: ${why}.` })
