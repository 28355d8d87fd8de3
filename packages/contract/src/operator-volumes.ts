import { Type } from 'typebox'
import { AmountSchema, CODE_PATTERN, CURRENCY_CODE_PATTERN, oneOf, TimestampSchema } from './common.ts'
import { MerchantCode } from './operator-parts.ts'
import { PAYMENT_KINDS } from './payment-words.ts'

// The operator API: how much was paid, by hour and day.

const Moment = (description: string) =>
  Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:00:00(?:[.]0{1,3})?Z$',
    description,
    examples: ['2026-11-01T00:00:00Z'],
  })

/** Query of GET /operator/volumes. */
export const VolumesQuery = Type.Object({
  step: oneOf(['HOUR', 'DAY'], { description: 'Of UTC.', examples: ['DAY'] }),
  from: Moment('A full hour; with DAY, midnight.'),
  to: Moment('Not included. At most 31 days after `from` by the hour, 400 by the day.'),
  by: Type.Optional(
    oneOf(['MERCHANT', 'METHOD'], {
      description: 'A row for each merchant or payment method; otherwise they are added up.',
    }),
  ),
  merchantCode: Type.Optional(MerchantCode),
  kind: Type.Optional(oneOf(PAYMENT_KINDS)),
  currencyCode: Type.Optional(Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] })),
  paymentMethodCode: Type.Optional(Type.String({ pattern: CODE_PATTERN, examples: ['BANK_TRANSFER'] })),
})

export const VolumesRecountSchema = Type.Object(
  {
    fromDay: Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: 'The first day, of UTC, that is counted again.',
      examples: ['2026-11-20'],
    }),
  },
  { title: 'VolumesRecount' },
)

export const VolumesRecountedSchema = Type.Object(
  {
    fromDay: Type.String(),
    countedUntil: {
      ...TimestampSchema,
      description: 'Up to when everything is counted now. A worker counts the rest.',
    },
  },
  {
    title: 'VolumesRecounted',
    examples: [{ fromDay: '2026-11-20', countedUntil: '2026-11-20T00:00:00.000Z' }],
  },
)

const Entered = (description: string) =>
  Type.Object({ payments: Type.Integer(), amount: AmountSchema }, { description })

/** Answer of GET /operator/volumes. */
export const VolumesSchema = Type.Object(
  {
    step: Type.String(),
    countedUntil: {
      ...TimestampSchema,
      description:
        'What happened before is counted to the last payment; what happened since is not counted yet.',
    },
    data: Type.Array(
      Type.Object(
        {
          from: TimestampSchema,
          kind: Type.String(),
          currencyCode: Type.String(),
          merchantCode: Type.Optional(Type.String({ description: 'With by=MERCHANT.' })),
          paymentMethodCode: Type.Optional(Type.String({ description: 'With by=METHOD.' })),
          created: Entered('Payments that were created then, with the money asked for.'),
          succeeded: Entered('Payments that succeeded then, late ones included: the volume.'),
          late: Entered('Those of them that had failed, expired or been cancelled before.'),
          failed: Entered('Payments that failed then.'),
          cancelled: Entered('Payments that were cancelled then.'),
          expired: Entered('Payments that expired then.'),
          reversed: Entered('Successes that were taken back then.'),
        },
        { title: 'Volume' },
      ),
      { description: 'Without rows for which there is nothing. The earliest first.' },
    ),
  },
  {
    title: 'Volumes',
    examples: [
      {
        step: 'DAY',
        countedUntil: '2026-11-21T10:14:30.000Z',
        data: [
          {
            from: '2026-11-20T00:00:00.000Z',
            kind: 'PAYIN',
            currencyCode: 'EUR',
            created: { payments: 3, amount: 449.7 },
            succeeded: { payments: 2, amount: 299.8 },
            late: { payments: 0, amount: 0 },
            failed: { payments: 0, amount: 0 },
            cancelled: { payments: 0, amount: 0 },
            expired: { payments: 1, amount: 149.9 },
            reversed: { payments: 0, amount: 0 },
          },
        ],
      },
    ],
  },
)
