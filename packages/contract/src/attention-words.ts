/** What waits for people, the most urgent first; of the operator API's `GET /operator/attention`. */
export const ATTENTION_KINDS = [
  'RESTORE_GAP',
  'CALLBACKS_EXHAUSTED',
  'PAYOUT_FILES_UNCLEAR',
  'BANK_CHANNELS',
  'CHAINS',
  'PAYOUTS_AWAITING_APPROVAL',
  'PAYOUTS_ON_HOLD',
  'CONFIRMATIONS',
  'REVIEWS',
  'SUSPENSE',
  'FAILED_DOCUMENTS',
  'INSTITUTIONS',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]
