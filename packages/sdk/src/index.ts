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
export type {
  Customer,
  CustomerChange,
  CustomerData,
  CustomerOwnAccount,
  CustomerPayment,
} from './customer-types.ts'
export type { CustomerCreated, Customers } from './customers.ts'
export { IdConflictError, type RejectionItem, TollgateError, type Violation } from './errors.ts'
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts'
export { minify, parseLossless, stringifyLossless } from './json.ts'
export type { PayinCreate, PayinCreated, Payins } from './payins.ts'
export type {
  FeeConversion,
  PayeeAccount,
  Payin,
  PayinAccepted,
  PaymentAccount,
  PaymentDetail,
  PaymentInstructions,
  PaymentProcess,
  Payout,
  PayoutAccepted,
  Requested,
  TopUp,
  TopUpAccepted,
} from './payment-types.ts'
export type { OptionsRequest, PaymentCreate } from './payments.ts'
export type { PayoutCreate, PayoutCreated, Payouts } from './payouts.ts'
export type { ConvertRequest, RateLists, RateSheetChoice } from './rate-lists.ts'
export type { Conversion, Rate, RateList, RateSheet, RateSide } from './rate-types.ts'
export { type RedirectUrlOptions, redirectUrl } from './redirect-url.ts'
export type { ReferenceLists } from './reference-lists.ts'
export type { Settlement, SettlementConversion, SettlementItem } from './settlement-types.ts'
export type {
  SettlementFilter,
  SettlementRequest,
  SettlementRequested,
  Settlements,
} from './settlements.ts'
export { signBody } from './signature.ts'
export type { ActionTokenRequest, TokenRequest, TokenScope, Tokens } from './tokens.ts'
export type { TopUpCreate, TopUpCreated, TopUps } from './topups.ts'
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
  Page,
  PageRequest,
  PaymentMethod,
  PaymentOperator,
  PaymentOption,
  PaymentStatus,
  TokenAction,
} from './types.ts'
