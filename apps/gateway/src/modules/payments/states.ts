/** `process.status` (specification section 3). CREATED is the only value before the end. */
export const PAYMENT_STATUSES = ['CREATED', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED', 'REVERSED'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** SETTLEMENT is a payout of a merchant's own money to its own account; the merchant asks for it, and no customer is there. */
export const PAYMENT_KINDS = ['PAYIN', 'PAYOUT', 'TOPUP', 'SETTLEMENT'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/** Whether money leaves: it is held when the payment is accepted, and handed to an institution once. */
export function isOutgoing(kind: PaymentKind): boolean {
  return kind === 'PAYOUT' || kind === 'SETTLEMENT'
}
