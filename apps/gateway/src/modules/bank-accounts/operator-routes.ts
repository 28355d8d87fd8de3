import {
  type Answer,
  answers,
  BankAccountAddSchema,
  BankAccountChangeSchema,
  BankAccountListSchema,
  BankAccountParams,
  BankAccountSchema,
  BankAccountsQuery,
  digitsOf,
  type WireAmount,
} from '@tollgate/contract'
import { type Amount, parseAmount, rawAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { INSTANT_MAX_SENTENCE } from './demands.ts'
import { BankAccountProblem } from './errors.ts'
import type { BankAccount, PayoutFormat } from './model.ts'
import type { BankAccountAdministration } from './service.ts'

const operation = operatorOperationsOf('Bank accounts')

/** The operator's own accounts: where customers pay to, and payouts leave from. */
export function bankAccountOperatorRoutes(app: App, accounts: BankAccountAdministration): void {
  readingRoute(app, accounts)
  addRoute(app, accounts)
  changeRoutes(app, accounts)
}

function readingRoute(app: App, accounts: BankAccountAdministration): void {
  app.get(
    '/operator/bank-accounts',
    operation('listBankAccounts', 'bank-accounts.read', {
      summary: 'List your accounts, by currency, the default first',
      querystring: BankAccountsQuery,
      response: { 200: BankAccountListSchema },
    }),
    async ({ query: { all } }) => {
      const found = await accounts.list()
      return { data: found.filter(({ status }) => all === 'true' || status === 'ACTIVE').map(present) }
    },
  )
}

function addRoute(app: App, accounts: BankAccountAdministration): void {
  app.post(
    '/operator/bank-accounts',
    operation('addBankAccount', 'bank-accounts.change', {
      summary: 'Add an account; the first one of a currency is its default',
      body: BankAccountAddSchema,
      response: answers({ 201: BankAccountSchema }, 409, 410),
    }),
    async ({ body: { isDefault = false, payoutFormat, instantMax, address = {}, ...draft } }, reply) => {
      const files = { payoutFormat: formatOf(payoutFormat), instantMax: amountOf(instantMax) }
      const added = await accounts.add({ ...draft, address, ...files }, isDefault)
      return reply.code(201).send(present(added))
    },
  )
}

function changeRoutes(app: App, accounts: BankAccountAdministration): void {
  app.post(
    '/operator/bank-accounts/:code/!change',
    operation('changeBankAccount', 'bank-accounts.change', {
      summary: 'Change what an account is used for',
      params: BankAccountParams,
      body: BankAccountChangeSchema,
      response: answers({ 200: BankAccountSchema }, 409, 410),
    }),
    async ({ params: { code }, body: { isDefault, payoutFormat, instantMax } }) => {
      const files = { payoutFormat: formatOf(payoutFormat), instantMax: amountOf(instantMax) }
      return present(await accounts.set(code, { isDefault, ...files }))
    },
  )
  app.post(
    '/operator/bank-accounts/:code/!retire',
    operation('retireBankAccount', 'bank-accounts.change', {
      summary: 'Stop telling customers to pay to the account; what arrives there is still found',
      params: BankAccountParams,
      response: answers({ 200: BankAccountSchema }, 409, 410),
    }),
    async ({ params: { code } }) => present(await accounts.retire(code)),
  )
}

const FORMATS = {
  'pain.001.001.03': 'PAIN_001_001_03',
  'pain.001.001.09': 'PAIN_001_001_09',
  none: 'NONE',
} as const satisfies Readonly<Record<string, PayoutFormat | 'NONE'>>

const formatOf = (name: keyof typeof FORMATS | undefined): PayoutFormat | 'NONE' | undefined =>
  name === undefined ? undefined : FORMATS[name]

function amountOf(wire: WireAmount | undefined): Amount | undefined {
  if (wire === undefined) return undefined
  const amount = parseAmount(digitsOf(wire))
  if (amount === undefined) throw new BankAccountProblem(INSTANT_MAX_SENTENCE).about('instantMax')
  return amount
}

function present(account: BankAccount): Answer<typeof BankAccountSchema> {
  const { address: _, payoutFormat, instantMax, createdAt, ...rest } = account
  return {
    ...rest,
    payoutFormat: payoutFormat?.toLowerCase().replaceAll('_', '.'),
    ...(instantMax !== undefined && { instantMax: rawAmount(instantMax) }),
    createdAt: createdAt.toISOString(),
  }
}
