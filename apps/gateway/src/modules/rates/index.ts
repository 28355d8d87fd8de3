export { createRateAdministration } from './administration.ts'

export { ageOf, type Conversion, convertMoney, RATE_DIGITS, type RateSnapshot, sheetAt } from './model.ts'
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
