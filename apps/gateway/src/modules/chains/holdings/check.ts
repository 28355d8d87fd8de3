import type { Database } from '../../../platform/database.ts'
import { agreementOf } from '../agreement.ts'
import { ChainFault } from '../errors.ts'
import type { Chain } from '../model.ts'
import { countHoldings } from './counting.ts'

/** What `ledger check --chain` found on a chain, in sentences. */
export async function checkHoldings(
  db: Database,
  chain: Chain,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const { findings } = await countHoldings({ db, chain, agreement: agreementOf(chain, signal) })
    return findings
  } catch (error) {
    if (!(error instanceof ChainFault)) throw error
    return [`It could not be counted: ${error.message}`]
  }
}
