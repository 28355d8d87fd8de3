import { type Amount, type Money, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { LineState } from '../model.ts'

const LIST_SUMS: Statement = {
  name: 'statements_list_file_sums',
  text: `select l.state, l.currency_code, count(*)::int as lines, sum(l.amount)::text as amount, sum(l.open_amount)::text as open_amount
    from statement_lines l join statements s using (statement_id) where s.file_id = $1
    group by l.state, l.currency_code order by l.currency_code, l.state`,
}
const LIST_HANDS: Statement = {
  name: 'statements_list_hands_of_lines',
  text: `select distinct f.actor from statement_lines l join statements s using (statement_id) join statement_files f using (file_id)
    where l.line_id = any($1) order by f.actor`,
}

/** Lines of a file in one state and currency. */
export interface FileSum {
  readonly state: LineState
  readonly count: number
  readonly money: Money
  /** What of it lies in suspense. */
  readonly open: Money
}

/** The lines that a file brought, added up. */
export async function listFileSums(tx: Tx, fileId: string): Promise<readonly FileSum[]> {
  const rows = await tx.rows<{
    state: LineState
    currency_code: string
    lines: number
    amount: string
    open_amount: string
  }>(LIST_SUMS, [fileId])
  return rows.map(({ state, lines, currency_code: currencyCode, ...row }) => ({
    state,
    count: lines,
    money: { currencyCode, amount: amountOf(row.amount) },
    open: { currencyCode, amount: amountOf(row.open_amount) },
  }))
}

const amountOf = (text: string): Amount => parsePlainAmount(text)

/** Who handed in the files that brought these lines. */
export async function listHandsOfLines(tx: Tx, lineIds: readonly string[]): Promise<readonly string[]> {
  return (await tx.rows<{ actor: string }>(LIST_HANDS, [lineIds])).map(({ actor }) => actor)
}
