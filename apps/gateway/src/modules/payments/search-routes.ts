import { answers, FoundPaymentListSchema, PaymentSearchQuery } from '@tollgate/contract'
import type { Static } from 'typebox'
import type { App } from '../../http/app-type.ts'
import { answerPage } from '../../http/paging.ts'
import { invalidField } from '../../platform/refusal.ts'
import {
  type FindPayments,
  FOUND_PLACE,
  type FoundPayment,
  type Lead,
  type PaymentSearch,
} from './people/search.ts'
import { presentMoney } from './present.ts'

interface SearchDeps {
  readonly find: FindPayments
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}

type Query = Static<typeof PaymentSearchQuery>

/** Payments of all kinds and merchants, found by what an operator knows of them. */
export function paymentSearchRoutes(app: App, { find, merchantIdOf, merchantCodeOf }: SearchDeps): void {
  app.get(
    '/operator/payments',
    {
      config: { permission: 'payouts.read' },
      schema: {
        operationId: 'searchPayments',
        summary: 'Find payments of all kinds by id, reference or customer, the newest first',
        description:
          'One of idPayment, reference, and idCustomer with merchantCode is needed; the other filters narrow the result. Without personal data.',
        tags: ['Payments'],
        querystring: PaymentSearchQuery,
        response: answers({ 200: FoundPaymentListSchema }, 400, 401, 403, 410, 429, 500),
      },
    },
    async ({ query }) => {
      const search = await readSearch(query, merchantIdOf)
      const found = await answerPage(query, {
        place: FOUND_PLACE,
        list: ({ before, limit }) => find({ ...search, after: before, limit }),
        placeOf: ({ place }) => place,
        present: (item) => item,
      })
      const merchantIds = new Set(found.data.map(({ payment }) => payment.merchantId))
      const codes = new Map<string, string>()
      for (const id of merchantIds) codes.set(id, await merchantCodeOf(id))
      return { ...found, data: found.data.map((item) => present(item, codes)) }
    },
  )
}

async function readSearch(
  query: Query,
  merchantIdOf: SearchDeps['merchantIdOf'],
): Promise<Omit<PaymentSearch, 'after' | 'limit'>> {
  const { merchantCode, kind, status, currencyCode, paymentMethodCode, amountFrom, amountTo } = query
  return {
    ...readLead(query),
    ...{ kind, status, currencyCode, methodCode: paymentMethodCode, amountFrom, amountTo },
    createdFrom: readMoment('createdFrom', query.createdFrom),
    createdTo: readMoment('createdTo', query.createdTo),
    merchantId: merchantCode === undefined ? undefined : await merchantIdOf(merchantCode),
  }
}

function readLead({ idPayment, reference, idCustomer, merchantCode }: Query): { lead: Lead; value: string } {
  const leads: readonly [Lead, string | undefined][] = [
    ['ID', idPayment],
    ['REFERENCE', reference],
    ['CUSTOMER', idCustomer],
  ]
  const given = leads.flatMap(([lead, value]) => (value === undefined ? [] : [{ lead, value }]))
  const [first, second] = given
  if (first === undefined || second !== undefined)
    throw invalidField('idPayment', 'search by exactly one of idPayment, reference and idCustomer')
  if (first.lead === 'CUSTOMER' && merchantCode === undefined)
    throw invalidField('merchantCode', 'is needed with idCustomer: customers belong to merchants')
  return first
}

function readMoment(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime()))
    throw invalidField(field, 'is not a time; for example 2026-11-21T00:00:00Z')
  return moment
}

function present({ payment }: FoundPayment, codes: ReadonlyMap<string, string>) {
  const merchantCode = codes.get(payment.merchantId) ?? ''
  const { kind, idPayment, status, processorStatus, externalReference, idCustomer } = payment
  return {
    ...{ merchantCode, kind, idPayment, status, processorStatus },
    money: presentMoney(payment.money),
    paymentMethodCode: payment.methodCode,
    reference: payment.reference,
    ...(externalReference !== undefined && { externalReference }),
    ...(idCustomer !== undefined && { idCustomer }),
    createdAt: payment.createdAt.toISOString(),
  }
}
