import { type Static, Type } from 'typebox'
import {
  COMPARED_PATTERN,
  DOCUMENTED,
  ID_PATTERN,
  listOf,
  MoneySchema,
  PaymentRequestedSchema,
  TimestampSchema,
} from './common.ts'
import { EXAMPLES } from './examples.ts'
import {
  DETAIL_MEMBERS,
  INSTRUCTION_MEMBERS,
  NamedCustomerSchema,
  PaymentMethodSchema,
  UrlText,
} from './payments.ts'

export const PayinParams = Type.Object({
  idPayin: Type.String({
    pattern: ID_PATTERN,
    description: 'Your order id: unique per merchant, 1 to 250 of A-Z a-z 0-9 _ -.',
    examples: ['ORD-2026-041'],
  }),
})

/** Body of POST /payins/{idPayin} (specification 2.2). */
export const PayinCreateSchema = Type.Object(
  {
    paymentRequested: PaymentRequestedSchema,
    paymentMethod: PaymentMethodSchema,
    callbackUrl: UrlText('Receives the status-change callback.', 'https://shop.example/callbacks'),
    returnUrl: Type.Optional(
      UrlText(
        'Where the customer returns after paying. Echoed as it was sent.',
        'https://shop.example/thanks',
        {
          fragment: true,
        },
      ),
    ),
    customer: Type.Optional(NamedCustomerSchema),
  },
  {
    title: 'PayinCreate',
    examples: [
      {
        paymentRequested: { money: { amount: 149.9, currencyCode: 'EUR' } },
        paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', emailAddress: 'success@sandbox.test' },
        callbackUrl: 'https://shop.example/callbacks',
        returnUrl: 'https://shop.example/thanks',
      },
    ],
  },
)
export type PayinCreate = Static<typeof PayinCreateSchema>

/** `paymentMethodResponse` of a payin (specification 2.3). */
const PayinMethodResponseSchema = Type.Object(
  { idPayin: Type.String(), ...INSTRUCTION_MEMBERS },
  { title: 'PayinMethodResponse' },
)

export const PayinAcceptedSchema = Type.Object(
  { paymentRequested: PaymentRequestedSchema, paymentMethodResponse: PayinMethodResponseSchema },
  { title: 'PayinAccepted', examples: [EXAMPLES.payinAccepted] },
)

export const PayinDetailSchema = Type.Object(
  {
    paymentRequested: PaymentRequestedSchema,
    paymentMethodResponse: PayinMethodResponseSchema,
    ...DETAIL_MEMBERS,
    paymentRefunded: Type.Optional(
      Type.Object(
        { money: MoneySchema },
        { title: 'PaymentRefunded', description: 'Since 2.83. The sum of the refunds that succeeded.' },
      ),
    ),
  },
  { title: 'PayinDetail', examples: [EXAMPLES.payinDetail] },
)

const ReferenceText = Type.String({
  minLength: 1,
  maxLength: 250,
  pattern: COMPARED_PATTERN,
  examples: ['316547829301'],
})

/** Body of POST /payins/{idPayin}/!setExternalReference; `reference` is accepted as a synonym. */
export const ExternalReferenceSchema = Type.Object(
  { externalReference: Type.Optional(ReferenceText), reference: Type.Optional(ReferenceText) },
  {
    title: 'ExternalReference',
    [DOCUMENTED]: { anyOf: [{ required: ['externalReference'] }, { required: ['reference'] }] },
    examples: [{ externalReference: '316547829301' }],
  },
)
export type ExternalReference = Static<typeof ExternalReferenceSchema>

export const PaymentAccountsSchema = listOf(
  Type.Object(
    {
      source: Type.Union([Type.Literal('REQUEST'), Type.Literal('PROCESS')]),
      accountName: Type.Optional(Type.String()),
      accountNumber: Type.Optional(Type.String()),
      bankCode: Type.Optional(Type.String()),
      bankName: Type.Optional(Type.String()),
      emailAddress: Type.Optional(Type.String()),
      paymentOperatorCode: Type.Optional(Type.String()),
      collectedAt: TimestampSchema,
    },
    { title: 'PaymentAccount' },
  ),
  'PaymentAccounts',
  EXAMPLES.paymentAccounts,
)
