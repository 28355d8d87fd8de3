import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'

/** Who told of an entry first. */
const LIST_TOLD: Statement = {
  name: 'statements_list_told_entries',
  text: `select l.entry_fingerprint, l.occurrence, min(l.line_id)::text as line_id, s.statement_id::text, s.is_notification, s.bank_name,
      s.opening_amount::text, s.closing_amount::text
    from statement_lines l join statements s using (statement_id)
    where l.account_code = $1 and l.entry_fingerprint = any($2)
    group by l.entry_fingerprint, l.occurrence, s.statement_id order by 3`,
}
const COUNT_OF_DAYS: Statement = {
  name: 'statements_count_entries_of_days',
  text: `select statement_id::text, booked_on::text, count(distinct (entry_fingerprint, occurrence))::int as entries
    from statement_lines where statement_id = any($1::bigint[]) group by 1, 2`,
}
const ADD_WARNINGS: Statement = {
  name: 'statements_add_warnings',
  text: 'update statement_files set warnings = warnings || $2::text[] where file_id = $1',
}

/** An entry that an earlier statement told of, with what tells that statement from others. */
export interface ToldEntry {
  readonly fingerprint: Buffer
  readonly occurrence: number
  readonly lineId: string
  readonly statementId: string
  readonly isNotification: boolean
  readonly bankName: string | undefined
  readonly opening: Amount | undefined
  readonly closing: Amount | undefined
}

/** Who told of these entries of the account. */
export async function listToldEntries(
  tx: Tx,
  accountCode: string,
  fingerprints: readonly Buffer[],
): Promise<readonly ToldEntry[]> {
  const rows = await tx.rows<{
    entry_fingerprint: Buffer
    occurrence: number
    line_id: string
    statement_id: string
    is_notification: boolean
    bank_name: string | null
    opening_amount: string | null
    closing_amount: string | null
  }>(LIST_TOLD, [accountCode, fingerprints])
  return rows.map((row) => ({
    fingerprint: row.entry_fingerprint,
    occurrence: row.occurrence,
    lineId: row.line_id,
    statementId: row.statement_id,
    isNotification: row.is_notification,
    bankName: row.bank_name ?? undefined,
    opening: row.opening_amount === null ? undefined : parsePlainAmount(row.opening_amount),
    closing: row.closing_amount === null ? undefined : parsePlainAmount(row.closing_amount),
  }))
}

/** How many entries these statements told of, day by day; by `statement day`. */
export async function countEntriesOfDays(
  tx: Tx,
  statementIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ statement_id: string; booked_on: string; entries: number }>(COUNT_OF_DAYS, [
    statementIds,
  ])
  return new Map(rows.map((row) => [`${row.statement_id} ${row.booked_on}`, row.entries]))
}

/** Adds to what was strange about a file. */
export async function addWarnings(tx: Tx, fileId: string, warnings: readonly string[]): Promise<void> {
  if (warnings.length > 0) await tx.rows(ADD_WARNINGS, [fileId, warnings])
}
