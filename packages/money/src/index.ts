export type { Amount } from './amount.ts'
export { AMOUNT_DIGITS_MAX, fractionDigits, isAmount, parseAmount, parsePlainAmount, ZERO } from './amount.ts'
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
export type { CurrencyIso4217 } from './iso-4217.ts'
export { CURRENCIES_ISO_4217 } from './iso-4217.ts'
export type { Money } from './money.ts'
export type { JsonSource, RawJson } from './raw.ts'
export { rawAmount } from './raw.ts'
