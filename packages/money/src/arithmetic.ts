import type { Amount, Scaled } from './amount.ts'
import { fractionDigits, printScaled, scaleAmount, ZERO } from './amount.ts'

/** The most decimals that a currency may have. Ether has 18, the finest ones in use have 24. */
export const MINOR_UNITS_MAX = 30

/** Tells whether the amount is above zero. */
export function isPositive(amount: Amount): boolean {
  return !isZero(amount) && !isNegative(amount)
}

/** Tells whether the amount is below zero. */
export function isNegative(amount: Amount): boolean {
  return amount.startsWith('-')
}

/** Tells whether the amount is exactly zero. */
export function isZero(amount: Amount): boolean {
  return amount === ZERO
}

/** Orders two amounts by value: -1 when `a` is less than `b`, 0 when they are equal, 1 when it is more. */
export function compareAmounts(a: Amount, b: Amount): -1 | 0 | 1 {
  if (a === b) return 0
  const [unitsA, unitsB] = align(scaleAmount(a), scaleAmount(b))
  return unitsA < unitsB ? -1 : 1
}

/** a + b, exactly. */
export function addAmounts(a: Amount, b: Amount): Amount {
  const sum = addScaled(scaleAmount(a), scaleAmount(b))
  return printScaled(sum.units, sum.scale)
}

/** a - b, exactly. */
export function subtractAmounts(a: Amount, b: Amount): Amount {
  return addAmounts(a, negateAmount(b))
}

/** The amount with the opposite sign; zero stays `0`. */
export function negateAmount(amount: Amount): Amount {
  const { units, scale } = scaleAmount(amount)
  return printScaled(-units, scale)
}

/** The exact sum of all the amounts; `0` when there are none. */
export function sumAmounts(amounts: Iterable<Amount>): Amount {
  let sum: Scaled = { units: 0n, scale: 0 }
  for (const amount of amounts) sum = addScaled(sum, scaleAmount(amount))
  return printScaled(sum.units, sum.scale)
}

/**
 * The amount as an integer of the currency's smallest unit: (`10.5`, 2) is 1050n.
 * @param minorUnits how many decimals the currency has, 0 to {@link MINOR_UNITS_MAX}
 * @throws RangeError if the amount has more decimals than the currency.
 */
export function toMinorUnits(amount: Amount, minorUnits: number): bigint {
  checkMinorUnits(minorUnits)
  const { units, scale } = scaleAmount(amount)
  if (scale > minorUnits) throw new RangeError(`${amount} has more than ${minorUnits} decimals`)
  return units * powerOfTen(minorUnits - scale)
}

/**
 * The inverse of {@link toMinorUnits}: (1050n, 2) is `10.5`.
 * @throws RangeError if `minorUnits` is not an integer from 0 to {@link MINOR_UNITS_MAX}.
 */
export function fromMinorUnits(units: bigint, minorUnits: number): Amount {
  checkMinorUnits(minorUnits)
  return printScaled(units, minorUnits)
}

/**
 * Rounds to the decimals of a currency, a half always away from zero: 1.005 to 1.01 and -1.005 to -1.01.
 * A refund thus rounds to exactly what the payment rounded to.
 * @throws RangeError if `minorUnits` is not an integer from 0 to {@link MINOR_UNITS_MAX}.
 */
export function roundHalfUp(amount: Amount, minorUnits: number): Amount {
  checkMinorUnits(minorUnits)
  return fractionDigits(amount) <= minorUnits ? amount : roundScaled(scaleAmount(amount), minorUnits)
}

function roundScaled({ units, scale }: Scaled, minorUnits: number): Amount {
  const divisor = powerOfTen(scale - minorUnits)
  const magnitude = units < 0n ? -units : units
  const rounded = (magnitude + divisor / 2n) / divisor
  return printScaled(units < 0n ? -rounded : rounded, minorUnits)
}

function addScaled(a: Scaled, b: Scaled): Scaled {
  const [unitsA, unitsB] = align(a, b)
  return { units: unitsA + unitsB, scale: Math.max(a.scale, b.scale) }
}

/** Both as integers of the finer one's unit. */
function align(a: Scaled, b: Scaled): readonly [bigint, bigint] {
  const scale = Math.max(a.scale, b.scale)
  return [a.units * powerOfTen(scale - a.scale), b.units * powerOfTen(scale - b.scale)]
}

function powerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent)
}

/** Those that amounts from outside can need. */
const POWERS_OF_TEN: readonly bigint[] = Array.from({ length: 41 }, (_, exponent) => 10n ** BigInt(exponent))

function checkMinorUnits(minorUnits: number): void {
  if (Number.isInteger(minorUnits) && minorUnits >= 0 && minorUnits <= MINOR_UNITS_MAX) return
  throw new RangeError(`a currency cannot have ${minorUnits} decimals`)
}
