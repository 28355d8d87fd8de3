import { checkedAmount } from './json.ts'
import type { Money } from './types.ts'

/** Parameters of the hosted payment web application (specification 4.9). */
export interface RedirectUrlOptions {
  /** Address of the application. */
  readonly paymentAppUrl: string
  readonly merchantCode: string
  readonly idPayin: string
  /** A token for this payment alone: it passes through the customer's browser. */
  readonly token: string
  readonly money: Money
  readonly callbackUrl: string
  readonly returnUrl: string
  /** Skips the choice of a method. */
  readonly paymentMethodCode?: string | undefined
  readonly paymentOperatorCode?: string | undefined
  /** With a preselected method: the customer may still choose another. */
  readonly optionsAvailable?: boolean | undefined
  /** Supplied data is pre-filled and may be edited. */
  readonly allowCustomerDataChange?: boolean | undefined
  /** Customer data points by name, e.g. `{ accountName, emailAddress }`. */
  readonly customerData?: Readonly<Record<string, string>> | undefined
}

/** The address to send the customer to. Throws RangeError for an amount or a customer data point that is none. */
export function redirectUrl(options: RedirectUrlOptions): string {
  const { paymentAppUrl, money, customerData = {}, ...parameters } = options
  const url = new URL(paymentAppUrl)
  const own = { ...parameters, amount: checkedAmount(money.amount), currencyCode: money.currencyCode }
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  for (const [name, value] of Object.entries(customerData)) {
    if (Object.hasOwn(own, name)) throw new RangeError(`not a customer data point: ${name}`)
    url.searchParams.set(name, value)
  }
  return url.href
}
