import {
  type AnswerItem,
  answers,
  CurrencyListSchema,
  MethodListSchema,
  OperatorListSchema,
  SegmentListSchema,
} from '@tollgate/contract'
import type { TSchema } from 'typebox'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/gate.ts'
import { describeCurrencies, describeMethods, describeOperators, describeSegments } from './describe.ts'
import type { Catalogue, MerchantTerms } from './model.ts'
import type { CatalogueService } from './service.ts'

interface List<Schema extends TSchema> {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly schema: Schema
  readonly errors: readonly number[]
  readonly read: (catalogue: Catalogue, terms: MerchantTerms) => readonly AnswerItem<Schema>[]
}

/** Checks what is read against the schema of its list. */
const checked = <Schema extends TSchema>(given: List<Schema>): List<TSchema> => given

const LISTS: readonly List<TSchema>[] = [
  checked({
    path: '/currencies',
    operationId: 'listCurrencies',
    summary: 'Currencies available to the merchant',
    schema: CurrencyListSchema,
    errors: [400, 401, 403, 404, 410, 429, 500],
    read: describeCurrencies,
  }),
  checked({
    path: '/segments',
    operationId: 'listSegments',
    summary: 'Customer segments',
    schema: SegmentListSchema,
    errors: [400, 401, 403, 404, 429, 500],
    read: describeSegments,
  }),
  checked({
    path: '/payment-operators',
    operationId: 'listPaymentOperators',
    summary: 'Banks and wallets',
    schema: OperatorListSchema,
    errors: [400, 401, 403, 404, 429, 500],
    read: describeOperators,
  }),
  checked({
    path: '/payment-methods',
    operationId: 'listPaymentMethods',
    summary: 'Payment methods with their fields and limits',
    schema: MethodListSchema,
    errors: [400, 401, 403, 404, 429, 500],
    read: describeMethods,
  }),
]

/** The reference lists of specification 4.5. */
export function catalogueRoutes(app: App, catalogue: CatalogueService): void {
  for (const { path, operationId, summary, schema, errors, read } of LISTS) {
    const response = answers({ 200: schema }, ...errors)
    app.get(
      path,
      { schema: { operationId, summary, tags: ['Merchant info'], response } },
      async (request) => {
        const terms = await catalogue.termsOf(callerOf(request).merchantId)
        return { data: read(catalogue.current(), terms) }
      },
    )
  }
}
