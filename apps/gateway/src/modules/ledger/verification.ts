import type { Database, Statement, Tx } from '../../platform/database.ts'
import type { Check } from './checks.ts'

/** One thing that is wrong in the books: which check found it and what exactly it saw. */
export interface Finding {
  readonly check: string
  readonly detail: string
}

export interface Verification {
  readonly checks: readonly string[]
  readonly findings: readonly Finding[]
}

/** Of each check. */
const FINDINGS_MAX = 100

/**
 * Every check reads whole tables, and for those a join row by row never pays. The planner would choose it where it takes
 * a table for nearly empty, as statistics say of one that grew a moment ago: then minutes become days.
 */
const JOIN_WHOLE_TABLES: Statement = {
  name: 'verify_join_whole_tables',
  text: `select set_config('enable_nestloop', 'off', true)`,
}

/**
 * Looks for books that do not agree. No finding means: all is well.
 * Each check is one transaction of one statement and sees one moment, so it may run beside the traffic.
 */
export async function runChecks(
  db: Pick<Database, 'transaction'>,
  checks: readonly Check[],
): Promise<Verification> {
  const findings: Finding[] = []
  for (const check of checks) findings.push(...(await db.transaction((tx) => run(tx, check))))
  return { checks: checks.map((check) => check.name), findings }
}

async function run(tx: Tx, { name, text }: Check): Promise<readonly Finding[]> {
  await tx.rows(JOIN_WHOLE_TABLES, [])
  const rows = await tx.rows<{ detail: string }>(statementOf(name, text), [])
  return rows.map((row) => ({ check: name, detail: row.detail }))
}

/**
 * The limit stands outside, where the planner does not see it: a check that it takes for one of many findings is planned for the first
 * hundred, which are never found. Of a merchant with many payments, all transfers were held against all others then.
 */
const statementOf = (name: string, text: string): Statement => ({
  name: `verify_${name}`,
  text: `with found as materialized (${text}) select detail from found limit ${FINDINGS_MAX}`,
})
