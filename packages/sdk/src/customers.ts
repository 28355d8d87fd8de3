import { type Call, type Caller, hasTexts } from './caller.ts'
import { member } from './json.ts'
import { checkedId, createOnce } from './payments.ts'
import { queryOf } from './query.ts'
import type { Customer, CustomerChange, CustomerData, CustomerPayment, Page, PageRequest } from './types.ts'

const OPERATIONS = ['GET /customers', 'GET /customers/.*', 'POST /customers/.*', 'PATCH /customers/.*']

/** `created` is false when the gateway had already accepted the same request; then it is the customer as it is now. */
export interface CustomerCreated {
  readonly created: boolean
  readonly customer: Customer
}

/** Your customers. All throw TollgateError, and RangeError for an id that is none. */
export interface Customers {
  /** Creates the customer, or finds it created. Throws IdConflictError when the id was created with other data. */
  create(id: string, data: CustomerData): Promise<CustomerCreated>
  read(id: string): Promise<Customer>
  /** By their ids. */
  list(page?: PageRequest): Promise<Page<Customer>>
  /** What is absent stays, null removes. */
  update(id: string, change: CustomerChange): Promise<Customer>
  /** From now on a create that names the customer is refused: 406 `CUSTOMER_BLOCKED`. */
  block(id: string): Promise<Customer>
  unblock(id: string): Promise<Customer>
  /** Erases all personal data, here and in the payments. Payments that are under way: 406 `CUSTOMER_HAS_OPEN_PAYMENTS`. */
  erase(id: string): Promise<void>
  /** Of every kind, the newest first. */
  payments(id: string, page?: PageRequest): Promise<Page<CustomerPayment>>
}

/** Customers over a caller. */
export function createCustomers(caller: Caller): Customers {
  const read = async (id: string) => caller.record(callOf('GET', pathOf(id)), isCustomer)
  const act = async (id: string, action: 'block' | 'unblock') =>
    caller.record(callOf('POST', `${pathOf(id)}/!${action}`), isCustomer)
  return {
    read,
    create: async (id, data) => {
      const call = { ...callOf('POST', pathOf(id), data), idPayment: id }
      const { created, payment } = await createOnce(
        () => caller.record(call, isCustomer),
        () => read(id),
      )
      return { created, customer: payment }
    },
    list: async (page = {}) => caller.page(callOf('GET', `/customers${queryOf({ ...page })}`), isCustomer),
    update: async (id, change) => caller.record(callOf('PATCH', pathOf(id), change), isCustomer),
    block: async (id) => act(id, 'block'),
    unblock: async (id) => act(id, 'unblock'),
    erase: async (id) => {
      await caller.send(callOf('POST', `${pathOf(id)}/!erase`))
    },
    payments: async (id, page = {}) =>
      caller.page(callOf('GET', `${pathOf(id)}/payments${queryOf({ ...page })}`), isCustomerPayment),
  }
}

const pathOf = (id: string): string => `/customers/${checkedId(id)}`

function callOf(method: string, path: string, body?: unknown): Call {
  return { method, path, body, operations: OPERATIONS }
}

const isCustomer = (value: unknown): value is Customer => hasTexts(value, 'idCustomer', 'status', 'createdAt')
const isCustomerPayment = (value: unknown): value is CustomerPayment =>
  hasTexts(value, 'kind', 'id', 'status') && hasTexts(member(value, 'money'), 'amount', 'currencyCode')
