import type { OptionRow } from '../client-command.ts'
import { wholeNumber } from '../values.ts'

const LISTED_MAX = 1000
const LISTED_DEFAULT = 50

/** How many entries of a list, 50 unless it is typed. */
export const limit = (most: number): OptionRow => ({
  flags: '--limit <count>',
  says: `number of entries, at most ${most}`,
  read: wholeNumber('--limit', 1, most),
  default: LISTED_DEFAULT,
})

/** The same for lists that the API answers in pages. */
export const LIMIT = limit(LISTED_MAX)

/** What is said below a list without a cursor that is as long as its limit. */
export const mayBeMore = ({ length }: readonly unknown[], limit: number): readonly string[] =>
  length < limit ? [] : ['There may be more; raise --limit or narrow the search.']
