import {
  type Answer,
  answers,
  CustomerCreateSchema,
  CustomerListSchema,
  CustomerParams,
  CustomerPatchSchema,
  CustomerSchema,
  noContent,
  PAGE_LIMIT_DEFAULT,
  PageQuery,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/authentication.ts'
import { invalidField } from '../../platform/refusal.ts'
import { type Customer, type CustomerKey, cursorAfter, readCursor } from './model.ts'
import type { CustomerService } from './service.ts'

const TAGS = ['Customers']

/** A merchant's customers. */
export function customerRoutes(app: App, customers: CustomerService): void {
  recordRoutes(app, customers)
  changeRoutes(app, customers)
  listRoute(app, customers)
}

const keyOf = (request: Parameters<typeof callerOf>[0], idCustomer: string): CustomerKey => ({
  merchantId: callerOf(request).merchantId,
  idCustomer,
})

function recordRoutes(app: App, customers: CustomerService): void {
  app.post(
    '/customers/:idCustomer',
    {
      schema: {
        operationId: 'createCustomer',
        summary: 'Create a customer',
        tags: TAGS,
        params: CustomerParams,
        body: CustomerCreateSchema,
        response: answers({ 201: CustomerSchema }, 400, 401, 403, 404, 406, 409, 429, 500),
      },
    },
    async (request, reply) => {
      const { accounts = [], ...rest } = request.body
      const created = await customers.create(keyOf(request, request.params.idCustomer), { ...rest, accounts })
      return reply.code(201).send(presentCustomer(created))
    },
  )
  app.get(
    '/customers/:idCustomer',
    {
      schema: {
        operationId: 'readCustomer',
        summary: 'Read a customer; one that was erased shows that it was, and nothing else',
        tags: TAGS,
        params: CustomerParams,
        response: answers({ 200: CustomerSchema }, 400, 401, 403, 404, 410, 429, 500),
      },
    },
    async (request) => presentCustomer(await customers.read(keyOf(request, request.params.idCustomer))),
  )
  app.patch(
    '/customers/:idCustomer',
    {
      schema: {
        operationId: 'changeCustomer',
        summary: 'Change a customer: what is absent stays, null removes',
        tags: TAGS,
        params: CustomerParams,
        body: CustomerPatchSchema,
        response: answers({ 200: CustomerSchema }, 400, 401, 403, 404, 406, 410, 429, 500),
      },
    },
    async (request) =>
      presentCustomer(await customers.change(keyOf(request, request.params.idCustomer), request.body)),
  )
}

function changeRoutes(app: App, customers: CustomerService): void {
  const actions = [
    { action: 'block', status: 'BLOCKED', summary: 'Let the customer make no payments' },
    { action: 'unblock', status: 'ACTIVE', summary: 'Let the customer make payments again' },
  ] as const
  for (const { action, status, summary } of actions) {
    app.post(
      `/customers/:idCustomer/!${action}`,
      {
        schema: {
          operationId: `${action}Customer`,
          summary,
          tags: TAGS,
          params: CustomerParams,
          response: answers({ 200: CustomerSchema }, 400, 401, 403, 404, 410, 429, 500),
        },
      },
      async (request) =>
        presentCustomer(await customers.setStatus(keyOf(request, request.params.idCustomer), status)),
    )
  }
  app.post(
    '/customers/:idCustomer/!erase',
    {
      schema: {
        operationId: 'eraseCustomer',
        summary: 'Erase all personal data of the customer and of its payments',
        description: 'The payments, their amounts and the ledger stay. The id stays taken.',
        tags: TAGS,
        params: CustomerParams,
        response: answers({ 204: noContent('Erased.') }, 400, 401, 403, 404, 406, 410, 429, 500),
      },
    },
    async (request, reply) => {
      await customers.erase(keyOf(request, request.params.idCustomer))
      return reply.code(204).send()
    },
  )
}

function listRoute(app: App, customers: CustomerService): void {
  app.get(
    '/customers',
    {
      schema: {
        operationId: 'listCustomers',
        summary: 'List customers by their ids',
        tags: TAGS,
        querystring: PageQuery,
        response: answers({ 200: CustomerListSchema }, 400, 401, 403, 404, 429, 500),
      },
    },
    async (request) => {
      const { cursor, limit } = request.query
      const page = await customers.list(callerOf(request).merchantId, {
        after: cursor === undefined ? undefined : readAfter(cursor),
        limit: limit === undefined ? PAGE_LIMIT_DEFAULT : Number(limit),
      })
      const last = page.customers.at(-1)
      return {
        data: page.customers.map(presentCustomer),
        ...(page.hasMore && last !== undefined && { nextCursor: cursorAfter(last.idCustomer) }),
      }
    },
  )
}

function readAfter(cursor: string): string {
  const after = readCursor(cursor)
  if (after === undefined) throw invalidField('cursor', 'is not a nextCursor of this list')
  return after
}

function presentCustomer(customer: Customer): Answer<typeof CustomerSchema> {
  const { idCustomer, status, createdAt } = customer
  const times = { createdAt: createdAt.toISOString() }
  if (customer.status === 'ERASED')
    return { idCustomer, status, ...times, erasedAt: customer.erasedAt.toISOString() }
  const { name, emailAddress, phone, countryCode, segmentCode, accounts } = customer
  return { idCustomer, name, emailAddress, phone, countryCode, segmentCode, status, accounts, ...times }
}
