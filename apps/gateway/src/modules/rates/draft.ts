import {
  type Amount,
  addAmounts,
  compareAmounts,
  fractionDigits,
  fromMinorUnits,
  isPositive,
  parseAmount,
  toMinorUnits,
} from '@tollgate/money'
import { QUOTATIONS, type Quotation, type Rate } from './model.ts'

/** The most decimals that a rate may have. */
const RATE_DECIMALS_MAX = 20
/** The most rows of a sheet: there are fewer currencies in the world. */
export const SHEET_ROWS_MAX = 500
const UNIT_MAX = 1_000_000_000

/** A sheet before it is stored; what the source does not say is undefined. */
export interface SheetDraft {
  readonly validFrom: Date | undefined
  readonly publishedAt: Date | undefined
  readonly rates: readonly Rate[]
}

/** What was read, or a sentence for everything that is wrong with it. */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly string[] }

/** A row as texts, as every source has it. */
export interface RowTexts {
  /** Where it stands, such as `line 3`. */
  readonly place: string
  /** Why it cannot be read at all. */
  readonly broken?: string | undefined
  readonly currencyCode?: string | undefined
  readonly quotation?: string | undefined
  readonly unit?: string | undefined
  readonly buy?: string | undefined
  readonly sell?: string | undefined
  readonly mid?: string | undefined
}

const CURRENCY_CODE = /^[A-Z0-9]{3,10}$/
const UNIT = /^[1-9]\d{0,9}$/

/** Reads the rows of a sheet: each by itself, and then that no currency is there twice. */
export function readRows(rows: readonly RowTexts[], baseCurrencyCode: string): Reading<readonly Rate[]> {
  if (rows.length === 0) return { ok: false, faults: ['There is no row.'] }
  if (rows.length > SHEET_ROWS_MAX)
    return { ok: false, faults: [`There are ${rows.length} rows; a sheet has at most ${SHEET_ROWS_MAX}.`] }
  const faults: string[] = []
  const rates = new Map<string, Rate>()
  for (const row of rows) {
    const read = readRow(row)
    const problems = read.ok ? misplaced(read.value, rates, baseCurrencyCode) : read.faults
    faults.push(...problems.map((problem) => `${row.place}: ${problem}`))
    if (read.ok && problems.length === 0) rates.set(read.value.currencyCode, read.value)
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: [...rates.values()] }
}

function misplaced(
  { currencyCode }: Rate,
  before: ReadonlyMap<string, Rate>,
  baseCurrencyCode: string,
): readonly string[] {
  if (before.has(currencyCode)) return [`currencyCode: ${currencyCode} is there twice`]
  if (currencyCode === baseCurrencyCode)
    return [`currencyCode: ${currencyCode} is the base currency of the list and has no row`]
  return []
}

function readRow(row: RowTexts): Reading<Rate> {
  if (row.broken !== undefined) return fault(row.broken)
  const read = {
    currencyCode: readCode(row.currencyCode ?? ''),
    quotation: readQuotation(row.quotation),
    unit: readUnit(row.unit),
    prices: readPrices(row),
  }
  const faults = Object.values(read).flatMap((reading) => (reading.ok ? [] : reading.faults))
  if (!read.currencyCode.ok || !read.quotation.ok || !read.unit.ok || !read.prices.ok)
    return { ok: false, faults }
  const rate = {
    currencyCode: read.currencyCode.value,
    quotation: read.quotation.value,
    unit: read.unit.value,
    ...read.prices.value,
  }
  const disorder = orderFault(rate)
  return disorder === undefined ? { ok: true, value: rate } : fault(disorder)
}

function readCode(text: string): Reading<string> {
  if (CURRENCY_CODE.test(text)) return { ok: true, value: text }
  return fault(`currencyCode: ${shown(text)} is no code such as USD`)
}

function readQuotation(text: string | undefined): Reading<Quotation> {
  const quotation = isMissing(text) ? 'DIRECT' : QUOTATIONS.find((known) => known === text)
  if (quotation !== undefined) return { ok: true, value: quotation }
  return fault(`quotation: must be one of ${QUOTATIONS.join(', ')}`)
}

function readUnit(text: string | undefined): Reading<number> {
  const unit = isMissing(text) ? 1 : Number(UNIT.test(text) ? text : Number.NaN)
  if (unit <= UNIT_MAX) return { ok: true, value: unit }
  return fault(`unit: must be a whole number from 1 to ${UNIT_MAX}`)
}

type Prices = Pick<Rate, 'buy' | 'sell' | 'mid'>

function readPrices(row: RowTexts): Reading<Prices> {
  const buy = readPrice('buy', row.buy)
  const sell = readPrice('sell', row.sell)
  const mid = readPrice('mid', row.mid)
  const faults = [buy, sell, mid].flatMap((price) => (price.ok ? [] : price.faults))
  if (!buy.ok || !sell.ok || !mid.ok) return { ok: false, faults }
  return complete({ buy: buy.value, sell: sell.value, mid: mid.value })
}

/** Without `mid`, it is exactly between `buy` and `sell`; without those two, both are `mid`. */
function complete({ buy, sell, mid }: Partial<Record<keyof Prices, Amount | undefined>>): Reading<Prices> {
  if (buy !== undefined && sell !== undefined)
    return { ok: true, value: { buy, sell, mid: mid ?? middle(buy, sell) } }
  if (buy !== undefined || sell !== undefined) return fault('buy, sell: one is there without the other')
  if (mid === undefined) return fault('mid: is missing, and so are buy and sell')
  return { ok: true, value: { buy: mid, sell: mid, mid } }
}

function readPrice(name: string, text: string | undefined): Reading<Amount | undefined> {
  if (isMissing(text)) return { ok: true, value: undefined }
  const amount = parseAmount(text)
  if (amount === undefined) return fault(`${name}: ${shown(text)} is no number such as 25.3`)
  if (!isPositive(amount)) return fault(`${name}: ${amount} is not above zero`)
  if (fractionDigits(amount) > RATE_DECIMALS_MAX)
    return fault(`${name}: ${amount} has more than ${RATE_DECIMALS_MAX} decimals`)
  return { ok: true, value: amount }
}

const fault = (sentence: string): { readonly ok: false; readonly faults: readonly string[] } => ({
  ok: false,
  faults: [sentence],
})

/** (a + b) / 2: five tenths of the sum, which is exact with one decimal more. */
function middle(a: Amount, b: Amount): Amount {
  const sum = addAmounts(a, b)
  const digits = fractionDigits(sum)
  return fromMinorUnits(5n * toMinorUnits(sum, digits), digits + 1)
}

/** The house never buys dearer than it sells. Quoted the other way round, the smaller number is the dearer price. */
function orderFault({ quotation, buy, mid, sell }: Rate): string | undefined {
  const [low, high] = quotation === 'DIRECT' ? [buy, sell] : [sell, buy]
  if (compareAmounts(low, mid) !== 1 && compareAmounts(mid, high) !== 1) return undefined
  return quotation === 'DIRECT'
    ? `buy ${buy} ≤ mid ${mid} ≤ sell ${sell} does not hold`
    : `buy ${buy} ≥ mid ${mid} ≥ sell ${sell} does not hold, as it must for an INDIRECT quotation`
}

const isMissing = (text: string | undefined): text is undefined | '' => text === undefined || text === ''

const SHOWN_LENGTH_MAX = 40

/** What others wrote, cut short and without anything that moves a cursor. */
export function shown(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_LENGTH_MAX))
}
