import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'

const SUM: Statement = {
  name: 'statements_sum_suspense',
  // By way of the states: the lines that are matched are nearly all.
  text: `select currency_code, sum(open_amount)::text as amount from statement_lines
    where state in ('UNDER', 'OVER', 'LATE', 'DOUBLE', 'UNKNOWN', 'AMBIGUOUS', 'OTHER_CURRENCY', 'RETURNING') and open_amount > 0
    group by currency_code`,
}

/** By currency, the money on our accounts that is nobody's yet. */
export async function findSuspense(tx: Tx): Promise<ReadonlyMap<string, Amount>> {
  const rows = await tx.rows<{ currency_code: string; amount: string }>(SUM, [])
  return new Map(rows.map(({ currency_code: code, amount }) => [code, parsePlainAmount(amount)]))
}
