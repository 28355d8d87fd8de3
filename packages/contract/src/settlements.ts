import { type Static, Type } from 'typebox'
import {
  CURRENCY_CODE_PATTERN,
  DOCUMENTED,
  EXACT_NUMBER,
  ID_PATTERN,
  MoneySchema,
  MultiValue,
  oneOf,
  openText,
  RequestedMoneySchema,
  TimestampSchema,
} from './common.ts'
import { PageQuery } from './customers.ts'
import { EXAMPLES } from './examples.ts'
import type { PaymentStatus } from './payment-words.ts'
import type { WireAmount } from './wire.ts'

export const SettlementParams = Type.Object({
  idSettlement: Type.String({
    pattern: ID_PATTERN,
    description:
      'Your own name for a settlement that you ask for, 1 to 250 of A-Z a-z 0-9 _ -; ours for one of a cycle. Unique per merchant.',
    examples: ['2026-11-20-EUR-7Q2M8K'],
  }),
})

const DateQuery = (description: string) =>
  Type.Optional(
    Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description, examples: ['2026-11-20'] }),
  )

/** Query of GET /settlements. */
export const SettlementsQuery = Type.Object({
  dateFrom: DateQuery('Settlements that were made on this day (UTC) or later.'),
  dateTo: DateQuery('Settlements that were made on this day (UTC) or earlier.'),
  currencyCodes: Type.Optional(MultiValue('Currency codes.', 'EUR,CZK')),
  statuses: Type.Optional(MultiValue('Values of `process.status`.', 'CREATED,SUCCESS')),
  ...PageQuery.properties,
})

const SignedMoneySchema = Type.Object(
  {
    amount: Type.Unsafe<WireAmount>({
      [EXACT_NUMBER]: true,
      description: 'Exact, and below zero where money was taken back.',
      examples: [-25.5],
    }),
    currencyCode: Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] }),
  },
  { title: 'SignedMoney' },
)

/** Body of POST /settlements/{idSettlement}. */
export const SettlementRequestSchema = Type.Object(
  {
    money: Type.Optional(
      Type.Object(RequestedMoneySchema.properties, {
        title: 'SettlementMoney',
        description: 'How much. Without it: everything that is available in `currencyCode` when we accept.',
      }),
    ),
    currencyCode: Type.Optional(
      Type.String({
        pattern: CURRENCY_CODE_PATTERN,
        description: 'Required where there is no `money`; with it, the same currency.',
        examples: ['EUR'],
      }),
    ),
  },
  {
    title: 'SettlementRequest',
    [DOCUMENTED]: { anyOf: [{ required: ['money'] }, { required: ['currencyCode'] }] },
    examples: [EXAMPLES.settlementRequest],
  },
)
export type SettlementRequest = Static<typeof SettlementRequestSchema>

const ProcessSchema = Type.Object(
  {
    status: openText<PaymentStatus>({
      description: 'As of a payment. A settlement of a cycle is SUCCESS from the beginning.',
      examples: ['SUCCESS'],
    }),
    processorStatus: Type.String({ description: 'The finer phase, for people.', examples: ['CONFIRMED'] }),
    createdAt: TimestampSchema,
    processedAt: Type.Optional(TimestampSchema),
    isTest: Type.Boolean(),
    failureReasons: Type.Optional(
      Type.Object({
        failedAt: TimestampSchema,
        failureReasonCode: Type.String(),
        message: Type.String(),
      }),
    ),
  },
  { title: 'SettlementProcess' },
)

const ConversionSchema = Type.Object(
  {
    sold: MoneySchema,
    bought: MoneySchema,
    repaid: Type.Optional(
      Type.Object(MoneySchema.properties, {
        title: 'RepaidOfBought',
        description:
          'The part of `bought` that paid what you owed in that currency; the rest became available.',
      }),
    ),
    rateListCode: Type.String({ examples: ['ECB'] }),
    version: Type.Integer({ description: 'Of the sheet of the rate list; GET /rate-lists/{code} shows it.' }),
    currencyCodes: Type.Array(Type.String(), {
      description: 'The rows of the sheet that were used: two for a cross rate.',
    }),
    side: openText<'BUY' | 'SELL' | 'MID'>({
      description: 'BUY: at the price at which the gateway buys `sold`.',
      examples: ['BUY'],
    }),
    rate: Type.Unsafe<WireAmount>({
      [EXACT_NUMBER]: true,
      description: 'How much of the other currency one unit of `sold` gives.',
    }),
  },
  { title: 'SettlementConversion' },
)

export const SettlementSchema = Type.Object(
  {
    idSettlement: Type.String(),
    kind: openText<'CYCLE' | 'REQUESTED'>({
      description:
        'CYCLE: what was earned in a period became available. REQUESTED: available money is paid out because you asked.',
      examples: ['CYCLE'],
    }),
    period: Type.Optional(
      Type.Object(
        { from: TimestampSchema, to: TimestampSchema },
        {
          description:
            'Of a cycle. `from` belongs to it, `to` does not; what was booked late is in the next one.',
        },
      ),
    ),
    gross: SignedMoneySchema,
    fees: SignedMoneySchema,
    adjustments: SignedMoneySchema,
    net: SignedMoneySchema,
    repaid: Type.Optional(
      Type.Object(SignedMoneySchema.properties, {
        title: 'RepaidMoney',
        description: 'The part of `net` that paid what you owed after a recall; the rest became available.',
      }),
    ),
    conversion: Type.Optional(ConversionSchema),
    account: Type.Optional(
      Type.Object(
        {
          paymentMethodCode: Type.String(),
          paymentOperatorCode: Type.Optional(Type.String()),
          accountNumber: Type.String({ description: 'All but its end is hidden.', examples: ['…0001'] }),
        },
        { title: 'SettlementAccount', description: 'Where it is paid to: your registered account.' },
      ),
    ),
    reference: Type.String({ description: 'Ours; it travels with the money of a requested settlement.' }),
    process: ProcessSchema,
  },
  {
    title: 'Settlement',
    description: 'net = gross - fees + adjustments, exactly. Recalls are in `adjustments`, below zero.',
    examples: [EXAMPLES.settlement],
  },
)

const NextCursor = Type.Optional(Type.String({ description: 'Absent on the last page.' }))

export const SettlementListSchema = Type.Object(
  { data: Type.Array(SettlementSchema), nextCursor: NextCursor },
  { title: 'SettlementList', examples: [EXAMPLES.settlementList] },
)

export const SettlementItemSchema = Type.Object(
  {
    type: oneOf(['PAYIN', 'PAYOUT', 'TOPUP', 'FEE', 'REVERSAL', 'ADJUSTMENT'], {
      description: 'REVERSAL: money that was taken back of an earlier payment. New values may be added.',
    }),
    idEntity: Type.String({ description: 'The idPayin, idPayout or idTopUp.' }),
    money: SignedMoneySchema,
    fee: SignedMoneySchema,
    net: SignedMoneySchema,
    processedAt: Type.String({ format: 'date-time', description: 'When it was booked (UTC).' }),
  },
  { title: 'SettlementItem', description: 'net = money - fee. The nets add up to that of the settlement.' },
)

const SettlementItemListSchema = Type.Object(
  { data: Type.Array(SettlementItemSchema), nextCursor: NextCursor },
  { title: 'SettlementItemList', examples: [EXAMPLES.settlementItemList] },
)

export const SETTLEMENT_CSV_COLUMNS = [
  'type',
  'idEntity',
  'currencyCode',
  'amount',
  'fee',
  'net',
  'processedAt',
]

/** GET /settlements/{idSettlement}/transactions: JSON, or CSV by `Accept`. */
export const SettlementTransactionsSchema = {
  description: 'JSON by default; CSV for `Accept: text/csv`.',
  content: {
    'application/json': { schema: SettlementItemListSchema },
    'text/csv': {
      schema: Type.String({
        title: 'SettlementCsv',
        description:
          'RFC 4180, with a header row: all transactions, whatever `cursor` and `limit` say. Amounts are plain decimals. A text that a spreadsheet would take for a formula (= + - @ or a tab in front) begins with an apostrophe.',
        examples: [EXAMPLES.settlementCsv],
      }),
    },
  },
}
