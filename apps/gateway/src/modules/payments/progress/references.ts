import type { Tx } from '../../../platform/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isFinal, type Payment, type PaymentKey } from '../model.ts'
import { listPaymentsForUpdate, updatePhase } from '../store.ts'
import { phaseAfterReference } from './phases.ts'
import { problemOfReference } from './reference-format.ts'
import { insertTask } from './task-store.ts'

/** Stores a customer's reference under the lock of its payment; the rules are those of PaymentService. */
export async function storeReference(tx: Tx, key: PaymentKey, externalReference: string): Promise<void> {
  const [payment] = await listPaymentsForUpdate(tx, [key])
  if (payment === undefined) throw new Refusal('ENTITY_NOT_FOUND')
  if (payment.instructions.takesReference !== true) throw new Refusal('INVALID_REF_NUM')
  if (payment.externalReference === externalReference) return
  const problem = problemOfReference(payment, externalReference)
  if (problem !== undefined) throw new Refusal('INVALID_REF_NUM', { message: problem })
  await change(tx, payment, externalReference)
}

async function change(tx: Tx, payment: Payment, externalReference: string): Promise<void> {
  const { merchantId, kind, idPayment, status } = payment
  if (isFinal(status) && status !== 'EXPIRED') throw new Refusal('ENTITY_EXPIRED')
  const key = { merchantId, kind, idPayment }
  await updatePhase(tx, {
    ...key,
    status,
    processorStatus: phaseAfterReference(payment),
    actor: 'customer',
    externalReference,
  })
  if (status === 'CREATED') await insertTask(tx, key, 'RAIL')
}
