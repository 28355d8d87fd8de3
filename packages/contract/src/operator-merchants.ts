import { type TSchema, Type } from 'typebox'
import {
  CURRENCY_CODE_PATTERN,
  EXACT_NUMBER,
  oneOf,
  PRINTABLE_PATTERN,
  SegmentCode,
  TimestampSchema,
} from './common.ts'
import { MERCHANT_CREDENTIAL_EXAMPLE, MerchantCredentialSchema } from './operator-merchant-credentials.ts'
import { MERCHANT_PAGE, MerchantCode, NextCursor } from './operator-parts.ts'
import type { WireAmount } from './wire.ts'

// The operator API: merchants, their credentials and terms.

const Name = Type.String({
  minLength: 1,
  maxLength: 140,
  pattern: PRINTABLE_PATTERN,
  description: 'What customers see.',
  examples: ['Demo Shop'],
})
const originsOf = (description?: string) =>
  Type.Array(shortText(300, 'https://shop.example'), {
    maxItems: 100,
    ...(description !== undefined && { description }),
  })
const shortText = (maxLength: number, example: string) => Type.String({ maxLength, examples: [example] })
const nullable = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }))

export const OperatorMerchantParams = Type.Object({ merchantCode: MerchantCode })

export const MerchantCreateSchema = Type.Object(
  { merchantCode: MerchantCode, name: Type.Optional(Name) },
  { title: 'MerchantCreate', examples: [{ merchantCode: 'SHOP', name: 'My Shop' }] },
)

const Segments = Type.Array(SegmentCode, { maxItems: 1000 })

export const MerchantChangeSchema = Type.Object(
  {
    rateLimitPerSecond: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    secretEnabled: Type.Optional(Type.Boolean({ description: 'The deprecated login by secret.' })),
    requireMoneyInTokens: Type.Optional(
      Type.Boolean({ description: 'Whether tokens for the payment page must carry the money.' }),
    ),
    allowedOrigins: Type.Optional(
      originsOf(
        'Where callback and return URLs may lead, unless one has a list of its own. Empty: anywhere.',
      ),
    ),
    callbackOrigins: nullable(
      originsOf(),
      'Of callback URLs alone. Empty: nowhere; null: as `allowedOrigins`.',
    ),
    returnOrigins: nullable(originsOf(), 'Of return URLs alone. Empty: nowhere; null: as `allowedOrigins`.'),
    browserOrigins: Type.Optional(
      originsOf('From where browsers may read a payin with its PAYIN_INFO token. Empty: from nowhere.'),
    ),
    segments: nullable(Segments, 'The segments that count for the merchant. Empty: none; null: all.'),
    name: Type.Optional(Name),
    primaryColor: nullable(shortText(7, '#0b57d0'), 'Null: the page’s own blue.'),
    supportUrl: nullable(shortText(250, 'https://shop.example/help'), 'A page with help; null: none.'),
    supportEmail: nullable(shortText(250, 'help@shop.example'), 'Where customers write; null: nowhere.'),
  },
  {
    title: 'MerchantChange',
    description: 'What is left out stays as it is.',
    minProperties: 1,
    examples: [{ rateLimitPerSecond: 200, callbackOrigins: ['https://shop.example'] }],
  },
)

const MERCHANT = {
  merchantCode: Type.String(),
  status: Type.String({ description: 'ACTIVE or DISABLED.', examples: ['ACTIVE'] }),
  cell: Type.Optional(
    Type.String({
      description: 'The cell that the merchant moved to, where it did: here are only its payments of before.',
      examples: ['C'],
    }),
  ),
  channel: Type.Object(
    {
      name: Type.String(),
      primaryColor: Type.Optional(Type.String()),
      supportUrl: Type.Optional(Type.String()),
      supportEmail: Type.Optional(Type.String()),
    },
    { description: 'What customers see of the merchant.' },
  ),
  logo: Type.Optional(
    Type.Object({
      hash: Type.String({ description: 'SHA-256 of the picture.' }),
      width: Type.Integer(),
      height: Type.Integer(),
    }),
  ),
  rateLimitPerSecond: Type.Integer(),
  secretEnabled: Type.Boolean(),
  requireMoneyInTokens: Type.Boolean(),
  allowedOrigins: Type.Array(Type.String(), { description: 'Empty: any.' }),
  callbackOrigins: Type.Optional(
    Type.Array(Type.String(), { description: 'Absent: as `allowedOrigins`. Empty: none.' }),
  ),
  returnOrigins: Type.Optional(
    Type.Array(Type.String(), { description: 'Absent: as `allowedOrigins`. Empty: none.' }),
  ),
  browserOrigins: Type.Array(Type.String(), { description: 'Empty: none.' }),
  segments: Type.Optional(Type.Array(Type.String(), { description: 'Absent: all. Empty: none.' })),
  keys: Type.Array(Type.Object({ keyId: Type.String(), bits: Type.Integer() }), {
    description: 'The RSA public keys that are active.',
  }),
  secrets: Type.Integer({ description: 'How many secrets are active.' }),
  callbackSecrets: Type.Integer({ description: 'How many shared secrets sign callbacks: 0, 1 or 2.' }),
  tokensNotBefore: Type.Optional(
    Type.String({ ...TimestampSchema, description: 'Older tokens are revoked.' }),
  ),
}
const EXAMPLE = {
  merchantCode: 'DEMO',
  status: 'ACTIVE',
  channel: { name: 'Demo Shop', primaryColor: '#0b57d0' },
  rateLimitPerSecond: 50,
  secretEnabled: false,
  requireMoneyInTokens: false,
  allowedOrigins: [],
  callbackOrigins: ['https://shop.example'],
  browserOrigins: [],
  keys: [{ keyId: 'key_4Q7XWB2K9M', bits: 2048 }],
  secrets: 0,
  callbackSecrets: 0,
}

export const OperatorMerchantSchema = Type.Object(MERCHANT, {
  title: 'OperatorMerchant',
  examples: [EXAMPLE],
})

export const OperatorMerchantListSchema = Type.Object(
  {
    data: Type.Array(OperatorMerchantSchema, {
      description: `By their codes, up to ${MERCHANT_PAGE.toLocaleString('en-US')} at once.`,
    }),
    nextCursor: NextCursor,
  },
  { title: 'OperatorMerchantList', examples: [{ data: [EXAMPLE] }] },
)

const Methods = Type.Object(
  {
    PAYIN: Type.Array(Type.String()),
    PAYOUT: Type.Array(Type.String()),
    TOPUP: Type.Array(Type.String()),
  },
  { description: 'The payment methods that the merchant may use, by direction.' },
)
const METHODS_EXAMPLE = { PAYIN: ['BANK_TRANSFER'], PAYOUT: ['BANK_TRANSFER'], TOPUP: [] }
const WHPK = 'whpk_c2FtcGxlLWNhbGxiYWNrLXB1YmxpYy1rZXktMzJieXRlcw=='

export const OperatorMerchantDetailSchema = Type.Object(
  {
    ...MERCHANT,
    credentials: Type.Array(MerchantCredentialSchema, {
      description: 'What is active. No secret is kept, and none is told again.',
    }),
    callbackPublicKeys: Type.Array(Type.String(), { description: 'The newest first.' }),
    methods: Methods,
  },
  {
    title: 'OperatorMerchantDetail',
    examples: [
      {
        ...EXAMPLE,
        credentials: [MERCHANT_CREDENTIAL_EXAMPLE],
        callbackPublicKeys: [WHPK],
        methods: METHODS_EXAMPLE,
      },
    ],
  },
)

export const MerchantTokensRevokedSchema = Type.Object(
  {
    merchantCode: Type.String(),
    tokensNotBefore: Type.String({ ...TimestampSchema, description: 'Older tokens are revoked.' }),
  },
  {
    title: 'MerchantTokensRevoked',
    examples: [{ merchantCode: 'DEMO', tokensNotBefore: '2026-11-21T10:15:28.000Z' }],
  },
)

export const TokenRevokeSchema = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 32_768,
      description: 'The whole token, as the API gave it.',
      examples: ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJERU1PIn0.c2lnbmF0dXJl'],
    }),
  },
  { title: 'TokenRevoke' },
)

export const TokenRevokedSchema = Type.Object(
  {
    merchantCode: Type.String(),
    jti: Type.String({ description: 'The id of the token.' }),
    revoked: Type.Literal(true),
    expired: Type.Boolean({ description: 'Whether it had expired already.' }),
  },
  {
    title: 'TokenRevoked',
    examples: [{ merchantCode: 'DEMO', jti: '01JD3X5Y7Z', revoked: true, expired: false }],
  },
)

export const MerchantCallbackKeysSchema = Type.Object(
  {
    merchantCode: Type.String(),
    callbackPublicKeys: Type.Array(Type.String(), { description: 'The newest first.' }),
  },
  { title: 'MerchantCallbackKeys', examples: [{ merchantCode: 'DEMO', callbackPublicKeys: [WHPK] }] },
)

export const MerchantCallbackSecretSchema = Type.Object(
  {
    merchantCode: Type.String(),
    callbackSecret: Type.String({ description: 'Told this once.' }),
    callbackSecrets: Type.Integer({
      description: 'How many secrets sign: 2 when the one before goes on until the next rotation.',
    }),
  },
  {
    title: 'MerchantCallbackSecret',
    examples: [{ merchantCode: 'DEMO', callbackSecret: 'whsec_…', callbackSecrets: 1 }],
  },
)

export const MerchantLogoSchema = Type.Object(
  {
    merchantCode: Type.String(),
    logoUrl: Type.String(),
    mediaType: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
  },
  {
    title: 'MerchantLogo',
    examples: [
      {
        merchantCode: 'DEMO',
        logoUrl: 'https://api.example/brand-logos/9f86d081884c7d65',
        mediaType: 'image/png',
        width: 128,
        height: 128,
      },
    ],
  },
)

export const MerchantLogoRemovedSchema = Type.Object(
  { merchantCode: Type.String(), removed: Type.Literal(true) },
  { title: 'MerchantLogoRemoved', examples: [{ merchantCode: 'DEMO', removed: true }] },
)

// Terms

const Direction = oneOf(['PAYIN', 'PAYOUT', 'TOPUP'], { examples: ['PAYIN'] })
const MethodCode = Type.String({ pattern: '^[A-Z0-9_]{1,64}$', examples: ['BANK_TRANSFER'] })
const CurrencyCode = Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] })
const Amount = (description: string) =>
  Type.Optional(Type.Unsafe<WireAmount>({ [EXACT_NUMBER]: true, description, examples: [100.5] }))

export const MerchantMethodsChangeSchema = Type.Object(
  {
    methodCode: Type.String({ ...MethodCode, description: '`ALL` means every method.' }),
    direction: Type.Optional(
      oneOf(['PAYIN', 'PAYOUT', 'TOPUP'], {
        description: 'Default: PAYIN, and every one for `ALL`.',
        examples: ['PAYIN'],
      }),
    ),
  },
  { title: 'MerchantMethodsChange', examples: [{ methodCode: 'BANK_TRANSFER', direction: 'PAYOUT' }] },
)

export const MerchantMethodsSchema = Type.Object(
  { merchantCode: Type.String(), methods: Methods },
  { title: 'MerchantMethods', examples: [{ merchantCode: 'DEMO', methods: METHODS_EXAMPLE }] },
)

export const MerchantLimitParams = Type.Object({
  merchantCode: MerchantCode,
  direction: Direction,
  methodCode: MethodCode,
  currencyCode: CurrencyCode,
})

const LIMIT = {
  min: Amount('Least amount of a payment.'),
  max: Amount('Greatest amount of a payment.'),
  dailyAmountMax: Amount('Most money accepted in a day (UTC).'),
  dailyCountMax: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Most payments accepted in a day (UTC).',
    }),
  ),
}

export const MerchantLimitSetSchema = Type.Object(LIMIT, {
  title: 'MerchantLimitSet',
  description: 'Replaces the bounds; what is left out does not apply.',
  examples: [{ min: 1, max: 100.5, dailyCountMax: 20 }],
})

export const MerchantLimitSchema = Type.Object(
  {
    merchantCode: Type.String(),
    direction: Type.String(),
    methodCode: Type.String(),
    currencyCode: Type.String(),
    ...LIMIT,
  },
  {
    title: 'MerchantLimit',
    examples: [
      {
        merchantCode: 'DEMO',
        direction: 'PAYIN',
        methodCode: 'BANK_TRANSFER',
        currencyCode: 'EUR',
        max: 100.5,
      },
    ],
  },
)

const CODE = { pattern: '^[A-Z0-9_-]{1,64}$' }
const FEE = {
  direction: Type.Optional(oneOf(['PAYIN', 'PAYOUT', 'TOPUP'], { description: 'Default: PAYIN.' })),
  methodCode: MethodCode,
  currencyCode: CurrencyCode,
  operatorCode: Type.Optional(
    Type.String({ ...CODE, description: 'For payments through this bank or wallet only.' }),
  ),
  segmentCode: Type.Optional(Type.String({ ...CODE, description: 'For customers of this segment only.' })),
  fixed: Amount('Taken from every payment. Default: 0.'),
  percentage: Amount('Of the amount. Default: 0.'),
  minimum: Amount('Least fee.'),
  maximum: Amount('Greatest fee.'),
  pricedCurrencyCode: Type.Optional(
    Type.String({
      pattern: CURRENCY_CODE_PATTERN,
      description: 'The amounts here are in this currency. Needs `rateListCode`.',
    }),
  ),
  rateListCode: Type.Optional(
    Type.String({ ...CODE, description: 'Converts them when a payment is accepted.' }),
  ),
}

export const FeeSetSchema = Type.Object(
  {
    merchantCode: Type.Optional(
      Type.String({ ...MerchantCode, description: 'Absent: of everybody without a fee of their own.' }),
    ),
    ...FEE,
  },
  {
    title: 'FeeSet',
    description: 'Replaces the fee for this method, direction, currency, operator and segment.',
    examples: [
      {
        merchantCode: 'DEMO',
        methodCode: 'BANK_TRANSFER',
        currencyCode: 'EUR',
        fixed: 0.25,
        percentage: 1.5,
      },
    ],
  },
)

export const FeeSchema = Type.Object(
  { merchantCode: Type.Optional(Type.String()), ...FEE, direction: Type.String() },
  {
    title: 'OperatorFee',
    examples: [
      {
        merchantCode: 'DEMO',
        direction: 'PAYIN',
        methodCode: 'BANK_TRANSFER',
        currencyCode: 'EUR',
        fixed: 0.25,
        percentage: 1.5,
      },
    ],
  },
)

const { merchantCode: _fee, ...OwnFee } = FeeSchema.properties
const { merchantCode: _limit, ...OwnLimit } = MerchantLimitSchema.properties

export const MerchantTermsSchema = Type.Object(
  {
    merchantCode: Type.String(),
    methods: Methods,
    limits: Type.Array(Type.Object(OwnLimit), { description: 'Of this merchant, beside the catalogue’s.' }),
    fees: Type.Array(Type.Object(OwnFee), {
      description: 'Of this merchant, before those of the catalogue.',
    }),
  },
  {
    title: 'MerchantTerms',
    examples: [
      {
        merchantCode: 'DEMO',
        methods: METHODS_EXAMPLE,
        limits: [{ direction: 'PAYIN', methodCode: 'BANK_TRANSFER', currencyCode: 'EUR', max: 100.5 }],
        fees: [
          {
            direction: 'PAYIN',
            methodCode: 'BANK_TRANSFER',
            currencyCode: 'EUR',
            fixed: 0.25,
            percentage: 1.5,
          },
        ],
      },
    ],
  },
)
