import type { Database, Tx } from '../../platform/database.ts'
import {
  demandCurrency,
  demandMerchant,
  demandOperator,
  demandOrder,
  demandOverlap,
  demandPrice,
  demandRail,
  demandSegment,
  demandSide,
  type RailDirections,
  readCount,
  readFeeAmount,
  readPercentage,
  readPositive,
} from './demands.ts'
import { SettingInvalid } from './errors.ts'
import { ANY, type Currency } from './model.ts'
import {
  deleteMerchantMethod,
  type FeeRecord,
  findCatalogue,
  insertMerchantMethods,
  type MethodUse,
  upsertFee,
  upsertMerchantLimit,
} from './store.ts'

interface MethodSetting extends MethodUse {
  readonly merchantId: string
}

/** A merchant's own limit. Amounts are plain texts; a bound that is left out does not apply. */
interface LimitSetting extends MethodSetting {
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
  /** The currency of the fixed part and the bounds; default: that of the payments. Needs `rateListCode`. */
  readonly pricedCurrencyCode?: string | undefined
  /** By which they are converted. */
  readonly rateListCode?: string | undefined
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

interface SettingsDeps {
  readonly db: Database
  /** Those of this installation. Without them, a method is enabled whatever rail it has. */
  readonly rails?: RailDirections | undefined
}

/** Every setting is checked against the catalogue as it is in the same transaction. */
export function createCatalogueSettings({ db, rails }: SettingsDeps): CatalogueSettings {
  return {
    enableMethod: (setting) => db.transaction((tx) => enableMethod(tx, setting, rails)),
    disableMethod: (setting) => db.transaction((tx) => disableMethod(tx, setting)),
    enableAllMethods: (merchantId) => db.transaction((tx) => enableAllMethods(tx, merchantId, rails)),
    setLimit: (setting) => db.transaction((tx) => setLimit(tx, setting)),
    setFee: (setting) => db.transaction((tx) => setFee(tx, setting)),
  }
}

async function enableMethod(tx: Tx, setting: MethodSetting, rails?: RailDirections): Promise<void> {
  await demandMerchant(tx, setting.merchantId)
  const { method } = demandSide(await findCatalogue(tx), setting)
  demandRail(method, setting.direction, rails)
  await insertMerchantMethods(tx, setting.merchantId, [setting])
}

async function disableMethod(tx: Tx, setting: MethodSetting): Promise<void> {
  await demandMerchant(tx, setting.merchantId)
  // A method that was switched off for everybody can still be taken from a merchant: only the row counts.
  const wasThere = await deleteMerchantMethod(tx, setting.merchantId, setting)
  if (!wasThere)
    throw new SettingInvalid(
      `The merchant has no method ${setting.methodCode} for ${setting.direction}.`,
    ).about('methodCode')
}

async function enableAllMethods(tx: Tx, merchantId: string, rails?: RailDirections): Promise<number> {
  await demandMerchant(tx, merchantId)
  const catalogue = await findCatalogue(tx)
  const uses = [...catalogue.methods.values()].flatMap((method) =>
    [...method.sides.keys()].map((direction) => {
      demandRail(method, direction, rails)
      return { methodCode: method.code, direction }
    }),
  )
  return insertMerchantMethods(tx, merchantId, uses)
}

async function setLimit(tx: Tx, setting: LimitSetting): Promise<void> {
  await demandMerchant(tx, setting.merchantId)
  const catalogue = await findCatalogue(tx)
  const { side } = demandSide(catalogue, setting)
  const currency = demandCurrency(catalogue, setting, side)
  const min = readPositive(setting.min, { what: 'The minimum', field: 'min' }, currency)
  const max = readPositive(setting.max, { what: 'The maximum', field: 'max' }, currency)
  const dailyAmountMax = readPositive(
    setting.dailyAmountMax,
    { what: 'The daily amount', field: 'dailyAmountMax' },
    currency,
  )
  demandOrder(min, max, 'max')
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
  const priced = await demandPrice(tx, catalogue, setting)
  const price = priced === undefined ? currency : priced.currency
  const record = {
    methodCode: method.code,
    direction: setting.direction,
    operatorCode: setting.operatorCode ?? ANY,
    segmentCode: setting.segmentCode ?? ANY,
    currencyCode: currency.code,
    ...readFeeParts(setting, price),
    pricedCurrencyCode: priced?.currency.code ?? null,
    rateListCode: priced?.rateListCode ?? null,
  }
  await upsertFee(tx, record, setting.merchantId)
}

function readFeeParts(
  setting: FeeSetting,
  currency: Currency,
): Pick<FeeRecord, 'fixed' | 'percentage' | 'minimum' | 'maximum'> {
  const minimum = readFeeAmount(setting.minimum, { what: 'The minimum', field: 'minimum' }, currency)
  const maximum = readFeeAmount(setting.maximum, { what: 'The maximum', field: 'maximum' }, currency)
  demandOrder(minimum, maximum, 'maximum')
  return {
    fixed: readFeeAmount(setting.fixed, { what: 'The fixed part', field: 'fixed' }, currency) ?? '0',
    percentage: readPercentage(setting.percentage) ?? '0',
    minimum: minimum ?? null,
    maximum: maximum ?? null,
  }
}
