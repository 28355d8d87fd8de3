import { type Static, Type } from 'typebox'
import { ID_PATTERN, MoneySchema, RequestedMoneySchema, TimestampSchema } from './common.ts'
import { EXAMPLES } from './examples.ts'
import { PayinParams } from './payins.ts'
import { CustomerAccountSchema, DETAIL_MEMBERS, PaymentMethodSchema } from './payments.ts'

export const RefundParams = Type.Object({
  ...PayinParams.properties,
  idRefund: Type.String({
    pattern: ID_PATTERN,
    description: 'Your id of the refund: unique per payin, 1 to 250 of A-Z a-z 0-9 _ -.',
    examples: ['R-1'],
  }),
})

/** Body of POST /payins/{idPayin}/refunds/{idRefund}. */
export const RefundCreateSchema = Type.Object(
  {
    refundRequested: Type.Object({ money: RequestedMoneySchema }, { title: 'RefundRequested' }),
    paymentMethod: Type.Optional(
      Type.Object(
        {
          paymentMethodCode: PaymentMethodSchema.properties.paymentMethodCode,
          paymentOperatorCode: PaymentMethodSchema.properties.paymentOperatorCode,
        },
        { description: 'By which method to pay back, where that of the payin takes no payouts.' },
      ),
    ),
    account: Type.Optional(
      Type.Object(CustomerAccountSchema.properties, {
        description: 'Where it is not known which account the money came from.',
      }),
    ),
  },
  {
    title: 'RefundCreate',
    examples: [{ refundRequested: { money: { amount: 49.9, currencyCode: 'EUR' } } }],
  },
)
export type RefundCreate = Static<typeof RefundCreateSchema>

const RefundedSchema = Type.Object({ money: MoneySchema }, { title: 'RefundedMoney' })

const RefundMethodResponseSchema = Type.Object(
  {
    idPayin: Type.String(),
    idRefund: Type.String(),
    idPayout: Type.String({
      description:
        'The payout that the refund is: its id is made by the gateway, and is shown where payouts are listed.',
    }),
    paymentMethodCode: Type.String(),
    paymentOperatorCode: Type.Optional(Type.String()),
    money: MoneySchema,
    expireAt: Type.String({
      format: 'date-time',
      description: 'Until then it may wait for approval or for the institution; then its money is released.',
    }),
    reference: Type.String({ description: 'Ours; it travels with the money.' }),
    acceptedAt: TimestampSchema,
  },
  { title: 'RefundMethodResponse' },
)

export const RefundAcceptedSchema = Type.Object(
  { refundRequested: RefundedSchema, paymentMethodResponse: RefundMethodResponseSchema },
  { title: 'RefundAccepted', examples: [EXAMPLES.refundAccepted] },
)

export const RefundDetailSchema = Type.Object(
  { refundRequested: RefundedSchema, paymentMethodResponse: RefundMethodResponseSchema, ...DETAIL_MEMBERS },
  { title: 'RefundDetail', examples: [EXAMPLES.refundDetail] },
)

export const RefundListSchema = Type.Object(
  { data: Type.Array(RefundDetailSchema) },
  { title: 'RefundList', examples: [{ data: [EXAMPLES.refundDetail] }] },
)
