import type { RawRequest } from '@tollgate/sdk'
import type { Merchant } from './merchant.ts'
import { payinBody } from './payins.ts'

/** Every operation of specification 4.1, 4.4, 4.5 and 4.6 that takes a token. */
export const PROTECTED_OPERATIONS = [
  'POST /payins/!availablePaymentOptions',
  'POST /payins/{idPayin}',
  'GET /payins/{idPayin}',
  'POST /payins/{idPayin}/!setExternalReference',
  'POST /payins/{idPayin}/!cancel',
  'POST /payins/{idPayin}/refunds/{idRefund}',
  'GET /payins/{idPayin}/refunds',
  'GET /payins/{idPayin}/refunds/{idRefund}',
  'GET /payins/{idPayin}/accounts',
  'GET /balances',
  'GET /merchant-info',
  'GET /currencies',
  'GET /segments',
  'GET /payment-operators',
  'GET /payment-methods',
] as const
export type ProtectedOperation = (typeof PROTECTED_OPERATIONS)[number]

export const TOKEN_OPERATIONS = ['POST /auth-tokens', 'POST /auth-tokens-by-action'] as const
export type TokenOperation = (typeof TOKEN_OPERATIONS)[number]

const BODIES: Partial<Readonly<Record<ProtectedOperation, unknown>>> = {
  'POST /payins/!availablePaymentOptions': { money: { amount: '10', currencyCode: 'EUR' } },
  'POST /payins/{idPayin}': payinBody(),
  'POST /payins/{idPayin}/!setExternalReference': { externalReference: '316547829301' },
  'POST /payins/{idPayin}/refunds/{idRefund}': {
    refundRequested: { money: { amount: '10', currencyCode: 'EUR' } },
  },
}

/** A request to the operation that is right in every way but, perhaps, its token. */
export function requestTo(
  operation: ProtectedOperation,
  token: string | undefined,
  id = 'ORD-1',
): RawRequest {
  const [method = '', template = ''] = operation.split(' ')
  return {
    method,
    path: template.replace('{idPayin}', id).replace('{idRefund}', 'R-1'),
    token,
    body: BODIES[operation],
  }
}

/** A token request that is right in every way. */
export function tokenRequestTo(operation: TokenOperation, merchant: Merchant): RawRequest {
  return operation === 'POST /auth-tokens'
    ? merchant.tokenRequest({ operations: ['GET /segments'] })
    : merchant.tokenRequest({ action: 'PAYIN_INFO', idPayment: 'ORD-1' })
}
