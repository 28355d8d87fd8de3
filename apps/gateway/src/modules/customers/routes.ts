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
import { callerOf } from '../../http/gate.ts'
import { operationsOf } from '../../http/operation.ts'
import { invalidField } from '../../platform/refusal.ts'
import { type Customer, type CustomerKey, cursorAfter, readCursor } from './model.ts'
import type { CustomerService } from './service.ts'

const operation = operationsOf('Customers')

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
    operation('createCustomer', {
      summary: 'Create a customer',
      params: CustomerParams,
      body: CustomerCreateSchema,
      response: answers({ 201: CustomerSchema }, 406, 409),
    }),
    async (request, reply) => {
      const { accounts = [], ...rest } = request.body
      const created = await customers.create(keyOf(request, request.params.idCustomer), { ...rest, accounts })
      return reply.code(201).send(presentCustomer(created))
    },
  )
  app.get(
    '/customers/:idCustomer',
    operation('readCustomer', {
      summary: 'Read a customer; one that was erased shows that it was, and nothing else',
      params: CustomerParams,
      response: answers({ 200: CustomerSchema }, 410),
    }),
    async (request) => presentCustomer(await customers.read(keyOf(request, request.params.idCustomer))),
  )
  app.patch(
    '/customers/:idCustomer',
    operation('changeCustomer', {
      summary: 'Change a customer: what is absent stays, null removes',
      params: CustomerParams,
      body: CustomerPatchSchema,
      response: answers({ 200: CustomerSchema }, 406, 410),
    }),
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
      operation(`${action}Customer`, {
        summary,
        params: CustomerParams,
        response: answers({ 200: CustomerSchema }, 410),
      }),
      async (request) =>
        presentCustomer(await customers.setStatus(keyOf(request, request.params.idCustomer), status)),
    )
  }
  app.post(
    '/customers/:idCustomer/!erase',
    operation('eraseCustomer', {
      summary: 'Erase all personal data of the customer and of its payments',
      description: 'The payments, their amounts and the ledger stay. The id stays taken.',
      params: CustomerParams,
      response: answers({ 204: noContent('Erased.') }, 406, 410),
    }),
    async (request, reply) => {
      await customers.erase(keyOf(request, request.params.idCustomer))
      return reply.code(204).send()
    },
  )
}

function listRoute(app: App, customers: CustomerService): void {
  app.get(
    '/customers',
    operation('listCustomers', {
      summary: 'List customers by their ids',
      querystring: PageQuery,
      response: { 200: CustomerListSchema },
    }),
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
