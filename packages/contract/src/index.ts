export { CallbackSchema } from './callbacks.ts'
export {
  answers,
  BasicErrorSchema,
  CODE_PATTERN,
  CURRENCY_CODE_PATTERN,
  DOCUMENTED,
  EXACT_NUMBER,
  ID_PATTERN,
  listOf,
  MoneySchema,
  noContent,
  PaymentRequestedSchema,
  RejectionSchema,
  RequestedMoneySchema,
  type WireMoney,
} from './common.ts'
export {
  ConfirmationDetailSchema,
  ConfirmationListSchema,
  ConfirmationParams,
  ConfirmationRefuseSchema,
  ConfirmationSchema,
  ConfirmationsQuery,
  ConfirmationWithdrawSchema,
  ConfirmSchema,
  WaitingSchema,
} from './confirmations.ts'
export {
  CUSTOMER_ACCOUNTS_MAX,
  type CustomerCreate,
  CustomerCreateSchema,
  CustomerListSchema,
  CustomerParams,
  type CustomerPatch,
  CustomerPatchSchema,
  CustomerPaymentListSchema,
  CustomerSchema,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
  PageQuery,
} from './customers.ts'
export { ERROR_STATUS_MEANINGS, errorPage } from './error-pages.ts'
export { PageChoicesSchema, PagePayinSchema } from './hosted-page.ts'
export {
  InstitutionListSchema,
  InstitutionParams,
  InstitutionSaySchema,
  InstitutionSchema,
  RailListSchema,
} from './institutions.ts'
export {
  RailForgeriesQuery,
  RailForgeryListSchema,
  RailNotificationBodySchema,
  RailNotificationListSchema,
  RailNotificationParams,
  RailNotificationSchema,
  RailNotificationsQuery,
} from './notifications.ts'
export {
  JournalHeadSchema,
  JournalQuery,
  JournalSchema,
  RetentionListSchema,
} from './operator-books.ts'
export {
  CallbackResentSchema,
  OperatorCallbackListSchema,
  OperatorCallbackParams,
  OperatorCallbacksQuery,
} from './operator-callbacks.ts'
export {
  CustomerErasureSchema,
  OperatorCustomerListSchema,
  OperatorCustomerParams,
  OperatorCustomerSchema,
  OperatorCustomersParams,
  OperatorCustomersQuery,
} from './operator-customers.ts'
export {
  OperatorPayinParams,
  OperatorPaymentSchema,
  OperatorTopUpParams,
  TriggeredSchema,
  TriggerParams,
  TriggerSchema,
} from './operator-payments.ts'
export {
  OperatorConversionQuery,
  OperatorRateListListSchema,
  OperatorRateListParams,
  OperatorRateListSchema,
  OperatorRateSheetQuery,
  OperatorRateSheetSchema,
  RateListCreateSchema,
  RateSetSchema,
  RateSheetsQuery,
  RateSheetsStoredSchema,
  RateStoredSchema,
} from './operator-rates.ts'
export {
  OperatorSettlementListSchema,
  OperatorSettlementParams,
  OperatorSettlementSchema,
  OperatorSettlementsParams,
  OperatorSettlementsQuery,
  RegisteredAccountSchema,
  SettlementAccountSetSchema,
  SettlementCycleSchema,
  SettlementCycleSetSchema,
  SettlementRunResultSchema,
  SettlementRunSchema,
  SettlementTermParams,
  SettlementTermsSchema,
} from './operator-settlements.ts'
export {
  type OperatorRequestList,
  OperatorRequestListSchema,
  OperatorRequestsQuery,
  type OperatorSelf,
  OperatorSelfSchema,
  UnmaskingListSchema,
  UnmaskingsQuery,
} from './operators.ts'
export {
  type ExternalReference,
  ExternalReferenceSchema,
  PayinAcceptedSchema,
  type PayinCreate,
  PayinCreateSchema,
  PayinDetailSchema,
  PayinParams,
  PaymentAccountsSchema,
} from './payins.ts'
export {
  type OptionsRequest,
  OptionsRequestSchema,
  type PaymentMethodRequest,
  PaymentOptionsSchema,
} from './payments.ts'
export {
  PAYOUT_REPORT_CHARACTERS_MAX,
  PayoutFileContentSchema,
  PayoutFileCreateSchema,
  PayoutFileDetailSchema,
  PayoutFileListSchema,
  PayoutFileParams,
  PayoutFilesQuery,
  PayoutReportDetailSchema,
  PayoutReportListSchema,
  PayoutReportParams,
  PayoutReportsQuery,
  PayoutReportTakeSchema,
  PayoutRunSchema,
} from './payout-files.ts'
export {
  AccountsBlockSchema,
  AccountsChangedSchema,
  AccountsUnblockSchema,
  BlockedAccountListSchema,
  BlockedAccountsQuery,
  PayoutRuleListSchema,
  PayoutRuleParams,
  PayoutRuleSchema,
  PayoutRuleSetSchema,
  PayoutRulesParams,
} from './payout-settings.ts'
export {
  CONTENT_HASH_DIGITS,
  HeldPaymentParams,
  HoldSchema,
  OperatorPayoutListSchema,
  OperatorPayoutParams,
  OperatorPayoutQuery,
  OperatorPayoutSchema,
  OperatorPayoutsQuery,
  PayeeSchema,
  PayoutAcceptedSchema,
  PayoutApproveSchema,
  type PayoutCreate,
  PayoutCreateSchema,
  PayoutDetailSchema,
  PayoutParams,
  PayoutRejectSchema,
} from './payouts.ts'
export {
  ConversionSchema,
  ConvertQuery,
  type ConvertRequest,
  ConvertRequestSchema,
  RateListListSchema,
  RateListParams,
  RateListQuery,
  RateSheetSchema,
} from './rates.ts'
export {
  BalanceListSchema,
  BalancesQuery,
  CurrencyListSchema,
  LogoParams,
  MerchantInfoSchema,
  MethodListSchema,
  OperatorListSchema,
  SegmentListSchema,
} from './reference-lists.ts'
export {
  GapCloseSchema,
  GapIdsQuery,
  GapIdsSchema,
  GapOpenedSchema,
  GapOpenSchema,
  GapProposeSchema,
  GapWaiveSchema,
  RestoreGapSchema,
} from './restore-gap.ts'
export {
  ReviewDecideSchema,
  ReviewDetailSchema,
  ReviewListSchema,
  ReviewParams,
  ReviewsQuery,
  TimelineEntrySchema,
} from './reviews.ts'
export {
  SETTLEMENT_CSV_COLUMNS,
  SettlementItemSchema,
  SettlementListSchema,
  SettlementParams,
  type SettlementRequest,
  SettlementRequestSchema,
  SettlementSchema,
  SettlementsQuery,
  SettlementTransactionsSchema,
} from './settlements.ts'
export {
  STATEMENT_LINE_DECISIONS,
  STATEMENT_LINE_STATES,
  type StatementLineDecide,
  StatementLineDecideSchema,
  StatementLineListSchema,
  StatementLineParams,
  StatementLineSchema,
  StatementLinesQuery,
  StatementsMatchedSchema,
} from './statement-lines.ts'
export {
  StatementFileListSchema,
  StatementFilesQuery,
  StatementTakenSchema,
  StatementTakeQuery,
} from './statements.ts'
export {
  type AuthTokenByActionRequest,
  AuthTokenByActionRequestSchema,
  type AuthTokenRequest,
  AuthTokenRequestSchema,
  AuthTokenSchema,
} from './tokens.ts'
export {
  TopUpAcceptedSchema,
  type TopUpCreate,
  TopUpCreateSchema,
  TopUpDetailSchema,
  TopUpParams,
  TopUpRequestedSchema,
} from './topups.ts'
export type {
  Answer,
  AnswerItem,
  Open,
  Printed,
  Read,
  ReadItem,
  Sent,
  WireAmount,
  WireNumber,
} from './wire.ts'
