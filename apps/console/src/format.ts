import { CURRENCIES_ISO_4217 } from '@tollgate/money'
import { type Html, html } from '@tollgate/runtime/html'

// How figures, times and words look: amounts from their decimal texts, times in UTC.

export interface Money {
  readonly amount: string
  readonly currencyCode: string
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/

/** 24800.5 of EUR is 24,800.50: with the digits that it has, and no fewer than its currency has. */
export function amountText({ amount, currencyCode }: Money): string {
  const [, sign = '', whole, fraction = ''] = PLAIN.exec(amount) ?? []
  // Something else than plain digits is shown as it came.
  if (whole === undefined) return amount
  const digits = fraction.padEnd(CURRENCIES_ISO_4217.get(currencyCode)?.minorUnits ?? 0, '0')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${sign === '' ? '' : '−'}${grouped}${digits === '' ? '' : `.${digits}`}`
}

export const moneyText = (money: Money): string => `${amountText(money)} ${money.currencyCode}`

export const moneyHtml = (money: Money): Html =>
  html`<span class="amt">${amountText(money)} <span class="cur">${money.currencyCode}</span></span>`

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})/

/** "20 Nov 2026, 14:02:11", in UTC. */
export function momentText(iso: string): string {
  const [, year, month, day, time] = MOMENT.exec(iso) ?? []
  if (year === undefined) return iso
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}, ${time ?? ''}`
}

/** "20 Nov". */
export const dayText = (iso: string): string => momentText(iso).replace(/ \d{4},.*$/, '')

/** "14:02:11". */
export const timeText = (iso: string): string => MOMENT.exec(iso)?.[4] ?? iso

/** A moment for people and for programs. */
export const momentHtml = (iso: string): Html => html`<time datetime="${iso}">${momentText(iso)}</time>`

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long ago: "2 h 20 min", "3 days". */
export const ageText = (iso: string, nowMs: number): string =>
  durationText(Math.max(0, nowMs - Date.parse(iso)) / 1000)

/** How long: "2 h 20 min", "3 days". */
export function durationText(seconds: number): string {
  const ms = seconds * 1000
  const days = Math.floor(ms / DAY_MS)
  if (days >= 2) return `${days} days`
  const hours = Math.floor(ms / HOUR_MS)
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS)
  if (hours === 0) return `${minutes} min`
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
}

/** BANK_TRANSFER is "Bank transfer". */
export function wordsOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

const SIZES = [
  [1_024 ** 3, 'GiB'],
  [1_024 ** 2, 'MiB'],
] as const

/** "5,120 bytes" is 5 KiB. */
export function sizeText(bytes: number): string {
  const [size, name] = SIZES.find(([least]) => bytes >= least) ?? []
  if (size !== undefined) return `${(bytes / size).toFixed(1)} ${name}`
  return bytes < 1_024 ? `${bytes} bytes` : `${Math.round(bytes / 1_024)} KiB`
}
