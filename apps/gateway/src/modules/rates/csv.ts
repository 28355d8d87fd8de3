import { CsvError, parse } from 'csv-parse/sync'
import { type Reading, type RowTexts, readRows, SHEET_ROWS_MAX, type SheetDraft, shown } from './draft.ts'

const COLUMNS = ['currencyCode', 'quotation', 'unit', 'buy', 'sell', 'mid'] as const
type Column = (typeof COLUMNS)[number]

interface Line {
  readonly number: number
  readonly cells: readonly string[]
}

/**
 * Reads the rows of one sheet out of comma-separated values (RFC 4180). The first line names the columns, in any order:
 * `currencyCode`, and of `quotation`, `unit`, `buy`, `sell`, `mid` those that are needed.
 */
export function readCsv(text: string, baseCurrencyCode: string): Reading<readonly SheetDraft[]> {
  const lines = splitLines(text)
  if (!lines.ok) return lines
  const [header, ...rest] = lines.value
  if (header === undefined) return { ok: false, faults: ['The file is empty.'] }
  const columns = readHeader(header)
  if (!columns.ok) return columns
  const rates = readRows(
    rest.map((line) => rowOf(line, columns.value)),
    baseCurrencyCode,
  )
  if (!rates.ok) return rates
  return { ok: true, value: [{ validFrom: undefined, publishedAt: undefined, rates: rates.value }] }
}

function splitLines(text: string): Reading<readonly Line[]> {
  const lines: Line[] = []
  try {
    parse(text, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      to: SHEET_ROWS_MAX + 2, // the header, and one too many, which is then refused
      on_record: (cells: string[], context) => {
        lines.push({ number: context.lines, cells })
        return null
      },
    })
    return { ok: true, value: lines }
  } catch (error) {
    if (error instanceof CsvError) return { ok: false, faults: [`The file is no CSV: ${error.message}`] }
    throw error
  }
}

function readHeader({ number, cells }: Line): Reading<readonly Column[]> {
  const columns = cells.flatMap((cell) => COLUMNS.filter((known) => known === cell))
  const unknown = cells.filter((cell) => !COLUMNS.some((known) => known === cell))
  const faults = unknown.map(
    (cell) => `line ${number}: there is no column ${shown(cell)}; there are ${COLUMNS.join(', ')}`,
  )
  if (new Set(cells).size < cells.length) faults.push(`line ${number}: a column is there twice`)
  if (unknown.length === 0 && !columns.includes('currencyCode'))
    faults.push(`line ${number}: the column currencyCode is missing`)
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: columns }
}

function rowOf({ number, cells }: Line, columns: readonly Column[]): RowTexts {
  if (cells.length !== columns.length)
    return {
      place: `line ${number}`,
      broken: `has ${cells.length} cells; the first line has ${columns.length}`,
    }
  const cell = (name: Column): string | undefined => cells[columns.indexOf(name)]
  return {
    place: `line ${number}`,
    currencyCode: cell('currencyCode'),
    quotation: cell('quotation'),
    unit: cell('unit'),
    buy: cell('buy'),
    sell: cell('sell'),
    mid: cell('mid'),
  }
}
