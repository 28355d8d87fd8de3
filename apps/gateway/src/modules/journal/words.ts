import type { JournalEntry } from './store.ts'

/** `CLEARING -10 EUR, NOT_SETTLED 10 EUR`, or `none`. */
export const postingsText = (postings: JournalEntry['postings']): string =>
  postings.map(({ account, amount, currencyCode }) => `${account} ${amount} ${currencyCode}`).join(', ') ||
  'none'
