import { JOURNAL_COLUMNS } from '@tollgate/contract'
import { isNegative, negateAmount } from '@tollgate/money'
import type { RowFile } from '../../http/row-files.ts'
import { invalidField } from '../../platform/refusal.ts'
import { LEDGER_ACCOUNTS } from '../ledger/index.ts'
import type { BookedPosting } from './export-store.ts'

// The journal as a bookkeeper's program takes it: a line for each posting, in the columns and with the account numbers of its books.

type Field = (typeof JOURNAL_COLUMNS)[number]

/** A column of the file: its name there, and what it holds. */
interface Column {
  readonly name: string
  readonly field: Field
}

/** How the file is to look. */
interface Layout {
  readonly columns: readonly Column[]
  /** By our account its number in their books; undefined keeps ours. */
  readonly numbers: ReadonlyMap<string, string> | undefined
}

const COLUMNS_MAX = 30
/** No letter that ends a name, and none that a reader of the file does not see. */
const NAME = /^[^\p{C}\p{Z}=,](?:[^\p{C}\p{Zl}\p{Zp}=,]{0,58}[^\p{C}\p{Z}=,])?$/u

/** The layout that a query asks for. Throws a refusal that names what is wrong, and what is allowed. */
export function readLayout(query: {
  readonly columns?: string | undefined
  readonly accounts?: string | undefined
}): Layout {
  const { columns, accounts } = query
  return {
    columns:
      columns === undefined
        ? JOURNAL_COLUMNS.map((field) => ({ name: field, field }))
        : readColumns(pairsOf('columns', columns)),
    numbers: accounts === undefined ? undefined : readNumbers(pairsOf('accounts', accounts)),
  }
}

type Pair = readonly [name: string, value: string]

/** `a=b, c=d`, each with one equals sign. */
function pairsOf(field: string, text: string): readonly Pair[] {
  return text.split(',').map((part) => {
    const [name = '', value = '', ...more] = part.split('=').map((word) => word.trim())
    if (name === '' || value === '' || more.length > 0)
      throw invalidField(field, `${JSON.stringify(part.trim())} is not of the form name=value`)
    return [name, value]
  })
}

function readColumns(pairs: readonly Pair[]): readonly Column[] {
  if (pairs.length > COLUMNS_MAX) throw invalidField('columns', `has more than ${COLUMNS_MAX} columns`)
  const seen = new Set<string>()
  return pairs.map(([name, value]) => {
    if (!NAME.test(name))
      throw invalidField(
        'columns',
        `${JSON.stringify(name)} is no name of a column: 1 to 60 visible characters`,
      )
    if (seen.has(name)) throw invalidField('columns', `${JSON.stringify(name)} names two columns`)
    seen.add(name)
    const field = JOURNAL_COLUMNS.find((known) => known === value)
    if (field !== undefined) return { name, field }
    throw invalidField(
      'columns',
      `${JSON.stringify(value)} is no field of the journal; there are ${JOURNAL_COLUMNS.join(', ')}`,
    )
  })
}

function readNumbers(pairs: readonly Pair[]): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>()
  for (const [account, number] of pairs) {
    if (!LEDGER_ACCOUNTS.some((known) => known === account))
      throw invalidField(
        'accounts',
        `${JSON.stringify(account)} is no account of the ledger; there are ${LEDGER_ACCOUNTS.join(', ')}`,
      )
    if (numbers.has(account)) throw invalidField('accounts', `${account} has two numbers`)
    if (!NAME.test(number))
      throw invalidField(
        'accounts',
        `${JSON.stringify(number)} is no account number: 1 to 60 visible characters`,
      )
    numbers.set(account, number)
  }
  const missing = LEDGER_ACCOUNTS.filter((account) => !numbers.has(account))
  if (missing.length === 0) return numbers
  throw invalidField('accounts', `give each account a number; missing: ${missing.join(', ')}`)
}

const NUMBERS: ReadonlySet<Field> = new Set(['entryNo', 'lineNo', 'debit', 'credit', 'amount'])

function valuesOf(posting: BookedPosting, { numbers }: Layout): Readonly<Record<Field, string>> {
  const { amount, event, idPayment } = posting
  const isDebit = isNegative(amount)
  const bookedAt = posting.bookedAt.toISOString()
  return {
    date: bookedAt.slice(0, 10),
    bookedAt,
    transferId: posting.transferId,
    event,
    entryNo: String(posting.entryNo),
    lineNo: String(posting.lineNo),
    merchantCode: posting.merchantCode,
    kind: posting.kind,
    idPayment,
    account: numbers?.get(posting.account) ?? posting.account,
    currencyCode: posting.currencyCode,
    debit: isDebit ? negateAmount(amount) : '',
    credit: isDebit ? '' : amount,
    amount,
    text: `${event} ${idPayment}`,
  }
}

/** How postings are written into a file of such a layout. */
export function bookFile(layout: Layout): RowFile<BookedPosting> {
  const { columns } = layout
  return {
    columns: columns.map(({ name }) => name),
    cellsOf(posting) {
      const values = valuesOf(posting, layout)
      return columns.map(({ field }) => (NUMBERS.has(field) ? { number: values[field] } : values[field]))
    },
    jsonOf(posting) {
      const values = valuesOf(posting, layout)
      return Object.fromEntries(columns.map(({ name, field }) => [name, values[field]]))
    },
  }
}
