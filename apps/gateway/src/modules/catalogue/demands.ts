import {
  type Amount,
  compareAmounts,
  fractionDigits,
  isNegative,
  isPositive,
  parseAmount,
} from '@tollgate/money'
import type { Tx } from '../../platform/database.ts'
import { listMerchantCodes } from '../merchants/index.ts'
import { isRateListInUse } from '../rates/index.ts'
import { SettingInvalid } from './errors.ts'
import {
  type Catalogue,
  type Currency,
  type Direction,
  type Limit,
  type Method,
  type MethodSide,
  narrow,
} from './model.ts'
import type { MethodUse } from './store.ts'

// What a setting must fulfil. Each function throws SettingInvalid with a sentence that names what would be right.

const MERCHANT_ID = /^[1-9]\d*$/
const MERCHANT_ID_LENGTH_MAX = 18

/** There is such a merchant. */
export async function demandMerchant(tx: Tx, merchantId: string): Promise<void> {
  const isId = MERCHANT_ID.test(merchantId) && merchantId.length <= MERCHANT_ID_LENGTH_MAX
  if (!isId || (await listMerchantCodes(tx, [merchantId])).size === 0)
    throw new SettingInvalid(`There is no merchant with the id ${merchantId}.`).about('merchantCode')
}

/** The method exists in the direction. */
export function demandSide(
  catalogue: Catalogue,
  { methodCode, direction }: MethodUse,
): { readonly method: Method; readonly side: MethodSide } {
  const method = catalogue.methods.get(methodCode)
  if (method === undefined)
    throw new SettingInvalid(
      `There is no payment method ${methodCode}. There are: ${listNames(catalogue.methods)}.`,
    ).about('methodCode')
  const side = method.sides.get(direction)
  if (side === undefined)
    throw new SettingInvalid(
      `${methodCode} does not exist for ${direction}. It exists for: ${listNames(method.sides)}.`,
    ).about('direction')
  return { method, side }
}

/** Which directions each rail of an installation carries, by its code. */
export type RailDirections = ReadonlyMap<string, readonly Direction[]>

/** The rail that carries the method's payments is there, and carries them in this direction. */
export function demandRail(
  { code, rail }: Pick<Method, 'code' | 'rail'>,
  direction: Direction,
  rails: RailDirections | undefined,
): void {
  if (rails === undefined || rails.get(rail)?.includes(direction) === true) return
  if (rails.has(rail))
    throw new SettingInvalid(
      `${code} goes by the rail ${rail}, which has no ${direction}. Change the rail of the method, or the direction.`,
    ).about('methodCode')
  throw new SettingInvalid(
    `${code} goes by the rail ${rail}, which is not there: its payments could not be made. There are: ${listNames(rails)}. ` +
      `Add ${rail} to TOLLGATE_OPEN_RAILS_FILE, or change the rail of the method.`,
  ).about('methodCode')
}

/** The method takes the currency in the direction. */
export function demandCurrency(
  catalogue: Catalogue,
  { methodCode, direction, currencyCode }: MethodUse & { readonly currencyCode: string },
  side: MethodSide,
): Currency {
  const currency = catalogue.currencies.get(currencyCode)
  if (currency === undefined)
    throw new SettingInvalid(
      `There is no currency ${currencyCode}. There are: ${listNames(catalogue.currencies)}.`,
    ).about('currencyCode')
  if (!side.limits.has(currencyCode))
    throw new SettingInvalid(
      `${methodCode} does not take ${currencyCode} for ${direction}. It takes: ${listNames(side.limits)}.`,
    ).about('currencyCode')
  return currency
}

/** The operator, if one is named, belongs to the method. */
export function demandOperator(method: Method, operatorCode: string | undefined): void {
  if (operatorCode === undefined || method.operators.some(({ code }) => code === operatorCode)) return
  const known = new Map(method.operators.map((operator) => [operator.code, operator]))
  throw new SettingInvalid(
    `${operatorCode} is not an operator of ${method.code}. It has: ${listNames(known)}.`,
  ).about('operatorCode')
}

/** The segment, if one is named, exists. */
export function demandSegment(catalogue: Catalogue, segmentCode: string | undefined): void {
  if (segmentCode === undefined || catalogue.segments.has(segmentCode)) return
  throw new SettingInvalid(
    `There is no segment ${segmentCode}. There are: ${listNames(catalogue.segments)}.`,
  ).about('segmentCode')
}

/** The currency and the rate list of a price in another currency, if it is one; both are there and in use. */
export async function demandPrice(
  tx: Tx,
  catalogue: Catalogue,
  { currencyCode, pricedCurrencyCode, rateListCode }: PriceSetting,
): Promise<{ readonly currency: Currency; readonly rateListCode: string } | undefined> {
  if (pricedCurrencyCode === undefined && rateListCode === undefined) return undefined
  if (pricedCurrencyCode === undefined || rateListCode === undefined)
    throw new SettingInvalid('A price in another currency needs both the currency and a rate list.').about(
      rateListCode === undefined ? 'rateListCode' : 'pricedCurrencyCode',
    )
  if (pricedCurrencyCode === currencyCode)
    throw new SettingInvalid(
      `The payments are in ${currencyCode} themselves: the price needs no rate list.`,
    ).about('pricedCurrencyCode')
  const currency = catalogue.currencies.get(pricedCurrencyCode)
  if (currency === undefined)
    throw new SettingInvalid(
      `There is no currency ${pricedCurrencyCode}. There are: ${listNames(catalogue.currencies)}.`,
    ).about('pricedCurrencyCode')
  if (await isRateListInUse(tx, rateListCode)) return { currency, rateListCode }
  throw new SettingInvalid(`There is no rate list ${rateListCode} in use.`).about('rateListCode')
}

/** What a fee says of the currency that it is priced in. */
interface PriceSetting {
  readonly currencyCode: string
  readonly pricedCurrencyCode?: string | undefined
  readonly rateListCode?: string | undefined
}

/** The bounds, where both are there, are in order; `field` is the upper one. */
export function demandOrder(min: Amount | undefined, max: Amount | undefined, field: string): void {
  if (min === undefined || max === undefined || compareAmounts(min, max) !== 1) return
  throw new SettingInvalid(`The minimum ${min} is more than the maximum ${max}.`).about(field)
}

interface Bounds {
  readonly min: Amount | undefined
  readonly max: Amount | undefined
}

/** A range that leaves nothing of the method's own would switch the currency off in silence. */
export function demandOverlap(house: Limit | undefined, { min, max }: Bounds, setting: MethodUse): void {
  if (house === undefined) return
  const own = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
  if (narrow(house, own) !== undefined) return
  throw new SettingInvalid(
    `No amount is within both this limit and that of ${setting.methodCode}: ${house.min} to ${house.max}.`,
  ).about(max === undefined ? 'min' : 'max')
}

/** An amount as a sentence begins with it, and as the API calls it. */
interface Named {
  readonly what: string
  readonly field: string
}

/** Reads an amount of the currency that is more than zero; undefined stays undefined. */
export function readPositive(text: string | undefined, named: Named, currency: Currency): Amount | undefined {
  const amount = readAmount(text, named, currency)
  if (amount !== undefined && !isPositive(amount))
    throw new SettingInvalid(`${named.what} must be more than zero.`).about(named.field)
  return amount
}

/** Reads an amount of the currency that is not less than zero; undefined stays undefined. */
export function readFeeAmount(
  text: string | undefined,
  named: Named,
  currency: Currency,
): Amount | undefined {
  const amount = readAmount(text, named, currency)
  if (amount !== undefined && isNegative(amount))
    throw new SettingInvalid(`${named.what} must not be less than zero.`).about(named.field)
  return amount
}

function readAmount(text: string | undefined, named: Named, currency: Currency): Amount | undefined {
  const amount = readNumber(text, named)
  if (amount !== undefined && fractionDigits(amount) > currency.minorUnits)
    throw new SettingInvalid(
      `${named.what} ${amount} has too many decimals: ${currency.code} has ${currency.minorUnits}.`,
    ).about(named.field)
  return amount
}

const PERCENTAGE_MAX = 100
const PERCENTAGE: Named = { what: 'The percentage', field: 'percentage' }

/** Reads a percentage from 0 to 100; undefined stays undefined. */
export function readPercentage(text: string | undefined): Amount | undefined {
  const percentage = readNumber(text, PERCENTAGE)
  if (percentage === undefined) return undefined
  const max = readNumber(String(PERCENTAGE_MAX), PERCENTAGE)
  if (isNegative(percentage) || (max !== undefined && compareAmounts(percentage, max) === 1))
    throw new SettingInvalid(`The percentage must be between 0 and ${PERCENTAGE_MAX}.`).about('percentage')
  return percentage
}

function readNumber(text: string | undefined, { what, field }: Named): Amount | undefined {
  if (text === undefined) return undefined
  const amount = parseAmount(text)
  if (amount === undefined)
    throw new SettingInvalid(`${what} is not a number: ${JSON.stringify(text)}.`).about(field)
  return amount
}

const COUNT_MAX = 2_147_483_647

/** Checks a whole number above zero; undefined stays undefined. */
export function readCount(count: number | undefined): number | undefined {
  if (count === undefined) return undefined
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX)
    throw new SettingInvalid(`The daily count must be a whole number from 1 to ${COUNT_MAX}.`).about(
      'dailyCountMax',
    )
  return count
}

function listNames(names: ReadonlyMap<string, unknown>): string {
  return names.size === 0 ? 'none' : [...names.keys()].join(', ')
}
