import {
  type Amount,
  compareAmounts,
  fractionDigits,
  isNegative,
  isPositive,
  parseAmount,
} from '@tollgate/money'
import type { Database, Tx } from '../../platform/database.ts'
import { SettingInvalid } from './errors.ts'
import {
  ANY,
  type Catalogue,
  type Currency,
  type Direction,
  type Limit,
  type Method,
  type MethodSide,
  narrow,
  type Operator,
} from './model.ts'
import {
  deleteMerchantMethod,
  findCatalogue,
  findMerchantId,
  insertMerchantMethods,
  type MethodUse,
  upsertFee,
  upsertMerchantLimit,
} from './store.ts'

export interface MethodSetting extends MethodUse {
  readonly merchantId: string
}

/** A merchant's own limit. Amounts are plain texts; a bound that is left out does not apply. */
export interface LimitSetting extends MethodSetting {
  readonly currencyCode: string
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly dailyAmountMax?: string | undefined
  readonly dailyCountMax?: number | undefined
}

/** A fee. Without a merchant it is the house's; without an operator or a segment it is any's. Amounts are plain texts. */
export interface FeeSetting extends MethodUse {
  readonly merchantId?: string | undefined
  readonly operatorCode?: string | undefined
  readonly segmentCode?: string | undefined
  readonly currencyCode: string
  /** Taken from every payment; default 0. */
  readonly fixed?: string | undefined
  /** Percent of the amount; default 0. */
  readonly percentage?: string | undefined
  readonly minimum?: string | undefined
  readonly maximum?: string | undefined
}

/** What an operator may set. Each function throws {@link SettingInvalid} for a name or an amount that cannot be right. */
export interface CatalogueSettings {
  /** Configures a method for a merchant; doing it twice changes nothing. */
  enableMethod(setting: MethodSetting): Promise<void>
  /** Takes a method from a merchant; accepted payments go on. */
  disableMethod(setting: MethodSetting): Promise<void>
  /** Configures every method in every direction it has; answers how many were new. */
  enableAllMethods(merchantId: string): Promise<number>
  /** Replaces a merchant's own limit for a method, direction and currency. */
  setLimit(setting: LimitSetting): Promise<void>
  /** Replaces a fee. */
  setFee(setting: FeeSetting): Promise<void>
}

/** Every setting is checked against the catalogue as it is in the same transaction. */
export function createCatalogueSettings({ db }: { readonly db: Database }): CatalogueSettings {
  return {
    enableMethod: (setting) => db.transaction((tx) => enableMethod(tx, setting)),
    disableMethod: (setting) => db.transaction((tx) => disableMethod(tx, setting)),
    enableAllMethods: (merchantId) => db.transaction((tx) => enableAllMethods(tx, merchantId)),
    setLimit: (setting) => db.transaction((tx) => setLimit(tx, setting)),
    setFee: (setting) => db.transaction((tx) => setFee(tx, setting)),
  }
}

async function enableMethod(tx: Tx, setting: MethodSetting): Promise<void> {
  await demandMerchant(tx, setting.merchantId)
  demandSide(await findCatalogue(tx), setting)
  await insertMerchantMethods(tx, setting.merchantId, [setting])
}

async function disableMethod(tx: Tx, setting: MethodSetting): Promise<void> {
  await demandMerchant(tx, setting.merchantId)
  // A method that was switched off for everybody can still be taken from a merchant: only the row counts.
  const wasThere = await deleteMerchantMethod(tx, setting.merchantId, setting)
  if (!wasThere)
    throw new SettingInvalid(`The merchant has no method ${setting.methodCode} for ${setting.direction}.`)
}

async function enableAllMethods(tx: Tx, merchantId: string): Promise<number> {
  await demandMerchant(tx, merchantId)
  const catalogue = await findCatalogue(tx)
  const uses = [...catalogue.methods.values()].flatMap((method) =>
    [...method.sides.keys()].map((direction) => ({ methodCode: method.code, direction })),
  )
  return insertMerchantMethods(tx, merchantId, uses)
}

async function setLimit(tx: Tx, setting: LimitSetting): Promise<void> {
  await demandMerchant(tx, setting.merchantId)
  const catalogue = await findCatalogue(tx)
  const { side } = demandSide(catalogue, setting)
  const currency = demandCurrency(catalogue, setting, side)
  const min = readPositive(setting.min, 'The minimum', currency)
  const max = readPositive(setting.max, 'The maximum', currency)
  const dailyAmountMax = readPositive(setting.dailyAmountMax, 'The daily amount', currency)
  demandOrder(min, max)
  demandOverlap(side.limits.get(currency.code)?.get(ANY), { min, max }, setting)
  await upsertMerchantLimit(tx, {
    ...setting,
    min: min ?? null,
    max: max ?? null,
    dailyAmountMax: dailyAmountMax ?? null,
    dailyCountMax: readCount(setting.dailyCountMax) ?? null,
  })
}

async function setFee(tx: Tx, setting: FeeSetting): Promise<void> {
  if (setting.merchantId !== undefined) await demandMerchant(tx, setting.merchantId)
  const catalogue = await findCatalogue(tx)
  const { method, side } = demandSide(catalogue, setting)
  const currency = demandCurrency(catalogue, setting, side)
  demandOperator(method, setting.operatorCode)
  demandSegment(catalogue, setting.segmentCode)
  const minimum = readFeeAmount(setting.minimum, 'The minimum', currency)
  const maximum = readFeeAmount(setting.maximum, 'The maximum', currency)
  demandOrder(minimum, maximum)
  const record = {
    methodCode: method.code,
    direction: setting.direction,
    operatorCode: setting.operatorCode ?? ANY,
    segmentCode: setting.segmentCode ?? ANY,
    currencyCode: currency.code,
    fixed: readFeeAmount(setting.fixed, 'The fixed part', currency) ?? '0',
    percentage: readPercentage(setting.percentage) ?? '0',
    minimum: minimum ?? null,
    maximum: maximum ?? null,
  }
  await upsertFee(tx, record, setting.merchantId)
}

const MERCHANT_ID = /^[1-9]\d*$/
const MERCHANT_ID_LENGTH_MAX = 18

async function demandMerchant(tx: Tx, merchantId: string): Promise<void> {
  const isId = MERCHANT_ID.test(merchantId) && merchantId.length <= MERCHANT_ID_LENGTH_MAX
  if (!isId || (await findMerchantId(tx, merchantId)) === undefined)
    throw new SettingInvalid(`There is no merchant with the id ${merchantId}.`)
}

function demandSide(
  catalogue: Catalogue,
  { methodCode, direction }: MethodUse,
): { readonly method: Method; readonly side: MethodSide } {
  const method = catalogue.methods.get(methodCode)
  if (method === undefined)
    throw new SettingInvalid(
      `There is no payment method ${methodCode}. There are: ${listNames(catalogue.methods)}.`,
    )
  const side = method.sides.get(direction)
  if (side === undefined)
    throw new SettingInvalid(
      `${methodCode} does not exist for ${direction}. It exists for: ${listNames(method.sides)}.`,
    )
  return { method, side }
}

function demandCurrency(
  catalogue: Catalogue,
  { methodCode, direction, currencyCode }: MethodUse & { readonly currencyCode: string },
  side: MethodSide,
): Currency {
  const currency = catalogue.currencies.get(currencyCode)
  if (currency === undefined)
    throw new SettingInvalid(
      `There is no currency ${currencyCode}. There are: ${listNames(catalogue.currencies)}.`,
    )
  if (!side.limits.has(currencyCode))
    throw new SettingInvalid(
      `${methodCode} does not take ${currencyCode} for ${direction}. It takes: ${listNames(side.limits)}.`,
    )
  return currency
}

function demandOperator(method: Method, operatorCode: string | undefined): void {
  if (operatorCode === undefined || method.operators.some(({ code }) => code === operatorCode)) return
  const known = new Map(method.operators.map((operator: Operator) => [operator.code, operator]))
  throw new SettingInvalid(
    `${operatorCode} is not an operator of ${method.code}. It has: ${listNames(known)}.`,
  )
}

function demandSegment(catalogue: Catalogue, segmentCode: string | undefined): void {
  if (segmentCode === undefined || catalogue.segments.has(segmentCode)) return
  throw new SettingInvalid(`There is no segment ${segmentCode}. There are: ${listNames(catalogue.segments)}.`)
}

function demandOrder(min: Amount | undefined, max: Amount | undefined): void {
  if (min === undefined || max === undefined || compareAmounts(min, max) !== 1) return
  throw new SettingInvalid(`The minimum ${min} is more than the maximum ${max}.`)
}

interface Bounds {
  readonly min: Amount | undefined
  readonly max: Amount | undefined
}

/** A range that leaves nothing of the method's own would switch the currency off in silence. */
function demandOverlap(house: Limit | undefined, { min, max }: Bounds, setting: MethodUse): void {
  if (house === undefined) return
  const own = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
  if (narrow(house, own) !== undefined) return
  throw new SettingInvalid(
    `No amount is within both this limit and that of ${setting.methodCode}: ${house.min} to ${house.max}.`,
  )
}

function readPositive(text: string | undefined, what: string, currency: Currency): Amount | undefined {
  const amount = readAmount(text, what, currency)
  if (amount !== undefined && !isPositive(amount)) throw new SettingInvalid(`${what} must be more than zero.`)
  return amount
}

function readFeeAmount(text: string | undefined, what: string, currency: Currency): Amount | undefined {
  const amount = readAmount(text, what, currency)
  if (amount !== undefined && isNegative(amount))
    throw new SettingInvalid(`${what} must not be less than zero.`)
  return amount
}

function readAmount(text: string | undefined, what: string, currency: Currency): Amount | undefined {
  const amount = readNumber(text, what)
  if (amount !== undefined && fractionDigits(amount) > currency.minorUnits)
    throw new SettingInvalid(
      `${what} ${amount} has too many decimals: ${currency.code} has ${currency.minorUnits}.`,
    )
  return amount
}

const PERCENTAGE_MAX = 100

function readPercentage(text: string | undefined): Amount | undefined {
  const percentage = readNumber(text, 'The percentage')
  if (percentage === undefined) return undefined
  const max = readNumber(String(PERCENTAGE_MAX), 'The percentage')
  if (isNegative(percentage) || (max !== undefined && compareAmounts(percentage, max) === 1))
    throw new SettingInvalid(`The percentage must be between 0 and ${PERCENTAGE_MAX}.`)
  return percentage
}

function readNumber(text: string | undefined, what: string): Amount | undefined {
  if (text === undefined) return undefined
  const amount = parseAmount(text)
  if (amount === undefined) throw new SettingInvalid(`${what} is not a number: ${JSON.stringify(text)}.`)
  return amount
}

const COUNT_MAX = 2_147_483_647

function readCount(count: number | undefined): number | undefined {
  if (count === undefined) return undefined
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX)
    throw new SettingInvalid(`The daily count must be a whole number from 1 to ${COUNT_MAX}.`)
  return count
}

function listNames(names: ReadonlyMap<string, unknown>): string {
  return names.size === 0 ? 'none' : [...names.keys()].join(', ')
}
