export {
  type AskedSheet,
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
  RATE_DIGITS,
  type Rate,
  type RateList,
  type RateProblem,
  type RateSheet,
  type RateSnapshot,
  SIDES,
  type Side,
} from './model.ts'
export {
  addRatios,
  compareRatios,
  divide,
  multiply,
  printSignificant,
  type Ratio,
  ratioOf,
  roundRatio,
} from './ratio.ts'
export { seedSandboxRates } from './seed.ts'
export { createRateService, isRateListInUse, type RateService } from './service.ts'
