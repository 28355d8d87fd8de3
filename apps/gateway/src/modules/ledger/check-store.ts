import type { Statement, Tx } from '../../platform/database.ts'

const INSERT: Statement = {
  name: 'ledger_checks_insert',
  text: `insert into ledger_checks (check_count, finding_count)
    select $1, $2 where not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'`,
}
const FIND_LAST: Statement = {
  name: 'ledger_checks_find_last',
  text: `select checked_at as "checkedAt", check_count as checks, finding_count as findings
    from ledger_checks order by check_no desc limit 1`,
}

/** A check of the books that was run to its end. */
interface LedgerCheck {
  readonly checkedAt: Date
  readonly checks: number
  readonly findings: number
}

/** Notes a check that is done; nothing where the database takes no writes. */
export async function insertLedgerCheck(tx: Tx, check: Omit<LedgerCheck, 'checkedAt'>): Promise<void> {
  await tx.rows(INSERT, [check.checks, check.findings])
}

/** The last one; undefined where none was ever run. */
export async function findLastLedgerCheck(tx: Tx): Promise<LedgerCheck | undefined> {
  return (await tx.rows<LedgerCheck>(FIND_LAST, []))[0]
}
