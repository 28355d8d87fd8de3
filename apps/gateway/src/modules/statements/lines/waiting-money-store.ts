import { type Money, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey } from '../../payments/index.ts'

const SUM: Statement = {
  name: 'statements_sum_waiting_money',
  text: `select sum(open_amount)::text as amount from statement_lines
    where merchant_id = $1 and kind = $2 and id_payment = $3 and currency_code = $4 and direction = 'CREDIT'
      and state in ('UNDER', 'OVER', 'LATE') and open_amount > 0`,
}

/** Money on our accounts that names the payment and is not its own: too little, too much, or too late. */
export async function findWaitingMoney(
  tx: Tx,
  { merchantId, kind, idPayment }: PaymentKey,
  currencyCode: string,
): Promise<Money | undefined> {
  const [row] = await tx.rows<{ amount: string | null }>(SUM, [merchantId, kind, idPayment, currencyCode])
  const amount = row?.amount ?? undefined
  return amount === undefined ? undefined : { amount: parsePlainAmount(amount), currencyCode }
}
