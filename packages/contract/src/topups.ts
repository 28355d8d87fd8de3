import { type Static, Type } from 'typebox'
import {
  DOCUMENTED,
  ID_PATTERN,
  PaymentRequestedSchema,
  RequestedMoneySchema,
  SegmentCode,
} from './common.ts'
import { EXAMPLES } from './examples.ts'
import {
  DETAIL_MEMBERS,
  INSTRUCTION_MEMBERS,
  NamedCustomerSchema,
  PaymentMethodSchema,
  UrlText,
} from './payments.ts'

export const TopUpParams = Type.Object({
  idTopUp: Type.String({
    pattern: ID_PATTERN,
    description: 'Your id of the top-up: unique per merchant, 1 to 250 of A-Z a-z 0-9 _ -.',
    examples: ['TOP-2026-007'],
  }),
})

/** `topUpRequested`, and the body of POST /topups/!availablePaymentOptions (specification 4.2). */
export const TopUpRequestedSchema = Type.Object(
  { money: RequestedMoneySchema, segmentCode: Type.Optional(SegmentCode) },
  { title: 'TopUpRequested', examples: [{ money: { amount: 500, currencyCode: 'EUR' } }] },
)

/** Body of POST /topups/{idTopUp}; `paymentRequested` is a synonym of `topUpRequested`, and one of them must be there. */
export const TopUpCreateSchema = Type.Object(
  {
    topUpRequested: Type.Optional(TopUpRequestedSchema),
    paymentRequested: Type.Optional(
      Type.Object(TopUpRequestedSchema.properties, {
        title: 'TopUpRequestedSynonym',
        description: 'A synonym of `topUpRequested`. Where both are there they must say the same.',
      }),
    ),
    paymentMethod: PaymentMethodSchema,
    callbackUrl: Type.Optional(
      UrlText(
        'Receives the status-change callback. Without it there is none: read the top-up.',
        'https://shop.example/callbacks',
      ),
    ),
    returnUrl: Type.Optional(
      UrlText(
        'Where the payer returns after paying. Echoed as it was sent.',
        'https://shop.example/treasury',
        {
          fragment: true,
        },
      ),
    ),
    customer: Type.Optional(NamedCustomerSchema),
  },
  {
    title: 'TopUp',
    [DOCUMENTED]: { anyOf: [{ required: ['topUpRequested'] }, { required: ['paymentRequested'] }] },
    examples: [
      {
        topUpRequested: { money: { amount: 500, currencyCode: 'EUR' } },
        paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', emailAddress: 'success@sandbox.test' },
        callbackUrl: 'https://shop.example/callbacks',
      },
    ],
  },
)
export type TopUpCreate = Static<typeof TopUpCreateSchema>

const TopUpMethodResponseSchema = Type.Object(
  { idTopUp: Type.String(), ...INSTRUCTION_MEMBERS },
  { title: 'TopUpMethodResponse' },
)

export const TopUpAcceptedSchema = Type.Object(
  { topUpRequested: TopUpRequestedSchema, paymentMethodResponse: TopUpMethodResponseSchema },
  { title: 'TopUpAccepted', examples: [EXAMPLES.topUpAccepted] },
)

/** Like the detail of every payment: what was asked for is `paymentRequested`. */
export const TopUpDetailSchema = Type.Object(
  {
    paymentRequested: PaymentRequestedSchema,
    paymentMethodResponse: TopUpMethodResponseSchema,
    ...DETAIL_MEMBERS,
  },
  { title: 'TopUpDetail', examples: [EXAMPLES.topUpDetail] },
)
