import { negateAmount } from '@tollgate/money'
import { looksLikeIban } from '@tollgate/payment-codes'
import { FileProblem } from '../errors.ts'
import { isoDayOrLast, readAmount } from './amounts.ts'
import { readMt940Details } from './mt940-details.ts'
import { type Booking, fullYear, readBooking } from './mt940-lines.ts'
import type { NamedAccount, ParsedBalance, ParsedEntry, ParsedFile, ParsedStatement } from './parsed.ts'

/** A tag with everything up to the next one. */
interface Field {
  readonly tag: string
  readonly lineNumber: number
  readonly lines: readonly string[]
}
type Message = readonly Field[]

const FIELD = /^:(?<tag>\d{2}[A-Z]?|NS):(?<content>.*)$/
const INTERIM_TAGS = ['13', '13D', '34F', '90D', '90C']

/**
 * Reads MT940 as banks write it: with and without SWIFT's envelope, with messages that end in a hyphen or simply in the
 * next one, with one `:86:` or several, plain or in sub-fields. Throws FileProblem.
 */
export function readMt940(text: string): ParsedFile {
  const warnings: string[] = []
  const statements: ParsedStatement[] = []
  const strays: Field[] = []
  for (const message of messagesOf(text)) {
    if (message[0]?.tag === '20' || message[0]?.tag === '25')
      statements.push(readStatement(message, statements, warnings))
    else strays.push(...message)
  }
  if (statements.length === 0)
    throw new FileProblem('there is no statement in it: no line begins with ":20:" or ":25:".', 'line 1')
  const stray = readStrays(strays, { statements, warnings })
  if (stray !== undefined) {
    warnings.push(
      `${stray.where}: lines stand after the end of the last statement; they are taken as a notification of the same account, which no balance vouches for.`,
    )
    statements.push(stray)
  }
  return { format: 'MT940', statements, warnings }
}

/** Longer than any bank writes, and short enough for whatever looks into it. */
const LINE_CHARACTERS_MAX = 10_000
const FIELD_LINES_MAX = 1_000

/**
 * A message begins with `:20:`, or with `:25:` where a bank leaves that out; what stands elsewhere is a message without
 * that. Lines outside of fields are transport.
 */
function messagesOf(text: string): readonly Message[] {
  const messages: Field[][] = []
  let fields: Field[] | undefined
  let lines: string[] = []
  const all = text.split(/\r\n|\n|\r/)
  for (const [index, raw] of all.entries()) {
    // A blank at the end of a line may be one between two words that the line was cut at.
    const line = withoutEnvelope(raw, index)
    const field = fieldIn(line, index)
    if (field !== undefined) {
      if (field.tag === '20') fields = undefined
      fields ??= begin(messages)
      lines = field.lines
      fields.push(field)
    } else if (isEndOfMessage(line, all, { index, fields })) {
      fields = undefined
      lines = []
    } else if (isContent(line)) addLine(lines, line, index)
  }
  return messages
}

function fieldIn(line: string, index: number): (Field & { readonly lines: string[] }) | undefined {
  const groups = FIELD.exec(line)?.groups
  if (groups === undefined) return undefined
  const { tag = '', content = '' } = groups
  return { tag, lineNumber: index + 1, lines: [content] }
}

/** `-}` ends a message wherever it stands; a lone hyphen may be a part of a text. */
function isEndOfMessage(
  line: string,
  all: readonly string[],
  { index, fields }: { readonly index: number; readonly fields: Message | undefined },
): boolean {
  return /^-\}/.test(line) || (/^-\s*$/.test(line) && isEnd(all, index, fields))
}

function withoutEnvelope(raw: string, index: number): string {
  if (raw.length > LINE_CHARACTERS_MAX)
    throw new FileProblem(
      `the line has ${raw.length} characters; MT940 has 65, and more than ${LINE_CHARACTERS_MAX} are not read. Is this another form of file?`,
      `line ${index + 1}`,
    )
  return raw.replace(/^(?:\{\d:[^{}]*\})*\{4:/, '')
}

function addLine(lines: string[], line: string, index: number): void {
  if (lines.length >= FIELD_LINES_MAX)
    throw new FileProblem(
      `the field has more than ${FIELD_LINES_MAX} lines. Fetch the file anew.`,
      `line ${index + 1}`,
    )
  lines.push(line)
}

/** Fields behind the closing balance: available balances and what is said of the whole. */
const FIELDS_BEHIND_MAX = 20

/**
 * Whether a lone hyphen ends the message. Some payers write one into the text of a booking, and some banks one between the
 * opening balance and the bookings: then the message has no closing balance yet, and no other message follows.
 */
function isEnd(all: readonly string[], index: number, fields: Message | undefined): boolean {
  if (fields === undefined) return true
  const isClosed = fields.slice(-FIELDS_BEHIND_MAX).some(({ tag }) => tag === '62F' || tag === '62M')
  if (isClosed) return true
  const next = nextContent(all, index)
  return next === undefined || /^(?::2[05]:|\{|-)/.test(next)
}

const LOOK_AHEAD_MAX = 20

function nextContent(all: readonly string[], index: number): string | undefined {
  return all.slice(index + 1, index + 1 + LOOK_AHEAD_MAX).find((line) => line.trim() !== '')
}

function begin(messages: Field[][]): Field[] {
  const fields: Field[] = []
  messages.push(fields)
  return fields
}

const isContent = (line: string): boolean => line.trim() !== '' && !/^:\d{3}:/.test(line)

const whereOf = ({ lineNumber }: Field): string => `line ${lineNumber}`

/** Undefined for one that is empty. */
function firstLineOf(field: Field | undefined): string | undefined {
  const text = field?.lines[0]?.trim()
  return text === '' ? undefined : text
}

function fieldOf(message: Message, ...tags: readonly string[]): Field | undefined {
  return message.find(({ tag }) => tags.includes(tag))
}

function readStatement(
  message: Message,
  before: readonly ParsedStatement[],
  warnings: string[],
): ParsedStatement {
  const [first] = message
  const start = first === undefined ? 'line 1' : whereOf(first)
  const openingField = fieldOf(message, '60F', '60M')
  const closingField = fieldOf(message, '62F', '62M')
  if (openingField === undefined || closingField === undefined)
    throw new FileProblem(whatLacks(message, openingField === undefined), start)
  const account = readAccount(message, start)
  const opening = readBalance(openingField)
  const closing = readBalance(closingField)
  const bankName = firstLineOf(fieldOf(message, '28C', '28') ?? first)
  const { entries, pendingCount } = readEntries(message, opening.currencyCode, warnings)
  return {
    label: `statement ${before.length + 1}${bankName === undefined ? '' : ` (${bankName})`}`,
    where: start,
    account,
    bankName,
    opening,
    closing,
    entries,
    pendingCount,
    currencyCode: opening.currencyCode,
    isNotification: false,
    isFinal: closingField.tag === '62F',
    pageOf: openingField.tag === '60M' ? pageOf(account, opening, before) : undefined,
  }
}

/** The first page of the statement that the one before ended in the middle of. */
function pageOf(
  account: NamedAccount,
  opening: ParsedBalance,
  before: readonly ParsedStatement[],
): number | undefined {
  const last = before.at(-1)
  if (last?.account.text !== account.text || last.closing?.amount !== opening.amount) return undefined
  return last.pageOf ?? before.length - 1
}

function whatLacks(message: Message, isOpening: boolean): string {
  if (message.some(({ tag }) => INTERIM_TAGS.includes(tag)))
    return 'this is MT942, an interim report: what it says is not final. Take the MT940 of the day.'
  return isOpening
    ? 'the statement has no opening balance (:60F: or :60M:).'
    : 'the statement has no closing balance (:62F: or :62M:). Was the file cut off? Fetch it anew.'
}

/** `bank code/number`, a number, or an IBAN; a currency may stand behind it. */
function readAccount(message: Message, start: string): NamedAccount {
  const text = firstLineOf(fieldOf(message, '25', '25P'))
  if (text === undefined) throw new FileProblem('the statement names no account (:25:).', start)
  const { bank, behind = text } = /^(?<bank>[^/]+)\/(?<behind>.+)$/.exec(text)?.groups ?? {}
  const number = behind.replaceAll('"', '').trim()
  const compact = number.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
  const hasCurrency = /\d[A-Z]{3}$/.test(compact)
  const bare = hasCurrency ? compact.slice(0, -3) : compact
  if (looksLikeIban(bare)) return { iban: bare, text }
  const accountNumber = hasCurrency ? number.replace(/\s*[A-Za-z]{3}$/, '') : number
  return { accountNumber, ...(bank !== undefined && { bankCode: bank }), text }
}

function readBalance(field: Field): ParsedBalance {
  const where = whereOf(field)
  const text = (field.lines[0] ?? '').trim()
  const [, sign, year, month, day, currencyCode, amountText] =
    /^([CD])(\d{2})(\d{2})(\d{2})([A-Z]{3})([\d.,]+)$/.exec(text) ?? []
  if (amountText === undefined || currencyCode === undefined)
    throw new FileProblem(
      `${JSON.stringify(text)} is no balance: C or D, a date, a currency, an amount.`,
      where,
    )
  const amount = readAmount(amountText, { decimalSign: ',' }, where)
  return {
    amount: sign === 'D' ? negateAmount(amount) : amount,
    currencyCode,
    on: isoDayOrLast({ year: fullYear(year ?? ''), month: month ?? '', day: day ?? '' }, where).day,
    where,
  }
}

function readEntries(
  message: Message,
  currencyCode: string,
  warnings: string[],
): { readonly entries: readonly ParsedEntry[]; readonly pendingCount: number } {
  const end = message.findIndex(({ tag }) => tag === '62F' || tag === '62M')
  const inside = end === -1 ? message : message.slice(0, end)
  const entries: ParsedEntry[] = []
  let pendingCount = 0
  for (const [index, field] of inside.entries()) {
    if (field.tag !== '61') continue
    const told = toldOf(inside, index)
    const booking = readBooking(field.lines, whereOf(field))
    if (booking === undefined) warnings.push(`${whereOf(field)} moves no money and is left out.`)
    else if (booking.isExpected) pendingCount += 1
    else {
      warnings.push(...booking.warnings)
      entries.push(toEntry(booking, { where: whereOf(field), currencyCode, told }))
    }
  }
  return { entries, pendingCount }
}

/** The fields that belong to the booking at the place. */
function toldOf(fields: readonly Field[], at: number): readonly Field[] {
  const told: Field[] = []
  for (let next = at + 1; next < fields.length; next += 1) {
    const field = fields[next]
    if (field === undefined || (field.tag !== '86' && field.tag !== 'NS')) break
    told.push(field)
  }
  return told
}

function toEntry(
  booking: Booking,
  context: { readonly where: string; readonly currencyCode: string; readonly told: readonly Field[] },
): ParsedEntry {
  const { where, currencyCode, told } = context
  const details = readMt940Details(
    told.map(({ lines }) => lines),
    booking,
  )
  return {
    where,
    currencyCode,
    difference: undefined,
    direction: booking.direction,
    isReversal: booking.isReversal,
    amount: booking.amount,
    bookedOn: booking.bookedOn,
    valuedOn: booking.valuedOn,
    bankReference: booking.bankReference,
    transactionCode: booking.transactionCode,
    parts: [{ amount: booking.amount, charge: booking.charge, details }],
  }
}

/** Bookings that stand outside of every statement: of one account only can it be known whose they are. */
function readStrays(
  strays: Message,
  { statements, warnings }: { readonly statements: readonly ParsedStatement[]; readonly warnings: string[] },
): ParsedStatement | undefined {
  const first = strays.find(({ tag }) => tag === '61')
  const last = statements.at(-1)
  if (first === undefined || last === undefined) return undefined
  const where = whereOf(first)
  if (new Set(statements.map(({ account }) => account.text)).size > 1)
    throw new FileProblem(
      'a booking (:61:) stands outside of every statement, and the file has several accounts. Ask the bank for a whole file.',
      where,
    )
  return {
    ...readEntries(strays, last.currencyCode, warnings),
    label: `lines after statement ${statements.length}`,
    where,
    account: last.account,
    currencyCode: last.currencyCode,
    isNotification: true,
    bankName: undefined,
    opening: undefined,
    closing: undefined,
    isFinal: false,
    pageOf: undefined,
  }
}
