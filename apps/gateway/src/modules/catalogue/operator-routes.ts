import {
  type Answer,
  answers,
  digitsOf,
  FeeSchema,
  FeeSetSchema,
  MerchantLimitParams,
  MerchantLimitSchema,
  MerchantLimitSetSchema,
  MerchantMethodsChangeSchema,
  MerchantMethodsSchema,
  MerchantTermsSchema,
  OperatorMerchantParams,
  type WireAmount,
} from '@tollgate/contract'
import { parseAmount, parsePlainAmount, rawAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { ANY, DIRECTIONS, type Direction, type MerchantTerms } from './model.ts'
import type { FeeRow, MerchantLimitRow, MerchantTermsRows } from './rows.ts'
import type { CatalogueSettings } from './settings.ts'

const operation = operatorOperationsOf('Merchants')
/** In place of a method's code: every one. */
const ALL = 'ALL'

interface TermsOperatorDeps {
  readonly settings: CatalogueSettings
  /** As they are in the database now. */
  readonly findTerms: (merchantId: string) => Promise<MerchantTerms>
  readonly findTermsRows: (merchantId: string) => Promise<MerchantTermsRows>
  /** The codes of all methods of a direction. */
  readonly methodsFor: (direction: Direction) => readonly string[]
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
}

/** What was agreed with a merchant, for operators: methods, limits, fees. */
export function termsOperatorRoutes(app: App, deps: TermsOperatorDeps): void {
  termsRoute(app, deps)
  methodRoutes(app, deps)
  limitRoute(app, deps)
  feeRoute(app, deps)
}

/** A merchant's methods, by direction and in the order of their codes. */
export function presentMethods({ methods }: MerchantTerms): Answer<typeof MerchantMethodsSchema>['methods'] {
  const of = (direction: Direction): readonly string[] => [...(methods.get(direction) ?? [])].sort()
  return { PAYIN: of('PAYIN'), PAYOUT: of('PAYOUT'), TOPUP: of('TOPUP') }
}

function termsRoute(app: App, { findTermsRows, merchantIdOf }: TermsOperatorDeps): void {
  app.get(
    '/operator/merchants/:merchantCode/terms',
    operation('readMerchantTerms', 'catalogue.read', {
      summary: 'What is agreed with a merchant: methods, limits and fees of its own',
      params: OperatorMerchantParams,
      response: answers({ 200: MerchantTermsSchema }, 410),
    }),
    async ({ params: { merchantCode } }) => {
      const { methods, limits, fees } = await findTermsRows(await merchantIdOf(merchantCode))
      const of = (direction: Direction): readonly string[] =>
        methods.flatMap((each) => (each.direction === direction ? [each.methodCode] : [])).sort()
      return {
        merchantCode,
        methods: { PAYIN: of('PAYIN'), PAYOUT: of('PAYOUT'), TOPUP: of('TOPUP') },
        limits: limits.map(presentOwnLimit),
        fees: fees.map(presentOwnFee),
      }
    },
  )
}

function presentOwnLimit(row: MerchantLimitRow) {
  const { methodCode, direction, currencyCode, min, max, dailyAmountMax, dailyCountMax } = row
  return {
    direction,
    methodCode,
    currencyCode,
    ...(min !== null && { min: plain(min) }),
    ...(max !== null && { max: plain(max) }),
    ...(dailyAmountMax !== null && { dailyAmountMax: plain(dailyAmountMax) }),
    ...(dailyCountMax !== null && { dailyCountMax }),
  }
}

function presentOwnFee(row: FeeRow) {
  const { direction, methodCode, currencyCode, operatorCode, segmentCode, minimum, maximum } = row
  return {
    direction,
    methodCode,
    currencyCode,
    ...(operatorCode !== ANY && { operatorCode }),
    ...(segmentCode !== ANY && { segmentCode }),
    fixed: plain(row.fixed),
    percentage: plain(row.percentage),
    ...(minimum !== null && { minimum: plain(minimum) }),
    ...(maximum !== null && { maximum: plain(maximum) }),
    ...(row.pricedCurrencyCode !== null && { pricedCurrencyCode: row.pricedCurrencyCode }),
    ...(row.rateListCode !== null && { rateListCode: row.rateListCode }),
  }
}

const plain = (text: string): ReturnType<typeof rawAmount> => rawAmount(parsePlainAmount(text))

interface MethodWish {
  readonly merchantId: string
  readonly methodCode: string
  readonly direction?: Direction | undefined
}

function methodRoutes(app: App, deps: TermsOperatorDeps): void {
  const acts = [
    { action: 'enable', work: enable, summary: 'Let a merchant use a payment method, or all' },
    {
      action: 'disable',
      work: disable,
      summary: 'Take a payment method, or all, from a merchant; accepted payments go on',
    },
  ] as const
  for (const { action, work, summary } of acts)
    app.post(
      `/operator/merchants/:merchantCode/methods/!${action}`,
      operation(`${action}MerchantMethod`, 'catalogue.change', {
        summary,
        params: OperatorMerchantParams,
        body: MerchantMethodsChangeSchema,
        response: answers({ 200: MerchantMethodsSchema }, 410),
      }),
      async ({ params: { merchantCode }, body }) => {
        const merchantId = await deps.merchantIdOf(merchantCode)
        await work(deps, { ...body, merchantId })
        return { merchantCode, methods: presentMethods(await deps.findTerms(merchantId)) }
      },
    )
}

async function enable({ settings, methodsFor }: TermsOperatorDeps, wish: MethodWish): Promise<void> {
  const { merchantId, methodCode, direction } = wish
  if (methodCode !== ALL)
    return settings.enableMethod({ merchantId, methodCode, direction: direction ?? 'PAYIN' })
  if (direction === undefined) {
    await settings.enableAllMethods(merchantId)
    return
  }
  for (const each of methodsFor(direction))
    await settings.enableMethod({ merchantId, methodCode: each, direction })
}

async function disable({ settings, findTerms }: TermsOperatorDeps, wish: MethodWish): Promise<void> {
  const { merchantId, methodCode, direction: asked } = wish
  if (methodCode !== ALL)
    return settings.disableMethod({ merchantId, methodCode, direction: asked ?? 'PAYIN' })
  const { methods } = await findTerms(merchantId)
  for (const direction of DIRECTIONS.filter((each) => each === (asked ?? each)))
    for (const each of methods.get(direction) ?? [])
      await settings.disableMethod({ merchantId, methodCode: each, direction })
}

function limitRoute(app: App, { settings, merchantIdOf }: TermsOperatorDeps): void {
  app.put(
    '/operator/merchants/:merchantCode/limits/:direction/:methodCode/:currencyCode',
    operation('setMerchantLimit', 'catalogue.change', {
      summary: 'Replace the bounds of a merchant for a method and currency',
      params: MerchantLimitParams,
      body: MerchantLimitSetSchema,
      response: answers({ 200: MerchantLimitSchema }, 410),
    }),
    async ({ params: { merchantCode, ...use }, body: { min, max, dailyAmountMax, dailyCountMax } }) => {
      const amounts = { min: textOf(min), max: textOf(max), dailyAmountMax: textOf(dailyAmountMax) }
      const merchantId = await merchantIdOf(merchantCode)
      await settings.setLimit({ merchantId, ...use, ...amounts, dailyCountMax })
      const { min: least, max: most, dailyAmountMax: daily } = amounts
      return {
        merchantCode,
        ...use,
        min: rawOf(least),
        max: rawOf(most),
        dailyAmountMax: rawOf(daily),
        dailyCountMax,
      }
    },
  )
}

function feeRoute(app: App, { settings, merchantIdOf }: TermsOperatorDeps): void {
  app.put(
    '/operator/fees',
    operation('setFee', 'catalogue.change', {
      summary: 'Replace a fee, of one merchant or of everybody without a fee of their own',
      body: FeeSetSchema,
      response: answers({ 200: FeeSchema }, 410),
    }),
    async ({ body: { merchantCode, direction = 'PAYIN', fixed, percentage, minimum, maximum, ...fee } }) => {
      const price = {
        fixed: textOf(fixed),
        percentage: textOf(percentage),
        minimum: textOf(minimum),
        maximum: textOf(maximum),
      }
      const merchantId = merchantCode === undefined ? undefined : await merchantIdOf(merchantCode)
      await settings.setFee({ ...fee, ...price, direction, merchantId })
      return {
        merchantCode,
        direction,
        ...fee,
        fixed: rawOf(price.fixed),
        percentage: rawOf(price.percentage),
        minimum: rawOf(price.minimum),
        maximum: rawOf(price.maximum),
      }
    },
  )
}

const textOf = (wire: WireAmount | undefined): string | undefined =>
  wire === undefined ? undefined : digitsOf(wire)

/** What was taken, once it was: with all its digits. */
function rawOf(text: string | undefined): ReturnType<typeof rawAmount> | undefined {
  const amount = text === undefined ? undefined : parseAmount(text)
  return amount === undefined ? undefined : rawAmount(amount)
}
