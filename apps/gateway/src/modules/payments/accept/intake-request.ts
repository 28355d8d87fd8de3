import type { PaymentMethodRequest, WireMoney } from '@tollgate/contract'
import type { Money } from '@tollgate/money'
import type { Caller } from '../../../http/authentication.ts'
import { parseTargetUrl, type TargetUrl } from '../../../platform/outbound/index.ts'
import { invalidField, Refusal, requireMoneyIn } from '../../../platform/refusal.ts'
import { isMoneyPermitted, type PaymentRequest, readAmount } from './request.ts'

/** The members that the three create requests share, and where its money is. */
export interface CreateBody {
  readonly requested: { readonly money: WireMoney; readonly segmentCode?: string | undefined }
  /** The member `requested` is called by in the body. */
  readonly requestedField: string
  readonly paymentMethod: PaymentMethodRequest
  readonly callbackUrl?: string | undefined
  readonly returnUrl?: string | undefined
  readonly customer?: { readonly idCustomer: string } | undefined
}

/** Reads what the schema cannot: money and URLs. Throws 400 for what is not valid, then 403 for money the token does not permit. */
export function readRequest(caller: Caller, body: CreateBody): PaymentRequest {
  const { requested, paymentMethod } = body
  return {
    callbackUrl: readUrl('callbackUrl', body.callbackUrl),
    returnUrl: readReturnUrl(body.returnUrl),
    returnUrlAsSent: body.returnUrl,
    money: readMoney(caller, requested.money, `${body.requestedField}.money`),
    segmentCode: requested.segmentCode,
    idCustomer: body.customer?.idCustomer,
    methodCode: paymentMethod.paymentMethodCode,
    operatorCode: paymentMethod.paymentOperatorCode,
    account: paymentMethod.account,
    emailAddress: paymentMethod.emailAddress,
  }
}

/** Reads the money exactly (400) and compares it with the token's (403). */
export function readMoney(caller: Caller, wire: WireMoney, field: string): Money {
  const amount = readAmount(wire.amount)
  if (amount === undefined)
    throw invalidField(`${field}.amount`, 'must be greater than zero and have at most 40 digits')
  const money = { amount, currencyCode: wire.currencyCode }
  if (caller.bucket.name === 'payment') requireMoneyIn(caller)
  if (!isMoneyPermitted(caller.money, money)) throw new Refusal('MONEY_NOT_PERMITTED')
  return money
}

/** The URL as it will be used: parsed once, so that nobody reads it differently later. Throws 400. */
export function readUrl(field: string, text: string): URL
export function readUrl(field: string, text: string | undefined): URL | undefined
export function readUrl(field: string, text: string | undefined): URL | undefined {
  if (text === undefined) return undefined
  return parsed(field, parseTargetUrl(text))
}

/** Where a browser goes back to: a fragment is its business. Throws 400. */
export function readReturnUrl(text: string): URL
export function readReturnUrl(text: string | undefined): URL | undefined
export function readReturnUrl(text: string | undefined): URL | undefined {
  return text === undefined ? undefined : parsed('returnUrl', parseTargetUrl(text, { allowsFragment: true }))
}

function parsed(field: string, target: TargetUrl): URL {
  if (!target.ok) throw invalidField(field, target.problem)
  return target.url
}
