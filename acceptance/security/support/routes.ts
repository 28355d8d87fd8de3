import { createBody, EVERYTHING } from './merchant.ts'

// Who may do what, as somebody would write it down who has read the specification and not the code.

/** A route of the API for merchants, and what it answers to a token that permits everything. */
export interface Route {
  /** `GET /payins/{idPayin}`. */
  readonly operation: string
  readonly body?: string
  /** Where the caller has something under the id. */
  readonly own: string
  /** Where it has nothing: whether others have is not seen. Absent where the path names nothing. */
  readonly none?: string
  /** Set where what the path names is the house's: everybody sees it. */
  readonly isTheHouses?: true
  /** Set where the body says for how much. */
  readonly hasMoney?: true
}

/** Ids of what the merchant has, another merchant has, and nobody has; of equal length, and codes of rate lists as well. */
export const OWN = 'T8_MINE'
export const THEIRS = 'T8_THEM'
export const NOBODYS = 'T8_NONE'

/** What every body with money says. */
export const MONEY = { amount: 25, currencyCode: 'EUR' } as const

const MISSING = '410 ENTITY_NOT_FOUND'
const TAKEN = '409 ENTITY_DUPLICATED'
const options = JSON.stringify({ money: MONEY })
/** By a way to pay that nobody has: what is not refused as a duplicate is not made either. */
const payment = createBody({ amount: MONEY.amount, paymentMethod: { paymentMethodCode: 'NOBODYS' } })
const payout = createBody({
  amount: MONEY.amount,
  paymentMethod: { paymentMethodCode: 'NOBODYS', account: { accountName: 'A', accountNumber: '1' } },
})

const paymentRoutes = (kind: string, id: string, body: string): readonly Route[] => [
  { operation: `POST /${kind}/!availablePaymentOptions`, body: options, own: '200', hasMoney: true },
  {
    operation: `POST /${kind}/{${id}}`,
    body,
    own: TAKEN,
    none: '406 PAYMENT_METHOD_NOT_AVAILABLE',
    hasMoney: true,
  },
  { operation: `GET /${kind}/{${id}}`, own: '200', none: MISSING },
]

const lists = [
  '/customers',
  '/settlements',
  '/balances',
  '/merchant-info',
  '/currencies',
  '/segments',
  '/payment-operators',
  '/payment-methods',
  '/rate-lists',
  '/sandbox/requests',
]

export const ROUTES: readonly Route[] = [
  ...paymentRoutes('payins', 'idPayin', payment),
  { operation: 'GET /payins/{idPayin}/accounts', own: '200', none: MISSING },
  {
    operation: 'POST /payins/{idPayin}/!setExternalReference',
    body: '{"externalReference":"1"}',
    own: '204',
    none: MISSING,
  },
  {
    operation: 'POST /payins/{idPayin}/refunds/{idRefund}',
    body: JSON.stringify({ refundRequested: { money: MONEY } }),
    own: '406 REFUND_NOT_POSSIBLE',
    none: MISSING,
    hasMoney: true,
  },
  { operation: 'GET /payins/{idPayin}/refunds', own: '200', none: MISSING },
  { operation: 'GET /payins/{idPayin}/refunds/{idRefund}', own: MISSING, none: MISSING },
  // Its customer has said that it was paid.
  { operation: 'POST /payins/{idPayin}/!cancel', own: '409 PAYIN_NOT_CANCELLABLE', none: MISSING },
  ...paymentRoutes('payouts', 'idPayout', payout),
  ...paymentRoutes('topups', 'idTopUp', payment),
  {
    operation: 'POST /customers/{idCustomer}',
    body: '{"segmentCode":"NOBODYS"}',
    own: TAKEN,
    none: '406 SEGMENT_NOT_SUPPORTED',
  },
  { operation: 'GET /customers/{idCustomer}', own: '200', none: MISSING },
  { operation: 'GET /customers/{idCustomer}/payments', own: '200', none: MISSING },
  { operation: 'PATCH /customers/{idCustomer}', body: '{"name":"A"}', own: '200', none: MISSING },
  { operation: 'POST /customers/{idCustomer}/!block', own: '200', none: MISSING },
  { operation: 'POST /customers/{idCustomer}/!unblock', own: '200', none: MISSING },
  // The last one: nothing is left of the customer but its id.
  { operation: 'POST /customers/{idCustomer}/!erase', own: '204', none: MISSING },
  { operation: 'GET /settlements/{idSettlement}', own: '200', none: MISSING },
  { operation: 'GET /settlements/{idSettlement}/transactions', own: '200', none: MISSING },
  {
    operation: 'POST /settlements/{idSettlement}',
    body: options,
    own: TAKEN,
    none: '406 SETTLEMENT_ACCOUNT_MISSING',
    hasMoney: true,
  },
  { operation: 'GET /rate-lists/{code}', own: '406 RATE_NOT_AVAILABLE', none: MISSING, isTheHouses: true },
  {
    operation: 'POST /rate-lists/{code}/!convert',
    body: JSON.stringify({ money: MONEY, targetCurrencyCode: 'USD', side: 'MID' }),
    own: '406 RATE_NOT_AVAILABLE',
    none: MISSING,
    isTheHouses: true,
  },
  ...lists.map((path) => ({ operation: `GET ${path}`, own: '200' })),
  ...['payouts', 'topups'].map((kind) => ({
    operation: `POST /sandbox/${kind}/{idPayment}/!trigger`,
    body: '{"outcome":"late"}',
    own: '406 OUTCOME_NOT_POSSIBLE',
    none: MISSING,
  })),
  // At the end: the institution does not know any more.
  {
    operation: 'POST /sandbox/payins/{idPayment}/!trigger',
    body: '{"outcome":"unknown"}',
    own: '200',
    none: MISSING,
  },
]

/** What asks for no token. */
export const OPEN_OPERATIONS: readonly string[] = [
  'POST /auth-tokens',
  'POST /auth-tokens-by-action',
  'GET /brand-logos/{hash}',
]

/** A way to come with a token, or with something else. */
export interface Shape {
  readonly name: string
  readonly authorization: string | undefined
  /** What is answered wherever it is used. */
  readonly fault?: string
  /** Operations with their ids, letter by letter. */
  readonly permits?: 'everything' | readonly string[]
  /** Absent: a token without money. */
  readonly money?: 'fits' | 'differs'
  /** The ids under which its merchant has something. */
  readonly owns?: string
}

/** What a request is answered, by reading the specification: token, operation, money, object. */
export function answerTo(
  shape: Shape,
  { route, operation, id }: { readonly route: Route; readonly operation: string; readonly id: string },
): string {
  if (shape.fault !== undefined) return shape.fault
  if (shape.permits !== 'everything' && shape.permits?.includes(operation) !== true)
    return '403 OPERATION_NOT_PERMITTED'
  if (route.hasMoney === true && shape.money === 'differs') return '403 MONEY_NOT_PERMITTED'
  const isThere = route.isTheHouses === true ? id === OWN : id === shape.owns
  return route.none === undefined || isThere ? route.own : route.none
}

/** The path of a route, its one parameter filled. */
export function operationFor(operation: string, id: string): string {
  return operation.replace(/\{\w+\}/, id).replace('{idRefund}', 'R-1')
}

export const PATTERNS_FOR_EVERYTHING = [...EVERYTHING, 'PATCH /.*'] as const

const ALL = ['AUDITOR', 'SUPPORT', 'FINANCE', 'APPROVER', 'CATALOGUE', 'ADMIN'] as const
export type Role = (typeof ALL)[number]
export const ROLES: readonly Role[] = ALL
const READERS: readonly Role[] = ['AUDITOR', 'SUPPORT', 'FINANCE', 'APPROVER']

/** Which roles of operators may do what. */
export const OPERATOR_ROUTES: Readonly<Record<string, readonly Role[]>> = {
  'GET /operator/me': ROLES,
  'GET /operator/attention': ROLES,
  'GET /operator/payouts': READERS,
  'GET /operator/payouts/{merchantCode}/{idPayout}/payee': ['APPROVER'],
  'GET /operator/unmaskings': ['AUDITOR'],
  'GET /operator/requests': ['AUDITOR', 'ADMIN'],
  'GET /operator/audit': ['AUDITOR', 'ADMIN'],
  'GET /operator/audit/{number}': ['AUDITOR', 'ADMIN'],
  'GET /operator/audit/export': ['AUDITOR', 'ADMIN'],
  'GET /operator/audit/head': ['AUDITOR', 'ADMIN'],
  'GET /operator/audit/verification': ['AUDITOR', 'ADMIN'],
  // Their own: `s-sessions.test.ts` has those of others.
  'GET /operator/sessions': ROLES,
  'POST /operator/sessions': ROLES,
  'DELETE /operator/sessions/{sessionId}': ROLES,
  'GET /operator/passkeys': ROLES,
  'DELETE /operator/passkeys/{passkeyId}': ROLES,
  'POST /operator/passkeys/!finish': ROLES,
  'POST /operator/passkeys/{passkeyId}/!confirm': ['ADMIN'],
  'GET /operator/identities': ROLES,
  'DELETE /operator/identities/{identityId}': ROLES,
  'POST /operator/identities/{identityId}/!confirm': ['ADMIN'],
  'POST /operator/invitations': ['ADMIN'],
  'POST /operator/payouts/{merchantCode}/{idPayout}/!approve': ['APPROVER'],
  'POST /operator/payouts/{merchantCode}/{idPayout}/!reject': ['APPROVER'],
  'POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!hold': ['SUPPORT', 'FINANCE', 'APPROVER'],
  'POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!release': ['APPROVER'],
  'POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!cancel': ['APPROVER'],
  'GET /operator/confirmations': READERS,
  'GET /operator/confirmations/{confirmationId}': READERS,
  'POST /operator/confirmations/{confirmationId}/!confirm': ['APPROVER'],
  'POST /operator/confirmations/{confirmationId}/!refuse': ['APPROVER'],
  'POST /operator/confirmations/{confirmationId}/!withdraw': ['FINANCE'],
  'GET /operator/payout-files': READERS,
  'POST /operator/payout-files': ['FINANCE'],
  'GET /operator/payout-files/{fileId}': READERS,
  'GET /operator/payout-files/{fileId}/content': ['FINANCE'],
  'POST /operator/payout-files/{fileId}/!submitted': ['FINANCE'],
  'POST /operator/payout-files/{fileId}/!by-hand': ['FINANCE'],
  'GET /operator/payout-reports': READERS,
  'POST /operator/payout-reports': ['FINANCE'],
  'GET /operator/payout-reports/{reportId}': READERS,
  'GET /operator/payout-reports/{reportId}/content': ['FINANCE', 'APPROVER'],
  'GET /operator/rail-notifications': [...READERS, 'CATALOGUE'],
  'GET /operator/reviews': READERS,
  'GET /operator/reviews/{kind}/{merchantCode}/{idPayment}': READERS,
  'POST /operator/reviews/{kind}/{merchantCode}/{idPayment}/!decide': ['APPROVER'],
  'GET /operator/failed-documents': READERS,
  'GET /operator/failed-documents/{documentId}/content': ['FINANCE', 'APPROVER'],
  'POST /operator/statements': ['FINANCE'],
  'GET /operator/statements': READERS,
  'GET /operator/statement-lines': READERS,
  'GET /operator/statement-lines/{lineId}': READERS,
  'GET /operator/statement-lines/{lineId}/details': ['FINANCE', 'APPROVER'],
  'POST /operator/statement-lines/{lineId}/!decide': ['FINANCE'],
  'GET /operator/rate-lists': READERS,
  'GET /operator/rate-lists/{code}': READERS,
  'GET /operator/rate-lists/{code}/conversion': READERS,
  'POST /operator/rate-lists': ['FINANCE'],
  'POST /operator/rate-lists/{code}/!enable': ['FINANCE'],
  'POST /operator/rate-lists/{code}/!disable': ['FINANCE'],
  'POST /operator/rate-lists/{code}/sheets': ['FINANCE'],
  'POST /operator/rate-lists/{code}/!set': ['FINANCE'],
  'GET /operator/callbacks': READERS,
  'POST /operator/callbacks/{eventId}/!resend': ['SUPPORT'],
  'POST /operator/callbacks/!resend': ['SUPPORT'],
  'GET /operator/customers/{merchantCode}': [...READERS, 'ADMIN'],
  'GET /operator/customers/{merchantCode}/{idCustomer}': [...READERS, 'ADMIN'],
  'POST /operator/customers/{merchantCode}/{idCustomer}/!block': ['ADMIN'],
  'POST /operator/customers/{merchantCode}/{idCustomer}/!unblock': ['ADMIN'],
  'POST /operator/customers/{merchantCode}/{idCustomer}/!erase': ['ADMIN'],
  'GET /operator/bank-channels': READERS,
  'GET /operator/bank-channels/{channelCode}/files': READERS,
  'POST /operator/bank-channels/{channelCode}/!look': ['SUPPORT', 'CATALOGUE'],
  'GET /operator/chains': READERS,
  'GET /operator/chains/{chainCode}/transfers': READERS,
  'GET /operator/chains/{chainCode}/payouts': READERS,
  'GET /operator/chains/{chainCode}/holdings': READERS,
  'GET /operator/chains/{chainCode}/sweeps': READERS,
  'POST /operator/chains/{chainCode}/sweeps': ['FINANCE'],
  'POST /operator/chains/{chainCode}/!look': ['SUPPORT', 'CATALOGUE'],
  'GET /operator/balances': READERS,
  'GET /operator/balances/totals': READERS,
  'GET /operator/journal': READERS,
  'GET /operator/journal/export': READERS,
  'GET /operator/journal/head': READERS,
  'GET /operator/retention': READERS,
  'GET /operator/rails': [...READERS, 'CATALOGUE'],
  'GET /operator/institutions': [...READERS, 'CATALOGUE'],
  'PUT /operator/institutions/{type}/{code}/{direction}': ['SUPPORT', 'CATALOGUE'],
  'DELETE /operator/institutions/{type}/{code}/{direction}': ['SUPPORT', 'CATALOGUE'],
  'GET /operator/rail-notifications/{notificationNo}': [...READERS, 'CATALOGUE'],
  'GET /operator/rail-notifications/{notificationNo}/body': ['FINANCE', 'APPROVER'],
  'GET /operator/rail-forgeries': [...READERS, 'CATALOGUE'],
  'GET /operator/payins/{merchantCode}/{idPayin}': READERS,
  'GET /operator/payouts/{merchantCode}/{idPayout}': READERS,
  'GET /operator/topups/{merchantCode}/{idTopUp}': READERS,
  'GET /operator/payments': READERS,
  'GET /operator/payments/export': READERS,
  'GET /operator/volumes': READERS,
  'POST /operator/volumes/!recount': ['FINANCE'],
  'GET /operator/payments/{kind}/{merchantCode}/{idPayment}/history': READERS,
  'POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!trigger': ['SUPPORT'],
  'GET /operator/clocks/{merchantCode}': [...READERS, 'CATALOGUE', 'ADMIN'],
  'POST /operator/clocks/{merchantCode}/!advance': ['SUPPORT'],
  'GET /operator/settlements/{merchantCode}': READERS,
  'GET /operator/settlements/{merchantCode}/{idSettlement}': READERS,
  'GET /operator/settlements/{merchantCode}/{idSettlement}/transactions': READERS,
  'POST /operator/settlements/!run': ['FINANCE'],
  'GET /operator/settlement-terms/{merchantCode}': READERS,
  'PUT /operator/settlement-terms/{merchantCode}/cycles/{currencyCode}': ['ADMIN'],
  'PUT /operator/settlement-terms/{merchantCode}/accounts/{currencyCode}': ['ADMIN'],
  'GET /operator/blocked-accounts': READERS,
  'POST /operator/blocked-accounts/!block': ['APPROVER'],
  'POST /operator/blocked-accounts/!unblock': ['APPROVER'],
  'GET /operator/payout-rules/{merchantCode}': READERS,
  'PUT /operator/payout-rules/{merchantCode}/{currencyCode}': ['ADMIN'],
  'GET /operator/restore-gap': READERS,
  'POST /operator/restore-gap/!open': ['SUPPORT', 'FINANCE', 'APPROVER'],
  'POST /operator/restore-gap/ids': ['SUPPORT', 'FINANCE', 'APPROVER'],
  'POST /operator/restore-gap/!waive': ['APPROVER'],
  'POST /operator/restore-gap/!propose': ['APPROVER'],
  'POST /operator/restore-gap/!close': ['APPROVER'],
  'POST /operator/statement-lines/!match': ['FINANCE'],
  'GET /operator/merchants': [...READERS, 'CATALOGUE', 'ADMIN'],
  'GET /operator/merchants/{merchantCode}': [...READERS, 'CATALOGUE', 'ADMIN'],
  'POST /operator/merchants': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/!change': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/!enable': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/!disable': ['ADMIN'],
  'PUT /operator/merchants/{merchantCode}/logo': ['ADMIN'],
  'DELETE /operator/merchants/{merchantCode}/logo': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/keys': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/keys/{keyId}/!confirm': ['ADMIN'],
  'DELETE /operator/merchants/{merchantCode}/keys/{keyId}': ['ADMIN'],
  'GET /operator/merchants/{merchantCode}/people': ['AUDITOR', 'ADMIN'],
  'POST /operator/merchants/{merchantCode}/people': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/people/{operatorCode}/!invite': ['ADMIN'],
  'PUT /operator/merchants/{merchantCode}/people/{operatorCode}/role': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/people/{operatorCode}/!enable': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/people/{operatorCode}/!disable': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/secrets': ['ADMIN'],
  'DELETE /operator/merchants/{merchantCode}/secrets/{secretId}': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/!revoke-tokens': ['ADMIN'],
  'POST /operator/tokens/!revoke': ['ADMIN'],
  'GET /operator/signing-keys': [...READERS, 'CATALOGUE', 'ADMIN'],
  'POST /operator/signing-keys/!rotate': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/!rotate-callback-key': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/!rotate-callback-secret': ['ADMIN'],
  'POST /operator/merchants/{merchantCode}/!remove-callback-secret': ['ADMIN'],
  'GET /operator/catalogue': [...READERS, 'CATALOGUE'],
  'GET /operator/catalogue/yaml': [...READERS, 'CATALOGUE'],
  'GET /operator/merchants/{merchantCode}/terms': [...READERS, 'CATALOGUE'],
  'GET /operator/health': [...READERS, 'CATALOGUE', 'ADMIN'],
  'PUT /operator/catalogue': ['CATALOGUE'],
  'GET /operator/catalogue/changes': [...READERS, 'CATALOGUE'],
  'GET /operator/catalogue/explain': [...READERS, 'CATALOGUE'],
  'POST /operator/merchants/{merchantCode}/methods/!enable': ['CATALOGUE'],
  'POST /operator/merchants/{merchantCode}/methods/!disable': ['CATALOGUE'],
  'PUT /operator/merchants/{merchantCode}/limits/{direction}/{methodCode}/{currencyCode}': ['CATALOGUE'],
  'PUT /operator/fees': ['CATALOGUE'],
  'GET /operator/bank-accounts': [...READERS, 'ADMIN'],
  'POST /operator/bank-accounts': ['ADMIN'],
  'POST /operator/bank-accounts/{code}/!change': ['ADMIN'],
  'POST /operator/bank-accounts/{code}/!retire': ['ADMIN'],
  'GET /operator/operators': ['AUDITOR', 'ADMIN'],
  'GET /operator/operators/{operatorCode}': ['AUDITOR', 'ADMIN'],
  'POST /operator/operators': ['ADMIN'],
  'POST /operator/operators/{operatorCode}/!enable': ['ADMIN'],
  'POST /operator/operators/{operatorCode}/!disable': ['ADMIN'],
  'PUT /operator/operators/{operatorCode}/roles': ['ADMIN'],
  'POST /operator/operators/{operatorCode}/keys': ['ADMIN'],
  'POST /operator/operators/{operatorCode}/keys/{keyId}/!second': ['ADMIN'],
  'DELETE /operator/operators/{operatorCode}/keys/{keyId}': ['ADMIN'],
}

/** Who signs in is nobody yet. */
export const SIGN_IN_ROUTES: readonly string[] = [
  'GET /operator/sign-in-ways',
  'POST /operator/sessions/passkey/!begin',
  'POST /operator/sessions/passkey/!finish',
  'POST /operator/sessions/oidc/!begin',
  'POST /operator/sessions/oidc/!finish',
  'POST /operator/identities/!finish',
]

/** What a key alone cannot do, whatever the roles: a session does it, and a touch needs one of a passkey. */
export const SESSION_ROUTES: readonly string[] = [
  'POST /operator/passkeys/!begin',
  'POST /operator/identities/!begin',
  'POST /operator/step-ups/!begin',
  'POST /operator/step-ups/!finish',
]
