import type { Database, Tx } from '../../../platform/database.ts'
import { Refusal, rejection } from '../../../platform/refusal.ts'
import {
  isOutgoing,
  OPERATOR_ACTOR_PREFIX,
  type Payment,
  type PaymentKey,
  type ProcessorStatus,
} from '../model.ts'
import {
  type HoldEntry,
  insertHoldCancelled,
  isRestoreGapOpen,
  listHolds,
  updateHeld,
  updateReleased,
} from '../progress/hand-over-store.ts'
import { insertTask } from '../progress/task-store.ts'
import { type TransitionDeps, transition } from '../progress/transitions.ts'
import { listPaymentsForUpdate } from '../store.ts'
import { unknownPayment } from '../unknown-payment.ts'

/** An operator's word about one payment: to stop it, to let it go on, or to end it. */
export interface HoldOrder {
  readonly operatorCode: string
  readonly reason: string
}

/** Phases of an outgoing payment that no institution has. */
const STOPPABLE: readonly ProcessorStatus[] = ['QUEUED', 'AWAITING_APPROVAL']

/**
 * Stops an outgoing payment that no institution has: it is handed over to nobody until another operator releases it. Its
 * time to be paid goes on. Throws ENTITY_NOT_FOUND, and HOLD_NOT_OPEN when it is too late, or on hold already.
 */
export async function holdPayment(db: Database, key: PaymentKey, order: HoldOrder): Promise<void> {
  const refusal = await db.transaction(async (tx) => {
    const payment = await lock(tx, key)
    const { status, processorStatus: phase, submittedAt } = payment
    // Handed out, not thrown: the COMMIT of the lock waits for the standby, and who hears that it is stopped relies on it.
    if (status !== 'CREATED' || submittedAt !== undefined || !STOPPABLE.includes(phase))
      return notStoppable(payment)
    const { operatorCode, reason } = order
    const hold = { ...keyOf(payment), phase, cause: 'OPERATOR', operatorCode, reason } as const
    const count = await updateHeld(tx, [hold], actorOf(order))
    if (count !== 1) throw new Error('a payment that could be stopped was not')
    return undefined
  })
  if (refusal !== undefined) throw refusal
}

/**
 * Lets a payment go on where it was stopped; before it is handed over everything is looked at once more. Whoever stopped it
 * does not release it. Throws ENTITY_NOT_FOUND, HOLD_NOT_OPEN and HOLD_OWN.
 */
export function releasePayment(db: Database, key: PaymentKey, order: HoldOrder): Promise<void> {
  return db.transaction(async (tx) => {
    const payment = await lock(tx, key)
    const { phase = 'QUEUED', operatorCode } = await requireHold(tx, payment)
    if (operatorCode === order.operatorCode) {
      const message = 'You put this payment on hold, so another operator has to release it.'
      throw rejection([{ code: 'HOLD_OWN', message }])
    }
    await updateReleased(tx, key, { ...order, phase, actor: actorOf(order) })
    if (phase === 'QUEUED') await insertTask(tx, keyOf(payment), 'RAIL')
  })
}

/** Ends a payment that is on hold: CANCELLED, its money is released. Throws ENTITY_NOT_FOUND and HOLD_NOT_OPEN. */
export function cancelHeld(
  deps: TransitionDeps & { readonly db: Database },
  key: PaymentKey,
  order: HoldOrder,
): Promise<Payment> {
  return deps.db.transaction(async (tx) => {
    const payment = await lock(tx, key)
    await requireHold(tx, payment)
    const { operatorCode, reason } = order
    const failure = { code: 'STOPPED', message: reason }
    // A payment is held before it is handed over: nothing has left.
    const evidence = { class: 'PEOPLE', operators: [operatorCode] } as const
    const proposal = { status: 'CANCELLED', actor: actorOf(order), evidence, reason, failure } as const
    const [outcome] = await transition(deps, tx, [{ key: keyOf(payment), proposal }])
    if (outcome?.kind !== 'CHANGED') throw new Error('a payment on hold could not be cancelled')
    await insertHoldCancelled(tx, key, { operatorCode, reason, entryNo: payment.timelineCount + 1 })
    return payment
  })
}

const actorOf = ({ operatorCode }: HoldOrder): string => `${OPERATOR_ACTOR_PREFIX}${operatorCode}`

async function lock(tx: Tx, key: PaymentKey): Promise<Payment> {
  const [payment] = isOutgoing(key.kind) ? await listPaymentsForUpdate(tx, [key]) : []
  if (payment === undefined) throw unknownPayment(key)
  return payment
}

/** What put the payment on hold. */
async function requireHold(tx: Tx, payment: Payment): Promise<HoldEntry> {
  const isHeld = payment.status === 'CREATED' && payment.processorStatus === 'ON_HOLD'
  const last = isHeld ? (await listHolds(tx, [payment])).at(-1) : undefined
  if (last?.event === 'HELD') {
    if (await isRestoreGapOpen(tx))
      throw notOpen(
        'This payment may have been handed over before the restore. Close the gap first: `tollgate restore-gap show`.',
      )
    return last
  }
  throw notOpen(`This payment is not on hold: it is ${stateOf(payment)}.`)
}

function notStoppable(payment: Payment): Refusal {
  const { status, processorStatus } = payment
  if (status === 'CREATED' && processorStatus === 'ON_HOLD')
    return notOpen('This payment is on hold already.')
  const why = status === 'CREATED' ? 'an institution has it' : 'it has ended'
  return notOpen(`This payment cannot be put on hold, since ${why}: it is ${stateOf(payment)}.`)
}

const notOpen = (message: string): Refusal => new Refusal('HOLD_NOT_OPEN', { message })

const stateOf = ({ status, processorStatus }: Payment): string => `${status} (${processorStatus})`

const keyOf = ({ merchantId, kind, idPayment }: Payment): PaymentKey => ({ merchantId, kind, idPayment })
