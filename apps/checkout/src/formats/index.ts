import { type IbanFault, ibanFault } from '@tollgate/payment-codes/iban'
import type { MessageArgs, MessageKey, Texts } from '../messages/index.ts'
import { toAsciiDigits, toCode, toUpperCode, without } from './characters.ts'
import { type Cleaning, FORMAT_TABLE, type Format, type Rule } from './table.ts'

export { groupIban } from './iban.ts'
export { FORMAT_TABLE, FORMATS, type Format } from './table.ts'

/** A good value, clean; or what to say about it. */
export type FieldCheck =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly key: MessageKey; readonly args: MessageArgs }

/** How much of a value is looked at: more is never typed, and cleaning takes time. In UTF-16 units. */
const INPUT_LENGTH_MAX = 1000

/**
 * The value as it is stored and sent: digits of any script as 0 to 9 where it is a code, without invisible marks, and
 * without the spaces and dashes that people put into codes.
 */
export function cleanField(format: Format, value: string): string {
  return CLEAN[FORMAT_TABLE[format].cleaning](value.slice(0, INPUT_LENGTH_MAX))
}

/**
 * Cleans and checks what a customer has typed. An empty value is a bad one of every format: whether a field may be
 * empty, its form decides before.
 */
export function checkField(format: Format, value: string): FieldCheck {
  const { lengthMax, rules } = FORMAT_TABLE[format]
  const clean = cleanField(format, value)
  if (clean === '') return { ok: false, key: 'fault.pattern', args: {} }
  const broken = rules.find(({ good }) => !good.test(clean))
  if (broken !== undefined) return { ok: false, key: broken.fault, args: faultArgs(broken, clean) }
  const typed = Array.from(clean).length
  if (typed > lengthMax) return { ok: false, key: 'fault.tooLong', args: { count: lengthMax, typed } }
  const fault = format === 'IBAN' ? ibanFault(clean) : undefined
  if (fault !== undefined) return { ok: false, ...describeIbanFault(fault) }
  return { ok: true, value: clean }
}

/** What identifies a payment after the fact, by method: a number of the scheme, or any reference. */
export function referenceFormat(paymentMethodCode: string): Format {
  return REFERENCE_FORMATS.get(paymentMethodCode) ?? 'REFERENCE'
}

const REFERENCE_FORMATS: ReadonlyMap<string, Format> = new Map([
  ['UPI', 'RRN'],
  ['IMPS', 'RRN'],
  ['NEFT', 'NEFT_UTR'],
  ['RTGS', 'RTGS_UTR'],
  ['PIX', 'PIX_END_TO_END_ID'],
  ['CRYPTO', 'TRANSACTION_ID'],
])

/** The attributes that the browser's script needs to judge an IBAN as it is typed (assets/README.md). */
export function ibanAttributes(texts: Pick<Texts, 'template'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(IBAN_MESSAGES).map(([kind, key]) => [
      `data-iban-${kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      texts.template(key),
    ]),
  )
}

/**
 * An account number or e-mail address as it may be shown to whoever holds a link: the ends of a number, the first
 * letters of names. Short values are hidden altogether.
 */
export function maskField(format: Format, value: string): string {
  const clean = cleanField(format, value)
  if (format === 'NAME') return clean.replace(/(\p{L})[^\s]*/gu, '$1•••')
  if (clean.includes('@')) return clean.replace(/^(.).*?@/u, '$1•••@')
  if (clean.length < MASKED_LENGTH_MIN) return '••••'
  return format === 'IBAN' ? `${clean.slice(0, 4)} •••• ${clean.slice(-4)}` : `•••• ${clean.slice(-4)}`
}

const MASKED_LENGTH_MIN = 9

const IBAN_MESSAGES: Readonly<Record<IbanFault['kind'], MessageKey>> = {
  character: 'fault.iban.character',
  country: 'fault.iban.country',
  tooShort: 'fault.iban.tooShort',
  tooLong: 'fault.iban.tooLong',
  // A letter where the country's banks put a digit, or the reverse: to a person, one wrong character.
  structure: 'fault.iban.checkDigits',
  checkDigits: 'fault.iban.checkDigits',
}

function describeIbanFault({ kind, ...args }: IbanFault): { key: MessageKey; args: MessageArgs } {
  return { key: IBAN_MESSAGES[kind], args }
}

function faultArgs({ stranger, args = {} }: Rule, clean: string): MessageArgs {
  const character = stranger?.exec(clean)?.[0]
  if (character !== undefined) return { ...args, character }
  return 'count' in args ? { ...args, typed: Array.from(clean).length } : args
}

const CLEAN: Readonly<Record<Cleaning, (text: string) => string>> = {
  PROSE: toProse,
  REFERENCE: (text) => toAsciiDigits(toProse(text)),
  WORD: toWord,
  LOWER_WORD: (text) => toWord(toWord(text).toLowerCase()),
  CODE: toCode,
  UPPER_CODE: toUpperCode,
}

/** Joiners stay: names in Hindi and Persian are written with them. */
function toProse(text: string): string {
  return without(text, /[^\P{Cf}\u200c\u200d]/gu, 'NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function toWord(text: string): string {
  return toAsciiDigits(without(text, /[\s\p{Cf}\p{Cc}]/gu, 'NFKC'))
}
