/** Longest validity of a token that may create something or read more than one payment. */
export const TOKEN_VALIDITY_SECONDS_MAX = 86_400
/** Longest validity of a PAYIN_INFO, PAYOUT_INFO or TOPUP_INFO token. */
export const INFO_TOKEN_VALIDITY_SECONDS_MAX = 2_592_000
export const TOKEN_VALIDITY_SECONDS_DEFAULT = 3_600
/** Longest token that is issued or read: all headers of a request may have 16 KiB together, and others need room. */
export const TOKEN_LENGTH_MAX = 14_000
