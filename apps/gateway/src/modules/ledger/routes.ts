import { type AnswerItem, answers, BalanceListSchema, BalancesQuery } from '@tollgate/contract'
import { type Amount, rawAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/gate.ts'
import { CURRENCY_CODE, selectedValues } from '../../http/multi-value.ts'
import { operationsOf } from '../../http/operation.ts'
import { type Balance, totalBalance } from './model.ts'
import type { BalanceService } from './service.ts'

const operation = operationsOf('Accounts')

/** Specification 4.4. */
export function balanceRoutes(app: App, balances: BalanceService): void {
  app.get(
    '/balances',
    operation('listBalances', {
      summary: 'Balances of the merchant',
      description:
        '406 and 410 are listed by the specification; nothing here causes them: what does not exist is ignored.',
      querystring: BalancesQuery,
      response: answers({ 200: BalanceListSchema }, 406, 410),
    }),
    async (request) => {
      const { currencyCodes, currencies } = request.query
      const wanted = selectedValues([currencyCodes, currencies], CURRENCY_CODE)
      const found = await balances.list(callerOf(request).merchantId, wanted)
      return { data: found.map(presentBalance) }
    },
  )
}

function presentBalance(balance: Balance): AnswerItem<typeof BalanceListSchema> {
  const money = (amount: Amount) => ({ amount: rawAmount(amount), currencyCode: balance.currencyCode })
  return {
    currencyCode: balance.currencyCode,
    balance: money(totalBalance(balance)),
    available: money(balance.available),
    notSettled: money(balance.notSettled),
    reserved: money(balance.reserved),
    updatedAt: balance.updatedAt.toISOString(),
  }
}
