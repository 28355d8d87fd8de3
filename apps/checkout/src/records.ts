import { type Static, Type } from 'typebox'

// What the page reads of the API's records. Members that it does not know are left alone (specification 9.5).

const Text = Type.String()
const MoneySchema = Type.Object({ amount: Text, currencyCode: Text })

const AccountSchema = Type.Object({
  accountName: Text,
  accountNumber: Text,
  bankCode: Text,
  bankName: Text,
  bankBranch: Type.Optional(Text),
})

export const PayinSchema = Type.Object({
  paymentRequested: Type.Object({ money: MoneySchema }),
  paymentMethodResponse: Type.Object({
    idPayin: Text,
    paymentMethodCode: Text,
    paymentOperatorCode: Type.Optional(Text),
    account: Type.Optional(AccountSchema),
    expireAt: Text,
    reference: Text,
    returnUrl: Type.Optional(Text),
    acceptedAt: Text,
    redirectUrl: Type.Optional(Text),
    qr: Type.Optional(Type.Object({ format: Text, content: Text })),
    deepLinks: Type.Optional(Type.Array(Text)),
  }),
  process: Type.Object({
    status: Text,
    processorStatus: Type.Optional(Text),
    processedAt: Type.Optional(Text),
    isTest: Type.Boolean(),
    failureReasons: Type.Optional(Type.Object({ failureReasonCode: Text, message: Text })),
  }),
  paymentReceived: Type.Optional(Type.Object({ money: MoneySchema })),
  externalReference: Type.Optional(Text),
})
export type Payin = Static<typeof PayinSchema>

export const OptionsSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      paymentMethodCode: Text,
      name: Text,
      flow: Text,
      externalReference: Type.Optional(Text),
      paymentOperators: Type.Array(Type.Object({ code: Text, name: Text })),
      fields: Type.Array(
        Type.Object({
          name: Text,
          required: Type.Boolean(),
          pattern: Type.Optional(Text),
          maxLength: Type.Optional(Type.Integer()),
        }),
      ),
    }),
  ),
})
export type OfferedOption = Static<typeof OptionsSchema>['data'][number]

export const ShopSchema = Type.Object({
  channelInfo: Type.Object({
    name: Text,
    supportEmail: Type.Optional(Text),
    supportUrl: Type.Optional(Text),
    primaryColor: Type.Optional(Text),
  }),
})
export type Shop = Static<typeof ShopSchema>['channelInfo']

export const RejectionsSchema = Type.Array(
  Type.Object({
    code: Text,
    message: Type.Optional(Text),
    field: Type.Optional(Text),
    paymentMethodCode: Type.Optional(Text),
  }),
)
export type Rejection = Static<typeof RejectionsSchema>[number]

export const ProblemSchema = Type.Object({
  code: Text,
  requestId: Type.Optional(Text),
  violations: Type.Optional(Type.Array(Type.Object({ field: Text, code: Text }))),
})
