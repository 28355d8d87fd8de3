import { type Call, type Caller, hasTexts } from './caller.ts'
import { checkedAmount, member } from './json.ts'
import { queryOf } from './query.ts'
import type { Conversion, Money, RateList, RateSheet, RateSide } from './types.ts'

const OPERATIONS = ['GET /rate-lists', 'GET /rate-lists/.*', 'POST /rate-lists/.*']
const CODE = /^[A-Z0-9_]{1,32}$/

/** Which sheet of a list: the one in force now, at a date, or one version. */
export interface RateSheetChoice {
  /** A day such as `2026-11-20`, at whose end the sheet was in force, or a moment in UTC. */
  readonly date?: string | undefined
  readonly version?: number | undefined
}
export interface ConvertRequest {
  readonly money: Money
  readonly targetCurrencyCode: string
  readonly side: RateSide
  readonly date?: string | undefined
}

/** Exchange rates. All throw TollgateError, and RangeError for a code or amount that is none. */
export interface RateLists {
  list(): Promise<readonly RateList[]>
  read(code: string, choice?: RateSheetChoice): Promise<RateSheet>
  /** Computed exactly and rounded once, half up, to the decimals of the target currency. A value, not an offer. */
  convert(code: string, request: ConvertRequest): Promise<Conversion>
}

/** Rate lists over a caller. */
export function createRateLists(caller: Caller): RateLists {
  return {
    list: async () => caller.list(callOf('GET', '/rate-lists'), isRateList),
    read: async (code, { date, version } = {}) =>
      caller.record(callOf('GET', `${pathOf(code)}${queryOf({ date, version })}`), isRateSheet),
    convert: async (code, { date, ...body }) => {
      checkedAmount(body.money.amount)
      return caller.record(callOf('POST', `${pathOf(code)}/!convert${queryOf({ date })}`, body), isConversion)
    },
  }
}

function callOf(method: string, path: string, body?: unknown): Call {
  return { method, path, body, operations: OPERATIONS }
}

function pathOf(code: string): string {
  if (!CODE.test(code)) throw new RangeError('a code of a rate list is 1 to 32 of A-Z 0-9 _')
  return `/rate-lists/${code}`
}

const isRateList = (value: unknown): value is RateList => hasTexts(value, 'code', 'name', 'baseCurrencyCode')
const isRateSheet = (value: unknown): value is RateSheet =>
  isRateList(value) && hasTexts(value, 'validFrom') && Array.isArray(member(value, 'rates'))
const isConversion = (value: unknown): value is Conversion =>
  hasTexts(value, 'rate', 'rateListCode') && hasTexts(member(value, 'converted'), 'amount', 'currencyCode')
