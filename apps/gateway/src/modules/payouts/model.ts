import { createHash } from 'node:crypto'
import { type Amount, compareAmounts } from '@tollgate/money'
import type { Caller } from '../../http/app-type.ts'
import type { HeldPayment, NewPayment } from '../payments/index.ts'

/** From when on payouts of a merchant in a currency wait for people. */
export interface PayoutRule {
  /** This amount and more; undefined: no amount makes it wait. */
  readonly amountFrom: Amount | undefined
  /** When the merchant has never paid the account. */
  readonly newBeneficiary: boolean
  /** When all payouts accepted in the day (UTC), this one among them, make this sum or more. */
  readonly dailySumFrom: Amount | undefined
}

/** Why a payment waits for people. */
export const WAIT_REASONS = [
  'AMOUNT',
  'NEW_BENEFICIARY',
  'DAILY_SUM',
  'SETTLEMENT',
  'HALF_CREDENTIAL',
  'NEW_SETTLEMENT_ACCOUNT',
  'OTHER',
] as const
export type WaitReason = (typeof WAIT_REASONS)[number]

/** So many different operators have to approve the same content. */
export const APPROVALS_NEEDED = 2

/** How many accounts may be on one merchant's block-list, and on the house's: all are kept in memory. */
export const BLOCKED_ACCOUNTS_MAX = 100_000

/** Digests that one of them may come to: a line of a list may mean several payees, such as the same number in two countries. */
export const BLOCKED_DIGESTS_MAX = 500_000

/** In place of a merchant's id: the whole house. */
export const HOUSE_ID = '0'

/** A rule that the database is needed for: it looks into the past, or counts. */
export function needsDatabase(rule: PayoutRule): boolean {
  return rule.newBeneficiary || rule.dailySumFrom !== undefined
}

/** True when the amount alone makes the payout wait. */
export function waitsForAmount(rule: PayoutRule | undefined, amount: Amount): boolean {
  return rule !== undefined && reaches(amount, rule.amountFrom)
}

/** Whoever of the house made a credential alone may have kept it, so that what it pays out waits, whatever the rules say. */
export function waitsForCredential(caller: Pick<Caller, 'isCredentialHalf'>): readonly WaitReason[] {
  return caller.isCredentialHalf === true ? ['HALF_CREDENTIAL'] : []
}

/** True when there is a threshold and the amount is not below it. */
export function reaches(amount: Amount, threshold: Amount | undefined): boolean {
  return threshold !== undefined && compareAmounts(amount, threshold) !== -1
}

/**
 * SHA-256 over everything that says where which money goes. People approve this and nothing else: whatever becomes of the
 * row afterwards, what they said does not count for it. The data of the person is taken as it is sealed.
 */
export function contentHashOf({ payment, sealed }: HeldPayment): Buffer {
  const { money, fee, feeConversion } = payment
  const parts = [
    'payout content 1',
    payment.merchantId,
    payment.kind,
    payment.idPayment,
    money.amount,
    money.currencyCode,
    fee.amount,
    feeConversion === undefined ? null : JSON.stringify(Object.entries(feeConversion).sort()),
    payment.methodCode,
    payment.operatorCode ?? null,
    payment.rail,
    payment.reference,
    payment.requestDigest.toString('hex'),
    payment.beneficiaryDigest?.toString('hex') ?? null,
    sealed?.dataKey.toString('hex') ?? null,
    sealed?.sealed.toString('hex') ?? null,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

/** What must be known of a payment to judge it by the rules that need the database. */
export type JudgedPayment = Pick<
  NewPayment,
  'merchantId' | 'kind' | 'idPayment' | 'currencyCode' | 'amount' | 'beneficiaryDigest'
>
