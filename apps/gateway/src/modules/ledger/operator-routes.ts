import {
  type Answer,
  type AnswerItem,
  answers,
  BalanceTotalsSchema,
  OperatorBalanceListSchema,
  OperatorBalancesQuery,
} from '@tollgate/contract'
import { type Amount, rawAmount, ZERO } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { answerPage } from '../../http/paging.ts'
import { type Balance, type BalanceSum, totalBalance } from './model.ts'
import type { BalanceReader } from './service.ts'

const operation = operatorOperationsOf('Balances')
/** `7 EUR`: a merchant and a currency. */
const PLACE = /^\d{1,18} [A-Z0-9]{3,10}$/

interface BalanceOperatorDeps {
  readonly balances: BalanceReader
  /** By currency, what is in suspense: money that arrived and is nobody's yet. */
  readonly findSuspense: () => Promise<ReadonlyMap<string, Amount>>
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}

/** What merchants have, for operators: one by one, and together. */
export function balanceOperatorRoutes(app: App, deps: BalanceOperatorDeps): void {
  listRoute(app, deps)
  app.get(
    '/operator/balances/totals',
    operation('sumBalances', 'ledger.read', {
      summary: 'What all merchants together have and owe in each currency, and what is in suspense',
      response: { 200: BalanceTotalsSchema },
    }),
    async () => {
      const [sums, suspense] = await Promise.all([deps.balances.sum(), deps.findSuspense()])
      const found = new Map(sums.map((sum) => [sum.currencyCode, sum]))
      const codes = new Set([...found.keys(), ...suspense.keys()])
      return {
        data: [...codes]
          .toSorted()
          .map((code) =>
            presentSum(found.get(code) ?? { ...NOTHING, currencyCode: code }, suspense.get(code)),
          ),
      }
    },
  )
}

const NOTHING = { merchants: 0, available: ZERO, notSettled: ZERO, reserved: ZERO, receivable: ZERO }

function listRoute(app: App, { balances, merchantIdOf, merchantCodeOf }: BalanceOperatorDeps): void {
  app.get(
    '/operator/balances',
    operation('listOperatorBalances', 'ledger.read', {
      summary: 'List balances of all merchants, or of one, by currency',
      querystring: OperatorBalancesQuery,
      response: answers({ 200: OperatorBalanceListSchema }, 410),
    }),
    async ({ query }) => {
      const { merchantCode, currencyCode } = query
      const merchantId = merchantCode === undefined ? undefined : await merchantIdOf(merchantCode)
      const found = await answerPage(query, {
        place: PLACE,
        list: ({ before, limit }) => balances.list({ merchantId, currencyCode, after: keyIn(before), limit }),
        placeOf: (balance) => `${balance.merchantId} ${balance.currencyCode}`,
        present: (balance) => balance,
      })
      const data = await Promise.all(
        found.data.map(async (balance) => present(balance, await merchantCodeOf(balance.merchantId))),
      )
      return { ...found, data }
    },
  )
}

function keyIn(place: string | undefined) {
  const [merchantId, currencyCode] = place?.split(' ') ?? []
  return merchantId === undefined || currencyCode === undefined ? undefined : { merchantId, currencyCode }
}

const partsOf = (balance: Omit<BalanceSum, 'merchants'>) => ({
  available: rawAmount(balance.available),
  notSettled: rawAmount(balance.notSettled),
  reserved: rawAmount(balance.reserved),
  receivable: rawAmount(balance.receivable),
})

function present(balance: Balance, merchantCode: string): AnswerItem<typeof OperatorBalanceListSchema> {
  return {
    merchantCode,
    currencyCode: balance.currencyCode,
    balance: rawAmount(totalBalance(balance)),
    ...partsOf(balance),
    updatedAt: balance.updatedAt.toISOString(),
  }
}

const presentSum = (
  sum: BalanceSum,
  suspense: Amount = ZERO,
): Answer<typeof BalanceTotalsSchema>['data'][number] => ({
  currencyCode: sum.currencyCode,
  merchants: sum.merchants,
  ...partsOf(sum),
  suspense: rawAmount(suspense),
})
