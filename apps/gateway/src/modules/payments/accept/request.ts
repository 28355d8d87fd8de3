import type { WireMoney } from '@tollgate/contract'
import { type Amount, isPositive, type Money, parseAmount } from '@tollgate/money'

/** The account of a customer, as the merchant sent it. */
export interface RequestedAccount {
  readonly accountName?: string | undefined
  readonly accountNumber?: string | undefined
  readonly bankCode?: string | undefined
}

/** A create request with its money and URLs read; the rest is as the merchant sent it. */
export interface PaymentRequest {
  readonly money: Money
  readonly segmentCode: string | undefined
  readonly idCustomer: string | undefined
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly account: RequestedAccount | undefined
  readonly emailAddress: string | undefined
  readonly callbackUrl: URL | undefined
  readonly returnUrl: URL | undefined
  /** Byte for byte, for answers. */
  readonly returnUrlAsSent: string | undefined
}

/** The exact amount of a request; undefined when it is not greater than zero or has more than 40 digits. */
export function readAmount(wire: WireMoney['amount']): Amount | undefined {
  const amount = parseAmount(typeof wire === 'number' ? String(wire) : wire.text)
  return amount !== undefined && isPositive(amount) ? amount : undefined
}

/** True when the token does not limit money, or limits it to exactly this: 10 equals 10.00. */
export function isMoneyPermitted(
  limit: { readonly amount: string; readonly currencyCode: string } | undefined,
  money: Money,
): boolean {
  return limit === undefined || (limit.amount === money.amount && limit.currencyCode === money.currencyCode)
}

/** The request as one text, in one order, so that equal requests have equal digests whatever their spelling. */
export function canonicalRequest(request: PaymentRequest): string {
  const { accountName, accountNumber, bankCode } = request.account ?? {}
  const parts = [
    request.money.amount,
    request.money.currencyCode,
    request.segmentCode,
    request.methodCode,
    request.operatorCode,
    accountName,
    accountNumber,
    bankCode,
    request.emailAddress,
    request.callbackUrl?.href,
    request.returnUrl?.href,
    request.idCustomer,
  ]
  return JSON.stringify(parts.map((part) => part ?? null))
}
