import { type Amount, toMinorUnits } from '@tollgate/money'

const MINOR_UNITS = 2

/** The amount with exactly two decimals, as `10.50`. It must not have more. */
export function withTwoDecimals(amount: Amount): string {
  const digits = toMinorUnits(amount, MINOR_UNITS)
    .toString()
    .padStart(MINOR_UNITS + 1, '0')
  return `${digits.slice(0, -MINOR_UNITS)}.${digits.slice(-MINOR_UNITS)}`
}
