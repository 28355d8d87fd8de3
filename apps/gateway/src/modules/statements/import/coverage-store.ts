import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'

/** A statement's two ends. */
export interface Balances {
  readonly statementId: string
  readonly openingAmount: Amount
  /** ISO 8601. Some banks give the day before the first one of the statement. */
  readonly openingOn: string
  readonly closingAmount: Amount
  readonly closingOn: string
  /** Its lines make the difference between its balances. */
  readonly addsUp: boolean
  /** Nothing can be booked on its days any more. */
  readonly isFinal: boolean
}

/** What is final cannot be of a day that had not come anywhere on earth. */
const LIST: Statement = {
  name: 'statements_list_balances',
  text: `select statement_id::text, opening_amount, to_char(opening_on, 'YYYY-MM-DD') as opening_on, closing_amount,
      to_char(closing_on, 'YYYY-MM-DD') as closing_on, coalesce(adds_up, false) as adds_up,
      coalesce(is_final and closing_on <= (f.received_at at time zone 'UTC' + interval '14 hours')::date, false) as is_final
    from statements join statement_files f using (file_id) where account_code = $1 and not is_notification and opening_amount is not null and opening_on is not null
      and closing_on >= $2::date
    order by closing_on, statement_id`,
}

interface BalancesRow {
  readonly statement_id: string
  readonly opening_amount: string
  readonly opening_on: string
  readonly closing_amount: string
  readonly closing_on: string
  readonly adds_up: boolean
  readonly is_final: boolean
}

/** Statements of an account that have both balances and close on the day or later, in the order of closing. */
export async function listBalances(
  tx: Tx,
  accountCode: string,
  sinceDay: string,
): Promise<readonly Balances[]> {
  const rows = await tx.rows<BalancesRow>(LIST, [accountCode, sinceDay])
  return rows.map((row) => ({
    statementId: row.statement_id,
    openingAmount: parsePlainAmount(row.opening_amount),
    openingOn: row.opening_on,
    closingAmount: parsePlainAmount(row.closing_amount),
    closingOn: row.closing_on,
    addsUp: row.adds_up,
    isFinal: row.is_final,
  }))
}
