export {
  createRateAdministration,
  type NewList,
  type RateAdministration,
  type RateSetting,
  STALE_AFTER_DAYS_DEFAULT,
  STALE_AFTER_DAYS_MAX,
  type StoredSheet,
} from './administration.ts'
export { readAskedMs } from './dates.ts'
export { UNIT_MAX } from './draft.ts'
export { RateListProblem } from './errors.ts'
export {
  ageOf,
  type Conversion,
  type ConversionOutcome,
  type ConversionRequest,
  convertMoney,
  QUOTATIONS,
  type Quotation,
  type Rate,
  type RateList,
  type RateProblem,
  type RateSheet,
  type RateSnapshot,
  SIDES,
  type Side,
} from './model.ts'
export { rateRoutes } from './routes.ts'
export { seedSandboxRates } from './seed.ts'
export { createRateService, type RateService, refusalOf } from './service.ts'
export type { AskedSheet } from './store.ts'
