import type { Database } from '../../../platform/database.ts'
import { type FoundPayment, type PaymentSearch, searchPayments } from './search-store.ts'

export type { FoundPayment, Lead, PaymentSearch } from './search-store.ts'

/** What a place looks like: microseconds since 1970, merchant, kind, id. */
export const FOUND_PLACE = /^\d{1,17}:\d{1,18}:[A-Z]{1,20}:[A-Za-z0-9_-]{1,250}$/

/** Finds payments for operators. */
export interface PaymentFinder {
  find(search: PaymentSearch): Promise<readonly FoundPayment[]>
  /** All of them, page by page: memory holds one. The first page is read before this resolves. */
  stream(search: Omit<PaymentSearch, 'after' | 'limit'>): Promise<AsyncIterable<readonly FoundPayment[]>>
}

const STREAM_PAGE = 1_000

export function createPaymentSearch(db: Database): PaymentFinder {
  const find = (search: PaymentSearch) => searchPayments(db, search)
  return {
    find,
    async stream(search) {
      const pageAfter = (after: string | undefined) => find({ ...search, after, limit: STREAM_PAGE })
      return pagesFrom(await pageAfter(undefined), pageAfter)
    },
  }
}

async function* pagesFrom(
  first: readonly FoundPayment[],
  pageAfter: (after: string) => Promise<readonly FoundPayment[]>,
): AsyncIterable<readonly FoundPayment[]> {
  for (let page = first; ; ) {
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < STREAM_PAGE) return
    page = await pageAfter(last.place)
  }
}
