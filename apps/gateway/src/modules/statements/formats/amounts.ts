import { AMOUNT_DIGITS_MAX, type Amount, parsePlainAmount } from '@tollgate/money'
import { FileProblem } from '../errors.ts'

/** How a file writes amounts. */
interface AmountForm {
  readonly decimalSign: '.' | ','
  /** Between groups of digits; spaces may always be there. */
  readonly thousandsSign?: string | undefined
}

const PATTERNS = {
  '.': /^(?<whole>\d[\d ]*)(?:[.](?<fraction>\d*))?$/,
  ',': /^(?<whole>\d[\d ]*)(?:,(?<fraction>\d*))?$/,
} as const
/** 1 234 567, or 12 34 567 as India writes it: elsewhere the sign may be a decimal sign of another language. */
const GROUPED = /^(?:\d{1,3}(?: \d{3})+|\d{1,2}(?: \d{2})+ \d{3})$/

/** Reads an amount without its currency; a sign may stand before it. Throws FileProblem. */
export function readAmount(text: string, form: AmountForm, where: string): Amount {
  const [, sign, digits = ''] = /^([+-]?)\s*(.*)$/s.exec(text.trim()) ?? []
  const plain = plainOf(digits, form)
  if (plain === undefined || plain.length > AMOUNT_DIGITS_MAX)
    throw new FileProblem(
      `${JSON.stringify(text.slice(0, 60))} is no amount with the decimal sign "${form.decimalSign}"${form.thousandsSign === undefined ? '' : ` and "${form.thousandsSign}" before each three digits`}.`,
      where,
    )
  return parsePlainAmount(sign === '-' ? `-${plain}` : plain)
}

/** Undefined where the digits are no amount, or not grouped as thousands are. */
function plainOf(digits: string, { decimalSign, thousandsSign = ' ' }: AmountForm): string | undefined {
  const spaced = digits.replaceAll(thousandsSign, ' ').replace(/\s/g, ' ')
  const { whole, fraction } = PATTERNS[decimalSign].exec(spaced)?.groups ?? {}
  if (whole === undefined || (whole.includes(' ') && !GROUPED.test(whole))) return undefined
  const bare = whole.replaceAll(' ', '').replace(/^0+(?=\d)/, '')
  return fraction ? `${bare}.${fraction}` : bare
}

/** Throws FileProblem for a day that no calendar has. Takes year, month and day; answers ISO 8601. */
export function isoDay(
  { year, month, day }: { readonly year: string; readonly month: string; readonly day: string },
  where: string,
): string {
  const text = `${year}-${month}-${day}`
  const date = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text))
    throw new FileProblem(`${text} is no day of the calendar.`, where)
  return text
}

/**
 * The day; or the last one of its month, for the 29th to 31st of a month that has fewer days: banks that count every month
 * with 30 days write 30 February. Throws FileProblem for anything else that is no day.
 */
export function isoDayOrLast(
  day: { readonly year: string; readonly month: string; readonly day: string },
  where: string,
): { readonly day: string; readonly isMoved: boolean } {
  const year = Number(day.year)
  const month = Number(day.month)
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const isBeyond = month >= 1 && month <= 12 && Number(day.day) > last && Number(day.day) <= DAYS_MAX
  if (!isBeyond) return { day: isoDay(day, where), isMoved: false }
  return { day: isoDay({ ...day, day: String(last) }, where), isMoved: true }
}

const DAYS_MAX = 31
