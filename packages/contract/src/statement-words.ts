/** A statement that is handed in through the operator API is at most so large. */
export const STATEMENT_FILE_BYTES_MAX = 16 * 1_048_576

/** What has become of a line of a statement. */
export const STATEMENT_LINE_STATES = [
  /** Stored a moment ago, not looked at yet. */
  'NEW',
  /** It is the money of its payment, certainly. */
  'MATCHED',
  'UNDER',
  'OVER',
  /** Its payment has ended without it. */
  'LATE',
  /** Its payment is paid already, or has left already. */
  'DOUBLE',
  'UNKNOWN',
  /** It names several payments. */
  'AMBIGUOUS',
  'OTHER_CURRENCY',
  /** An operator gave it to a payment. */
  'APPLIED',
  /** An operator decided that it goes back; it has not gone yet. */
  'RETURNING',
  'RETURNED',
  /** The institution had told of it before, by another way. */
  'SAME_MONEY',
  /** Money that left, and an operator wrote down for what. */
  'NOTED',
  /** A sum whose transactions came later, as lines of their own. */
  'SPLIT',
] as const

/** What an operator can decide about a line. */
export const STATEMENT_LINE_DECISIONS = [
  'ACCEPT',
  'COVER',
  'SAME_MONEY',
  'RETURN',
  'RETURNED',
  'NOTE',
] as const
