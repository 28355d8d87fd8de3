import { PAYMENT_KINDS, PAYMENT_STATUSES } from '@tollgate/contract/words'
import { type Filter, momentOf } from '../filters.ts'
import { momentText } from '../format.ts'
import { requireAmount } from '../forms.ts'
import type { Query } from '../operator-api.ts'
import { kindWords, statusWords } from '../status.ts'

// The filters of payments: those of the operator API, under the same names.

export const PAYMENT_FILTERS: readonly Filter[] = [
  {
    name: 'Status',
    fields: [
      {
        name: 'status',
        label: 'Status',
        choices: PAYMENT_STATUSES.map((value) => ({ value, words: statusWords(value) })),
      },
    ],
  },
  {
    name: 'Kind',
    fields: [
      {
        name: 'kind',
        label: 'Kind',
        choices: PAYMENT_KINDS.map((value) => ({ value, words: kindWords(value) })),
      },
    ],
  },
  {
    name: 'Created',
    fields: [
      { name: 'createdFrom', label: 'From', type: 'datetime-local', hint: 'UTC, that moment included' },
      { name: 'createdTo', label: 'Before', type: 'datetime-local', hint: 'UTC' },
    ],
  },
  {
    name: 'Amount',
    fields: [
      { name: 'amountFrom', label: 'At least', hint: 'For example 149.90' },
      { name: 'amountTo', label: 'At most' },
    ],
  },
  { name: 'Currency', fields: [{ name: 'currencyCode', label: 'Currency', hint: 'For example EUR' }] },
  { name: 'Merchant', fields: [{ name: 'merchantCode', label: 'Merchant code' }] },
  {
    name: 'Method',
    fields: [{ name: 'paymentMethodCode', label: 'Method code', hint: 'For example BANK_TRANSFER' }],
  },
  {
    name: 'Customer',
    fields: [
      { name: 'idCustomer', label: 'Customer id', hint: 'Needs the merchant code, too' },
      { name: 'merchantCode', label: 'Merchant code' },
    ],
  },
  { name: 'Payment id', fields: [{ name: 'idPayment', label: 'Payment id' }] },
  { name: 'Reference', fields: [{ name: 'reference', label: 'Reference' }] },
]

const NAMES = [...new Set(PAYMENT_FILTERS.flatMap(({ fields }) => fields.map(({ name }) => name)))]
const MOMENTS: ReadonlySet<string> = new Set(['createdFrom', 'createdTo'])
const CODES: ReadonlySet<string> = new Set(['currencyCode', 'paymentMethodCode'])

/** The API wants to know where to begin: at one of these, or at a time. */
const LEADS = ['idPayment', 'reference', 'idCustomer']
const DAYS_DEFAULT = 7
/** The API reads no more at once. */
const DAYS_MAX = 31
const DAY_MS = 86_400_000

/** From when on payments are shown where nothing says otherwise: a month before the given end, or the beginning of a day. */
function createdFromDefault(createdTo: string | undefined, nowMs: number): string {
  const endMs = Date.parse(createdTo ?? '')
  return Number.isNaN(endMs)
    ? `${new Date(nowMs - DAYS_DEFAULT * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`
    : new Date(endMs - DAYS_MAX * DAY_MS).toISOString()
}

/** Of which time the payments are, where nobody has said when it begins. */
export function spanText(query: URLSearchParams, { createdFrom, createdTo }: Query): string | undefined {
  if (createdFrom === undefined || (query.get('createdFrom')?.trim() ?? '') !== '') return undefined
  return createdTo === undefined
    ? `Of the last ${DAYS_DEFAULT} days`
    : `Of the ${DAYS_MAX} days before ${momentText(createdTo)} UTC`
}

/** What the address filters by, as the API takes it. */
export function paymentQuery(query: URLSearchParams, nowMs: number): Query {
  const asked = Object.fromEntries(
    NAMES.map((name) => [name, wireValue(name, query.get(name)?.trim() ?? '')]),
  )
  const hasLead = [...LEADS, 'createdFrom'].some((name) => asked[name] !== undefined)
  return hasLead ? asked : { ...asked, createdFrom: createdFromDefault(asked['createdTo'], nowMs) }
}

/** Throws ApiRefusal for what was typed as an amount and is none. */
export function requireAmounts(asked: Query): void {
  requireAmount('At least', asked['amountFrom'])
  requireAmount('At most', asked['amountTo'])
}

function wireValue(name: string, typed: string): string | undefined {
  if (typed === '') return undefined
  if (MOMENTS.has(name)) return momentOf(typed)
  return CODES.has(name) ? typed.toUpperCase() : typed
}
