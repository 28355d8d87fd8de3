import { Type } from 'typebox'
import { CURRENCY_CODE_PATTERN, PRINTABLE_PATTERN, TimestampSchema } from './common.ts'
import { EXAMPLES } from './examples.ts'
import {
  DATE_PATTERN,
  DateQuery,
  price,
  RATE_LIST_HEAD,
  RATE_SHEET_DATES,
  RateListParams,
  RateSchema,
  SideSchema,
} from './rates.ts'

// The operator API: rate lists and their sheets.

const IsEnabled = Type.Boolean({ description: 'False: merchants neither read nor convert by it.' })

const SHEET = {
  ...RATE_SHEET_DATES,
  source: Type.String({ description: 'CSV, JSON, ECB or MANUAL.', examples: ['ECB'] }),
  supersededByVersion: Type.Optional(
    Type.Integer({ description: 'The sheet that counts in place of this one, for the same `validFrom`.' }),
  ),
}
const HEAD = { ...RATE_LIST_HEAD, isEnabled: IsEnabled, ...Type.Partial(Type.Object(SHEET)).properties }
const { list: rateList } = {
  list: { ...EXAMPLES.rateListList.data[0], isEnabled: true, source: 'ECB' },
}
const { currencyCodes: _currencyCodes, ...HEAD_EXAMPLE } = rateList

export const OperatorRateListParams = RateListParams

/** A list with the dates of its sheet in force. */
export const OperatorRateListSchema = Type.Object(HEAD, {
  title: 'OperatorRateList',
  description: 'A list without a sheet in force has none of the members about one.',
  examples: [HEAD_EXAMPLE],
})

export const OperatorRateListListSchema = Type.Object(
  { data: Type.Array(OperatorRateListSchema) },
  { title: 'OperatorRateListList', examples: [{ data: [HEAD_EXAMPLE] }] },
)

export const OperatorRateSheetQuery = Type.Object({ date: DateQuery })

export const OperatorRateSheetSchema = Type.Object(
  { ...HEAD, rates: Type.Array(RateSchema, { description: 'Empty where no sheet is in force.' }) },
  {
    title: 'OperatorRateSheet',
    examples: [{ ...HEAD_EXAMPLE, rates: EXAMPLES.rateSheet.rates }],
  },
)

const RATE_STALE_DAYS_MAX = 3650

export const RateListCreateSchema = Type.Object(
  {
    code: RateListParams.properties.code,
    name: Type.String({ minLength: 1, maxLength: 140, pattern: PRINTABLE_PATTERN }),
    baseCurrencyCode: Type.String({
      pattern: CURRENCY_CODE_PATTERN,
      description: 'In which the others are quoted. It stays.',
      examples: ['EUR'],
    }),
    staleAfterDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: RATE_STALE_DAYS_MAX,
        description: 'From this age on a sheet is stale. Default: 4, a weekend and a day.',
      }),
    ),
    isNeverStale: Type.Optional(Type.Boolean({ description: 'Not together with `staleAfterDays`.' })),
  },
  {
    title: 'RateListCreate',
    examples: [{ code: 'HOUSE', name: 'House rates', baseCurrencyCode: 'EUR', staleAfterDays: 3 }],
  },
)

const Moment = (description: string) =>
  Type.Optional(Type.String({ pattern: DATE_PATTERN, description, examples: ['2026-11-20'] }))

/** Query of POST /operator/rate-lists/{code}/sheets; the body is the file itself. */
export const RateSheetsQuery = Type.Object({
  format: Type.Union([Type.Literal('CSV'), Type.Literal('JSON'), Type.Literal('ECB')], {
    description: 'ECB is the eurofxref XML of the European Central Bank.',
    examples: ['CSV'],
  }),
  validFrom: Moment('Day or moment (UTC) from which the sheet is in force, unless the file says so.'),
  publishedAt: Moment('When its source published it, unless the file says so. Default: now.'),
  again: Type.Optional(
    Type.Union([Type.Literal('true'), Type.Literal('false')], {
      description: 'Store it as another version even if the list has had the same before.',
    }),
  ),
})

const STORED = {
  version: Type.Integer(),
  validFrom: TimestampSchema,
  publishedAt: TimestampSchema,
  isNew: Type.Boolean({ description: 'False: the list had this sheet already; nothing was stored.' }),
  rateCount: Type.Integer(),
}
const STORED_EXAMPLE = {
  version: 3,
  validFrom: '2026-11-21T00:00:00.000Z',
  publishedAt: '2026-11-21T08:00:00.000Z',
  isNew: true,
  rateCount: 2,
}

export const RateSheetsStoredSchema = Type.Object(
  {
    code: Type.String(),
    sheets: Type.Array(Type.Object(STORED, { title: 'StoredRateSheet' })),
  },
  { title: 'RateSheetsStored', examples: [{ code: 'HOUSE', sheets: [STORED_EXAMPLE] }] },
)

export const RateSetSchema = Type.Object(
  {
    currencyCode: Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['USD'] }),
    buy: Type.Optional(price('At which you buy the currency.')),
    sell: Type.Optional(price('At which you sell it.')),
    mid: Type.Optional(price('Between the two; alone, it is all three.')),
    unit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: 'How many units the numbers are for. Default: as before, else 1.',
      }),
    ),
    quotation: Type.Optional(
      Type.Union([Type.Literal('DIRECT'), Type.Literal('INDIRECT')], {
        description: 'Default: as before, else DIRECT.',
      }),
    ),
    validFrom: Moment('Day or moment (UTC) from which the sheet is in force. Default: now.'),
  },
  { title: 'RateSet', examples: [{ currencyCode: 'USD', mid: 1.081, quotation: 'INDIRECT' }] },
)

export const RateStoredSchema = Type.Object(
  {
    code: Type.String(),
    baseCurrencyCode: Type.String(),
    ...STORED,
    rates: Type.Array(RateSchema),
  },
  {
    title: 'RateStored',
    examples: [
      {
        code: 'HOUSE',
        baseCurrencyCode: 'EUR',
        ...STORED_EXAMPLE,
        rateCount: 1,
        rates: EXAMPLES.rateSheet.rates,
      },
    ],
  },
)

/** Query of GET /operator/rate-lists/{code}/conversion. */
export const OperatorConversionQuery = Type.Object({
  amount: Type.String({
    pattern: '^[0-9]{1,40}(?:[.][0-9]{1,39})?$',
    description: 'Above zero.',
    examples: ['149.90'],
  }),
  currencyCode: Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] }),
  targetCurrencyCode: Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['USD'] }),
  side: Type.Optional(SideSchema),
  date: DateQuery,
})
