import {
  answers,
  ConversionSchema,
  ConvertQuery,
  ConvertRequestSchema,
  RateListListSchema,
  RateListParams,
  RateListQuery,
  RateSheetSchema,
} from '@tollgate/contract'
import { rawAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import type { Age, Conversion, Rate, RateList, RateSheet } from './model.ts'
import type { ListView, RateService, SheetView } from './service.ts'

const TAGS = ['Rate lists']

/** The rate lists: which there are, what is in them, and what money is worth by them. */
export function rateRoutes(app: App, rates: RateService): void {
  app.get(
    '/rate-lists',
    {
      schema: {
        operationId: 'listRateLists',
        summary: 'Rate lists with the age of their sheets',
        tags: TAGS,
        response: answers({ 200: RateListListSchema }, 400, 401, 403, 404, 429, 500),
      },
    },
    async () => ({ data: (await rates.list()).map(presentList) }),
  )

  app.get(
    '/rate-lists/:code',
    {
      schema: {
        operationId: 'readRateList',
        summary: 'The sheet of a rate list that is in force now, or at a date',
        tags: TAGS,
        params: RateListParams,
        querystring: RateListQuery,
        response: answers({ 200: RateSheetSchema }, 400, 401, 403, 404, 406, 410, 429, 500),
      },
    },
    async (request) => {
      const { date, version } = request.query
      const choice = { date, version: version === undefined ? undefined : Number(version) }
      return presentSheet(await rates.find(request.params.code, choice))
    },
  )

  conversionRoute(app, rates)
}

function conversionRoute(app: App, rates: RateService): void {
  app.post(
    '/rate-lists/:code/!convert',
    {
      schema: {
        operationId: 'convertByRateList',
        summary: 'What money is worth in another currency',
        description:
          'Computed exactly and rounded once, half up, to the decimals of the target currency. A stale sheet is used, and said to be stale.',
        tags: TAGS,
        params: RateListParams,
        querystring: ConvertQuery,
        body: ConvertRequestSchema,
        response: answers({ 200: ConversionSchema }, 400, 401, 403, 404, 406, 410, 429, 500),
      },
    },
    async (request) => {
      const { params, body, query } = request
      return presentConversion(await rates.convert(params.code, body, query.date))
    },
  )
}

type Wire = Record<string, unknown>

function presentList({ list, current }: ListView): Wire {
  const codes = current === undefined ? [] : [...current.sheet.rates.keys()]
  return {
    ...presentHead(list),
    currencyCodes: [list.baseCurrencyCode, ...codes],
    ...(current === undefined ? {} : presentDates(current.sheet, current.age)),
  }
}

function presentSheet({ list, sheet, age }: SheetView): Wire {
  return {
    ...presentHead(list),
    ...presentDates(sheet, age),
    source: sheet.source,
    ...(sheet.supersededByVersion === undefined ? {} : { supersededByVersion: sheet.supersededByVersion }),
    rates: [...sheet.rates.values()].map(presentRate),
  }
}

function presentConversion(conversion: Conversion): Wire {
  const { money, converted, side, rate, list, sheet, rates } = conversion
  return {
    money: { amount: rawAmount(money.amount), currencyCode: money.currencyCode },
    converted: { amount: rawAmount(converted.amount), currencyCode: converted.currencyCode },
    side,
    rate: rawAmount(rate),
    rateListCode: list.code,
    ...presentDates(sheet, conversion),
    rates: rates.map(presentRate),
  }
}

function presentHead(list: RateList): Wire {
  const { code, name, baseCurrencyCode, staleAfterSeconds } = list
  return { code, name, baseCurrencyCode, ...(staleAfterSeconds === undefined ? {} : { staleAfterSeconds }) }
}

function presentDates(sheet: RateSheet, { ageSeconds, isStale }: Age): Wire {
  return {
    version: sheet.version,
    validFrom: sheet.validFrom.toISOString(),
    ...(sheet.validTo === undefined ? {} : { validTo: sheet.validTo.toISOString() }),
    publishedAt: sheet.publishedAt.toISOString(),
    ageSeconds,
    isStale,
  }
}

function presentRate({ currencyCode, quotation, unit, buy, sell, mid }: Rate): Wire {
  return {
    currencyCode,
    quotation,
    unit,
    buy: rawAmount(buy),
    sell: rawAmount(sell),
    mid: rawAmount(mid),
  }
}
