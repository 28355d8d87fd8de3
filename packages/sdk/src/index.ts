export {
  type CallbackHandlerOptions,
  callbackHandler,
  fetchHandler,
  type IncomingCallback,
  type OutgoingAnswer,
} from './callback-handlers.ts'
export {
  type CallbackEvent,
  CallbackInvalid,
  type CallbackReason,
  type CallbackToVerify,
  type HeadersLike,
  verifyCallback,
} from './callbacks.ts'
export { IdConflictError, type RejectionItem, TollgateError, type Violation } from './errors.ts'
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts'
export { minify, parseLossless, stringifyLossless } from './json.ts'
export type { OptionsRequest, PayinCreate, PayinCreated, Payins } from './payins.ts'
export { type RedirectUrlOptions, redirectUrl } from './redirect-url.ts'
export type { ReferenceLists } from './reference-lists.ts'
export { signBody } from './signature.ts'
export type { ActionTokenRequest, TokenRequest, TokenScope, Tokens } from './tokens.ts'
export type { RawRequest, RawResponse } from './transport.ts'
export type {
  Availability,
  Balance,
  Coded,
  Currency,
  CustomerAccount,
  Field,
  Flow,
  Limit,
  MerchantInfo,
  Money,
  Open,
  PayeeAccount,
  Payin,
  PayinAccepted,
  PaymentAccount,
  PaymentMethod,
  PaymentOperator,
  PaymentOption,
  PaymentStatus,
  TokenAction,
} from './types.ts'
