import { CHAIN_BEGINNING, type ChainHead, findHead, printHead } from '../../platform/chain/index.ts'
import type { Database } from '../../platform/database.ts'
import { JOURNAL } from './chained.ts'
import { type JournalEntry, listEntries } from './store.ts'

export type { JournalEntry } from './store.ts'

/** The journal for operators. */
export interface JournalReader {
  /** The last entry as it is kept elsewhere; the beginning of the chain while there is none. */
  head(): Promise<{
    readonly printed: string
    readonly head: ChainHead
    readonly chainedAt: Date | undefined
  }>
  /** Entries from the number on, in their order. */
  list(fromNo: number, limit: number): Promise<readonly (JournalEntry & { readonly merchantCode: string })[]>
}

export function createJournalReader(deps: {
  readonly db: Database
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}): JournalReader {
  const { db, merchantCodeOf } = deps
  return {
    async head() {
      const found = await findHead(db, JOURNAL)
      const head = found ?? CHAIN_BEGINNING
      return { head, printed: printHead(head), chainedAt: found?.chainedAt }
    },
    async list(fromNo, limit) {
      const entries = await listEntries(db, fromNo, limit)
      const codes = new Map<string, string>()
      for (const { merchantId } of entries)
        if (!codes.has(merchantId)) codes.set(merchantId, await merchantCodeOf(merchantId))
      return entries.map((entry) => ({ ...entry, merchantCode: codes.get(entry.merchantId) ?? '' }))
    },
  }
}
