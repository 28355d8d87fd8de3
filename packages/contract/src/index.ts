export { CallbackSchema } from './callbacks.ts'
export {
  answers,
  BasicErrorSchema,
  CODE_PATTERN,
  CURRENCY_CODE_PATTERN,
  EXACT_NUMBER,
  ID_PATTERN,
  listOf,
  MoneySchema,
  PaymentRequestedSchema,
  RejectionSchema,
  type WireAmount,
  type WireMoney,
  type WireNumber,
} from './common.ts'
export type { ErrorDescription } from './error-description.ts'
export { ERROR_STATUS_MEANINGS, errorPage } from './error-pages.ts'
export { ERROR_CATALOGUE, type ErrorCode, isErrorCode } from './errors.ts'
export {
  type ExternalReference,
  ExternalReferenceSchema,
  type OptionsRequest,
  OptionsRequestSchema,
  PayinAcceptedSchema,
  type PayinCreate,
  PayinCreateSchema,
  PayinDetailSchema,
  PayinParams,
  PaymentAccountsSchema,
  PaymentOptionsSchema,
} from './payins.ts'
export {
  BalanceListSchema,
  BalancesQuery,
  CurrencyListSchema,
  MerchantInfoSchema,
  MethodListSchema,
  OperatorListSchema,
  SegmentListSchema,
} from './reference-lists.ts'
export {
  type AuthTokenByActionRequest,
  AuthTokenByActionRequestSchema,
  type AuthTokenRequest,
  AuthTokenRequestSchema,
  AuthTokenSchema,
  INFO_TOKEN_VALIDITY_SECONDS_MAX,
  TOKEN_LENGTH_MAX,
  TOKEN_VALIDITY_SECONDS_DEFAULT,
  TOKEN_VALIDITY_SECONDS_MAX,
} from './tokens.ts'
