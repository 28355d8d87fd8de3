import type { Tx } from '../../platform/database.ts'
import { BOOKING_CHECKS, LEDGER_CHECKS, PAYMENT_CHECKS } from './checks.ts'
import { CUSTOMER_CHECKS } from './customer-checks.ts'
import { SETTLEMENT_CHECKS } from './settlement-checks.ts'
import { SUSPENSE_CHECKS } from './suspense-checks.ts'

/** One thing that is wrong in the books: which check found it and what exactly it saw. */
export interface Finding {
  readonly check: string
  readonly detail: string
}

export interface Verification {
  readonly checks: readonly string[]
  readonly findings: readonly Finding[]
}

const CHECKS = [
  ...LEDGER_CHECKS,
  ...BOOKING_CHECKS,
  ...PAYMENT_CHECKS,
  ...CUSTOMER_CHECKS,
  ...SETTLEMENT_CHECKS,
  ...SUSPENSE_CHECKS,
]

/** Of each check. */
const FINDINGS_MAX = 100

/**
 * Recomputes every balance from the postings and looks for books that do not agree. No finding means: all is well.
 * Each check is one statement and sees one moment, so it may run beside the traffic.
 */
export async function verifyBooks(tx: Tx): Promise<Verification> {
  const findings: Finding[] = []
  for (const check of CHECKS) {
    const statement = { name: `verify_${check.name}`, text: `${check.text} limit ${FINDINGS_MAX}` }
    const rows = await tx.rows<{ detail: string }>(statement, [])
    findings.push(...rows.map((row) => ({ check: check.name, detail: row.detail })))
  }
  return { checks: CHECKS.map((check) => check.name), findings }
}
