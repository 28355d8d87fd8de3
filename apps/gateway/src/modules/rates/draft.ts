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
export const RATE_DECIMALS_MAX = 20
/** The most rows of a sheet: there are fewer currencies in the world. */
export const SHEET_ROWS_MAX = 500
export const UNIT_MAX = 1_000_000_000

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
  const faults: string[] = []
  const currencyCode = row.currencyCode ?? ''
  if (!CURRENCY_CODE.test(currencyCode))
    faults.push(`currencyCode: ${shown(currencyCode)} is no code such as USD`)
  const quotation = readQuotation(row.quotation)
  if (quotation === undefined) faults.push(`quotation: must be one of ${QUOTATIONS.join(', ')}`)
  const unit = readUnit(row.unit)
  if (unit === undefined) faults.push(`unit: must be a whole number from 1 to ${UNIT_MAX}`)
  const prices = readPrices(row)
  if (!prices.ok) faults.push(...prices.faults)
  if (quotation === undefined || unit === undefined || !prices.ok || faults.length > 0)
    return { ok: false, faults }
  const rate = { currencyCode, quotation, unit, ...prices.value }
  const disorder = orderFault(rate)
  return disorder === undefined ? { ok: true, value: rate } : { ok: false, faults: [disorder] }
}

function readQuotation(text: string | undefined): Quotation | undefined {
  return isMissing(text) ? 'DIRECT' : QUOTATIONS.find((known) => known === text)
}

function readUnit(text: string | undefined): number | undefined {
  if (isMissing(text)) return 1
  const unit = UNIT.test(text) ? Number(text) : Number.NaN
  return unit <= UNIT_MAX ? unit : undefined
}

type Prices = Pick<Rate, 'buy' | 'sell' | 'mid'>

/** Without `mid`, it is exactly between `buy` and `sell`; without those two, both are `mid`. */
function readPrices(row: RowTexts): Reading<Prices> {
  const buy = readPrice('buy', row.buy)
  const sell = readPrice('sell', row.sell)
  const mid = readPrice('mid', row.mid)
  const faults = [buy, sell, mid].flatMap((price) => (price.ok ? [] : price.faults))
  if (!buy.ok || !sell.ok || !mid.ok || faults.length > 0) return { ok: false, faults }
  if (buy.value !== undefined && sell.value !== undefined)
    return {
      ok: true,
      value: { buy: buy.value, sell: sell.value, mid: mid.value ?? middle(buy.value, sell.value) },
    }
  if (buy.value !== undefined || sell.value !== undefined)
    return { ok: false, faults: ['buy, sell: one is there without the other'] }
  if (mid.value === undefined) return { ok: false, faults: ['mid: is missing, and so are buy and sell'] }
  return { ok: true, value: { buy: mid.value, sell: mid.value, mid: mid.value } }
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
