import type { Money } from '@tollgate/money'
import type { CustomerData } from './redirect-url.ts'

/** A payment that is to be made. */
export interface Creation {
  readonly money: Money
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly customer: CustomerData
  readonly callbackUrl: string
  readonly returnUrl: string
  /** Where the institution sends the customer back: this page, not the shop. */
  readonly pageUrl: string
}

/** The body of the create; only the routes for this page take its address. */
export function createBody(creation: Creation, isTrusted: boolean): unknown {
  const { money, methodCode, operatorCode, customer, callbackUrl, returnUrl, pageUrl } = creation
  const { emailAddress, ...account } = customer
  return {
    paymentRequested: { money },
    paymentMethod: {
      paymentMethodCode: methodCode,
      ...(operatorCode !== undefined && { paymentOperatorCode: operatorCode }),
      ...(Object.keys(account).length > 0 && { account }),
      ...(emailAddress !== undefined && { emailAddress }),
    },
    callbackUrl,
    returnUrl,
    ...(isTrusted && { pageUrl }),
  }
}
