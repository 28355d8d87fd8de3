import { Type } from 'typebox'
import { CURRENCY_CODE_PATTERN, MoneySchema, oneOf, PRINTABLE_PATTERN, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'
import { EXAMPLES } from './examples.ts'
import { MerchantCode, NextCursor } from './operator-parts.ts'
import { SettlementItemSchema, SettlementParams, SettlementSchema } from './settlements.ts'

// The operator API: settlements, when they are due, and where they are paid to.

const CurrencyCode = Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] })

export const OperatorSettlementsParams = Type.Object({ merchantCode: MerchantCode })
export const OperatorSettlementParams = Type.Object({
  merchantCode: MerchantCode,
  idSettlement: SettlementParams.properties.idSettlement,
})
export const OperatorSettlementsQuery = Type.Object({
  currencyCode: Type.Optional(CurrencyCode),
  ...PageQuery.properties,
})

const EXAMPLE = { merchantCode: 'DEMO', ...EXAMPLES.settlement }

export const OperatorSettlementSchema = Type.Object(
  { merchantCode: Type.String(), ...SettlementSchema.properties },
  { title: 'OperatorSettlement', examples: [EXAMPLE] },
)

export const OperatorSettlementListSchema = Type.Object(
  { data: Type.Array(OperatorSettlementSchema), nextCursor: NextCursor },
  { title: 'OperatorSettlementList', examples: [{ data: [EXAMPLE] }] },
)

const {
  type: ItemType,
  idEntity: _idEntity,
  processedAt: _processedAt,
  ...ITEM_MONEY
} = SettlementItemSchema.properties

export const OperatorSettlementItemListSchema = Type.Object(
  {
    sums: Type.Array(
      Type.Object({ type: ItemType, count: Type.Integer(), ...ITEM_MONEY }, { title: 'SettlementSum' }),
      { description: 'Of the whole settlement, whatever the page.' },
    ),
    data: Type.Array(SettlementItemSchema),
    nextCursor: NextCursor,
  },
  {
    title: 'OperatorSettlementItemList',
    examples: [
      {
        sums: [
          {
            type: 'PAYIN',
            count: 1,
            money: { amount: 149.9, currencyCode: 'EUR' },
            fee: { amount: 0.25, currencyCode: 'EUR' },
            net: { amount: 149.65, currencyCode: 'EUR' },
          },
        ],
        data: EXAMPLES.settlementItemList.data,
      },
    ],
  },
)

export const SettlementRunSchema = Type.Object(
  {
    merchantCode: Type.Optional(MerchantCode),
    isForAll: Type.Optional(
      Type.Boolean({ description: 'Of all merchants. Either this or `merchantCode`.' }),
    ),
    currencyCode: Type.Optional(CurrencyCode),
    until: Type.Optional(
      Type.String({
        pattern:
          '^(?:NOW|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,3})?)?Z)?)$',
        description:
          'One period that ends there, whatever the cycle says: 00:00 UTC of a day, a moment in UTC, or NOW. Without it, the periods that are due.',
        examples: ['2026-11-20'],
      }),
    ),
    isDry: Type.Optional(Type.Boolean({ description: 'Say what would happen, and change nothing.' })),
  },
  { title: 'SettlementRun', examples: [{ merchantCode: 'DEMO', currencyCode: 'EUR', isDry: true }] },
)

export const SettlementRunResultSchema = Type.Object(
  {
    isDry: Type.Boolean(),
    cycleCount: Type.Integer({ description: 'How many cycles were looked at.' }),
    data: Type.Array(
      Type.Object(
        {
          merchantCode: Type.String(),
          currencyCode: Type.String(),
          until: TimestampSchema,
          result: oneOf(['SETTLED', 'ALREADY_RUN', 'NOTHING', 'NOT_POSITIVE', 'BELOW_MINIMUM', 'WAITS'], {
            description:
              'NOTHING, NOT_POSITIVE, BELOW_MINIMUM: carried to the next period. WAITS: tried again by the worker, and later periods after it.',
          }),
          problem: Type.Optional(Type.String({ description: 'Of WAITS.' })),
          net: Type.Optional(MoneySchema),
          settlement: Type.Optional(SettlementSchema),
        },
        { title: 'SettledPeriod' },
      ),
    ),
  },
  {
    title: 'SettlementRunResult',
    examples: [
      {
        isDry: true,
        cycleCount: 1,
        data: [
          {
            merchantCode: 'DEMO',
            currencyCode: 'EUR',
            until: '2026-11-20T00:00:00.000Z',
            result: 'BELOW_MINIMUM',
            net: { amount: 3.2, currencyCode: 'EUR' },
          },
        ],
      },
    ],
  },
)

const CYCLE_EXAMPLE = {
  currencyCode: 'EUR',
  cycle: 'weekly:mon',
  minimum: { amount: 50, currencyCode: 'EUR' },
  runUntil: '2026-11-16T00:00:00.000Z',
  dueAt: '2026-11-23T00:00:00.000Z',
}
const ACCOUNT_EXAMPLE = {
  currencyCode: 'EUR',
  paymentMethodCode: 'BANK_TRANSFER',
  accountNumber: '****0001',
  setBy: 'ada',
  updatedAt: '2026-11-02T09:00:00.000Z',
}
const Cycle = Type.String({
  pattern: '^(?:t[+][0-9]{1,2}|daily|weekly:(?:mon|tue|wed|thu|fri|sat|sun)|monthly)$',
  description: 't+0 to t+60, daily, weekly:mon to weekly:sun, or monthly. Periods end at 00:00 UTC.',
  examples: ['weekly:mon'],
})

export const SettlementCycleSchema = Type.Object(
  {
    currencyCode: CurrencyCode,
    cycle: Cycle,
    minimum: Type.Optional(MoneySchema),
    settleIn: Type.Optional(Type.Object({ currencyCode: CurrencyCode, rateListCode: Type.String() })),
    runUntil: Type.Optional(TimestampSchema),
    dueAt: Type.String({
      ...TimestampSchema,
      description: 'By the merchant’s clock, which may be ahead in a sandbox, as are the ends of periods.',
    }),
  },
  { title: 'SettlementCycle', examples: [CYCLE_EXAMPLE] },
)

export const RegisteredAccountSchema = Type.Object(
  {
    currencyCode: CurrencyCode,
    paymentMethodCode: Type.String(),
    paymentOperatorCode: Type.Optional(Type.String()),
    accountNumber: Type.String({ description: 'All but its end is hidden.' }),
    setBy: Type.Optional(
      Type.String({
        description:
          'The operator who set it. Absent for one of the command line or of an earlier version, and for the merchant’s people.',
      }),
    ),
    updatedAt: TimestampSchema,
  },
  { title: 'RegisteredAccount', examples: [ACCOUNT_EXAMPLE] },
)

export const SettlementTermsSchema = Type.Object(
  {
    cycles: Type.Array(SettlementCycleSchema, {
      description: 'What a merchant earns in a currency without one stays not settled.',
    }),
    accounts: Type.Array(RegisteredAccountSchema),
  },
  { title: 'SettlementTerms', examples: [{ cycles: [CYCLE_EXAMPLE], accounts: [ACCOUNT_EXAMPLE] }] },
)

export const SettlementTermParams = Type.Object({ merchantCode: MerchantCode, currencyCode: CurrencyCode })

export const SettlementCycleSetSchema = Type.Object(
  {
    cycle: Cycle,
    minimum: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,40}(?:[.][0-9]{1,39})?$',
        description: 'Less than this is carried to the next period.',
        examples: ['50'],
      }),
    ),
    settleIn: Type.Optional(
      Type.Object(
        { currencyCode: CurrencyCode, rateListCode: Type.String({ pattern: '^[A-Z0-9_]{1,32}$' }) },
        { description: 'Makes it available in another currency, by the prices of the rate list.' },
      ),
    ),
  },
  { title: 'SettlementCycleSet', examples: [{ cycle: 'weekly:mon', minimum: '50' }] },
)

const Text = (description: string) =>
  Type.String({ minLength: 1, maxLength: 254, pattern: PRINTABLE_PATTERN, description })

export const SettlementAccountSetSchema = Type.Object(
  {
    paymentMethodCode: Type.String({ pattern: '^[A-Z0-9_]{1,64}$', examples: ['BANK_TRANSFER'] }),
    paymentOperatorCode: Type.Optional(Type.String({ pattern: '^[A-Z0-9_]{1,64}$' })),
    account: Type.Object(
      {
        accountNumber: Text('IBAN, wallet or virtual payment address.'),
        accountName: Type.Optional(Text('Holder of the account.')),
        bankCode: Type.Optional(Text('BIC or national bank code.')),
        emailAddress: Type.Optional(Text('Where the method needs one.')),
      },
      { title: 'AccountToRegister', description: 'Stored encrypted; never shown again.' },
    ),
  },
  {
    title: 'SettlementAccountSet',
    examples: [
      {
        paymentMethodCode: 'BANK_TRANSFER',
        account: { accountName: 'Demo Shop', accountNumber: 'XS00TEST0000000001' },
      },
    ],
  },
)
