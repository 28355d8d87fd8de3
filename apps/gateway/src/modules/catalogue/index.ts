export type { FeeRates } from './charge.ts'
export type { RailDirections } from './demands.ts'
export {
  type CurrencyDescription,
  describeCurrencies,
  describeMethods,
  describeOperators,
  describeSegments,
  type MethodDescription,
  type OperatorDescription,
} from './describe.ts'
export { SettingInvalid } from './errors.ts'
export {
  type AcceptedPayment,
  type CustomerAccount,
  type CustomerData,
  judgePayment,
  type PaymentJudgement,
  type PaymentRequest,
  pathsOfCreate,
} from './judge.ts'
export {
  type Catalogue,
  type Currency,
  type DailyCap,
  DIRECTIONS,
  type Direction,
  dailyCapsOf,
  type ExternalReferenceUse,
  type FeeConversion,
  type Flow,
  type MerchantTerms,
  type Method,
  type Operator,
  type Question,
} from './model.ts'
export {
  type Choice,
  listChoices,
  listOptions,
  type OptionsJudgement,
  type PaymentOption,
} from './options.ts'
export { SANDBOX_CATALOGUE_PATH, seedSandboxCatalogue } from './seed.ts'
export { type CatalogueDeps, type CatalogueService, createCatalogueService } from './service.ts'
export {
  type CatalogueSettings,
  createCatalogueSettings,
  type FeeSetting,
  type LimitSetting,
  type MethodSetting,
} from './settings.ts'
export { findTerms } from './store.ts'
