import { type Amount, compareAmounts, isPositive, type Money, subtractAmounts } from '@tollgate/money'
import { type RejectionItem, rejection } from '../../platform/refusal.ts'
import type { CollectedData, Payment } from '../payments/index.ts'

/** Names a refund: unique per payin. */
export interface RefundKey {
  readonly merchantId: string
  readonly idPayin: string
  readonly idRefund: string
}

/** A refund and the payout that it is. */
export interface Refund extends RefundKey {
  readonly payment: Payment
}

/** How many refunds a payin may have, whatever became of them. */
const REFUNDS_MAX = 100

/** Why nothing of the payin can be paid back in this currency, whatever the amount is; undefined when it can. */
export function problemOf(payin: Payment, currencyCode: string): RejectionItem | undefined {
  if (payin.status !== 'SUCCESS') {
    const message = `Only a payin that is SUCCESS can be refunded; this one is ${payin.status}.`
    return { code: 'REFUND_NOT_POSSIBLE', message }
  }
  if (currencyCode === payin.money.currencyCode) return undefined
  const message = `The payin is in ${payin.money.currencyCode}: it is refunded in that currency.`
  return { code: 'REFUND_CURRENCY_DIFFERENT', message, field: 'refundRequested.money.currencyCode' }
}

/** What was refunded so far: amounts that are paid or may still be, and how many refunds there are. */
export interface Refunded {
  readonly amount: Amount
  readonly count: number
}

/** Throws when the refund is more than what is left. */
export function requireLeft(payin: Money, refunded: Refunded, wanted: Amount): void {
  if (refunded.count >= REFUNDS_MAX)
    throw rejection([
      { code: 'REFUND_NOT_POSSIBLE', message: `This payin has ${REFUNDS_MAX} refunds, which is the most.` },
    ])
  const left = subtractAmounts(payin.amount, refunded.amount)
  if (isPositive(left) && compareAmounts(wanted, left) <= 0) return
  const message = `At most ${isPositive(left) ? left : '0'} ${payin.currencyCode} of this payin can still be refunded.`
  throw rejection([{ code: 'REFUND_AMOUNT_EXCEEDED', message, field: 'refundRequested.money.amount' }])
}

/** An account as a request names it. */
interface Account {
  readonly accountName?: string | undefined
  readonly accountNumber?: string | undefined
  readonly bankCode?: string | undefined
}

/**
 * The account to refund to: the one that the institution says the money came from, and only where that is not known the one in
 * the request. Money that came from one account is not sent to another.
 */
export function accountFor(
  collected: readonly CollectedData[],
  asked: Account | undefined,
  isByOtherMethod: boolean,
): { readonly account: Account } | { readonly problem: RejectionItem } {
  const payer = collected.findLast(({ source }) => source === 'PROCESS')?.data
  if (payer?.accountNumber === undefined) return accountNamed(asked)
  // An account of another method is written in another way.
  if (isByOtherMethod && asked?.accountNumber !== undefined) return { account: asked }
  if (!isSame(asked, payer.accountNumber)) {
    const message = 'The money came from another account, which is known. Leave `account` out.'
    return { problem: { code: 'REFUND_ACCOUNT_DIFFERENT', message, field: 'account.accountNumber' } }
  }
  const { accountName = asked?.accountName, accountNumber, bankCode } = payer
  return { account: { accountName, accountNumber, bankCode } }
}

const isSame = (asked: Account | undefined, accountNumber: string): boolean =>
  asked?.accountNumber === undefined || compact(asked.accountNumber) === compact(accountNumber)

function accountNamed(asked: Account | undefined): ReturnType<typeof accountFor> {
  if (asked?.accountNumber !== undefined) return { account: asked }
  const message = 'It is not known which account the money came from. Name the account to refund to.'
  return { problem: { code: 'REFUND_ACCOUNT_REQUIRED', message, field: 'account.accountNumber' } }
}

const compact = (accountNumber: string): string => accountNumber.replace(/[\s-]/g, '').toUpperCase()
