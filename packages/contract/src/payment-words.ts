/** `process.status` (specification section 3). CREATED is the only one before the end; EXPIRED may still become SUCCESS, and SUCCESS REVERSED. */
export const PAYMENT_STATUSES = ['CREATED', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED', 'REVERSED'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** `process.processorStatus`: the finer phase, for people. */
export const PROCESSOR_STATUSES = [
  'ACCEPTED',
  'AWAITING_CUSTOMER',
  'AWAITING_REFERENCE',
  'REFERENCE_SUBMITTED',
  'DETECTED',
  'AWAITING_APPROVAL',
  'QUEUED',
  'ON_HOLD',
  'SUBMITTED',
  'IN_REVIEW',
  'UNKNOWN',
  'CONFIRMED',
  'CONFIRMED_LATE',
  'CONFIRMED_DIFFERENT_AMOUNT',
  'REJECTED',
  'RETURNED',
] as const
export type ProcessorStatus = (typeof PROCESSOR_STATUSES)[number]

/** SETTLEMENT is a payout of a merchant's own money to its own account; the merchant asks for it, and no customer is there. */
export const PAYMENT_KINDS = ['PAYIN', 'PAYOUT', 'TOPUP', 'SETTLEMENT'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/** What a developer can make happen to a payment of the sandbox. */
export const TRIGGER_OUTCOMES = [
  'paid',
  'declined',
  'cancelled',
  'expired',
  'partial',
  'over',
  'late',
  'unknown',
  'returned',
] as const
export type TriggerOutcome = (typeof TRIGGER_OUTCOMES)[number]

/** What a token may be asked for by name (specification 5.2); payouts and top-ups by analogy with payins. */
export const TOKEN_ACTIONS = [
  'PAYIN_CREATE',
  'PAYIN_INFO',
  'PAYIN_CANCEL',
  'PAYIN_REFUND',
  'PAYOUT_CREATE',
  'PAYOUT_INFO',
  'TOPUP_CREATE',
  'TOPUP_INFO',
] as const
export type TokenAction = (typeof TOKEN_ACTIONS)[number]

/** What a payment's history is made of. */
export const HISTORY_WORDS = [
  'STATUS',
  'ANSWER',
  'DECISION',
  'HOLD',
  'APPROVAL',
  'FILE',
  'REPORT',
  'STATEMENT',
  'REFUND',
  'BOOKING',
  'CALLBACK',
  'ATTEMPT',
] as const
