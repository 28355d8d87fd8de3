import { ACT_WORDS, READ_WORDS } from '@tollgate/contract/words'
import { type Filter, momentOf } from '../filters.ts'
import type { Query } from '../operator-api.ts'

// The filters of the audit log: those of the operator API, under the same names.

const ACTS = Object.entries({ ...ACT_WORDS, ...READ_WORDS })
  .map(([value, words]) => ({ value, words }))
  .sort((one, other) => (one.words < other.words ? -1 : 1))

export const AUDIT_FILTERS: readonly Filter[] = [
  {
    name: 'Time',
    fields: [
      { name: 'from', label: 'From', type: 'datetime-local', hint: 'UTC, that moment included' },
      { name: 'to', label: 'Before', type: 'datetime-local', hint: 'UTC' },
    ],
  },
  { name: 'Operator', fields: [{ name: 'operatorCode', label: 'Operator code', hint: 'For example ada' }] },
  { name: 'Action', fields: [{ name: 'act', label: 'Action', choices: ACTS }] },
  { name: 'Merchant', fields: [{ name: 'merchantCode', label: 'Merchant code' }] },
  {
    name: 'Subject',
    fields: [{ name: 'subject', label: 'Subject', hint: 'Exactly as an entry names it' }],
  },
  {
    name: 'Outcome',
    fields: [{ name: 'failed', label: 'Outcome', choices: [{ value: 'true', words: 'Refused or failed' }] }],
  },
]

const NAMES = AUDIT_FILTERS.flatMap(({ fields }) => fields.map(({ name }) => name))
const MOMENTS: ReadonlySet<string> = new Set(['from', 'to'])

/** What the address filters by, as the API takes it. */
export function auditQuery(query: URLSearchParams): Query {
  return Object.fromEntries(
    NAMES.map((name) => {
      const typed = query.get(name)?.trim() ?? ''
      return [name, typed === '' ? undefined : MOMENTS.has(name) ? momentOf(typed) : typed]
    }),
  )
}
