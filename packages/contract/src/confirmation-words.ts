/** What one operator may not do alone. */
export type ConfirmationKind = 'STATEMENT_FILE' | 'PAYOUT_REPORT' | 'LINE_DECISION'

/** What becomes of it. */
export const CONFIRMATION_STATES = [
  /** For a second operator. Nothing has followed. */
  'WAITING',
  /** Its amount was below the one from which two are needed: it was done at once. */
  'ALONE',
  /** A second operator confirmed it, and it was carried out in the same transaction. */
  'CONFIRMED',
  'REFUSED',
  /** By the operator who proposed it. */
  'WITHDRAWN',
  'EXPIRED',
  /** It was confirmed, but the line, payment or account had changed: nothing followed. */
  'FAILED',
] as const
export type ConfirmationState = (typeof CONFIRMATION_STATES)[number]
