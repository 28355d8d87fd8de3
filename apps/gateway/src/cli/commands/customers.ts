import type { OperatorCustomerListSchema, OperatorCustomerSchema, Printed } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { get, type OperatorOptions, pathOf, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { LIMIT } from './options.ts'

const MASKED = 'Names and account numbers are masked; e-mail address and phone are not shown.'

type Customer = Printed<typeof OperatorCustomerSchema>

interface ListOptions extends OperatorOptions {
  readonly limit: number
  readonly after?: string
}

const list = clientCommand({
  command: 'list <merchant>',
  says: 'list the customers of a merchant by id',
  options: [LIMIT, { flags: '--after <id>', says: 'start after this customer', read: idCustomer }],
  permission: 'customers.read',
  asks: (typed, { limit, after }: ListOptions) => ({
    method: 'GET',
    path: pathOf`/operator/customers/${typed.merchant}`,
    query: { after },
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof OperatorCustomerListSchema>, pen, { merchant }, { after }) =>
    pen.table(
      ['CUSTOMER', 'STATUS', 'SEGMENT', 'COUNTRY', 'SINCE'],
      data.map((customer) => [
        customer.idCustomer,
        customer.status,
        customer.segmentCode ?? '',
        customer.countryCode ?? '',
        pen.momentOf(customer.createdAt),
      ]),
      `${merchant} has no customers${after === undefined ? '' : ` after ${after}`}.`,
    ),
})

const show = clientCommand({
  command: 'show <merchant> <id>',
  says: 'show a customer; names and account numbers are masked',
  permission: 'customers.read',
  asks: (typed) => get(pathOf`/operator/customers/${typed.merchant}/${idCustomer(typed.id)}`),
  shows: (customer: Customer, pen) => ({
    text: pen.pairs([
      ['Customer', `${customer.idCustomer} of ${customer.merchantCode}`],
      ['Status', customer.status],
      ['Name', customer.masked?.name],
      ['Country', customer.countryCode],
      ['Segment', customer.segmentCode],
      ...(customer.masked?.accounts ?? []).map(
        ({ accountName, accountNumber }) => ['Account', `${accountName} ${accountNumber}`] as const,
      ),
      ['Since', pen.momentOf(customer.createdAt)],
      ['Erased', pen.momentOf(customer.erasedAt)],
    ]),
    notes: customer.masked === undefined ? [] : [MASKED],
  }),
})

const CHANGES = [
  ['block', 'block a customer: no new payments; those under way go on', 'makes no payments any more'],
  ['unblock', 'let a blocked customer make payments again', 'may make payments again'],
  [
    'erase',
    'erase all personal data of a customer and of their payments, for good',
    'is erased, and so is the personal data of its payments',
  ],
] as const
const changes = CHANGES.map(([action, says, done]) =>
  clientCommand({
    command: `${action} <merchant> <id>`,
    says,
    permission: 'customers.change',
    asks: (typed) =>
      post(`${pathOf`/operator/customers/${typed.merchant}/${idCustomer(typed.id)}`}/!${action}`),
    shows: ({ idCustomer: id, merchantCode }: Customer) => `The customer ${id} of ${merchantCode} ${done}.`,
  }),
)

/** Merchants' customers, for those who look after the gateway: never their personal data. */
export function addCustomerCommands(program: Command, shell: Shell): void {
  const customers = program
    .command('customers')
    .description('merchants’ customers, without their personal data')
  for (const command of [list, show, ...changes]) command.addTo(customers, shell)
}

const ID_CUSTOMER = /^[A-Za-z0-9_-]{1,250}$/

function idCustomer(text: string): string {
  if (ID_CUSTOMER.test(text)) return text
  throw new CommandFailure(
    'USAGE',
    `A customer's id has 1 to 250 letters, digits, hyphens or underscores; this is ${JSON.stringify(text)}.`,
  )
}
