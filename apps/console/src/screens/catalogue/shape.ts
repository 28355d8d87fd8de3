import type { Read } from '@tollgate/contract'
import { Type } from 'typebox'
import type { OperatorApi } from '../../operator-api.ts'

// The catalogue as the operator API exports it: amounts are texts, and what is as it is by default is left out.

const Text = Type.String()
const Maybe = Type.Optional(Text)

const Fee = Type.Object({
  direction: Text,
  currencyCode: Text,
  operatorCode: Maybe,
  segmentCode: Maybe,
  fixed: Maybe,
  percentage: Maybe,
  minimum: Maybe,
  maximum: Maybe,
  pricedCurrencyCode: Maybe,
  rateListCode: Maybe,
})
const Limit = Type.Object({
  direction: Text,
  currencyCode: Text,
  segmentCode: Maybe,
  min: Text,
  max: Text,
})
const Field = Type.Object({
  direction: Text,
  name: Text,
  pattern: Maybe,
  checksum: Maybe,
  required: Type.Optional(Type.Boolean()),
  maxLength: Type.Optional(Type.Integer()),
})
const Enabled = Type.Optional(Type.Boolean())

const CatalogueShape = Type.Object({
  currencies: Type.Array(
    Type.Object({ code: Text, name: Text, type: Maybe, minorUnits: Type.Integer(), enabled: Enabled }),
  ),
  segments: Type.Array(Type.Object({ code: Text, name: Text })),
  paymentOperators: Type.Array(
    Type.Object({
      code: Text,
      name: Text,
      type: Maybe,
      countryCode: Maybe,
      currencyCodes: Type.Array(Text),
      payinAvailability: Maybe,
      payoutAvailability: Maybe,
      enabled: Enabled,
      popularRank: Type.Optional(Type.Integer()),
      bic: Maybe,
      aliases: Type.Optional(Type.Array(Text)),
    }),
  ),
  methods: Type.Array(
    Type.Object({
      code: Text,
      name: Text,
      flow: Text,
      rail: Text,
      externalReference: Maybe,
      expiresAfterSeconds: Type.Integer(),
      payinSpeed: Maybe,
      payoutSpeed: Maybe,
      enabled: Enabled,
      operators: Type.Array(Text),
      excludedSegments: Type.Array(Text),
      limits: Type.Array(Limit),
      fields: Type.Array(Field),
      fees: Type.Array(Fee),
    }),
  ),
})

export type Catalogue = Read<typeof CatalogueShape>
export type Method = Catalogue['methods'][number]
export type PaymentOperator = Catalogue['paymentOperators'][number]

export const readCatalogue = (api: OperatorApi): Promise<Catalogue> =>
  api.get('/operator/catalogue', CatalogueShape)

export const DIRECTIONS = ['PAYIN', 'PAYOUT', 'TOPUP'] as const
export type Direction = (typeof DIRECTIONS)[number]

const DIRECTION_WORDS: Readonly<Record<Direction, string>> = {
  PAYIN: 'Payins',
  PAYOUT: 'Payouts',
  TOPUP: 'Top-ups',
}

export const directionsWords = (direction: string): string =>
  DIRECTIONS.flatMap((each) => (each === direction ? [DIRECTION_WORDS[each]] : []))[0] ?? direction

/** The direction that an address or a form names; payins unless it names another. */
export const directionOf = (text: string | null): Direction =>
  DIRECTIONS.find((each) => each === text) ?? 'PAYIN'
