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

const QrSchema = Type.Object({ format: Text, content: Text })

/** What only this page is told, by its service key. */
const OnPage = {
  /** Money that is not the money asked for, or not yet. */
  arrived: Type.Optional(
    Type.Object({
      money: MoneySchema,
      rest: Type.Optional(
        Type.Object({
          money: MoneySchema,
          qr: Type.Optional(QrSchema),
          deepLinks: Type.Optional(Type.Array(Text)),
        }),
      ),
    }),
  ),
  /** Empty while nothing has happened. */
  timeline: Type.Optional(Type.Array(Type.Object({ status: Text, processorStatus: Text, happenedAt: Text }))),
}

export const PayinSchema = Type.Object({
  ...OnPage,
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
    qr: Type.Optional(QrSchema),
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
      limits: Type.Optional(
        Type.Array(Type.Object({ minAmount: Text, maxAmount: Text, currencyCode: Text })),
      ),
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

/** What only this page is told beside the options: what is closed just now, and how people find a bank. */
export const ChoicesSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      paymentMethodCode: Text,
      name: Text,
      flow: Text,
      availability: Text,
      /** Its limit of today is reached. */
      isUsedUp: Type.Optional(Type.Boolean()),
      speed: Type.Optional(Text),
      operators: Type.Array(
        Type.Object({
          code: Text,
          name: Text,
          availability: Text,
          popularRank: Type.Optional(Type.Number()),
          bic: Type.Optional(Text),
          aliases: Type.Optional(Type.Array(Text)),
        }),
      ),
    }),
  ),
})
export type Choice = Static<typeof ChoicesSchema>['data'][number]

export const ShopSchema = Type.Object({
  channelInfo: Type.Object({
    name: Text,
    supportEmail: Type.Optional(Text),
    supportUrl: Type.Optional(Text),
    primaryColor: Type.Optional(Text),
    logoUrl: Type.Optional(Text),
    logoWidth: Type.Optional(Type.Integer()),
    logoHeight: Type.Optional(Type.Integer()),
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
