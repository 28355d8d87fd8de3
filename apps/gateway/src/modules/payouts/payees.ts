import type { MerchantDirectory } from '../merchants/index.ts'
import { insertUnmasking } from '../operators/index.ts'
import {
  findPayeeHistory,
  openPersonalData,
  type PayeeHistory,
  type Payment,
  type PaymentService,
  type PersonalData,
  unknownPayment,
  withSealedData,
} from '../payments/index.ts'
import { findBlocked } from './block-store.ts'
import { contentHashOf, type PayoutRule, type WaitReason } from './model.ts'
import { keyOf, type NamedOutgoing } from './names.ts'
import { listRequests } from './store.ts'
import { reasonsOf, type ViewDeps } from './views.ts'

/** What the bank of a payee said, by a report or by an adapter, when it was asked whether name and account belong together. */
export interface Verification {
  readonly result: string
  /** As the bank wrote it. */
  readonly statusCode: string
  /** TRANSACTION: of this payment alone. Otherwise of all payments of its file. */
  readonly level: string
  readonly kind: string
  readonly idPayment: string
  /** Undefined for what an adapter said, and so is its file. */
  readonly reportId: string | undefined
  readonly fileId: string | undefined
  /** Who handed the report in, or which adapter it was. */
  readonly takenBy: string
  readonly confirmedBy: string | undefined
  readonly receivedAt: Date
}

/** The latest: of the payment, and of other payments of the merchant to the same payee. */
export interface Verifications {
  readonly ofPayment: Verification | undefined
  readonly ofOthers: Verification | undefined
}

/** Whom a payment pays, in full, with what an approver has to weigh. */
export interface PayeeView {
  readonly merchantCode: string
  readonly payment: Payment
  /** Undefined when there is none, or when it cannot be read any more. */
  readonly payee: PersonalData | undefined
  /** All 64 hex digits. */
  readonly contentHash: string
  readonly waitsBecause: readonly WaitReason[]
  /** The merchant's rule for the currency. */
  readonly rule: PayoutRule | undefined
  readonly history: readonly PayeeHistory[]
  readonly verifications: Verifications
  readonly isBlocked: boolean
}

/** Which payment, and who reads it. */
export interface PayeeOrder extends NamedOutgoing {
  readonly operatorCode: string
}

interface PayeeDeps extends ViewDeps {
  readonly payments: Pick<PaymentService, 'find'>
  readonly merchants: Pick<MerchantDirectory, 'find'>
  /** What banks reported of whom the payment pays. */
  readonly verificationsOf: (payment: Payment) => Promise<Verifications>
}

/**
 * Shows an approver whom a payment pays. That the operator reads it is noted first, and nobody can take that back. Throws
 * ENTITY_NOT_FOUND.
 */
export async function showPayee(deps: PayeeDeps, order: PayeeOrder): Promise<PayeeView> {
  const { db, secrets, policies } = deps
  const key = await keyOf(deps, order)
  const payment = await deps.payments.find(key)
  if (payment === undefined) throw unknownPayment(key, order.merchantCode)
  await insertUnmasking(db, order.operatorCode, { subject: 'PAYEE', ...key })
  const [held = { payment, sealed: undefined }] = await withSealedData(db, [payment])
  const [request] = await listRequests(db, [key])
  const { rules } = await policies.of(key.merchantId)
  const { beneficiaryDigest } = payment
  return {
    merchantCode: order.merchantCode,
    payment,
    payee: opened(() => held.sealed && openPersonalData(secrets, payment, held.sealed)),
    contentHash: contentHashOf(held).toString('hex'),
    waitsBecause: reasonsOf(payment, request, rules),
    rule: rules.get(payment.money.currencyCode),
    history: await findPayeeHistory(db, payment),
    verifications: await deps.verificationsOf(payment),
    isBlocked:
      beneficiaryDigest !== undefined && (await findBlocked(db, payment.merchantId, beneficiaryDigest)),
  }
}

/** What was changed where it lies sealed opens for nobody; the rest is shown all the same. */
function opened(open: () => PersonalData | undefined): PersonalData | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
