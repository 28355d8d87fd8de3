import { Type } from 'typebox'
import {
  CODE_PATTERN,
  CURRENCY_CODE_PATTERN,
  ID_PATTERN,
  MoneySchema,
  oneOf,
  TimestampSchema,
} from './common.ts'
import { PageQuery } from './customers.ts'
import { EXAMPLES } from './examples.ts'
import { OperatorCallbackSchema, RemovedUntil } from './operator-callbacks.ts'
import { MerchantCode, pagesOf } from './operator-parts.ts'
import { HISTORY_WORDS, PAYMENT_KINDS, PAYMENT_STATUSES, TRIGGER_OUTCOMES } from './payment-words.ts'
import { ProcessSchema } from './payments.ts'
import { TimelineEntrySchema } from './reviews.ts'

// The operator API: a payment of any kind, without personal data.

const IdPayment = Type.String({ pattern: ID_PATTERN, examples: ['ORD-2026-041'] })

export const OperatorPayinParams = Type.Object({ merchantCode: MerchantCode, idPayin: IdPayment })
export const OperatorTopUpParams = Type.Object({ merchantCode: MerchantCode, idTopUp: IdPayment })

const EXAMPLE = {
  merchantCode: 'DEMO',
  kind: 'PAYIN',
  idPayment: 'ORD-2026-041',
  money: { amount: 149.9, currencyCode: 'EUR' },
  fee: { amount: 0.25, currencyCode: 'EUR' },
  paymentMethodCode: 'BANK_TRANSFER',
  rail: 'sandbox',
  reference: 'YK7HC7SP61GN',
  expireAt: '2026-11-24T10:15:28.001Z',
  process: EXAMPLES.reviewDetail.process,
  timeline: EXAMPLES.reviewDetail.timeline,
  callbacks: [],
}

export const OperatorPaymentSchema = Type.Object(
  {
    merchantCode: Type.String(),
    kind: Type.String({ description: 'PAYIN, PAYOUT or TOPUP.', examples: ['PAYIN'] }),
    idPayment: Type.String(),
    money: MoneySchema,
    fee: MoneySchema,
    received: Type.Optional(MoneySchema),
    paymentMethodCode: Type.String(),
    paymentOperatorCode: Type.Optional(Type.String()),
    segmentCode: Type.Optional(Type.String()),
    rail: Type.Optional(Type.String({ description: 'Who was asked. Not told to merchants’ people.' })),
    reference: Type.String({ description: 'Ours; the institution knows the payment by it.' }),
    externalReference: Type.Optional(Type.String()),
    idCustomer: Type.Optional(Type.String()),
    callbackUrl: Type.Optional(Type.String()),
    returnUrl: Type.Optional(Type.String()),
    expireAt: TimestampSchema,
    submittedAt: Type.Optional(TimestampSchema),
    process: ProcessSchema,
    timeline: Type.Array(TimelineEntrySchema),
    callbacks: Type.Array(OperatorCallbackSchema, { description: 'The latest, the newest first.' }),
    callbacksRemovedUntil: RemovedUntil,
  },
  { title: 'OperatorPayment', examples: [EXAMPLE] },
)

const PlainAmount = (description: string) =>
  Type.Optional(
    Type.String({ pattern: '^[0-9]{1,18}(?:[.][0-9]{1,18})?$', description, examples: ['149.90'] }),
  )
const Moment = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,3})?Z$',
      description,
      examples: ['2026-11-21T00:00:00Z'],
    }),
  )

const SEARCH = {
  idPayment: Type.Optional(IdPayment),
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 250,
      description:
        'Ours, the one that the payer was shown, or the institution’s. Blanks may be left in, and ours may be in lower case.',
      examples: [EXAMPLE.reference],
    }),
  ),
  idCustomer: Type.Optional(Type.String({ pattern: ID_PATTERN, description: 'With merchantCode.' })),
  merchantCode: Type.Optional(MerchantCode),
  kind: Type.Optional(oneOf(PAYMENT_KINDS)),
  status: Type.Optional(oneOf(PAYMENT_STATUSES)),
  currencyCode: Type.Optional(Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] })),
  paymentMethodCode: Type.Optional(Type.String({ pattern: CODE_PATTERN, examples: ['BANK_TRANSFER'] })),
  amountFrom: PlainAmount('At least; a plain decimal.'),
  amountTo: PlainAmount('At most; a plain decimal.'),
  createdFrom: Moment('Created then or later, in UTC.'),
  createdTo: Moment('Created before, in UTC.'),
}

const CELL_LETTER = '[0-9A-HJKMNP-TV-Z]'

/** Query of GET /operator/payments. */
export const PaymentSearchQuery = Type.Object({
  ...SEARCH,
  withoutCells: Type.Optional(
    Type.String({
      pattern: `^${CELL_LETTER}(?:,${CELL_LETTER}){0,31}$`,
      description:
        'Without payments of merchants that moved to one of these cells, which has them, too. Letters, separated by commas.',
      examples: ['B,C'],
    }),
  ),
  ...PageQuery.properties,
})

/** Query of GET /operator/payments/export. */
export const PaymentExportQuery = Type.Object({ ...SEARCH, format: Type.Optional(oneOf(['csv', 'jsonl'])) })

/** Answer of GET /operator/payments/export. */
export const PaymentExportSchema = {
  description:
    'A head and a line for each payment, or only the lines as JSON. What a payment has not is empty.',
  content: {
    'text/csv': {
      schema: Type.String({
        title: 'PaymentCsv',
        examples: [
          'createdAt,merchantCode,kind,idPayment\r\n2026-11-21T10:15:28.001Z,DEMO,PAYIN,ORD-2026-041\r\n',
        ],
      }),
    },
    'application/jsonl': { schema: Type.String({ title: 'PaymentLines' }) },
  },
} as const

export const FoundPaymentListSchema = pagesOf(
  Type.Object(
    {
      merchantCode: Type.String(),
      kind: Type.String({ description: 'PAYIN, PAYOUT, TOPUP or SETTLEMENT.' }),
      idPayment: Type.String(),
      status: Type.String(),
      processorStatus: Type.String(),
      money: MoneySchema,
      paymentMethodCode: Type.String(),
      reference: Type.String(),
      externalReference: Type.Optional(Type.String()),
      idCustomer: Type.Optional(Type.String()),
      createdAt: TimestampSchema,
    },
    { title: 'FoundPayment' },
  ),
  'FoundPaymentList',
  {
    merchantCode: 'DEMO',
    kind: 'PAYIN',
    idPayment: EXAMPLE.idPayment,
    status: 'SUCCESS',
    processorStatus: 'CONFIRMED',
    money: EXAMPLE.money,
    paymentMethodCode: 'BANK_TRANSFER',
    reference: EXAMPLE.reference,
    createdAt: '2026-11-21T10:15:28.001Z',
  },
)

/** Answer of GET /operator/payments/{kind}/{merchantCode}/{idPayment}/history. */
export const PaymentHistorySchema = Type.Object(
  {
    kind: Type.String(),
    merchantCode: Type.String(),
    idPayment: Type.String(),
    data: Type.Array(
      Type.Object({
        happenedAt: TimestampSchema,
        what: oneOf(HISTORY_WORDS),
        says: Type.String({ description: 'In a word or two.' }),
        by: Type.Optional(
          Type.String({ description: 'Operators by their codes, or a part of the gateway.' }),
        ),
        facts: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description: 'More of it, by name. Amounts are plain decimals.',
          }),
        ),
      }),
    ),
  },
  {
    title: 'PaymentHistory',
    examples: [
      {
        kind: 'PAYIN',
        merchantCode: 'DEMO',
        idPayment: EXAMPLE.idPayment,
        data: [
          {
            happenedAt: '2026-11-21T10:15:29.001Z',
            what: 'STATUS',
            says: 'SUCCESS (CONFIRMED)',
            by: 'worker',
            facts: { evidence: 'RAIL' },
          },
          {
            happenedAt: '2026-11-21T10:15:29.050Z',
            what: 'ATTEMPT',
            says: 'OK',
            facts: { attempt: '1', httpStatus: '200', tookMs: '12' },
          },
        ],
      },
    ],
  },
)

export const TriggerParams = Type.Object({
  kind: oneOf(['PAYIN', 'PAYOUT', 'TOPUP'], { examples: ['PAYIN'] }),
  merchantCode: MerchantCode,
  idPayment: IdPayment,
})

export const TriggerSchema = Type.Object(
  {
    outcome: oneOf(TRIGGER_OUTCOMES, {
      description: 'What the simulated institution says.',
      examples: ['paid'],
    }),
  },
  { title: 'Trigger', examples: [{ outcome: 'paid' }] },
)

export const TriggeredSchema = Type.Object(
  {
    merchantCode: Type.String(),
    kind: Type.String(),
    idPayment: Type.String(),
    outcome: Type.String(),
    result: oneOf(['CHANGED', 'SAME', 'IN_REVIEW'], {
      description: 'SAME: it was so already. IN_REVIEW: it does not fit the payment; operators look at it.',
    }),
    why: Type.Optional(Type.String({ description: 'Of IN_REVIEW.' })),
    status: Type.String(),
    processorStatus: Type.String(),
  },
  {
    title: 'Triggered',
    examples: [
      {
        merchantCode: 'DEMO',
        kind: 'PAYIN',
        idPayment: 'ORD-2026-041',
        outcome: 'paid',
        result: 'CHANGED',
        status: 'SUCCESS',
        processorStatus: 'CONFIRMED',
      },
    ],
  },
)
