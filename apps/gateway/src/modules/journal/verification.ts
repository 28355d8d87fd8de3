import { type ChainHead, FINDINGS_MAX, verifyChain } from '../../platform/chain/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { Verification } from '../ledger/index.ts'
import { JOURNAL } from './chained.ts'
import { listDips } from './replay.ts'

const DIPS = 'journal_keeps_balances_above_zero'

/** Follows the journal, compares it with the transfers as they are today, and adds up balances from it. */
export async function verifyJournal(
  tx: Tx,
  options: { readonly head?: ChainHead } = {},
): Promise<Verification> {
  const { checks, findings } = await verifyChain(tx, JOURNAL, options)
  // A change of the past shows in the sums behind it, too: that would be the same fault told again.
  const dips = findings.length === 0 ? await listDips(tx, FINDINGS_MAX) : []
  return {
    checks: [...checks, DIPS],
    findings: [...findings, ...dips.map((detail) => ({ check: DIPS, detail }))],
  }
}
