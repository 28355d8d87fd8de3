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
import { presentConversion, presentList, presentSheet } from './present.ts'
import type { RateService } from './service.ts'

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
