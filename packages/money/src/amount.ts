declare const amountBrand: unique symbol

/**
 * An exact decimal number as its shortest plain text: `10000`, `0.5`, `-3.2`, `0`;
 * never `1e4`, `10.0`, `-0` or `.5`. Equal amounts are therefore equal strings.
 * Only the functions of this package make one, so a value of this type needs no second check.
 */
export type Amount = string & { readonly [amountBrand]: 'Amount' }

/** The most digits, before and after the point together, that {@link parseAmount} lets in (`0.5` has two). */
export const AMOUNT_DIGITS_MAX = 40

// A longer exponent could only be brought back into range by a coefficient longer than any string can be.
const EXPONENT_DIGITS_MAX = 9

// How much of a text that is no amount an error repeats.
const QUOTED_LENGTH_MAX = 64

// All three are anchored and have no nested repetition: their time is linear in the text, matching or not.
const CANONICAL = /^(?:0|-?(?:[1-9]\d*(?:\.\d*[1-9])?|0\.\d*[1-9]))$/
const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?)(\d+))?$/
const PLAIN_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/

/** Digits with a decimal point after the first `pointIndex` of them, which may lie outside of the digits. */
interface Digits {
  readonly isNegative: boolean
  readonly digits: string
  readonly pointIndex: number
}

/**
 * Tells whether the value is an amount in its one canonical form. The number of digits is not limited here,
 * because a sum may have more than its parts: text from outside goes through {@link parseAmount}.
 */
export function isAmount(value: unknown): value is Amount {
  return typeof value === 'string' && CANONICAL.test(value)
}

/**
 * Brands a text that must already be canonical; for the functions of this package, not for its users.
 * @throws Error if it is not, which is a fault of the caller.
 */
function canonicalAmount(text: string): Amount {
  if (!isAmount(text)) throw new Error(`not a canonical amount: ${quote(text)}`)
  return text
}

/** Nothing: neither positive nor negative. */
export const ZERO: Amount = canonicalAmount('0')

/**
 * Reads the source text of a JSON number (RFC 8259 section 6, exponents included), as a client wrote it.
 * Zero and negative amounts are read too: the caller decides whether they make sense.
 * @returns undefined for any other text, and for a number whose plain form has more than
 *   {@link AMOUNT_DIGITS_MAX} digits. A huge exponent is refused before anything of its size is built.
 */
export function parseAmount(source: string): Amount | undefined {
  if (source.length <= AMOUNT_DIGITS_MAX && isAmount(source)) return source
  const match = JSON_NUMBER.exec(source)
  if (match === null) return undefined
  const number = readDigits(match)
  if (number.digits === '') return ZERO
  const exponent = readExponent(match)
  if (exponent === undefined) return undefined
  const pointIndex = number.pointIndex + exponent
  if (countPlainDigits(number.digits.length, pointIndex) > AMOUNT_DIGITS_MAX) return undefined
  return printDigits({ ...number, pointIndex })
}

/**
 * Reads a plain decimal that our own database printed (`numeric`: `10.500`, `-0.10`, never an exponent).
 * @throws Error for any other text (`NaN`, `Infinity`, an empty one): such a row is a fault of ours.
 */
export function parsePlainAmount(text: string): Amount {
  if (isAmount(text)) return text
  const match = PLAIN_NUMBER.exec(text)
  if (match === null) throw new Error(`not a plain decimal number: ${quote(text)}`)
  return printDigits(readDigits(match))
}

/** Prints an integer of `10 ** -scale` units as an amount: (1050n, 2) is `10.5`. The inverse of {@link scaleAmount}. */
export function printScaled(units: bigint, scale: number): Amount {
  const isNegative = units < 0n
  const digits = (isNegative ? -units : units).toString()
  return printDigits(trimZeros({ isNegative, digits, pointIndex: digits.length - scale }))
}

/** How many digits the amount has after its point: 0 for `10`, 3 for `1.005`. */
export function fractionDigits(amount: Amount): number {
  const pointAt = amount.indexOf('.')
  return pointAt === -1 ? 0 : amount.length - pointAt - 1
}

/** An amount as an integer of `10 ** -scale` units: 1.05 is { units: 105n, scale: 2 }. */
interface Scaled {
  readonly units: bigint
  readonly scale: number
}

/** Turns an amount into an integer of its own smallest decimal unit, without loss. */
export function scaleAmount(amount: Amount): Scaled {
  return { units: BigInt(amount.replace('.', '')), scale: fractionDigits(amount) }
}

// Loops, not `/0+$/`: that pattern starts anew at every zero and is quadratic on hostile digits.
function trimZeros(number: Digits): Digits {
  const { digits } = number
  let start = 0
  while (start < digits.length && digits[start] === '0') start += 1
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end -= 1
  return { ...number, digits: digits.slice(start, end), pointIndex: number.pointIndex - start }
}

/** Expects the groups of sign, whole and fraction. Of zero no digit remains. */
function readDigits([, sign, whole = '', fraction = '']: RegExpExecArray): Digits {
  return trimZeros({ isNegative: sign === '-', digits: whole + fraction, pointIndex: whole.length })
}

/** Expects the groups of {@link JSON_NUMBER}. Undefined is an exponent that no number within the limit has. */
function readExponent(match: RegExpExecArray): number | undefined {
  const [, , , , sign, digits = ''] = match
  const magnitude = digits.replace(/^0+/, '')
  if (magnitude.length > EXPONENT_DIGITS_MAX) return undefined
  return sign === '-' ? -Number(magnitude) : Number(magnitude)
}

function countPlainDigits(digitsLength: number, pointIndex: number): number {
  const wholeDigits = Math.max(pointIndex, 1)
  return wholeDigits + Math.max(digitsLength - pointIndex, 0)
}

/** Expects digits without zeros at either end. */
function printDigits({ isNegative, digits, pointIndex }: Digits): Amount {
  if (digits === '') return ZERO
  const sign = isNegative ? '-' : ''
  const whole = pointIndex > 0 ? digits.slice(0, pointIndex).padEnd(pointIndex, '0') : '0'
  const fraction = pointIndex > 0 ? digits.slice(pointIndex) : '0'.repeat(-pointIndex) + digits
  return canonicalAmount(fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`)
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, QUOTED_LENGTH_MAX))
}

/** A value that `JSON.stringify` writes out letter by letter. */
export interface RawJson {
  readonly rawJSON: string
}

/** What `JSON.parse` tells its reviver beside the value: the text that a number, string or literal was read from. */
interface JsonSource {
  readonly source?: string
}

// The runtime has both; the type library does not know them yet.
declare global {
  interface JSON {
    rawJSON(text: string): RawJson
    parse(text: string, reviver: (key: string, value: unknown, context: JsonSource) => unknown): unknown
  }
}

/** Makes `JSON.stringify` write the amount as a number with exactly these digits, which a double could not keep. */
export function rawAmount(amount: Amount): RawJson {
  return JSON.rawJSON(amount)
}

/** An amount of one currency (specification section 2.1): a three-letter ISO 4217 code, or a crypto currency's usual one. */
export interface Money {
  readonly amount: Amount
  readonly currencyCode: string
}

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
