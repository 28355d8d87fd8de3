import type { ReportedMeaning } from './model.ts'

/** What the status codes of ISO 20022 say about the money. Only what is settled or rejected is an outcome. */
const MEANINGS: Readonly<Record<string, ReportedMeaning>> = {
  ACSC: 'SETTLED',
  ACCC: 'SETTLED',
  RJCT: 'REJECTED',
  ACCP: 'UNDECIDED',
  ACFC: 'UNDECIDED',
  ACSP: 'UNDECIDED',
  ACTC: 'UNDECIDED',
  ACWC: 'UNDECIDED',
  ACWP: 'UNDECIDED',
  PATC: 'UNDECIDED',
  PDNG: 'UNDECIDED',
  RCVD: 'UNDECIDED',
  // Verification of payee: what the bank of the payee says of name and account, before the money moves.
  RCVC: 'UNDECIDED',
  RVNM: 'UNDECIDED',
  RVMC: 'UNDECIDED',
  RVNA: 'UNDECIDED',
  // Some of it this way, some of it that: the levels below say which.
  PART: 'UNDECIDED',
}

/** What a status code means. One that nobody knows is never guessed. */
export function meaningOf(statusCode: string): ReportedMeaning {
  return Object.hasOwn(MEANINGS, statusCode) ? (MEANINGS[statusCode] ?? 'UNCLEAR') : 'UNCLEAR'
}

/** What the bank of a payee says of the name and the account that it was asked about. */
export type PayeeVerification = 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'NOT_CHECKED'

const VERIFICATIONS: Readonly<Record<string, PayeeVerification>> = {
  RCVC: 'MATCH',
  RVMC: 'CLOSE_MATCH',
  RVNM: 'NO_MATCH',
  RVNA: 'NOT_CHECKED',
}

/** All status codes that report one. */
export const VERIFICATION_CODES: readonly string[] = Object.keys(VERIFICATIONS)

/** The verification of payee that a status code reports; undefined for a status of the payment itself. */
export function verificationOf(statusCode: string): PayeeVerification | undefined {
  return Object.hasOwn(VERIFICATIONS, statusCode) ? VERIFICATIONS[statusCode] : undefined
}

/** The status code by which a bank reports the same. */
export function statusCodeOf(verification: PayeeVerification): string {
  const [code = ''] = VERIFICATION_CODES.filter((each) => VERIFICATIONS[each] === verification)
  return code
}

/** Why a payment failed, as merchants read it. */
interface FailureReason {
  readonly code: string
  readonly message: string
}

const ACCOUNT_INVALID = { code: 'ACCOUNT_INVALID', message: 'The account to pay to does not exist.' }
const ACCOUNT_BLOCKED = { code: 'ACCOUNT_BLOCKED', message: 'The account to pay to is blocked for this.' }
const BANK_INVALID = { code: 'BANK_INVALID', message: 'The bank to pay to is not known or not reachable.' }
const BENEFICIARY_INVALID = {
  code: 'BENEFICIARY_INVALID',
  message: 'The name or the data of who is paid do not fit the account.',
}
const NOT_PERMITTED = { code: 'NOT_PERMITTED', message: 'The bank may not make this payment.' }
const DECLINED = { code: 'DECLINED', message: 'The bank declined the payment.' }

const REASONS: Readonly<Record<string, FailureReason>> = {
  AC01: ACCOUNT_INVALID,
  AC02: DECLINED,
  AC03: ACCOUNT_INVALID,
  AC04: { code: 'ACCOUNT_CLOSED', message: 'The account to pay to is closed.' },
  AC06: ACCOUNT_BLOCKED,
  AC07: { code: 'ACCOUNT_CLOSED', message: 'The account to pay to is closed.' },
  AC14: ACCOUNT_INVALID,
  AG01: NOT_PERMITTED,
  AG02: DECLINED,
  AG03: NOT_PERMITTED,
  AGNT: BANK_INVALID,
  AM02: { code: 'LIMIT_EXCEEDED', message: 'The amount is more than the bank moves at once.' },
  // Of the house's account, which is no business of the merchant's.
  AM04: DECLINED,
  AM05: { code: 'DUPLICATE', message: 'The bank takes the payment for one that it has had already.' },
  AM14: { code: 'LIMIT_EXCEEDED', message: 'The amount is more than the bank moves at once.' },
  BE01: BENEFICIARY_INVALID,
  BE04: BENEFICIARY_INVALID,
  BE05: BENEFICIARY_INVALID,
  BE06: BENEFICIARY_INVALID,
  BE07: BENEFICIARY_INVALID,
  CNOR: BANK_INVALID,
  CUST: { code: 'CANCELLED', message: 'The payment was called off at the bank.' },
  DU01: { code: 'DUPLICATE', message: 'The bank takes the payment for one that it has had already.' },
  MD07: BENEFICIARY_INVALID,
  RC01: BANK_INVALID,
  RC03: BANK_INVALID,
  RC04: BANK_INVALID,
  RR01: NOT_PERMITTED,
  RR02: NOT_PERMITTED,
  RR03: NOT_PERMITTED,
  RR04: NOT_PERMITTED,
}

/** The reason that merchants read for a reason code of ISO 20022, which is kept at the end of the message. */
export function failureFor(reasonCode: string | undefined): FailureReason {
  if (reasonCode === undefined) return DECLINED
  const known = Object.hasOwn(REASONS, reasonCode) ? REASONS[reasonCode] : undefined
  const { code, message } = known ?? DECLINED
  const isIsoCode = /^[A-Z]{2}[A-Z0-9]{2}$/.test(reasonCode)
  return { code, message: isIsoCode ? `${message} (${reasonCode})` : message }
}
