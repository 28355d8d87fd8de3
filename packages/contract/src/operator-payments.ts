import { Type } from 'typebox'
import { ID_PATTERN, MoneySchema, oneOf, TimestampSchema } from './common.ts'
import { EXAMPLES } from './examples.ts'
import { OperatorCallbackSchema, RemovedUntil } from './operator-callbacks.ts'
import { MerchantCode } from './operator-parts.ts'
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
    rail: Type.String({ description: 'Who was asked.' }),
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

export const TriggerParams = Type.Object({
  kind: oneOf(['PAYIN', 'PAYOUT', 'TOPUP'], { examples: ['PAYIN'] }),
  merchantCode: MerchantCode,
  idPayment: IdPayment,
})

export const TriggerSchema = Type.Object(
  {
    outcome: oneOf(
      ['paid', 'declined', 'cancelled', 'expired', 'partial', 'over', 'late', 'unknown', 'returned'],
      { description: 'What the simulated institution says.', examples: ['paid'] },
    ),
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
        ...{ merchantCode: 'DEMO', kind: 'PAYIN', idPayment: 'ORD-2026-041', outcome: 'paid' },
        ...{ result: 'CHANGED', status: 'SUCCESS', processorStatus: 'CONFIRMED' },
      },
    ],
  },
)
