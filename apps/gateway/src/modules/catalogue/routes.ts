import {
  answers,
  CurrencyListSchema,
  MethodListSchema,
  OperatorListSchema,
  SegmentListSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/authentication.ts'
import { describeCurrencies, describeMethods, describeOperators, describeSegments } from './describe.ts'
import type { CatalogueService } from './service.ts'

const TAGS = ['Merchant info']

/** The reference lists of specification 4.5. */
export function catalogueRoutes(app: App, catalogue: CatalogueService): void {
  app.get(
    '/currencies',
    {
      schema: {
        operationId: 'listCurrencies',
        summary: 'Currencies available to the merchant',
        tags: TAGS,
        response: answers({ 200: CurrencyListSchema }, 400, 401, 403, 404, 410, 429, 500),
      },
    },
    async (request) => ({
      data: describeCurrencies(catalogue.current(), await catalogue.termsOf(callerOf(request).merchantId)),
    }),
  )

  app.get(
    '/segments',
    {
      schema: {
        operationId: 'listSegments',
        summary: 'Customer segments',
        tags: TAGS,
        response: answers({ 200: SegmentListSchema }, 400, 401, 403, 404, 429, 500),
      },
    },
    () => Promise.resolve({ data: describeSegments(catalogue.current()) }),
  )

  app.get(
    '/payment-operators',
    {
      schema: {
        operationId: 'listPaymentOperators',
        summary: 'Banks and wallets',
        tags: TAGS,
        response: answers({ 200: OperatorListSchema }, 400, 401, 403, 404, 429, 500),
      },
    },
    () => Promise.resolve({ data: describeOperators(catalogue.current()) }),
  )

  app.get(
    '/payment-methods',
    {
      schema: {
        operationId: 'listPaymentMethods',
        summary: 'Payment methods with their fields and limits',
        tags: TAGS,
        response: answers({ 200: MethodListSchema }, 400, 401, 403, 404, 429, 500),
      },
    },
    async (request) => ({
      data: describeMethods(catalogue.current(), await catalogue.termsOf(callerOf(request).merchantId)),
    }),
  )
}
