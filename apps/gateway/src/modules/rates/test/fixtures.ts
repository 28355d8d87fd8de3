import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { DatedList, Quotation, Rate, RateSheet, RateSnapshot } from '../model.ts'

export const NOON = Date.UTC(2026, 10, 21, 12)
export const DAY_MS = 86_400_000

export const amount = (text: string): Amount => parsePlainAmount(text)

interface RateGiven {
  readonly quotation?: Quotation
  readonly unit?: number
}

/** A row; `prices` are buy, mid and sell. */
export function rate(
  currencyCode: string,
  prices: readonly [string, string, string],
  { quotation = 'DIRECT', unit = 1 }: RateGiven = {},
): Rate {
  const [buy, mid, sell] = prices
  return { currencyCode, quotation, unit, buy: amount(buy), mid: amount(mid), sell: amount(sell) }
}

export function sheet(rates: readonly Rate[], given: Partial<RateSheet> = {}): RateSheet {
  return {
    version: 1,
    source: 'CSV',
    validFrom: new Date(NOON),
    validTo: undefined,
    publishedAt: new Date(NOON),
    supersededByVersion: undefined,
    ...given,
    rates: new Map(rates.map((each) => [each.currencyCode, each])),
  }
}

export function list(sheets: readonly RateSheet[], given: Partial<DatedList> = {}): DatedList {
  return {
    code: 'HOUSE',
    name: 'Our own',
    baseCurrencyCode: 'EUR',
    staleAfterSeconds: 2 * 86_400,
    isEnabled: true,
    ...given,
    sheets,
  }
}

export function snapshot(...lists: readonly DatedList[]): RateSnapshot {
  return { lists: new Map(lists.map((each) => [each.code, each])) }
}
