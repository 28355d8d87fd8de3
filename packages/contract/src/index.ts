export {
  BankChannelFileListSchema,
  BankChannelFilesQuery,
  BankChannelListSchema,
  BankChannelParams,
  BankChannelSchema,
} from './bank-channels.ts'
export { CallbackSchema } from './callbacks.ts'
export {
  answers,
  BasicErrorSchema,
  CODE_PATTERN,
  COMPARED_PATTERN,
  CURRENCY_CODE_PATTERN,
  DOCUMENTED,
  EXACT_NUMBER,
  ID_PATTERN,
  MoneySchema,
  noContent,
  PRINTABLE_PATTERN,
  RejectionSchema,
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
  CustomerCreateSchema,
  CustomerListSchema,
  CustomerParams,
  CustomerPatchSchema,
  CustomerPaymentListSchema,
  CustomerSchema,
  PAGE_LIMIT_DEFAULT,
  PageQuery,
} from './customers.ts'
export { errorMeaning, errorPage } from './error-pages.ts'
export {
  FailedDocumentContentSchema,
  FailedDocumentListSchema,
  FailedDocumentParams,
  FailedDocumentsQuery,
} from './failed-documents.ts'
export { PageChoicesSchema, PagePayinSchema, PageShopSchema } from './hosted-page.ts'
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
export { AttentionSchema } from './operator-attention.ts'
export {
  AuditActSchema,
  AuditExportQuery,
  AuditExportSchema,
  AuditHeadSchema,
  AuditListSchema,
  AuditParams,
  AuditQuery,
  AuditVerificationSchema,
} from './operator-audit.ts'
export { BalanceTotalsSchema, OperatorBalanceListSchema, OperatorBalancesQuery } from './operator-balances.ts'
export {
  BankAccountAddSchema,
  BankAccountChangeSchema,
  BankAccountListSchema,
  BankAccountParams,
  BankAccountSchema,
  BankAccountsQuery,
} from './operator-bank-accounts.ts'
export {
  JOURNAL_COLUMNS,
  JournalExportQuery,
  JournalExportSchema,
  JournalHeadSchema,
  JournalQuery,
  JournalSchema,
  RetentionListSchema,
} from './operator-books.ts'
export {
  CallbackResentSchema,
  CallbacksResendSchema,
  CallbacksResentSchema,
  OperatorCallbackListSchema,
  OperatorCallbackParams,
  OperatorCallbacksQuery,
} from './operator-callbacks.ts'
export {
  CatalogueAppliedSchema,
  CatalogueApplyQuery,
  CatalogueChangeListSchema,
  CatalogueChangesQuery,
  CatalogueDocumentSchema,
  CatalogueExplainedSchema,
  CatalogueExplainQuery,
  CatalogueYamlSchema,
} from './operator-catalogue.ts'
export {
  ChainHoldingsSchema,
  ChainListSchema,
  ChainParams,
  ChainPayoutListSchema,
  ChainSchema,
  ChainSweepListSchema,
  ChainTransferListSchema,
  ChainTransfersQuery,
  SweepSchema,
  SweepTakenSchema,
} from './operator-chains.ts'
export { ClockAdvanceSchema, ClockParams, MerchantClockSchema } from './operator-clocks.ts'
export {
  CustomerErasureSchema,
  OperatorCustomerListSchema,
  OperatorCustomerParams,
  OperatorCustomerSchema,
  OperatorCustomersParams,
  OperatorCustomersQuery,
} from './operator-customers.ts'
export { SystemHealthSchema } from './operator-health.ts'
export {
  IdentityConfirmSchema,
  IdentityLinkedSchema,
  OidcBegunSchema,
  OidcBroughtBackSchema,
  OperatorIdentitiesQuery,
  OperatorIdentityListSchema,
  OperatorIdentityParams,
  OperatorIdentityRemovedSchema,
  OperatorIdentitySchema,
  SignInWaysSchema,
} from './operator-identities.ts'
export {
  MemberAddSchema,
  MemberInvitedSchema,
  MemberListSchema,
  MemberParams,
  MemberRoleSetSchema,
  MemberSchema,
  MembersParams,
} from './operator-members.ts'
export {
  MerchantKeyAddSchema,
  MerchantKeyConfirmedSchema,
  MerchantKeyConfirmSchema,
  MerchantKeyParams,
  MerchantKeyRemovedSchema,
  MerchantKeySchema,
  MerchantSecretParams,
  MerchantSecretRemovedSchema,
  MerchantSecretSchema,
} from './operator-merchant-credentials.ts'
export {
  FeeSchema,
  FeeSetSchema,
  MerchantCallbackKeysSchema,
  MerchantCallbackSecretSchema,
  MerchantChangeSchema,
  MerchantCreateSchema,
  MerchantLimitParams,
  MerchantLimitSchema,
  MerchantLimitSetSchema,
  MerchantLogoRemovedSchema,
  MerchantLogoSchema,
  MerchantMethodsChangeSchema,
  MerchantMethodsSchema,
  MerchantTermsSchema,
  MerchantTokensRevokedSchema,
  OperatorMerchantDetailSchema,
  OperatorMerchantListSchema,
  OperatorMerchantParams,
  OperatorMerchantSchema,
  TokenRevokedSchema,
  TokenRevokeSchema,
} from './operator-merchants.ts'
export { MERCHANT_PAGE, OperatorMerchantListQuery } from './operator-parts.ts'
export {
  OperatorInvitedSchema,
  OperatorInviteSchema,
  OperatorPasskeyListSchema,
  OperatorPasskeyParams,
  OperatorPasskeyRemovedSchema,
  OperatorPasskeySchema,
  OperatorPasskeysQuery,
  PasskeyAssertionSchema,
  PasskeyConfirmSchema,
  PasskeyCreationSchema,
  PasskeyRegisteredSchema,
  PasskeyRegistrationSchema,
  PasskeyRequestSchema,
  StepUpBeginSchema,
  StepUpSchema,
} from './operator-passkeys.ts'
export {
  FoundPaymentListSchema,
  OperatorPayinParams,
  OperatorPaymentSchema,
  OperatorTopUpParams,
  PaymentExportQuery,
  PaymentExportSchema,
  PaymentHistorySchema,
  PaymentSearchQuery,
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
  OperatorSessionEndedSchema,
  OperatorSessionListSchema,
  OperatorSessionOpenedSchema,
  OperatorSessionParams,
  OperatorSessionsQuery,
} from './operator-sessions.ts'
export {
  OperatorSettlementItemListSchema,
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
  SigningKeyListSchema,
  SigningKeyRotatedSchema,
  SigningKeyRotateSchema,
} from './operator-signing-keys.ts'
export {
  VolumesQuery,
  VolumesRecountedSchema,
  VolumesRecountSchema,
  VolumesSchema,
} from './operator-volumes.ts'
export {
  OperatorAccountDetailSchema,
  OperatorAccountListSchema,
  OperatorAccountParams,
  OperatorAccountSchema,
  OperatorCreatedSchema,
  OperatorCreateSchema,
  OperatorKeyAddedSchema,
  OperatorKeyAddSchema,
  OperatorKeyParams,
  OperatorKeyRemovedSchema,
  OperatorKeySecondedSchema,
  OperatorRequestListSchema,
  OperatorRequestsQuery,
  OperatorRolesSetSchema,
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
  PayoutFileByHandSchema,
  PayoutFileContentSchema,
  PayoutFileCreateSchema,
  PayoutFileDetailSchema,
  PayoutFileListSchema,
  PayoutFileParams,
  PayoutFilesQuery,
  PayoutReportContentSchema,
  PayoutReportDetailSchema,
  PayoutReportListSchema,
  PayoutReportParams,
  PayoutReportQuery,
  PayoutReportsQuery,
  PayoutReportTakeQuery,
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
  RefundAcceptedSchema,
  type RefundCreate,
  RefundCreateSchema,
  RefundDetailSchema,
  RefundListSchema,
  RefundParams,
} from './refunds.ts'
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
export { RecordedRequestListSchema, RecordedRequestsQuery, SandboxTriggerParams } from './sandbox.ts'
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
export type { Answer, AnswerItem, Open, Printed, Read, ReadItem, Sent, WireAmount } from './wire.ts'
export { digitsOf } from './wire.ts'
