import { type Amount, isNegative, isZero, negateAmount } from '@tollgate/money'
import { looksLikeIban } from '@tollgate/payment-codes'
import { parse } from 'csv-parse/sync'
import { FileProblem } from '../errors.ts'
import { isoDay, isoDayOrLast, readAmount } from './amounts.ts'
import type { CsvColumn, CsvMapping } from './csv-mapping.ts'
import {
  detailsOf,
  type LineDirection,
  type NamedAccount,
  type ParsedEntry,
  type ParsedFile,
} from './parsed.ts'
import { realReference } from './references.ts'
import { symbolsIn } from './symbols.ts'

const RECORD_CHARACTERS_MAX = 100_000
const RECORDS_MAX = 200_000
const DATE_FORMAT_DEFAULT = 'YYYY-MM-DD'

type ColumnName = Exclude<keyof CsvMapping['columns'], 'texts'>

/** A line of the file with its columns by the names of the mapping. */
interface Row {
  readonly where: string
  of(name: ColumnName): string | undefined
  readonly texts: readonly string[]
}

/** Reads the text of a CSV file by its mapping: one statement per account and currency. Throws FileProblem. */
export function readCsv(text: string, mapping: CsvMapping): ParsedFile {
  const rows = readRows(text, mapping)
  const booked = rows.filter((row) => isBooked(row, mapping))
  const groups = Map.groupBy(booked, (row) =>
    JSON.stringify([accountOf(row, mapping), currencyOf(row, mapping)]),
  )
  const warnings: string[] = []
  const statements = [...groups.values()].flatMap((group, index) => {
    const [first] = group
    if (first === undefined) return []
    const account = readAccount(accountOf(first, mapping))
    const currencyCode = currencyOf(first, mapping)
    const entries = group.flatMap((row) => readEntry(row, mapping, warnings) ?? skipped(row, warnings))
    return [
      {
        label: `statement ${index + 1} (${account.text} ${currencyCode})`,
        where: first.where,
        account,
        currencyCode,
        entries,
        isNotification: false,
        bankName: undefined,
        opening: undefined,
        closing: undefined,
        isFinal: false,
        pageOf: undefined,
        pendingCount: index === 0 ? rows.length - booked.length : 0,
      },
    ]
  })
  if (statements.length === 0) throw new FileProblem('no line of it is a booking.', `line ${rows.length + 1}`)
  return { format: 'CSV', statements, warnings }
}

function skipped(row: Row, warnings: string[]): readonly ParsedEntry[] {
  warnings.push(`${row.where} moves no money and is left out.`)
  return []
}

function readRows(text: string, mapping: CsvMapping): readonly Row[] {
  const records = parseRecords(text, mapping)
  const hasHeader = mapping.hasHeader !== false
  const header = hasHeader ? records[0] : undefined
  if (hasHeader && header === undefined) throw new FileProblem('the file is empty.', 'line 1')
  const places = placesOf(mapping, header)
  return (hasHeader ? records.slice(1) : records)
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(({ cells, line }) => toRow(cells, `line ${line}`, places))
}

interface Places {
  readonly of: ReadonlyMap<string, number>
  readonly texts: readonly number[]
}

function toRow(cells: readonly string[], where: string, places: Places): Row {
  const at = (place: number | undefined): string | undefined => {
    if (place === undefined) return undefined
    const cell = cells[place]
    if (cell === undefined)
      throw new FileProblem(`it has ${cells.length} columns; column ${place + 1} was expected.`, where)
    return cell === '' ? undefined : cell
  }
  return {
    where,
    of: (name) => at(places.of.get(name)),
    texts: places.texts.flatMap((place) => at(place) ?? []),
  }
}

interface CsvRecord {
  readonly cells: readonly string[]
  readonly line: number
}

function parseRecords(text: string, mapping: CsvMapping): readonly CsvRecord[] {
  try {
    const records: CsvRecord[] = []
    parse(text, {
      delimiter: mapping.delimiter ?? ',',
      from_line: (mapping.linesSkipped ?? 0) + 1,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: RECORD_CHARACTERS_MAX,
      // The header, and one too many, which is then refused.
      to: RECORDS_MAX + 2,
      on_record: (cells: string[], context) => {
        records.push({ cells, line: context.lines })
        return null
      },
    })
    if (records.length > RECORDS_MAX + 1)
      throw new FileProblem(`the file has more than ${RECORDS_MAX} bookings. Take smaller periods.`)
    return records
  } catch (error) {
    if (error instanceof FileProblem) throw error
    throw new FileProblem(`the file is no CSV: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function placesOf({ columns }: CsvMapping, header: CsvRecord | undefined): Places {
  const placeOf = (column: CsvColumn, name: string): number => {
    if (typeof column === 'number') return column - 1
    const place = header?.cells.findIndex((cell) => cell.toLowerCase() === column.toLowerCase()) ?? -1
    if (place !== -1) return place
    throw new FileProblem(
      `there is no column ${JSON.stringify(column)} for ${name}; the columns are ${header?.cells.map((cell) => JSON.stringify(cell)).join(', ') ?? 'without names: give their numbers'}.`,
      `line ${header?.line ?? 1}`,
    )
  }
  const { texts, ...others } = columns
  const of = Object.entries(others).map(([name, column]) => [name, placeOf(column, name)] as const)
  return { of: new Map(of), texts: (texts ?? []).map((column) => placeOf(column, 'texts')) }
}

function isBooked(row: Row, { bookedWords }: CsvMapping): boolean {
  if (bookedWords === undefined) return true
  const status = row.of('status')?.toLowerCase() ?? ''
  return bookedWords.some((word) => word.toLowerCase() === status)
}

const accountOf = (row: Row, mapping: CsvMapping): string => {
  const account = row.of('account') ?? mapping.account
  if (account === undefined) throw new FileProblem('it names no account.', row.where)
  return account
}

const currencyOf = (row: Row, mapping: CsvMapping): string => {
  const code = (row.of('currencyCode') ?? mapping.currencyCode ?? '').toUpperCase()
  if (!/^[A-Z0-9]{3,10}$/.test(code))
    throw new FileProblem(`${JSON.stringify(code)} is no currency.`, row.where)
  return code
}

function readAccount(text: string): NamedAccount {
  const compact = text.replace(/\s/g, '').toUpperCase()
  if (looksLikeIban(compact)) return { iban: compact, text }
  const [, bankCode, number] = /^([A-Za-z0-9]+)\/(.+)$/.exec(text.trim()) ?? []
  return number === undefined
    ? { accountNumber: text, text }
    : { accountNumber: number, bankCode: bankCode ?? '', text }
}

/** Undefined for a line that moves no money. */
function readEntry(row: Row, mapping: CsvMapping, warnings: string[]): ParsedEntry | undefined {
  const movement = readMovement(row, mapping)
  if (movement === undefined) return undefined
  const format = mapping.dateFormat ?? DATE_FORMAT_DEFAULT
  const booked = row.of('bookedOn')
  const valuedOn = valueDayOf(row, format, warnings)
  const bookedOn = booked === undefined ? valuedOn : isoDay(readDay(booked, format, row.where), row.where)
  if (bookedOn === undefined) throw new FileProblem('the line says no day of booking.', row.where)
  return {
    ...movement,
    where: row.where,
    currencyCode: currencyOf(row, mapping),
    bookedOn,
    valuedOn,
    bankReference: realReference(row.of('bankReference')),
    transactionCode: undefined,
    parts: [{ amount: movement.amount, charge: undefined, details: readDetails(row) }],
    difference: undefined,
  }
}

function valueDayOf(row: Row, format: string, warnings: string[]): string | undefined {
  const text = row.of('valuedOn')
  if (text === undefined) return undefined
  const { day, isMoved } = isoDayOrLast(readDay(text, format, row.where), row.where)
  if (isMoved)
    warnings.push(
      `${row.where}: the value date ${JSON.stringify(text.slice(0, 40))} is no day of the calendar; ${day} is taken for it.`,
    )
  return day
}

function readDetails(row: Row) {
  const symbols = symbolsIn(row.texts)
  return detailsOf({
    partyName: row.of('partyName'),
    partyAccount: row.of('partyAccount')?.replace(/\s/g, ''),
    partyBank: row.of('partyBank'),
    endToEndId: realReference(row.of('endToEndId')),
    variableSymbol: bare(row.of('variableSymbol')) ?? symbols.variableSymbol,
    specificSymbol: bare(row.of('specificSymbol')) ?? symbols.specificSymbol,
    constantSymbol: bare(row.of('constantSymbol')) ?? symbols.constantSymbol,
    texts: row.texts,
  })
}

/** Banks write symbols with leading zeros, and nought for none. */
function bare(symbol: string | undefined): string | undefined {
  const digits = symbol?.trim().replace(/^0+/, '')
  return digits === '' ? undefined : digits
}

type Movement = Pick<ParsedEntry, 'amount' | 'direction' | 'isReversal'>

/** Undefined for a line that moves no money. */
function readMovement(row: Row, mapping: CsvMapping): Movement | undefined {
  const read = (text: string): Amount =>
    readAmount(
      text,
      { decimalSign: mapping.decimalSign ?? '.', thousandsSign: mapping.thousandsSign },
      row.where,
    )
  const [signed, credit, debit] = [row.of('amount'), row.of('credit'), row.of('debit')]
  if (signed !== undefined) return movementOf(read(signed), directionIn(row, mapping))
  const sides = [
    { amount: credit === undefined ? undefined : read(credit), direction: 'CREDIT' },
    { amount: debit === undefined ? undefined : read(debit), direction: 'DEBIT' },
  ] as const
  const used = sides.filter(({ amount }) => amount !== undefined && !isZero(amount))
  const [side] = used
  if (used.length > 1) throw new FileProblem('both the credit and the debit column are filled.', row.where)
  if (side?.amount === undefined) return undefined
  if (isNegative(side.amount) && mapping.columns.debit === undefined)
    throw new FileProblem(
      `${side.amount} in the column "credit" is below zero. Name the column "amount" if it has money that goes as well.`,
      row.where,
    )
  return movementOf(side.amount, side.direction)
}

/**
 * Money that goes may have a minus of its own. Money that comes has none: a minus beside the word for it, or in its column, takes a
 * booking back.
 */
function movementOf(amount: Amount, said: LineDirection | undefined): Movement | undefined {
  if (isZero(amount)) return undefined
  if (!isNegative(amount)) return { amount, direction: said ?? 'CREDIT', isReversal: false }
  return { amount: negateAmount(amount), direction: 'DEBIT', isReversal: said === 'CREDIT' }
}

function directionIn(row: Row, { creditWords }: CsvMapping): LineDirection | undefined {
  const word = row.of('direction')?.toLowerCase()
  if (word === undefined || creditWords === undefined) return undefined
  return creditWords.some((credit) => credit.toLowerCase() === word) ? 'CREDIT' : 'DEBIT'
}

/** Reads a day by a format of YYYY, YY, MM, DD; anything behind it, such as a time, is not looked at. */
function readDay(
  text: string,
  format: string,
  where: string,
): { readonly year: string; readonly month: string; readonly day: string } {
  const source = format
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('YY', '(?<short>\\d{2})')
    .replace('MM', '(?<month>\\d{1,2})')
    .replace('DD', '(?<day>\\d{1,2})')
  const groups = new RegExp(`^${source}(?!\\d)`).exec(text)?.groups
  const year = groups?.['year'] ?? (groups?.['short'] === undefined ? undefined : `20${groups['short']}`)
  if (year === undefined || groups?.['month'] === undefined || groups['day'] === undefined)
    throw new FileProblem(`${JSON.stringify(text.slice(0, 40))} is no day of the form ${format}.`, where)
  return { year, month: groups['month'].padStart(2, '0'), day: groups['day'].padStart(2, '0') }
}
