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
import type { App } from '../../http/app-type.ts'
import { operationsOf } from '../../http/operation.ts'
import { presentConversion, presentList, presentSheet } from './present.ts'
import type { RateService } from './service.ts'

const operation = operationsOf('Rate lists')

/** The rate lists: which there are, what is in them, and what money is worth by them. */
export function rateRoutes(app: App, rates: RateService): void {
  app.get(
    '/rate-lists',
    operation('listRateLists', {
      summary: 'Rate lists with the age of their sheets',
      response: { 200: RateListListSchema },
    }),
    async () => ({ data: (await rates.list()).map(presentList) }),
  )

  app.get(
    '/rate-lists/:code',
    operation('readRateList', {
      summary: 'The sheet of a rate list that is in force now, or at a date',
      params: RateListParams,
      querystring: RateListQuery,
      response: answers({ 200: RateSheetSchema }, 406, 410),
    }),
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
    operation('convertByRateList', {
      summary: 'What money is worth in another currency',
      description:
        'Computed exactly and rounded once, half up, to the decimals of the target currency. A stale sheet is used, and said to be stale.',
      params: RateListParams,
      querystring: ConvertQuery,
      body: ConvertRequestSchema,
      response: answers({ 200: ConversionSchema }, 406, 410),
    }),
    async (request) => {
      const { params, body, query } = request
      return presentConversion(await rates.convert(params.code, body, query.date))
    },
  )
}
