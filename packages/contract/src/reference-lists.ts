import { type Static, Type } from 'typebox'
import { listOf, MethodLimitSchema, MoneySchema, MultiValue, openText, TimestampSchema } from './common.ts'
import { EXAMPLES } from './examples.ts'
import { ExternalReferenceUseSchema, type FlowSchema } from './payments.ts'

const DirectionSchema = Type.Union([Type.Literal('PAYIN'), Type.Literal('PAYOUT'), Type.Literal('TOPUP')])
export const AvailabilitySchema = openText<'OPERATIONAL' | 'DELAYED' | 'CLOSED'>({
  description: 'OPERATIONAL, DELAYED or CLOSED.',
  examples: ['OPERATIONAL'],
})

export const CurrencyListSchema = listOf(
  Type.Object(
    {
      code: Type.String(),
      name: Type.String(),
      minorUnits: Type.Integer({ description: 'Decimals an amount may have.' }),
      type: Type.Union([Type.Literal('FIAT'), Type.Literal('CRYPTO')]),
      operations: Type.Array(DirectionSchema),
    },
    { title: 'Currency' },
  ),
  'CurrencyList',
  EXAMPLES.currencyList,
)

export const SegmentListSchema = listOf(
  Type.Object({ code: Type.String(), name: Type.String() }, { title: 'Segment' }),
  'SegmentList',
  EXAMPLES.segmentList,
)

const OperatorSchema = Type.Object(
  {
    code: Type.String(),
    name: Type.String(),
    type: Type.Union([Type.Literal('BANK'), Type.Literal('WALLET')]),
    countryCode: Type.Optional(Type.String()),
    currencyCodes: Type.Array(Type.String()),
    availability: Type.Object(
      { payin: AvailabilitySchema, payout: AvailabilitySchema },
      { title: 'Availability' },
    ),
  },
  { title: 'PaymentOperator' },
)
export const OperatorListSchema = listOf(OperatorSchema, 'PaymentOperatorList', EXAMPLES.operatorList)

export const MethodListSchema = listOf(
  Type.Object(
    {
      code: Type.String(),
      paymentMethodCode: Type.String(),
      name: Type.String(),
      operations: Type.Array(DirectionSchema),
      currencyCodes: Type.Array(Type.String()),
      flow: openText<Static<typeof FlowSchema>>({}),
      externalReference: ExternalReferenceUseSchema,
      excludedSegmentCodes: Type.Array(Type.String()),
      fields: Type.Array(
        Type.Object({
          operation: DirectionSchema,
          name: Type.String(),
          required: Type.Boolean(),
          pattern: Type.Optional(Type.String()),
          maxLength: Type.Optional(Type.Integer()),
        }),
      ),
      limits: Type.Array(
        Type.Object({
          ...MethodLimitSchema.properties,
          operation: DirectionSchema,
          segmentCode: Type.Optional(
            Type.String({ description: 'Absent: for everybody whose segment has no limit of its own.' }),
          ),
        }),
      ),
      paymentOperators: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
    },
    { title: 'PaymentMethodDescription' },
  ),
  'PaymentMethodList',
  EXAMPLES.methodList,
)

export const MerchantInfoSchema = Type.Object(
  {
    merchantCode: Type.String(),
    channelInfo: Type.Object(
      {
        name: Type.String(),
        logoUrl: Type.Optional(
          Type.String({
            description: 'Anybody may load it: it needs no token. Another logo has another address.',
          }),
        ),
        logoWidth: Type.Optional(Type.Integer({ description: 'In pixels, with logoUrl.', examples: [120] })),
        logoHeight: Type.Optional(Type.Integer({ examples: [40] })),
        supportEmail: Type.Optional(Type.String()),
        supportUrl: Type.Optional(Type.String()),
        primaryColor: Type.Optional(Type.String()),
      },
      { title: 'ChannelInfo' },
    ),
    isTest: Type.Boolean(),
    callbackPublicKeys: Type.Array(
      Type.String({ description: '`whpk_` and the base64 of an ed25519 public key, newest first.' }),
    ),
  },
  { title: 'MerchantInfo', examples: [EXAMPLES.merchantInfo] },
)

export const LogoParams = Type.Object({
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of the picture, in hex.',
    examples: ['6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  }),
})

export const BalancesQuery = Type.Object({
  currencyCodes: Type.Optional(MultiValue('Currency codes.', 'EUR,CZK')),
  currencies: Type.Optional(MultiValue('Synonym of `currencyCodes`; values of both count.', 'EUR,CZK')),
})

export const BalanceListSchema = listOf(
  Type.Object(
    {
      currencyCode: Type.String(),
      balance: MoneySchema,
      available: MoneySchema,
      notSettled: MoneySchema,
      reserved: MoneySchema,
      updatedAt: TimestampSchema,
    },
    { title: 'Balance', description: 'balance = available + notSettled + reserved.' },
  ),
  'BalanceList',
  EXAMPLES.balanceList,
)
