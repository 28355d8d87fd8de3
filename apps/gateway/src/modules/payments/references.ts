import type { Database, Tx } from '../../platform/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Payment, PaymentKey } from './model.ts'
import { insertTask, listPaymentsForUpdate, updatePhase } from './store.ts'

export interface NewReference {
  readonly key: PaymentKey
  readonly externalReference: string
  /** Whether the payment's method takes a reference at all. */
  readonly takesReference: (payment: Payment) => boolean
}

/**
 * Stores the reference that a customer supplied (specification 4.1): the last one wins, all are kept.
 * After expiry it is kept for review; after another end only the equal value is accepted.
 * Throws ENTITY_NOT_FOUND, INVALID_REF_NUM and ENTITY_EXPIRED.
 */
export function setExternalReference(db: Database, reference: NewReference): Promise<void> {
  return db.transaction(async (tx) => {
    const [payment] = await listPaymentsForUpdate(tx, [reference.key])
    if (payment === undefined) throw new Refusal('ENTITY_NOT_FOUND')
    if (!reference.takesReference(payment)) throw new Refusal('INVALID_REF_NUM')
    if (payment.externalReference === reference.externalReference) return
    await store(tx, payment, reference)
  })
}

async function store(tx: Tx, payment: Payment, reference: NewReference): Promise<void> {
  if (payment.status !== 'CREATED' && payment.status !== 'EXPIRED') throw new Refusal('ENTITY_EXPIRED')
  const isOpen = payment.status === 'CREATED'
  await updatePhase(tx, {
    ...reference.key,
    processorStatus: isOpen ? 'REFERENCE_SUBMITTED' : 'IN_REVIEW',
    actor: 'customer',
    externalReference: reference.externalReference,
  })
  if (isOpen) await insertTask(tx, reference.key, 'RAIL')
}
