import { createGateway, type Gateway } from '@tollgate/sdk'

/** What the provider and its job have to know: the same object for both. */
export interface TollgateOptions {
  /** Address of the gateway's API. */
  readonly baseUrl: string
  /** Address of the hosted payment page. */
  readonly paymentAppUrl: string
  readonly merchantCode: string
  /** RSA private key in PEM, whose public half the gateway knows. */
  readonly privateKey: string
  /** Where the gateway calls Medusa: `https://<medusa>/hooks/payment/tollgate`. */
  readonly callbackUrl: string
  /** Where customers come back to. `data.return_url` of a session may name another page of the same origin. */
  readonly returnUrl: string
  /**
   * True: a cart whose customer has taken payment instructions, such as a bank transfer, becomes an order before the money
   * arrives. It needs a Medusa that has `pending_authorization`. By default the order follows the money.
   */
  readonly ordersBeforePayment?: boolean | undefined
  /** By which method payins of a method that takes no payouts are refunded: `{ ONLINE_BANKING: 'BANK_TRANSFER' }`. */
  readonly refundMethods?: Readonly<Record<string, string>> | undefined
}

const TEXTS = ['baseUrl', 'paymentAppUrl', 'merchantCode', 'privateKey', 'callbackUrl', 'returnUrl'] as const
const ADDRESSES: ReadonlySet<string> = new Set(['baseUrl', 'paymentAppUrl', 'callbackUrl', 'returnUrl'])

/** Throws an Error that names the option that is missing, or no URL. */
export function checkOptions(options: unknown): void {
  for (const name of TEXTS) {
    const value: unknown =
      typeof options === 'object' && options !== null ? Reflect.get(options, name) : undefined
    if (typeof value !== 'string' || value === '')
      throw new Error(`The option ${name} of @tollgate/medusa-provider is missing.`)
    if (ADDRESSES.has(name) && !URL.canParse(value))
      throw new Error(`The option ${name} of @tollgate/medusa-provider is no URL: ${value}`)
  }
}

/** The client of the gateway. */
export const gatewayOf = ({ baseUrl, merchantCode, privateKey }: TollgateOptions): Gateway =>
  createGateway({ baseUrl, merchantCode, privateKey })
