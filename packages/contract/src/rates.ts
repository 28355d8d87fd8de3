import { type Static, type TUnsafe, Type } from 'typebox'
import {
  CURRENCY_CODE_PATTERN,
  EXACT_NUMBER,
  listOf,
  MoneySchema,
  openText,
  RequestedMoneySchema,
  TimestampSchema,
} from './common.ts'
import { EXAMPLES } from './examples.ts'
import type { WireAmount } from './wire.ts'

export const DATE_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?Z)?$'

export const DateQuery = Type.Optional(
  Type.String({
    pattern: DATE_PATTERN,
    description:
      'A day (UTC), of which the sheet in force at its end is meant (of today: now), or a moment in UTC. Default: now.',
    examples: ['2026-11-20'],
  }),
)

export const RateListParams = Type.Object({
  code: Type.String({
    pattern: '^[A-Z0-9_]{1,32}$',
    description: 'Code of the rate list.',
    examples: ['ECB'],
  }),
})

export const RateListQuery = Type.Object({
  date: DateQuery,
  version: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,8}$',
      description:
        'This version of the sheets, whether it is in force or not; `date` then only says as of when its age is told.',
      examples: ['3'],
    }),
  ),
})

export const ConvertQuery = Type.Object({ date: DateQuery })

export const price = (description: string): TUnsafe<WireAmount> =>
  Type.Unsafe<WireAmount>({ [EXACT_NUMBER]: true, description })

export const RateSchema = Type.Object(
  {
    currencyCode: Type.String(),
    quotation: Type.Union([Type.Literal('DIRECT'), Type.Literal('INDIRECT')], {
      description:
        'DIRECT: `unit` of `currencyCode` = so many of the base currency. INDIRECT: `unit` of the base currency = so many of `currencyCode`.',
    }),
    unit: Type.Integer({ description: 'How many units the numbers are for, such as 100.' }),
    buy: price('At which the gateway buys `currencyCode`.'),
    sell: price('At which the gateway sells `currencyCode`.'),
    mid: price('Between the two.'),
  },
  {
    title: 'Rate',
    description:
      'One row, in the numbers as they were quoted. DIRECT: buy ≤ mid ≤ sell. INDIRECT: buy ≥ mid ≥ sell.',
  },
)

export const RATE_LIST_HEAD = {
  code: Type.String(),
  name: Type.String(),
  baseCurrencyCode: Type.String(),
  staleAfterSeconds: Type.Optional(
    Type.Integer({ description: 'From this age on a sheet is stale. Absent: never.' }),
  ),
}

export const RATE_SHEET_DATES = {
  version: Type.Integer({ description: 'Grows with every sheet of the list.' }),
  validFrom: TimestampSchema,
  validTo: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Where the next sheet begins. Absent: there is none yet.',
    }),
  ),
  publishedAt: TimestampSchema,
  ageSeconds: Type.Integer({ description: 'Since `publishedAt`, at the moment that was asked about.' }),
  isStale: Type.Boolean({ description: 'Too old to move money by.' }),
}

export const RateListListSchema = listOf(
  Type.Object(
    {
      ...RATE_LIST_HEAD,
      currencyCodes: Type.Array(Type.String(), { description: 'The base currency, then those with a row.' }),
      ...Type.Partial(Type.Object(RATE_SHEET_DATES)).properties,
    },
    { title: 'RateList', description: 'A list without a sheet in force has none of the members about one.' },
  ),
  'RateListList',
  EXAMPLES.rateListList,
)

export const RateSheetSchema = Type.Object(
  {
    ...RATE_LIST_HEAD,
    ...RATE_SHEET_DATES,
    source: openText<'CSV' | 'JSON' | 'ECB' | 'MANUAL'>({
      description: 'CSV, JSON, ECB or MANUAL.',
      examples: ['ECB'],
    }),
    supersededByVersion: Type.Optional(
      Type.Integer({ description: 'The sheet that counts in place of this one, for the same `validFrom`.' }),
    ),
    rates: Type.Array(RateSchema),
  },
  { title: 'RateSheet', description: 'A sheet never changes.', examples: [EXAMPLES.rateSheet] },
)

export const SideSchema = Type.Union([Type.Literal('BUY'), Type.Literal('SELL'), Type.Literal('MID')], {
  description:
    'What the gateway does with `money`. BUY: buys it from you and pays in the target currency. SELL: sells it to you, and `converted` is what it costs. MID: neither; a value without a spread.',
})

export const ConvertRequestSchema = Type.Object(
  {
    money: RequestedMoneySchema,
    targetCurrencyCode: Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['CZK'] }),
    side: SideSchema,
  },
  { title: 'ConvertRequest', examples: [EXAMPLES.convertRequest] },
)
export type ConvertRequest = Static<typeof ConvertRequestSchema>

export const ConversionSchema = Type.Object(
  {
    money: MoneySchema,
    converted: MoneySchema,
    side: SideSchema,
    rate: price('How much of the target currency one unit of `money` gives: at most 18 significant digits.'),
    rateListCode: Type.String(),
    ...RATE_SHEET_DATES,
    rates: Type.Array(RateSchema, {
      description: 'The rows used: two for a cross rate, none within one currency.',
    }),
  },
  { title: 'Conversion', examples: [EXAMPLES.conversion] },
)
