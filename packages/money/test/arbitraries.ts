import fc from 'fast-check'
import type { Amount } from '../src/index.ts'
import { fromMinorUnits, parseAmount } from '../src/index.ts'

/** Parses a text that the test knows to be a number within the limits. */
export function must(source: string): Amount {
  const amount = parseAmount(source)
  if (amount === undefined) throw new Error(`the test needs an amount, not ${source}`)
  return amount
}

const DIGITS_BOUND = 10n ** 38n

/** Amounts of every sign and size within 38 digits, many of them small and many of them equal. */
export const amounts: fc.Arbitrary<Amount> = fc
  .tuple(
    fc.oneof(fc.bigInt({ min: -150n, max: 150n }), fc.bigInt({ min: -DIGITS_BOUND, max: DIGITS_BOUND })),
    fc.nat(20),
  )
  .map(([units, scale]) => fromMinorUnits(units, scale))

/** The same without those below zero. */
export const unsignedAmounts: fc.Arbitrary<Amount> = amounts.map((amount) => must(amount.replace('-', '')))
