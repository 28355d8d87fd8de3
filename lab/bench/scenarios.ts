import { type Demo, signedTokenRequest } from '../rig/gateway.ts'
import type { RequestTemplate } from './load/plan.ts'
import { ID_PLACEHOLDER, requestTemplate } from './load/requests.ts'

// The requests of the scenarios. Bodies are those of ordinary payments: a payin of 149.90 EUR, a payout of 10 EUR.

/** Nobody listens here; only scenarios with a worker send callbacks, and they name an address of their own. */
const NOWHERE = 'http://127.0.0.1:9/callbacks'

export const PAYIN_BODY = {
  paymentRequested: { money: { amount: 149.9, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER' },
  callbackUrl: NOWHERE,
}

export const PAYOUT_BODY = {
  paymentRequested: { money: { amount: 10, currencyCode: 'EUR' } },
  paymentMethod: {
    paymentMethodCode: 'BANK_TRANSFER',
    account: { accountName: 'Ada Lovelace', accountNumber: 'DE89370400440532013000' },
  },
  callbackUrl: NOWHERE,
}

/** A payin that the sandbox's bank pays at once, so that its callback is due at once. */
export function paidPayinBody(callbackUrl: string): unknown {
  return {
    ...PAYIN_BODY,
    paymentMethod: { ...PAYIN_BODY.paymentMethod, emailAddress: 'success@sandbox.test' },
    callbackUrl,
  }
}

export function createPayins(token: string, body: unknown = PAYIN_BODY, weight = 1): RequestTemplate {
  return requestTemplate({
    label: 'create payin',
    method: 'POST',
    path: `/payins/${ID_PLACEHOLDER}`,
    token,
    body,
    expectedStatus: 201,
    weight,
  })
}

export function createPayouts(token: string, weight = 1): RequestTemplate {
  return requestTemplate({
    label: 'create payout',
    method: 'POST',
    path: `/payouts/${ID_PLACEHOLDER}`,
    token,
    body: PAYOUT_BODY,
    expectedStatus: 201,
    weight,
  })
}

export function readPayins(token: string, ids: readonly string[], weight = 1): RequestTemplate {
  return requestTemplate({
    label: 'read payin',
    method: 'GET',
    path: `/payins/${ID_PLACEHOLDER}`,
    token,
    ids,
    expectedStatus: 200,
    weight,
  })
}

export function listMethods(token: string, weight: number): RequestTemplate {
  return requestTemplate({
    label: 'list payment methods',
    method: 'GET',
    path: '/payment-methods?currencyCode=EUR',
    token,
    expectedStatus: 200,
    weight,
  })
}

const TOKEN_REQUESTS = 200

/** Requests for tokens, each signed at another second of the last minutes, so that each signature must be verified. */
export function issueTokens(demo: Demo, weight = 1): readonly RequestTemplate[] {
  const nowSeconds = Math.floor(Date.now() / 1000)
  return Array.from({ length: TOKEN_REQUESTS }, (_, index) => {
    const { body, signature } = signedTokenRequest(demo, nowSeconds - index)
    return requestTemplate({
      label: 'issue token',
      method: 'POST',
      path: '/auth-tokens',
      headers: { 'X-SIGNATURE': signature },
      body,
      expectedStatus: 200,
      weight: weight / TOKEN_REQUESTS,
    })
  })
}
