export {
  type CallbackHandlerOptions,
  callbackHandler,
  fetchHandler,
  type IncomingCallback,
  type OutgoingAnswer,
  type PaymentEvent,
} from './callback-handlers.ts'
export {
  type CallbackEvent,
  CallbackInvalid,
  type CallbackKind,
  type CallbackReason,
  type CallbackToVerify,
  type HeadersLike,
  verifyCallback,
} from './callbacks.ts'
export type { CustomerCreated, Customers } from './customers.ts'
export { IdConflictError, TollgateError } from './errors.ts'
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts'
export { minify, parseLossless, stringifyLossless } from './json.ts'
export type { CustomerReturn, PayinCreate, PayinCreated, Payins } from './payins.ts'
export type { Following, OptionsRequest, PaymentCreate, Reconciled, Waiting } from './payments.ts'
export type { PayoutCreate, PayoutCreated, Payouts } from './payouts.ts'
export type { ConvertRequest, RateLists, RateSheetChoice } from './rate-lists.ts'
export { type RedirectUrlOptions, redirectUrl } from './redirect-url.ts'
export type { ReferenceLists } from './reference-lists.ts'
export type { RefundCreate, RefundCreated, Refunds } from './refunds.ts'
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
  Conversion,
  Currency,
  Customer,
  CustomerAccount,
  CustomerChange,
  CustomerData,
  CustomerOwnAccount,
  CustomerPayment,
  FeeConversion,
  Field,
  Flow,
  Limit,
  MerchantInfo,
  Money,
  Open,
  Page,
  PageRequest,
  PayeeAccount,
  Payin,
  PayinAccepted,
  PaymentAccount,
  PaymentDetail,
  PaymentInstructions,
  PaymentMethod,
  PaymentOperator,
  PaymentOption,
  PaymentProcess,
  PaymentStatus,
  Payout,
  PayoutAccepted,
  Rate,
  RateList,
  RateSheet,
  RateSide,
  Refund,
  RefundAccepted,
  RejectionItem,
  Requested,
  Settlement,
  SettlementConversion,
  SettlementItem,
  TokenAction,
  TopUp,
  TopUpAccepted,
  Violation,
} from './types.ts'
