export {
  AMOUNT_DIGITS_MAX,
  type Amount,
  fractionDigits,
  isAmount,
  type Money,
  parseAmount,
  parsePlainAmount,
  type RawJson,
  rawAmount,
  ZERO,
} from './amount.ts'
export {
  addAmounts,
  compareAmounts,
  fromMinorUnits,
  isNegative,
  isPositive,
  isZero,
  MINOR_UNITS_MAX,
  negateAmount,
  roundHalfUp,
  subtractAmounts,
  sumAmounts,
  toMinorUnits,
} from './arithmetic.ts'
export type { FeeQuestion, FeeRule } from './fee.ts'
export { computeFee } from './fee.ts'

export { CURRENCIES_ISO_4217 } from './iso-4217.ts'
