import type { BalanceTotalsSchema, OperatorBalanceListSchema, Printed } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { get, type OperatorOptions } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { LIMIT } from './options.ts'

const list = clientCommand({
  command: 'list',
  says: 'show what each merchant has in each currency',
  options: [
    { flags: '--merchant <code>', says: 'only of this merchant' },
    { flags: '--currency <code>', says: 'only in this currency' },
    LIMIT,
  ],
  permission: 'ledger.read',
  asks: (
    _typed,
    {
      merchant,
      currency,
      limit,
    }: OperatorOptions & { readonly merchant?: string; readonly currency?: string; readonly limit: number },
  ) => ({
    method: 'GET',
    path: '/operator/balances',
    query: { merchantCode: merchant, currencyCode: currency },
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof OperatorBalanceListSchema>, pen) =>
    pen.table(
      ['MERCHANT', 'CURRENCY', 'BALANCE', 'AVAILABLE', 'NOT SETTLED', 'RESERVED', 'OWES', 'CHANGED'],
      data.map((each) => [
        each.merchantCode,
        each.currencyCode,
        ...[each.balance, each.available, each.notSettled, each.reserved, each.receivable].map(pen.amount),
        pen.momentOf(each.updatedAt),
      ]),
      'No merchant has a balance.',
    ),
})

const totals = clientCommand({
  command: 'totals',
  says: 'show what all merchants together have and owe, and what is in suspense',
  permission: 'ledger.read',
  asks: () => get('/operator/balances/totals'),
  shows: ({ data }: Printed<typeof BalanceTotalsSchema>, pen) =>
    pen.table(
      ['CURRENCY', 'MERCHANTS', 'AVAILABLE', 'NOT SETTLED', 'RESERVED', 'OWED TO US', 'SUSPENSE'],
      data.map((each) => [
        each.currencyCode,
        String(each.merchants),
        ...[each.available, each.notSettled, each.reserved, each.receivable, each.suspense].map(pen.amount),
      ]),
      'No merchant has a balance.',
    ),
})

/** What merchants have, for operators. */
export function addBalanceCommands(program: Command, shell: Shell): void {
  const balances = program.command('balances').description('what merchants have and owe')
  for (const command of [list, totals]) command.addTo(balances, shell)
}
