import { type Amount, fractionDigits, fromMinorUnits, parsePlainAmount } from '@tollgate/money'

/** An exact quotient of two integers; the denominator is positive. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const ONE: Ratio = { numerator: 1n, denominator: 1n }

/** The amount as a quotient. */
export function ratioOf(amount: Amount): Ratio {
  return {
    numerator: BigInt(amount.replace('.', '')),
    denominator: 10n ** BigInt(fractionDigits(amount)),
  }
}

/** a × b, exactly. */
export function multiply(a: Ratio, b: Ratio): Ratio {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator }
}

/** a ÷ b, exactly. `b` is above zero. */
export function divide(a: Ratio, b: Ratio): Ratio {
  return { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator }
}

/** a + b, exactly. */
export function addRatios(a: Ratio, b: Ratio): Ratio {
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  }
}

/** -1 when `a` is less than `b`, 0 when they are equal, 1 when it is more. */
export function compareRatios(a: Ratio, b: Ratio): -1 | 0 | 1 {
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator]
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Rounds to so many decimals, a half away from zero. */
export function roundRatio(ratio: Ratio, minorUnits: number): Amount {
  return fromMinorUnits(scaled(ratio, minorUnits), minorUnits)
}

/** The quotient, which is above zero, with at most so many significant digits; the last one is rounded, a half up. */
export function printSignificant(ratio: Ratio, digitsMax: number): Amount {
  const wholeDigits = String(ratio.numerator).length - String(ratio.denominator).length
  // The estimate of the size is right or one too small, which would give one digit too many.
  const scale = digitsMax - wholeDigits
  const units = scaled(ratio, scale)
  return units < 10n ** BigInt(digitsMax) ? print(units, scale) : print(scaled(ratio, scale - 1), scale - 1)
}

/** ratio × 10^scale as an integer, a half away from zero. The scale may be negative. */
function scaled({ numerator, denominator }: Ratio, scale: number): bigint {
  const power = 10n ** BigInt(Math.abs(scale))
  const over = scale < 0 ? numerator : numerator * power
  const under = scale < 0 ? denominator * power : denominator
  const magnitude = over < 0n ? -over : over
  const rounded = (2n * magnitude + under) / (2n * under)
  return over < 0n ? -rounded : rounded
}

function print(units: bigint, scale: number): Amount {
  if (scale <= 0) return parsePlainAmount(`${units}${'0'.repeat(-scale)}`)
  const digits = String(units).padStart(scale + 1, '0')
  return parsePlainAmount(`${digits.slice(0, -scale)}.${digits.slice(-scale)}`)
}
