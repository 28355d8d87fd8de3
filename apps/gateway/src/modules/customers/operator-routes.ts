import {
  type AnswerItem,
  answers,
  CustomerErasureSchema,
  OperatorCustomerListSchema,
  OperatorCustomerParams,
  OperatorCustomerSchema,
  OperatorCustomersParams,
  OperatorCustomersQuery,
} from '@tollgate/contract'
import { maskAccountNumber, maskName } from '@tollgate/payment-codes'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { answerPage } from '../../http/paging.ts'
import type { Customer, CustomerKey, KnownCustomer } from './model.ts'
import type { CustomerService } from './service.ts'

const operation = operatorOperationsOf('Customers')
const ID_PLACE = /^[A-Za-z0-9_-]{1,250}$/

interface CustomerOperatorDeps {
  readonly customers: CustomerService
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
}

interface Named {
  readonly merchantCode: string
  readonly idCustomer: string
}

/** Merchants' customers for operators: enough to recognise one that somebody asks about, and no more. */
export function customerOperatorRoutes(app: App, deps: CustomerOperatorDeps): void {
  readingRoutes(app, deps)
  switchRoutes(app, deps)
  eraseRoute(app, deps)
}

const keyOf = async (
  { merchantIdOf }: CustomerOperatorDeps,
  { merchantCode, idCustomer }: Named,
): Promise<CustomerKey> => ({ merchantId: await merchantIdOf(merchantCode), idCustomer })

function readingRoutes(app: App, deps: CustomerOperatorDeps): void {
  app.get(
    '/operator/customers/:merchantCode',
    operation('listOperatorCustomers', 'customers.read', {
      summary: 'List the customers of a merchant by their ids, without what names them',
      params: OperatorCustomersParams,
      querystring: OperatorCustomersQuery,
      response: answers({ 200: OperatorCustomerListSchema }, 410),
    }),
    async ({ params: { merchantCode }, query: { after: first, ...page } }) => {
      const merchantId = await deps.merchantIdOf(merchantCode)
      return answerPage(page, {
        place: ID_PLACE,
        list: async ({ before: after = first, limit }) =>
          (await deps.customers.list(merchantId, { after, limit })).customers,
        placeOf: ({ idCustomer }) => idCustomer,
        present: (customer) => presentPlain(merchantCode, customer),
      })
    },
  )
  app.get(
    '/operator/customers/:merchantCode/:idCustomer',
    operation('readOperatorCustomer', 'customers.read', {
      summary: 'A customer; names and account numbers are masked',
      params: OperatorCustomerParams,
      response: answers({ 200: OperatorCustomerSchema }, 410),
    }),
    async ({ params }) => {
      const customer = await deps.customers.read(await keyOf(deps, params))
      return {
        ...presentPlain(params.merchantCode, customer),
        ...(customer.status !== 'ERASED' && { masked: mask(customer) }),
      }
    },
  )
}

function switchRoutes(app: App, deps: CustomerOperatorDeps): void {
  const switches = [
    {
      action: 'block',
      status: 'BLOCKED',
      summary: 'Block a customer: no new payments; those under way go on',
    },
    { action: 'unblock', status: 'ACTIVE', summary: 'Let a blocked customer make payments again' },
  ] as const
  for (const { action, status, summary } of switches)
    app.post(
      `/operator/customers/:merchantCode/:idCustomer/!${action}`,
      operation(`${action}OperatorCustomer`, 'customers.change', {
        summary,
        params: OperatorCustomerParams,
        response: answers({ 200: OperatorCustomerSchema }, 410),
      }),
      async ({ params }) =>
        presentPlain(params.merchantCode, await deps.customers.setStatus(await keyOf(deps, params), status)),
    )
}

function eraseRoute(app: App, deps: CustomerOperatorDeps): void {
  app.post(
    '/operator/customers/:merchantCode/:idCustomer/!erase',
    operation('eraseOperatorCustomer', 'customers.change', {
      summary: 'Erase all personal data of a customer and of its payments, for ever',
      description:
        'The payments, their amounts and the ledger stay. The id stays taken. Answers what was erased, and what is kept until when.',
      params: OperatorCustomerParams,
      response: answers({ 200: CustomerErasureSchema }, 406, 410),
    }),
    async ({ params }) => {
      const key = await keyOf(deps, params)
      const { erased, kept } = await deps.customers.erase(key)
      return { ...presentPlain(params.merchantCode, await deps.customers.read(key)), erased, kept: [...kept] }
    },
  )
}

function presentPlain(
  merchantCode: string,
  customer: Customer,
): AnswerItem<typeof OperatorCustomerListSchema> {
  const { idCustomer, status, createdAt } = customer
  const known = { merchantCode, idCustomer, status, createdAt: createdAt.toISOString() }
  if (customer.status === 'ERASED') return { ...known, erasedAt: customer.erasedAt.toISOString() }
  const { segmentCode, countryCode } = customer
  return { ...known, segmentCode, countryCode }
}

/** `J…` and `…0001`, as in all lists: who has the data beside them can compare; who has not learns nothing. */
function mask({ name, accounts }: KnownCustomer) {
  return {
    ...(name !== undefined && { name: maskName(name) }),
    accounts: accounts.map(({ accountName, accountNumber }) => ({
      accountName: maskName(accountName),
      accountNumber: maskAccountNumber(accountNumber),
    })),
  }
}
