import {
  answers,
  ConversionSchema,
  digitsOf,
  OperatorConversionQuery,
  OperatorRateListListSchema,
  OperatorRateListParams,
  OperatorRateListSchema,
  OperatorRateSheetQuery,
  OperatorRateSheetSchema,
  RateListCreateSchema,
  RateSetSchema,
  RateSheetsQuery,
  RateSheetsStoredSchema,
  RateStoredSchema,
  type WireAmount,
} from '@tollgate/contract'
import type { Clock } from '@tollgate/runtime'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { fileOf } from '../../http/operator-files.ts'
import { invalidField } from '../../platform/refusal.ts'
import {
  type AskedSheet,
  type RateAdministration,
  STALE_AFTER_DAYS_DEFAULT,
  type StoredSheet,
} from './administration.ts'
import { readAskedMs } from './dates.ts'
import { ageOf } from './model.ts'
import { presentConversion, presentDates, presentHead, presentRate } from './present.ts'
import type { RateService } from './service.ts'

const operation = operatorOperationsOf('Rate lists')
/** Years of daily sheets fit; larger files go by a few at a time. */
const FILE_BYTES_MAX = 16 * 1_048_576

interface RateOperatorDeps {
  readonly administration: RateAdministration
  readonly rates: Pick<RateService, 'convert'>
  readonly clock: Clock
}

/** Rate lists for operators: also those that are not in use, and making sheets. */
export function rateOperatorRoutes(app: App, deps: RateOperatorDeps): void {
  readingRoutes(app, deps)
  conversionRoute(app, deps)
  listRoutes(app, deps)
  sheetRoutes(app, deps)
}

function readingRoutes(app: App, { administration, clock }: RateOperatorDeps): void {
  app.get(
    '/operator/rate-lists',
    operation('listOperatorRateLists', 'rates.read', {
      summary: 'List all rate lists with the age of their sheets',
      response: { 200: OperatorRateListListSchema },
    }),
    async () => {
      const nowMs = clock.nowMs()
      return { data: (await administration.list()).map((each) => presentAsked(each, nowMs)) }
    },
  )
  app.get(
    '/operator/rate-lists/:code',
    operation('readOperatorRateList', 'rates.read', {
      summary: 'A rate list with its sheet in force now, or at a date',
      params: OperatorRateListParams,
      querystring: OperatorRateSheetQuery,
      response: answers({ 200: OperatorRateSheetSchema }, 410),
    }),
    async ({ params, query: { date } }) => {
      const nowMs = clock.nowMs()
      const atMs = date === undefined ? nowMs : readAskedMs(date, nowMs)
      const found = await administration.show(params.code, new Date(atMs))
      return {
        ...presentAsked(found, atMs),
        rates: [...(found.sheet?.rates.values() ?? [])].map(presentRate),
      }
    },
  )
}

function conversionRoute(app: App, { rates }: RateOperatorDeps): void {
  app.get(
    '/operator/rate-lists/:code/conversion',
    operation('convertForOperator', 'rates.read', {
      summary: 'What money is worth in another currency, as merchants are told',
      params: OperatorRateListParams,
      querystring: OperatorConversionQuery,
      response: answers({ 200: ConversionSchema }, 406, 410),
    }),
    async ({ params, query: { amount, currencyCode, targetCurrencyCode, side = 'MID', date } }) => {
      const request = { money: { amount: { text: amount }, currencyCode }, targetCurrencyCode, side }
      return presentConversion(await rates.convert(params.code, request, date))
    },
  )
}

function listRoutes(app: App, { administration, clock }: RateOperatorDeps): void {
  app.post(
    '/operator/rate-lists',
    operation('createRateList', 'rates.change', {
      summary: 'Make a rate list, without a sheet at first',
      body: RateListCreateSchema,
      response: answers({ 201: OperatorRateListSchema }, 409),
    }),
    async ({ body: { isNeverStale = false, staleAfterDays, ...list } }, reply) => {
      if (isNeverStale && staleAfterDays !== undefined)
        throw invalidField('staleAfterDays', 'contradicts isNeverStale')
      const days = isNeverStale ? undefined : (staleAfterDays ?? STALE_AFTER_DAYS_DEFAULT)
      const made = await administration.create({ ...list, staleAfterDays: days })
      return reply.code(201).send(presentAsked({ list: made, sheet: undefined }, clock.nowMs()))
    },
  )
  const switches = [
    { action: 'enable', isEnabled: true, summary: 'Use a rate list again' },
    {
      action: 'disable',
      isEnabled: false,
      summary: 'Disable a rate list: merchants no longer read or use it',
    },
  ] as const
  for (const { action, isEnabled, summary } of switches)
    app.post(
      `/operator/rate-lists/:code/!${action}`,
      operation(`${action}RateList`, 'rates.change', {
        summary,
        params: OperatorRateListParams,
        response: answers({ 200: OperatorRateListSchema }, 410),
      }),
      async ({ params: { code } }) => {
        await administration.setEnabled(code, isEnabled)
        const nowMs = clock.nowMs()
        return presentAsked(await administration.show(code, new Date(nowMs)), nowMs)
      },
    )
}

function sheetRoutes(app: App, { administration }: RateOperatorDeps): void {
  app.post(
    '/operator/rate-lists/:code/sheets',
    {
      bodyLimit: FILE_BYTES_MAX,
      ...operation('importRateSheets', 'rates.change', {
        summary: 'Store the sheets of a file: all of them, or none',
        description: 'The body is the file itself, as application/octet-stream. Every fault in it is told.',
        params: OperatorRateListParams,
        querystring: RateSheetsQuery,
        response: answers({ 200: RateSheetsStoredSchema }, 410),
      }),
    },
    async (request) => {
      const { code } = request.params
      const { format, validFrom, publishedAt, again } = request.query
      const order = { format, validFrom, publishedAt, bytes: fileOf(request), isAgain: again === 'true' }
      return { code, sheets: (await administration.importFile(code, order)).map(presentStored) }
    },
  )
  app.post(
    '/operator/rate-lists/:code/!set',
    operation('setRate', 'rates.change', {
      summary: 'Store a new sheet: the one in force, with the row of one currency replaced',
      params: OperatorRateListParams,
      body: RateSetSchema,
      response: answers({ 200: RateStoredSchema }, 410),
    }),
    async ({ params: { code }, body: { buy, sell, mid, ...row } }) => {
      const prices = { buy: textOf(buy), sell: textOf(sell), mid: textOf(mid) }
      const stored = await administration.setRate(code, { ...row, ...prices })
      const { list } = await administration.show(code, stored.validFrom)
      return {
        code,
        baseCurrencyCode: list.baseCurrencyCode,
        ...presentStored(stored),
        rates: stored.rates.map(presentRate),
      }
    },
  )
}

const textOf = (wire: WireAmount | undefined): string | undefined =>
  wire === undefined ? undefined : digitsOf(wire)

function presentAsked({ list, sheet }: AskedSheet, atMs: number) {
  const { isEnabled } = list
  if (sheet === undefined) return { ...presentHead(list), isEnabled }
  const { source, supersededByVersion } = sheet
  return {
    ...presentHead(list),
    isEnabled,
    ...presentDates(sheet, ageOf(list, sheet, atMs)),
    source,
    ...(supersededByVersion !== undefined && { supersededByVersion }),
  }
}

const presentStored = ({ version, validFrom, publishedAt, isNew, rates }: StoredSheet) => ({
  version,
  validFrom: validFrom.toISOString(),
  publishedAt: publishedAt.toISOString(),
  isNew,
  rateCount: rates.length,
})
