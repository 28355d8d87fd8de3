/** Longest validity of any other token than PAYIN_INFO. */
export const TOKEN_VALIDITY_SECONDS_MAX = 86_400
/** Longest validity of a PAYIN_INFO token: customers look at their payment by a link in a mail. */
export const PAYIN_INFO_TOKEN_VALIDITY_SECONDS_MAX = 2_592_000
export const TOKEN_VALIDITY_SECONDS_DEFAULT = 3_600
/** Longest token that is issued or read: all headers of a request may have 16 KiB together, and others need room. */
export const TOKEN_LENGTH_MAX = 14_000
