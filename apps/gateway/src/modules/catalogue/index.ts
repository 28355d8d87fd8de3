export type { RailDirections } from './demands.ts'
export { createCatalogueDocuments } from './document/apply.ts'
export { STARTER_CURRENCIES, starterCatalogue } from './document/starter.ts'
export { catalogueYaml } from './document/yaml.ts'

export { SettingInvalid } from './errors.ts'
export type { ExplainedFee } from './explain-fees.ts'
export { type AcceptedPayment, judgePayment, pathsOfCreate } from './judge.ts'
export { ANY, type Direction, dailyCapsOf, type MerchantTerms, type Question } from './model.ts'
export {
  type Choice,
  explainOptions,
  listChoices,
  listOptions,
  type PaymentOption,
} from './options.ts'
export { seedSandboxCatalogue } from './seed.ts'
export { type CatalogueService, createCatalogueService } from './service.ts'
export { type CatalogueSettings, createCatalogueSettings, type FeeSetting } from './settings.ts'
export {
  findCatalogue,
  findTerms,
  findTermsRows,
  isInstitution,
  listMethodsInUse,
  type MethodInUse,
} from './store.ts'
