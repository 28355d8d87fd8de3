import type { Tx } from '../../../platform/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isFinal, type Payment, type PaymentKey } from '../model.ts'
import { listPaymentsForUpdate, updatePhase } from '../store.ts'
import { unknownPayment } from '../unknown-payment.ts'
import { phaseAfterReference } from './phases.ts'
import { insertTask } from './task-store.ts'

/** Stores a customer's reference under the lock of its payment; the rules are those of PaymentService. */
export async function storeReference(tx: Tx, key: PaymentKey, externalReference: string): Promise<void> {
  const [payment] = await listPaymentsForUpdate(tx, [key])
  if (payment === undefined) throw unknownPayment(key)
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

/** What a reference of a method looks like, and how that is said to who typed another one. */
interface ReferenceFormat {
  readonly pattern: RegExp
  readonly what: string
}

/** NPCI: the reference number of UPI and IMPS. NEFT has 16 characters, RTGS 22. */
const INSTANT_INDIA: ReferenceFormat = { pattern: /^\d{12}$/, what: '12 digits' }
const INDIA: ReferenceFormat = {
  pattern: /^(?:[A-Za-z0-9]{12}|[A-Za-z0-9]{16}|[A-Za-z0-9]{22})$/,
  what: '12, 16 or 22 letters and digits',
}
/** What banks call a payment, up to the hash of a transaction on a chain. A word without a digit is on too many lines. */
const OF_BANKS = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9./:+_-]{0,69}$/
const BY_METHOD: ReadonlyMap<string, ReferenceFormat> = new Map([
  ['UPI', INSTANT_INDIA],
  ['IMPS', INSTANT_INDIA],
])

/**
 * Whether what a customer typed can be a bank's name of a payment. Whatever else they type is kept for people, and no line of a
 * statement is compared with it.
 */
export const mayBeOfBank = (reference: string): boolean => OF_BANKS.test(reference)

/** What is wrong with a reference that a customer typed, where all references of the payment's method look alike. */
function problemOfReference(
  { methodCode, money }: Pick<Payment, 'methodCode' | 'money'>,
  reference: string,
): string | undefined {
  const format = BY_METHOD.get(methodCode) ?? (money.currencyCode === 'INR' ? INDIA : undefined)
  return format === undefined || format.pattern.test(reference)
    ? undefined
    : `This is no reference of the payment method: ${format.what} expected.`
}
