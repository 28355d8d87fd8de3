import { CHAIN_BEGINNING, type ChainHead, findHead, printHead } from '../../platform/chain/index.ts'
import type { Database } from '../../platform/database.ts'
import { invalidField } from '../../platform/refusal.ts'
import { findHistoryEnd, listArrivals } from '../cells/index.ts'
import { HOUSE_MERCHANT_ID } from '../ledger/index.ts'
import { JOURNAL } from './chained.ts'
import { type BookedPosting, findSpan, listPostings, type Period, type Span } from './export-store.ts'
import { type JournalEntry, listEntries } from './store.ts'

/** With the code of its merchant; undefined for what the house booked for itself. */
export type NamedEntry = JournalEntry & { readonly merchantCode: string | undefined }

/** The journal for operators. */
export interface JournalReader {
  /** The last entry as it is kept elsewhere; the beginning of the chain while there is none. */
  head(): Promise<{
    readonly printed: string
    readonly head: ChainHead
    readonly chainedAt: Date | undefined
  }>
  /** Entries from the number on, in their order. */
  list(fromNo: number, limit: number): Promise<readonly NamedEntry[]>
  /**
   * All postings of transfers that were booked in the period, in the order of the journal, page by page. Throws
   * ATTRIBUTE_VALUE_INVALID for a period whose bookings are not all in the journal.
   */
  export(wanted: Wanted): Promise<AsyncIterable<readonly BookedPosting[]>>
}

type Wanted = Period & { readonly currencyCode: string | undefined }

const ENTRIES_A_PAGE = 500

export function createJournalReader(deps: {
  readonly db: Database
  /** Finding a period in the journal may take longer than a request is given. */
  readonly patientDb: Database
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
      await addCodes(codes, entries, merchantCodeOf)
      return entries.map((entry) => ({ ...entry, merchantCode: codes.get(entry.merchantId) }))
    },
    async export(wanted) {
      const span = await findSpan(deps.patientDb, wanted)
      if (span === 'FUTURE')
        throw invalidField('to', 'is not over: what is booked until then would be missing')
      if (span === 'GROWING')
        throw invalidField(
          'to',
          'is too recent: bookings before it are not all in the journal yet. Repeat in a few seconds, or end earlier',
        )
      if (span === undefined) return noPages()
      // What is before is in the books of the cell that this one was split off.
      const first = Math.max(span.first, 1 + (await findHistoryEnd(db)))
      return pagesOf(deps, { ...span, first }, wanted)
    },
  }
}

/** The house is no merchant: money in suspense and fees of a chain have no code. */
async function addCodes(
  codes: Map<string, string>,
  bookings: readonly { readonly merchantId: string }[],
  merchantCodeOf: (merchantId: string) => Promise<string>,
): Promise<void> {
  for (const { merchantId } of bookings)
    if (merchantId !== HOUSE_MERCHANT_ID && !codes.has(merchantId))
      codes.set(merchantId, await merchantCodeOf(merchantId))
}

async function* noPages(): AsyncIterable<never> {}

async function* pagesOf(
  { db, merchantCodeOf }: Parameters<typeof createJournalReader>[0],
  { first, last }: Span,
  wanted: Wanted,
): AsyncIterable<readonly BookedPosting[]> {
  const codes = new Map<string, string>()
  const arrivals = await listArrivals(db)
  for (let next = first; next <= last; next += ENTRIES_A_PAGE) {
    const page = { first: next, last: Math.min(last, next + ENTRIES_A_PAGE - 1) }
    const postings = await listPostings(db, page, { ...wanted, arrivals })
    await addCodes(codes, postings, merchantCodeOf)
    if (postings.length > 0)
      yield postings.map((posting) => ({ ...posting, merchantCode: codes.get(posting.merchantId) ?? '' }))
  }
}
