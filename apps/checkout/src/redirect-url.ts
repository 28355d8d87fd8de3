import { CODE_PATTERN, CURRENCY_CODE_PATTERN, ID_PATTERN } from '@tollgate/contract'
import { CURRENCIES_ISO_4217, fractionDigits, isPositive, type Money, parseAmount } from '@tollgate/money'
import { readToken } from './token.ts'

/** The customer data points that a shop may supply, in the order in which they are asked for. */
export const CUSTOMER_FIELDS = ['accountName', 'accountNumber', 'bankCode', 'emailAddress'] as const
export type CustomerField = (typeof CUSTOMER_FIELDS)[number]
export type CustomerData = Readonly<Partial<Record<CustomerField, string>>>

/** What the shop asks for (specification 4.9). */
interface Order {
  readonly merchantCode: string
  readonly idPayin: string
  readonly token: string
  readonly money: Money
  readonly callbackUrl: string
  readonly returnUrl: string
  readonly paymentMethodCode?: string
  readonly paymentOperatorCode?: string
  readonly optionsAvailable: boolean
  readonly allowCustomerDataChange: boolean
  readonly customer: CustomerData
}

/** What a status link asks for. */
interface StatusOrder {
  readonly idPayin: string
  readonly token: string
  readonly currencyCode: string
}

export const PROBLEM_RULES = ['MISSING', 'REPEATED', 'MALFORMED', 'TOO_LONG'] as const

/** One parameter that cannot be used. Its value is for developers; that of a token is never kept. */
export interface Problem {
  readonly parameter: string
  readonly rule: (typeof PROBLEM_RULES)[number]
  readonly value: string
}

type OrderReading<Read> =
  | { readonly ok: true; readonly order: Read }
  | { readonly ok: false; readonly problems: readonly Problem[] }

const URL_LENGTH_MAX = 2048
const CUSTOMER_LENGTH_MAX = 254
const VALUE_SHOWN_MAX = 80

const ID = new RegExp(ID_PATTERN)
const CODE = new RegExp(CODE_PATTERN)
const CURRENCY_CODE = new RegExp(CURRENCY_CODE_PATTERN)
/** Without control characters and such that turn the direction of a text. */
const PRINTABLE = /^[^\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]+$/u
const MERCHANT_CODE = /^[A-Za-z0-9_-]{1,64}$/

/** Reads the parameters of the RedirectURL; every problem at once. In live only https addresses count. */
export function readRedirectUrl(query: URLSearchParams, isLive: boolean): OrderReading<Order> {
  const reader = createReader(query, isLive)
  const amount = reader.required('amount', isAmount)
  const currencyCode = reader.required('currencyCode', (text) => CURRENCY_CODE.test(text))
  const parsed = parseAmount(amount)
  if (parsed !== undefined && !fitsCurrency({ amount: parsed, currencyCode })) reader.refuse('amount', amount)
  const order = {
    merchantCode: reader.required('merchantCode', (text) => MERCHANT_CODE.test(text)),
    idPayin: reader.required('idPayin', (text) => ID.test(text)),
    token: reader.required('token', (text) => readToken(text) !== undefined),
    callbackUrl: reader.required('callbackUrl', reader.isAddress),
    returnUrl: reader.required('returnUrl', reader.isAddress),
    optionsAvailable: reader.flag('optionsAvailable'),
    allowCustomerDataChange: reader.flag('allowCustomerDataChange'),
    ...reader.optional('paymentMethodCode', (text) => CODE.test(text)),
    ...reader.optional('paymentOperatorCode', (text) => CODE.test(text)),
    customer: Object.fromEntries(
      CUSTOMER_FIELDS.flatMap((name) => Object.entries(reader.optional(name, isCustomerText))),
    ),
  }
  if (parsed === undefined || reader.problems.length > 0) return { ok: false, problems: reader.problems }
  return { ok: true, order: { ...order, money: { amount: parsed, currencyCode } } }
}

/** Reads the parameters of a link to the status screen. */
export function readStatusUrl(query: URLSearchParams): OrderReading<StatusOrder> {
  const reader = createReader(query, false)
  const order = {
    idPayin: reader.required('idPayin', (text) => ID.test(text)),
    token: reader.required('token', (text) => readToken(text) !== undefined),
    currencyCode: reader.required('currencyCode', (text) => CURRENCY_CODE.test(text)),
  }
  return reader.problems.length > 0 ? { ok: false, problems: reader.problems } : { ok: true, order }
}

interface Reader {
  readonly problems: readonly Problem[]
  /** The value, or an empty text and a problem. */
  required(name: string, isFine: (text: string) => boolean): string
  /** The value under its name, or nothing. Empty counts as not given. */
  optional(name: string, isFine: (text: string) => boolean): Record<string, string>
  flag(name: string): boolean
  refuse(name: string, value: string): void
  isAddress(text: string): boolean
}

function createReader(query: URLSearchParams, isLive: boolean): Reader {
  const problems: Problem[] = []
  const add = (parameter: string, rule: Problem['rule'], value: string): void => {
    const isSecret = parameter === 'token' && value !== ''
    const shown = isSecret ? `${value.length} characters` : value.slice(0, VALUE_SHOWN_MAX)
    problems.push({ parameter, rule, value: shown })
  }
  /** The only value; undefined where there is none or a problem was found. */
  const take = (name: string, isFine: (text: string) => boolean): string | undefined => {
    const [value = '', ...more] = query.getAll(name)
    if (more.length > 0) add(name, 'REPEATED', value)
    else if (value === '') return undefined
    else if (!isFine(value)) add(name, value.length > URL_LENGTH_MAX ? 'TOO_LONG' : 'MALFORMED', value)
    else return value
    return ''
  }
  return {
    problems,
    required(name, isFine) {
      const value = take(name, isFine)
      if (value === undefined) add(name, 'MISSING', '')
      return value ?? ''
    },
    optional(name, isFine) {
      const value = take(name, isFine)
      return value === undefined || value === '' ? {} : { [name]: value }
    },
    // Whatever is not `true` changes nothing.
    flag: (name) => take(name, (text) => text === 'true' || text === 'false') === 'true',
    refuse: (name, value) => add(name, 'MALFORMED', value),
    isAddress: (text) => isWebAddress(text, isLive),
  }
}

const isAmount = (text: string): boolean => {
  const amount = parseAmount(text)
  return amount !== undefined && isPositive(amount)
}

/** No more decimals than the currency has; currencies that ISO 4217 does not know are the API's to judge. */
function fitsCurrency({ amount, currencyCode }: Money): boolean {
  const minorUnits = CURRENCIES_ISO_4217.get(currencyCode)?.minorUnits
  return minorUnits === undefined || fractionDigits(amount) <= minorUnits
}

const isCustomerText = (text: string): boolean => text.length <= CUSTOMER_LENGTH_MAX && PRINTABLE.test(text)

/** An http address that a customer may be sent to; https in live. Names and passwords in it are a trick. */
export function isWebAddress(text: string, isLive: boolean): boolean {
  if (text.length > URL_LENGTH_MAX || !PRINTABLE.test(text)) return false
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && !isLive)
}
