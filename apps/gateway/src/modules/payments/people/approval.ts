import type { Database, Tx } from '../../../platform/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Payment, PaymentKey } from '../model.ts'
import { type HeldPayment, withSealedData } from '../privacy/personal-data.ts'
import { insertTask } from '../progress/task-store.ts'
import { type TransitionDeps, transition } from '../progress/transitions.ts'
import { listPaymentsForUpdate, updatePhase } from '../store.ts'
import { unknownPayment } from '../unknown-payment.ts'

/** What people decided about a payment that waits for them. */
export type ApprovalDecision =
  /** Noted; somebody else must agree. */
  | { readonly kind: 'WAIT'; readonly actor: string; readonly reason: string }
  /** It goes to the institution. */
  | { readonly kind: 'RELEASE'; readonly actor: string; readonly reason: string }
  /** It ends, and its money is released. The message is for the merchant. */
  | {
      readonly kind: 'REJECT'
      readonly actor: string
      readonly operatorCode: string
      readonly message: string
    }

/** Decides under the lock of the payment; what it writes belongs to the same transaction. May throw, which changes nothing. */
export type ApprovalJudge = (tx: Tx, held: HeldPayment) => Promise<ApprovalDecision>

/**
 * Lets people decide about a payment that waits for them: its row is locked, then judged, then the decision is carried
 * out, all in one transaction. Throws ENTITY_NOT_FOUND, and APPROVAL_NOT_OPEN for one that does not wait, or whose time
 * is over. Gives the payment as it was, and the decision.
 */
export function decideApproval(
  deps: TransitionDeps & { readonly db: Database },
  key: PaymentKey,
  judge: ApprovalJudge,
): Promise<{ readonly payment: Payment; readonly decision: ApprovalDecision }> {
  return deps.db.transaction(async (tx) => {
    const [held] = await withSealedData(tx, await listPaymentsForUpdate(tx, [key]))
    if (held === undefined) throw unknownPayment(key)
    const { payment } = held
    const isOpen = payment.status === 'CREATED' && payment.processorStatus === 'AWAITING_APPROVAL'
    if (!isOpen || payment.isDue) throw notOpen(payment)
    const decision = await judge(tx, held)
    await carryOut(deps, tx, payment, decision)
    return { payment, decision }
  })
}

function notOpen({ status, processorStatus, isDue }: Payment): Refusal {
  const why = status === 'CREATED' && isDue ? 'its time is over' : `it is ${status} (${processorStatus})`
  return new Refusal('APPROVAL_NOT_OPEN', { message: `This payment is not waiting for approval: ${why}.` })
}

async function carryOut(
  deps: TransitionDeps,
  tx: Tx,
  payment: Payment,
  decision: ApprovalDecision,
): Promise<void> {
  const { merchantId, kind, idPayment, status } = payment
  const key = { merchantId, kind, idPayment }
  const { actor } = decision
  if (decision.kind === 'REJECT') {
    const { message, operatorCode } = decision
    const failure = { code: 'APPROVAL_REJECTED', message }
    const evidence = { class: 'PEOPLE', operators: [operatorCode] } as const
    const proposal = { status: 'CANCELLED', actor, evidence, reason: message, failure } as const
    const [outcome] = await transition(deps, tx, [{ key, proposal }])
    if (outcome?.kind !== 'CHANGED') throw new Error('a payment that waits could not be cancelled')
    return
  }
  const { reason } = decision
  const processorStatus = decision.kind === 'WAIT' ? 'AWAITING_APPROVAL' : 'QUEUED'
  await updatePhase(tx, { ...key, status, processorStatus, actor, reason })
  if (decision.kind === 'RELEASE') await insertTask(tx, key, 'RAIL')
}
