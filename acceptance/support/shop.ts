import { type RedirectUrlOptions, redirectUrl } from '@tollgate/sdk'
import type { TestGateway } from './gateway.ts'
import type { Merchant } from './merchant.ts'
import { NOWHERE, newId } from './payins.ts'

/** What a test wants of a link to the hosted page; the rest is ordinary. */
export interface LinkWish extends Partial<Omit<RedirectUrlOptions, 'paymentAppUrl' | 'merchantCode'>> {
  readonly amount?: string
  readonly currencyCode?: string
  readonly merchant?: Merchant
  /** Further operations of the token. */
  readonly operations?: readonly string[]
}

/** A link to the hosted page, and the payin that it is for. */
export interface Link {
  readonly url: string
  readonly id: string
  readonly token: string
}

export const RETURN_URL = 'http://shop.localhost/thanks?order=1&x=2'

/** The RedirectURL that a shop would send its customer to (specification 4.9). */
export async function linkFor(gateway: TestGateway, wish: LinkWish = {}): Promise<Link> {
  const {
    amount = '149.90',
    currencyCode = 'EUR',
    merchant = gateway.demo(),
    operations = [],
    ...more
  } = wish
  const id = more.idPayin ?? newId()
  const money = { amount, currencyCode }
  const token =
    more.token ??
    (await (operations.length === 0
      ? merchant.tokenFor({ action: 'PAYIN_CREATE', idPayment: id, money })
      : merchant.tokenFor({ operations: [...payinOperations(id), ...operations], money })))
  const url = redirectUrl({
    paymentAppUrl: gateway.checkoutUrl,
    merchantCode: merchant.code,
    idPayin: id,
    token,
    money,
    callbackUrl: NOWHERE,
    returnUrl: RETURN_URL,
    ...more,
  })
  return { url, id, token }
}

/** What the page needs (specification 4.9). */
export const payinOperations = (id: string): readonly string[] => [
  'POST /payins/!availablePaymentOptions',
  `POST /payins/${id}`,
  `GET /payins/${id}`,
]
