import { parseAmount } from '@tollgate/money'
import { isBic, isCountryCode } from '@tollgate/payment-codes'
import { ANY, DIRECTIONS } from '../model.ts'

// What a catalogue document can say: each section with its members, and the table and columns that they are kept in.

export type Value = string | number | boolean | null | readonly string[]
/** A row of one of the tables, by the names of the document. Amounts are plain decimal texts. */
export type Row = Readonly<Record<string, Value>>

/** A scalar or a list of texts as it was written. */
export interface Written {
  readonly value: unknown
  /** The characters of a scalar: a number with all its digits. */
  readonly source: string
}

export interface Column {
  readonly name: string
  readonly column: string
  readonly sql: 'text' | 'integer' | 'boolean' | 'numeric' | 'text[]'
  /** Undefined for what cannot be. */
  readonly read: (written: Written) => Value | undefined
  /** The end of `must be …`. */
  readonly allowed: string
  readonly isKey?: true
  /** What it is when the document leaves it out; without one it must be there. */
  readonly default?: Value
}

export interface Section {
  readonly name: SectionName
  readonly table: string
  readonly columns: readonly Column[]
  /** The lists of a method are written inside it; each replaces all that the method had. */
  readonly isOfMethod?: true
  /** Each of its items is a code alone. */
  readonly isCodes?: true
}

const SECTION_NAMES = [
  ...(['currencies', 'segments', 'paymentOperators', 'methods'] as const),
  ...(['operators', 'excludedSegments', 'limits', 'fields', 'fees'] as const),
] as const
export type SectionName = (typeof SECTION_NAMES)[number]

interface More {
  readonly column?: string
  readonly isKey?: true
  readonly default?: Value
}

const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const base = (name: string, { column = columnOf(name), ...more }: More) => ({ name, column, ...more })
const isNull = ({ value }: Written, more: More): boolean => value === null && more.default === null
const orNull = (more: More): string => (more.default === null ? ', or null' : '')

function text(
  name: string,
  test: { readonly pattern: RegExp; readonly allowed: string },
  more: More = {},
): Column {
  return {
    ...base(name, more),
    sql: 'text',
    allowed: `${test.allowed}${orNull(more)}`,
    read: (written) => {
      if (isNull(written, more)) return null
      return typeof written.value === 'string' && test.pattern.test(written.value) ? written.value : undefined
    },
  }
}

const code = (name: string, more: More = {}, lengthMax = 64): Column =>
  text(
    name,
    {
      pattern: more.default === ANY ? /^(?:[A-Z0-9_]{1,64}|[*])$/ : new RegExp(`^[A-Z0-9_]{1,${lengthMax}}$`),
      allowed: `a code of A-Z, 0-9 and _, at most ${lengthMax} characters, in quotes where it is a number`,
    },
    more,
  )

const words = (name: string): Column =>
  text(name, { pattern: /^(?=.*\S)[^\p{Cc}]{1,140}$/u, allowed: 'a text of 1 to 140 characters' })

const currency = (name: string, more: More = {}): Column =>
  text(name, { pattern: /^[A-Z0-9]{3,10}$/, allowed: 'the code of a currency, such as EUR' }, more)

const oneOf = (name: string, choices: readonly string[], more: More = {}): Column =>
  text(
    name,
    { pattern: new RegExp(`^(?:${choices.join('|')})$`), allowed: `one of ${choices.join(', ')}` },
    more,
  )

function checked(name: string, isRight: (text: string) => boolean, allowed: string): Column {
  return {
    ...base(name, { default: null }),
    sql: 'text',
    allowed: `${allowed}, or null`,
    read: ({ value }) =>
      value === null || (typeof value === 'string' && isRight(value)) ? value : undefined,
  }
}

function whole(name: string, [min, max]: readonly [number, number], more: More = {}): Column {
  return {
    ...base(name, more),
    sql: 'integer',
    allowed: `a whole number from ${min} to ${max}${orNull(more)}`,
    read: (written) => {
      if (isNull(written, more)) return null
      const { value } = written
      return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? value
        : undefined
    },
  }
}

const flag = (name: string, more: More = {}): Column => ({
  ...base(name, more),
  sql: 'boolean',
  allowed: 'true or false',
  read: ({ value }) => (typeof value === 'boolean' ? value : undefined),
})

function amount(name: string, more: More = {}): Column {
  return {
    ...base(name, more),
    sql: 'numeric',
    allowed: `an amount such as 0.50${orNull(more)}`,
    read: (written) => {
      if (isNull(written, more)) return null
      const parsed = ['string', 'number'].includes(typeof written.value)
        ? parseAmount(written.source)
        : undefined
      return parsed === undefined || parsed.startsWith('-') ? undefined : parsed
    },
  }
}

function list(name: string, isRight: (text: string) => boolean, allowed: string, more: More = {}): Column {
  return {
    ...base(name, more),
    sql: 'text[]',
    allowed,
    read: ({ value }) => {
      if (!Array.isArray(value)) return undefined
      const texts = value.filter((each) => typeof each === 'string').filter(isRight)
      return texts.length === value.length && new Set(texts).size === texts.length ? texts : undefined
    },
  }
}

const POSITION_MAX = 1_000_000
const EXPIRES_SECONDS = [10, 2_592_000] as const
const DECIMALS_MAX = 18
const RANK_MAX = 1000
const FIELD_LENGTH_MAX = 4096
const ALIASES_MAX = 20
const AVAILABILITIES = ['OPERATIONAL', 'DELAYED', 'CLOSED']
const position = whole('position', [0, POSITION_MAX], { default: 0 })
const direction = oneOf('direction', DIRECTIONS, { isKey: true })
const methodCode = code('methodCode', { isKey: true })
const segment = code('segmentCode', { isKey: true, default: ANY })

/** In the order in which they are written: what is named comes before what names it. */
export const SECTIONS: readonly Section[] = [
  {
    name: 'currencies',
    table: 'currencies',
    columns: [
      currency('code', { column: 'currency_code', isKey: true }),
      words('name'),
      oneOf('type', ['FIAT', 'CRYPTO'], { default: 'FIAT' }),
      whole('minorUnits', [0, DECIMALS_MAX]),
      flag('enabled', { default: true }),
    ],
  },
  {
    name: 'segments',
    table: 'segments',
    columns: [code('code', { column: 'segment_code', isKey: true }, 32), words('name'), position],
  },
  {
    name: 'paymentOperators',
    table: 'payment_operators',
    columns: [
      code('code', { column: 'operator_code', isKey: true }),
      words('name'),
      oneOf('type', ['BANK', 'WALLET'], { default: 'BANK' }),
      checked('countryCode', isCountryCode, 'a country of ISO 3166-1 alpha-2, such as DE'),
      list(
        'currencyCodes',
        (each) => /^[A-Z0-9]{3,10}$/.test(each),
        'a list of codes of currencies, such as [EUR]',
      ),
      oneOf('payinAvailability', AVAILABILITIES, { default: 'OPERATIONAL' }),
      oneOf('payoutAvailability', AVAILABILITIES, { default: 'OPERATIONAL' }),
      flag('enabled', { default: true }),
      position,
      whole('popularRank', [1, RANK_MAX], { default: null }),
      checked('bic', isBic, 'a BIC of 8 or 11 characters'),
      list(
        'aliases',
        (each) => each.trim() !== '' && each.length <= 140,
        `a list of at most ${ALIASES_MAX} names`,
        { default: [] },
      ),
    ],
  },
  {
    name: 'methods',
    table: 'payment_methods',
    columns: [
      code('code', { column: 'method_code', isKey: true }),
      words('name'),
      oneOf('flow', ['REDIRECT', 'INSTRUCTIONS', 'QR', 'REFERENCE']),
      text('rail', { pattern: /^[\w.-]{1,64}$/, allowed: 'the code of a rail' }),
      oneOf('externalReference', ['NONE', 'OPTIONAL', 'REQUIRED'], { default: 'NONE' }),
      whole('expiresAfterSeconds', EXPIRES_SECONDS),
      oneOf('payinSpeed', ['INSTANT', 'MINUTES', 'HOURS', 'DAYS'], { default: null }),
      oneOf('payoutSpeed', ['INSTANT'], { default: null }),
      flag('enabled', { default: true }),
      position,
    ],
  },
  {
    name: 'operators',
    table: 'payment_method_operators',
    isOfMethod: true,
    isCodes: true,
    columns: [methodCode, code('operatorCode', { isKey: true })],
  },
  {
    name: 'excludedSegments',
    table: 'payment_method_excluded_segments',
    isOfMethod: true,
    isCodes: true,
    columns: [methodCode, code('segmentCode', { isKey: true }, 32)],
  },
  {
    name: 'limits',
    table: 'payment_method_limits',
    isOfMethod: true,
    columns: [
      methodCode,
      direction,
      currency('currencyCode', { isKey: true }),
      segment,
      amount('min', { column: 'min_amount' }),
      amount('max', { column: 'max_amount' }),
    ],
  },
  {
    name: 'fields',
    table: 'payment_method_fields',
    isOfMethod: true,
    columns: [
      methodCode,
      direction,
      oneOf('name', ['accountName', 'accountNumber', 'bankCode', 'emailAddress', 'paymentOperatorCode'], {
        column: 'field_name',
        isKey: true,
      }),
      flag('required', { default: false }),
      checked(
        'pattern',
        (each) => each !== '' && each.length <= 1000,
        'a pattern of at most 1000 characters',
      ),
      oneOf('checksum', ['IBAN', 'VPA', 'PIX', 'CRYPTO'], { default: null }),
      whole('maxLength', [1, FIELD_LENGTH_MAX], { default: null }),
      position,
    ],
  },
  {
    name: 'fees',
    table: 'fees',
    isOfMethod: true,
    columns: [
      methodCode,
      direction,
      code('operatorCode', { isKey: true, default: ANY }),
      segment,
      currency('currencyCode', { isKey: true }),
      amount('fixed', { default: '0' }),
      amount('percentage', { default: '0' }),
      amount('minimum', { default: null }),
      amount('maximum', { default: null }),
      currency('pricedCurrencyCode', { default: null }),
      text(
        'rateListCode',
        { pattern: /^[A-Z0-9_-]{1,64}$/, allowed: 'the code of a rate list' },
        { default: null },
      ),
    ],
  },
]

/** The rows of each section. */
export type Content = Readonly<Record<SectionName, readonly Row[]>>

/** A name for the row within its section: `BANK_TRANSFER PAYIN EUR *`. */
export function keyOf({ columns }: Section, row: Row): string {
  return columns
    .filter(({ isKey }) => isKey)
    .map(({ name }) => String(row[name]))
    .join(' ')
}

/** Both are the same value; lists by their items. */
export const isSame = (one: Value | undefined, other: Value | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
