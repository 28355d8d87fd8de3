import { createHash } from 'node:crypto'
import { type Amount, type Money, parsePlainAmount } from '@tollgate/money'
import { divide, multiply, ONE, printSignificant, type Ratio, ratioOf, roundRatio } from './ratio.ts'

const SIDES = ['BUY', 'SELL', 'MID'] as const
/** What the house does with the money that is converted: BUY it at its lower price, SELL it at its higher, or neither. */
export type Side = (typeof SIDES)[number]

export const QUOTATIONS = ['DIRECT', 'INDIRECT'] as const
/** DIRECT: `unit` of the currency = so many of the base. INDIRECT: `unit` of the base = so many of the currency. */
export type Quotation = (typeof QUOTATIONS)[number]

const SOURCES = ['CSV', 'JSON', 'ECB', 'MANUAL'] as const
export type Source = (typeof SOURCES)[number]

/**
 * One row of a sheet, in the numbers as they were quoted: at `buy` the house buys the currency, at `sell` it sells it,
 * `mid` is between the two.
 */
export interface Rate {
  readonly currencyCode: string
  readonly quotation: Quotation
  readonly unit: number
  readonly buy: Amount
  readonly sell: Amount
  readonly mid: Amount
}

export interface RateList {
  readonly code: string
  readonly name: string
  readonly baseCurrencyCode: string
  /** From this age on a sheet is stale; undefined: never. */
  readonly staleAfterSeconds: number | undefined
  readonly isEnabled: boolean
}

/** A sheet of a list. It never changes; what is here of its neighbours is as it was when it was read. */
export interface RateSheet {
  readonly version: number
  readonly source: Source
  readonly validFrom: Date
  /** When the next sheet comes into force; undefined while there is none. */
  readonly validTo: Date | undefined
  readonly publishedAt: Date
  /** The sheet that counts in place of this one, for the same validFrom. */
  readonly supersededByVersion: number | undefined
  /** By currency, in alphabetical order. */
  readonly rates: ReadonlyMap<string, Rate>
}

/** A list with its sheets in force and to come, the oldest first. */
export interface DatedList extends RateList {
  readonly sheets: readonly RateSheet[]
}

/** All lists in use at one moment: a picture that never changes. */
export interface RateSnapshot {
  readonly lists: ReadonlyMap<string, DatedList>
}

/** How old a sheet is at a moment. */
export interface Age {
  readonly ageSeconds: number
  readonly isStale: boolean
}

export interface ConversionRequest {
  readonly listCode: string
  /** Not below zero. */
  readonly money: Money
  readonly targetCurrencyCode: string
  readonly side: Side
  /** How many decimals the target currency has. */
  readonly minorUnits: number
  /** Whose sheet counts, and what its age is judged by: milliseconds since 1970. */
  readonly atMs: number
  /** What moves money refuses a stale sheet; what only shows a price says that it is stale. */
  readonly staleSheet: 'REFUSE' | 'SAY'
}

/** What came of a conversion, and by what. */
export interface Conversion extends Age {
  readonly money: Money
  readonly converted: Money
  readonly side: Side
  /** How much of the target currency one of the money's currency gives, to {@link RATE_DIGITS} significant digits. */
  readonly rate: Amount
  /** The same without any rounding, to compute with. */
  readonly exactRate: Ratio
  readonly list: RateList
  readonly sheet: RateSheet
  /** The rows that were used: none within one currency, two for a cross rate, else one. */
  readonly rates: readonly Rate[]
}

/** Why there is no conversion. */
export interface RateProblem {
  readonly code: 'ENTITY_NOT_FOUND' | 'RATE_NOT_AVAILABLE'
  readonly message: string
}

export type ConversionOutcome =
  | { readonly ok: true; readonly conversion: Conversion }
  | { readonly ok: false; readonly problem: RateProblem }

export const RATE_DIGITS = 18
const MS_PER_SECOND = 1000

/** The sheet in force at the moment: the last one that came into force until then. */
export function sheetAt(list: DatedList, atMs: number): RateSheet | undefined {
  return list.sheets.findLast((sheet) => sheet.validFrom.getTime() <= atMs)
}

/** The age of the sheet at the moment; a sheet that was published later is not old at all. */
export function ageOf(list: RateList, sheet: RateSheet, atMs: number): Age {
  const ageSeconds = Math.max(0, Math.floor((atMs - sheet.publishedAt.getTime()) / MS_PER_SECOND))
  return {
    ageSeconds,
    isStale: list.staleAfterSeconds !== undefined && ageSeconds >= list.staleAfterSeconds,
  }
}

/** Converts by the sheet that is in force at the moment, out of memory. Exact, and rounded once: at the end, half up. */
export function convertMoney(snapshot: RateSnapshot, request: ConversionRequest): ConversionOutcome {
  const list = snapshot.lists.get(request.listCode)
  if (list === undefined) return noList(request.listCode)
  return convertBySheet(list, sheetAt(list, request.atMs), request)
}

/** Converts by this sheet. */
export function convertBySheet(
  list: RateList,
  sheet: RateSheet | undefined,
  request: ConversionRequest,
): ConversionOutcome {
  if (sheet === undefined) return noSheet(list.code, request.atMs)
  const age = ageOf(list, sheet, request.atMs)
  if (age.isStale && request.staleSheet === 'REFUSE')
    return noRate(`Sheet ${sheet.version} of ${list.code} is ${age.ageSeconds} seconds old: too old.`)
  const { money, targetCurrencyCode, side } = request
  const source = legOf(list, sheet, money.currencyCode)
  const target = legOf(list, sheet, targetCurrencyCode)
  if (source === undefined) return noRow(list, sheet, money.currencyCode)
  if (target === undefined) return noRow(list, sheet, targetCurrencyCode)
  const isSame = money.currencyCode === targetCurrencyCode
  const ratio = isSame ? ONE : divide(priceOf(source, TAKEN[side]), priceOf(target, GIVEN[side]))
  const amount = roundRatio(multiply(ratioOf(money.amount), ratio), request.minorUnits)
  const legs = isSame ? [] : [source, target]
  const conversion = {
    ...age,
    money,
    converted: { amount, currencyCode: targetCurrencyCode },
    side,
    rate: printSignificant(ratio, RATE_DIGITS),
    exactRate: ratio,
    list,
    sheet,
    rates: legs.filter((leg) => leg !== 'BASE'),
  }
  return { ok: true, conversion }
}

/** The answer where there is no such list. */
export function noList(listCode: string): { readonly ok: false; readonly problem: RateProblem } {
  return { ok: false, problem: { code: 'ENTITY_NOT_FOUND', message: `There is no rate list ${listCode}.` } }
}

/** The answer where the list has no sheet for the moment. */
export function noSheet(
  listCode: string,
  atMs: number,
): { readonly ok: false; readonly problem: RateProblem } {
  return noRate(`${listCode} has no sheet in force at ${new Date(atMs).toISOString()}.`)
}

function noRow(list: RateList, sheet: RateSheet, currencyCode: string): ConversionOutcome {
  return noRate(`Sheet ${sheet.version} of ${list.code} has no rate for ${currencyCode}.`)
}

function noRate(message: string): { readonly ok: false; readonly problem: RateProblem } {
  return { ok: false, problem: { code: 'RATE_NOT_AVAILABLE', message } }
}

// The house buys the money and pays with the target that it sells, or the reverse.
const TAKEN = { BUY: 'buy', SELL: 'sell', MID: 'mid' } as const
const GIVEN = { BUY: 'sell', SELL: 'buy', MID: 'mid' } as const

type Leg = Rate | 'BASE'

function legOf(list: RateList, sheet: RateSheet, currencyCode: string): Leg | undefined {
  return currencyCode === list.baseCurrencyCode ? 'BASE' : sheet.rates.get(currencyCode)
}

/** What one of the currency costs in the base currency. */
function priceOf(leg: Leg, column: 'buy' | 'sell' | 'mid'): Ratio {
  if (leg === 'BASE') return ONE
  const quoted = ratioOf(leg[column])
  const unit = ratioOf(parsePlainAmount(String(leg.unit)))
  return leg.quotation === 'DIRECT' ? divide(quoted, unit) : divide(unit, quoted)
}

/** What makes two sheets of a list the same: when they come into force, and every row. */
export function digestOf(validFrom: Date, rates: readonly Rate[]): Buffer {
  const rows = rates
    .map((rate) => [rate.currencyCode, rate.quotation, rate.unit, rate.buy, rate.sell, rate.mid])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([validFrom.toISOString(), rows]))
    .digest()
}
