import { CURRENCIES_ISO_4217 } from '@tollgate/money'
import type { Language } from './languages.ts'

/** Money as the API writes it, its amount as exact plain decimal text. */
interface WrittenMoney {
  readonly amount: string
  readonly currencyCode: string
}

const DIGITS_MAX = 100

/**
 * Money as people of the language write it. Exact: no digit is lost or rounded, however many there are. Fiat money has
 * at least the decimals of its currency.
 * @throws Error for an amount that is not a plain decimal number
 */
export function formatMoney(language: Language, { amount, currencyCode }: WrittenMoney): string {
  if (!isPlainNumber(amount)) throw new Error(`not a plain decimal number: ${amount.slice(0, 64)}`)
  const written = amount.split('.')[1]?.length ?? 0
  const usual = CURRENCIES_ISO_4217.get(currencyCode)?.minorUnits ?? 0
  const isNameable = /^[A-Z]{3}$/.test(currencyCode)
  const parts = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: isNameable ? currencyCode : PLACEHOLDER,
    minimumFractionDigits: Math.min(usual, DIGITS_MAX),
    maximumFractionDigits: Math.min(Math.max(usual, written), DIGITS_MAX),
  }).formatToParts(amount)
  return parts.map(({ type, value }) => (type === 'currency' && !isNameable ? currencyCode : value)).join('')
}

/** Stands for codes that Intl does not take, such as USDT: three letters are its rule. */
const PLACEHOLDER = 'XTS'

/** English dates are British; the browser's script writes them the customer's way where it knows another. */
function localeOf(language: Language): string {
  return language === 'en' ? 'en-GB' : language
}

/** Date, time and time zone, for receipts. `timeZone` is an IANA name. */
export function formatMoment(language: Language, date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(date)
}

/** The time of the day alone. */
export function formatTime(language: Language, date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat(localeOf(language), { hour: 'numeric', minute: '2-digit', timeZone }).format(
    date,
  )
}

function isPlainNumber(text: string): text is `${number}` {
  return /^-?\d+(?:\.\d+)?$/.test(text)
}
