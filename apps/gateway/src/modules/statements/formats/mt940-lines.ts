import { type Amount, isPositive } from '@tollgate/money'
import { FileProblem } from '../errors.ts'
import { isoDayOrLast, readAmount } from './amounts.ts'
import type { LineDirection } from './parsed.ts'
import { realReference } from './references.ts'

/** What a field `:61:` says. */
export interface Booking {
  readonly direction: LineDirection
  readonly isReversal: boolean
  /** Announced, not booked. */
  readonly isExpected: boolean
  readonly amount: Amount
  readonly charge: Amount | undefined
  readonly bookedOn: string
  readonly valuedOn: string
  readonly transactionCode: string
  readonly customerReference: string | undefined
  readonly bankReference: string | undefined
  /** What stands behind the references, and on the lines below. */
  readonly texts: readonly string[]
  /** What is strange about it, a sentence each. */
  readonly warnings: readonly string[]
}

const BOOKING = new RegExp(
  [
    String.raw`^(?<year>\d{2})(?<month>\d{2})(?<day>\d{2})`,
    // Four digits; or blanks in their place.
    String.raw`(?:(?<entryMonth>\d{2})(?<entryDay>\d{2})| {0,4})`,
    // The mark, and the third letter of the currency.
    String.raw`\s?(?<mark>RC|RD|EC|ED|C|D)[A-Z]?`,
    // A letter and three letters or digits, padded with blanks where there are fewer. Some banks leave a blank before it.
    String.raw`\s?(?<amount>\d[\d.,]*)\s?(?<kind>[A-Z][A-Z0-9 ]{3})(?<rest>.*)$`,
  ].join(''),
)
/** Says that the reference stands in the field `:86:`. */
const REFERENCE_ELSEWHERE = /^[KE]REF\+?$/
/** A customer's reference has at most so many characters; what is longer is something else behind it. */
const REFERENCE_CHARACTERS_MAX = 16

/** Reads a field `:61:`; undefined for one that moves no money. Throws FileProblem. */
export function readBooking(lines: readonly string[], where: string): Booking | undefined {
  const [first = '', ...below] = lines
  const groups = BOOKING.exec(first)?.groups
  if (groups === undefined)
    throw new FileProblem(
      `${JSON.stringify(first.slice(0, 60))} is no booking: date, C or D, amount, kind and reference are expected.`,
      where,
    )
  const { mark = '', amount: amountText = '', kind = '', rest = '' } = groups
  const amount = readAmount(amountText, { decimalSign: ',' }, where)
  if (!isPositive(amount)) return undefined
  return {
    // RC takes a credit back, so money goes; RD takes a debit back, so it comes.
    direction: CREDIT_MARKS.has(mark) ? 'CREDIT' : 'DEBIT',
    isReversal: mark.startsWith('R'),
    isExpected: mark.startsWith('E'),
    amount,
    charge: chargeIn(below, where),
    ...daysIn(groups, where),
    transactionCode: kind.trimEnd(),
    ...referencesIn(rest, below),
  }
}

const CREDIT_MARKS: ReadonlySet<string> = new Set(['C', 'RD', 'EC'])

function daysIn(
  groups: Readonly<Record<string, string | undefined>>,
  where: string,
): Pick<Booking, 'bookedOn' | 'valuedOn' | 'warnings'> {
  const { year = '', month = '', day = '', entryMonth, entryDay } = groups
  const valued = isoDayOrLast({ year: fullYear(year), month, day }, where)
  const warnings = valued.isMoved
    ? [
        `${where}: the value date ${fullYear(year)}-${month}-${day} is no day of the calendar; ${valued.day} is taken for it.`,
      ]
    : []
  if (entryMonth === undefined || entryDay === undefined)
    return { bookedOn: valued.day, valuedOn: valued.day, warnings }
  const entry = { year: entryYear(valued.day, entryMonth), month: entryMonth, day: entryDay }
  const booked = isoDayOrLast(entry, where)
  if (booked.isMoved)
    warnings.push(
      `${where}: the entry date ${entryMonth}-${entryDay} is no day of the calendar; ${booked.day} is taken for it.`,
    )
  return { bookedOn: booked.day, valuedOn: valued.day, warnings }
}

/** Of two digits: no bank had MT940 before 1980. */
export function fullYear(twoDigits: string): string {
  return `${Number(twoDigits) < 80 ? '20' : '19'}${twoDigits}`
}

/** The entry date has no year; it lies within half a year of the value date. */
function entryYear(valuedOn: string, entryMonth: string): string {
  const year = Number(valuedOn.slice(0, 4))
  const months = Number(entryMonth) - Number(valuedOn.slice(5, 7))
  if (months > 6) return String(year - 1)
  return String(months < -6 ? year + 1 : year)
}

function referencesIn(
  rest: string,
  below: readonly string[],
): Pick<Booking, 'customerReference' | 'bankReference' | 'texts'> {
  const at = rest.indexOf('//')
  const own = at === -1 ? rest : rest.slice(0, at)
  const customer = own.slice(0, REFERENCE_CHARACTERS_MAX).trim()
  const bank = at === -1 ? '' : rest.slice(at + 2).trim()
  const texts = [own.slice(REFERENCE_CHARACTERS_MAX).trim(), ...below.map((line) => line.trim())]
  return {
    customerReference: REFERENCE_ELSEWHERE.test(customer) ? undefined : realReference(customer),
    bankReference: REFERENCE_ELSEWHERE.test(bank) ? undefined : realReference(bank),
    texts: texts.filter((text) => text !== ''),
  }
}

/** `/CHGS/EUR0,5/`: what the bank took. */
function chargeIn(below: readonly string[], where: string): Amount | undefined {
  const [, amount] = /\/CHGS\/[A-Z]{3}(\d[\d,]*)\//.exec(below.join('')) ?? []
  return amount === undefined ? undefined : readAmount(amount, { decimalSign: ',' }, where)
}
