import type { Money, Open } from './types.ts'

/** What the house does with the money: buys it, sells it, or neither. */
export type RateSide = Open<'BUY' | 'SELL' | 'MID'>

/**
 * One row of a sheet, with decimal strings as they were quoted. DIRECT: `unit` of `currencyCode` is so many of the base
 * currency. INDIRECT: `unit` of the base currency is so many of `currencyCode`.
 */
export interface Rate {
  readonly currencyCode: string
  readonly quotation: Open<'DIRECT' | 'INDIRECT'>
  readonly unit: number
  readonly buy: string
  readonly sell: string
  readonly mid: string
}

interface RateListHead {
  readonly code: string
  readonly name: string
  readonly baseCurrencyCode: string
  /** From this age on a sheet is stale; absent: never. */
  readonly staleAfterSeconds?: number
}
interface SheetDates {
  readonly version: number
  /** ISO 8601, UTC. */
  readonly validFrom: string
  readonly validTo?: string
  readonly publishedAt: string
  readonly ageSeconds: number
  /** Too old to move money by. */
  readonly isStale: boolean
}

/** A rate list. One without a sheet in force has no dates. */
export interface RateList extends RateListHead, Partial<SheetDates> {
  readonly currencyCodes: readonly string[]
}
/** A sheet of a rate list; it never changes. */
export interface RateSheet extends RateListHead, SheetDates {
  readonly source: Open<'CSV' | 'JSON' | 'ECB' | 'MANUAL'>
  /** The sheet that counts in place of this one. */
  readonly supersededByVersion?: number
  readonly rates: readonly Rate[]
}
/** What money is worth, and by which rows. */
export interface Conversion extends SheetDates {
  readonly money: Money
  readonly converted: Money
  readonly side: RateSide
  /** How much of the target currency one unit of `money` gives: a decimal string. */
  readonly rate: string
  readonly rateListCode: string
  readonly rates: readonly Rate[]
}
