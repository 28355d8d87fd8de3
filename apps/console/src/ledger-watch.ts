import { SystemHealthSchema } from '@tollgate/contract'
import type { OperatorApi } from './operator-api.ts'

// When the books were checked last, for the foot of every screen: asked for once a minute, whoever looks.

/** A check of the ledger that was run to its end. */
export interface LedgerCheck {
  readonly checkedAt: string
  readonly findings: number
}

export interface LedgerWatch {
  /** Undefined where the ledger was never checked, and where that cannot be found out now. */
  lastCheck(api: OperatorApi, nowMs: number): Promise<LedgerCheck | undefined>
}

const KEPT_MS = 60_000

export function createLedgerWatch(): LedgerWatch {
  let known: { readonly atMs: number; readonly check: LedgerCheck | undefined } | undefined
  return {
    async lastCheck(api, nowMs) {
      if (known !== undefined && nowMs - known.atMs < KEPT_MS) return known.check
      // Who comes meanwhile does not ask as well.
      known = { atMs: nowMs, check: known?.check }
      known = { atMs: nowMs, check: await find(api) }
      return known.check
    },
  }
}

/** A screen is shown all the same where this fails. */
async function find(api: OperatorApi): Promise<LedgerCheck | undefined> {
  try {
    return (await api.get('/operator/health', SystemHealthSchema)).ledger.lastCheck
  } catch {
    return undefined
  }
}
