import { randomIds } from '@tollgate/runtime'
import {
  createCatalogueService,
  createCatalogueSettings,
  DIRECTIONS,
  type Direction,
  type MerchantTerms,
} from '../../modules/catalogue/index.ts'
import { createMerchantService } from '../../modules/merchants/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { CommandFailure } from '../failure.ts'
import { type House, inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { table } from '../text.ts'

/** In place of a merchant's code: everybody. */
export const HOUSE = 'house'
/** In place of a method's code: every one. */
const ALL = 'ALL'

interface MethodWish {
  readonly merchant: string
  readonly method: string
  readonly direction?: Direction | undefined
}

/** `tollgate merchants enable-method`. */
export function enableMethod(shell: Shell, wish: MethodWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const merchantId = await merchantIdOf(house, wish.merchant)
    // The rails bring schemas and clients along, which no other command of terms needs.
    const { railDirections } = await import('../rail-directions.ts')
    const settings = createCatalogueSettings({ ...house, rails: await railDirections(house, shell) })
    if (wish.method === ALL && wish.direction === undefined) {
      await settings.enableAllMethods(merchantId)
    } else if (wish.method === ALL) {
      for (const methodCode of await methodsOf(shell, house, wish.direction))
        await settings.enableMethod({ merchantId, methodCode, direction: wish.direction ?? 'PAYIN' })
    } else {
      const direction = wish.direction ?? 'PAYIN'
      await settings.enableMethod({ merchantId, methodCode: wish.method, direction })
    }
    return reportTerms(shell, house, wish.merchant, merchantId)
  })
}

/** `tollgate merchants disable-method`. */
export function disableMethod(shell: Shell, wish: MethodWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const merchantId = await merchantIdOf(house, wish.merchant)
    const settings = createCatalogueSettings(house)
    const terms = await termsOf(shell, house, merchantId)
    const directions = DIRECTIONS.filter((direction) => (wish.direction ?? direction) === direction)
    if (wish.method === ALL) {
      for (const direction of directions) {
        for (const methodCode of terms.methods.get(direction) ?? [])
          await settings.disableMethod({ merchantId, methodCode, direction })
      }
    } else {
      const direction = wish.direction ?? 'PAYIN'
      await settings.disableMethod({ merchantId, methodCode: wish.method, direction })
    }
    return reportTerms(shell, house, wish.merchant, merchantId)
  })
}

interface LimitWish extends MethodWish {
  readonly currency: string
  readonly min?: string
  readonly max?: string
  readonly dailyAmount?: string
  readonly dailyCount?: number
}

/** `tollgate merchants set-limit`. */
export function setLimit(shell: Shell, wish: LimitWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const limit = {
      methodCode: wish.method,
      direction: wish.direction ?? ('PAYIN' as const),
      currencyCode: wish.currency,
      min: wish.min,
      max: wish.max,
      dailyAmountMax: wish.dailyAmount,
      dailyCountMax: wish.dailyCount,
    }
    await createCatalogueSettings(house).setLimit({
      merchantId: await merchantIdOf(house, wish.merchant),
      ...limit,
    })
    const bounds = [
      limit.min && `from ${limit.min}`,
      limit.max && `up to ${limit.max}`,
      limit.dailyAmountMax && `${limit.dailyAmountMax} a day`,
      limit.dailyCountMax && `${limit.dailyCountMax} payments a day`,
    ].filter((bound) => bound !== undefined)
    return {
      json: { merchantCode: wish.merchant, ...limit },
      text: `${wish.merchant}, ${limit.direction} by ${wish.method} in ${wish.currency}: ${bounds.join(', ') || 'no bounds of its own'}.`,
    }
  })
}

interface FeeWish extends MethodWish {
  readonly currency: string
  readonly fixed?: string
  readonly percentage?: string
  readonly minimum?: string
  readonly maximum?: string
  readonly operator?: string
  readonly segment?: string
  readonly pricedIn?: string
  readonly rateList?: string
}

/** `tollgate merchants set-fee`. */
export function setFee(shell: Shell, wish: FeeWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const isHouse = wish.merchant.toLowerCase() === HOUSE
    const fee = {
      methodCode: wish.method,
      direction: wish.direction ?? ('PAYIN' as const),
      currencyCode: wish.currency,
      operatorCode: wish.operator,
      segmentCode: wish.segment,
      fixed: wish.fixed,
      percentage: wish.percentage,
      minimum: wish.minimum,
      maximum: wish.maximum,
      pricedCurrencyCode: wish.pricedIn,
      rateListCode: wish.rateList,
    }
    await createCatalogueSettings(house).setFee({
      merchantId: isHouse ? undefined : await merchantIdOf(house, wish.merchant),
      ...fee,
    })
    return {
      json: { merchantCode: isHouse ? null : wish.merchant, ...fee },
      text: `${isHouse ? 'Everybody' : wish.merchant}, ${fee.direction} by ${wish.method} in ${wish.currency}: ${feeText(wish)}.`,
    }
  })
}

function feeText(wish: FeeWish): string {
  const parts = [
    `${wish.fixed ?? '0'} ${wish.pricedIn ?? wish.currency} and ${wish.percentage ?? '0'} %`,
    wish.minimum && `at least ${wish.minimum}`,
    wish.maximum && `at most ${wish.maximum}`,
    wish.rateList && `converted by ${wish.rateList}`,
    wish.operator && `through ${wish.operator}`,
    wish.segment && `for ${wish.segment} customers`,
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}

/** The methods and bounds of a merchant, as data and as a table. */
export async function listTerms(
  shell: Shell,
  house: House,
  merchantId: string,
): Promise<{ readonly methods: Readonly<Record<string, readonly string[]>>; readonly text: string }> {
  const terms = await termsOf(shell, house, merchantId)
  const methods = Object.fromEntries(
    DIRECTIONS.map((direction) => [direction, [...(terms.methods.get(direction) ?? [])].sort()]),
  )
  const rows = Object.entries(methods).filter(([, codes]) => codes.length > 0)
  return {
    methods,
    text: table(
      ['DIRECTION', 'METHODS'],
      rows.map(([direction, codes]) => [direction, codes.join(' ')]),
      'No payment method: `tollgate merchants enable-method <code> all` gives all.',
    ),
  }
}

async function reportTerms(
  shell: Shell,
  house: House,
  merchantCode: string,
  merchantId: string,
): Promise<Report> {
  const { methods, text } = await listTerms(shell, house, merchantId)
  return { json: { merchantCode, methods }, text }
}

async function merchantIdOf(house: House, code: string): Promise<string> {
  const { merchant } = await createMerchantService({ ...house, ids: randomIds }).show(code)
  return merchant.merchantId
}

function catalogueOf(shell: Shell, house: House): ReturnType<typeof createCatalogueService> {
  return createCatalogueService({ ...house, changes: watchConfiguration({ ...house, clock: shell.clock }) })
}

async function termsOf(shell: Shell, house: House, merchantId: string): Promise<MerchantTerms> {
  return catalogueOf(shell, house).termsOf(merchantId)
}

async function methodsOf(
  shell: Shell,
  house: House,
  direction: Direction | undefined,
): Promise<readonly string[]> {
  const catalogue = catalogueOf(shell, house)
  await catalogue.start()
  const methods = [...catalogue.current().methods.values()]
  const found = methods.filter((method) => direction !== undefined && method.sides.has(direction))
  if (found.length === 0)
    throw new CommandFailure('REFUSED', `No payment method exists for ${direction ?? 'any direction'}.`)
  return found.map((method) => method.code)
}
