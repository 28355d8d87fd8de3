import type { RawJson } from '@tollgate/money'
import { CommandFailure } from './failure.ts'

// Readers of arguments and options: each takes what was typed and throws a sentence when it is not of the kind.

const usage = (message: string): CommandFailure => new CommandFailure('USAGE', message)
const shown = (text: string): string => JSON.stringify(text)

/** Reads whole numbers of a range. `what` begins the sentence, for example `--limit`. */
export function wholeNumber(what: string, minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= minimum && number <= maximum) return number
    throw usage(`${what} must be a whole number from ${minimum} to ${maximum}; it is ${shown(text)}.`)
  }
}

const UNIT_SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
])
const DURATION = /^([1-9]\d{0,8})([smhd])$/
const DURATION_DAYS_MAX = 400
const DURATION_SECONDS_MAX = DURATION_DAYS_MAX * 86_400

/** Reads `90s`, `15m`, `12h` or `3d`, in seconds. */
export function durationSeconds(what: string): (text: string) => number {
  return (text) => {
    const [, count, unit = ''] = DURATION.exec(text) ?? []
    const seconds = Number(count) * (UNIT_SECONDS.get(unit) ?? Number.NaN)
    if (seconds <= DURATION_SECONDS_MAX) return seconds
    throw usage(
      `${what} must be a whole number with s, m, h or d, such as 90s, 15m, 12h or 3d, and at most ${DURATION_DAYS_MAX}d; it is ${shown(text)}.`,
    )
  }
}

const POSITIVE = /^(?=.*[1-9])(0|[1-9]\d{0,19})(\.\d{1,20})?$/

/** A day of UTC, as 2026-11-21. */
export function day(what: string): (text: string) => string {
  return (text) => {
    const moment = new Date(`${text}T00:00:00Z`)
    if (
      !/^\d{4}-\d{2}-\d{2}$/.test(text) ||
      Number.isNaN(moment.getTime()) ||
      !moment.toISOString().startsWith(text)
    )
      throw usage(`${what} must be a day, such as 2026-11-21; it is ${shown(text)}.`)
    return text
  }
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z$/

/** Reads a day of UTC as its beginning, or a moment in UTC; it is sent to the millisecond. */
export function moment(what: string): (text: string) => string {
  return (text) => {
    const typed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
    const date = new Date(MOMENT.test(typed) ? typed : Number.NaN)
    // The 30th of February must not become the 2nd of March.
    if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10)))
      return date.toISOString()
    throw usage(
      `${what} must be a day such as 2026-11-21, or a moment in UTC such as 2026-11-21T14:00:00Z; it is ${shown(text)}.`,
    )
  }
}

/** Reads a number above zero and keeps its digits. */
export function positiveNumber(what: string): (text: string) => string {
  return (text) => {
    if (POSITIVE.test(text)) return text
    throw usage(`${what} must be a number above zero, such as 149.90; it is ${shown(text)}.`)
  }
}

const NOT_NEGATIVE = /^(0|[1-9]\d{0,19})(\.\d{1,20})?$/

/** Reads a number that may be zero and keeps its digits. */
export function nonNegativeNumber(what: string): (text: string) => string {
  return (text) => {
    if (NOT_NEGATIVE.test(text)) return text
    throw usage(`${what} must be a number that is not negative, such as 149.90; it is ${shown(text)}.`)
  }
}

/** Reads one of a list, in any case. */
export function oneOf<Choice extends string>(
  what: string,
  choices: readonly Choice[],
): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((known) => known.toLowerCase() === text.toLowerCase())
    if (choice !== undefined) return choice
    throw usage(`${what} must be one of ${choices.join(', ')}; it is ${shown(text)}.`)
  }
}

/** Reads a code of the catalogue, such as a method's or a currency's: upper case in whatever case it was typed. */
export const code = (text: string): string => text.toUpperCase()

const DIRECTIONS = ['PAYIN', 'PAYOUT', 'TOPUP'] as const
export type DirectionName = (typeof DIRECTIONS)[number]
export const direction = oneOf('--direction', DIRECTIONS)

const ID_ENTITY = /^[A-Za-z0-9_-]{1,250}$/

/** Reads the id of a payment. */
export function idPayment(text: string): string {
  if (ID_ENTITY.test(text)) return text
  throw usage(`A payment's id has 1 to 250 letters, digits, hyphens or underscores; this is ${shown(text)}.`)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads the id of a callback. */
export function eventId(text: string): string {
  if (UUID.test(text)) return text.toLowerCase()
  throw usage(
    `A callback's id looks like 5f0c6e6e-2f5b-4c1d-9a52-0b6f3f1f7a10; \`tollgate callbacks list\` shows them. This is ${shown(text)}.`,
  )
}

/** Reads `https://shop.example`: scheme and host, nothing behind. */
export function origin(text: string): string {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url !== null && isWeb && url.origin === text.replace(/\/$/, '')) return url.origin
  throw usage(`An origin is a scheme and a host, such as https://shop.example; this is ${shown(text)}.`)
}

/** Reads an address of the API. */
export function httpUrl(what: string): (text: string) => string {
  return (text) => {
    const url = URL.parse(text)
    if (url?.protocol === 'https:' || url?.protocol === 'http:') return text.replace(/\/$/, '')
    throw usage(`${what} must begin with http:// or https://; it is ${shown(text)}.`)
  }
}

/** Gathers an option that may be given several times. */
export const gather = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  text,
]

const REASON_CHARACTERS_MAX = 250

/** Reads a word for the record. */
export function reason(text: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= REASON_CHARACTERS_MAX) return trimmed
  throw usage(`--reason takes 1 to ${REASON_CHARACTERS_MAX} characters.`)
}

const DIGEST = /^[0-9a-f]{12,64}$/

/** Reads a digest, or its first digits. */
export function digest(text: string): string {
  if (DIGEST.test(text)) return text
  throw usage('A digest is given by 12 to 64 hexadecimal digits.')
}

/** A number as it was typed, with all its digits, for the body of a request. */
export const asNumber = (text: string | undefined): RawJson | undefined =>
  text === undefined ? undefined : JSON.rawJSON(text)
