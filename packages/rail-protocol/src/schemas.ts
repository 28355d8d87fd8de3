import { type Static, Type } from 'typebox'

/** The version of the protocol that this package speaks: the first line of everything that is signed. */
export const PROTOCOL_VERSION = 'v1'
/** The most bytes that a body of either side may have; a longer one is not read. */
export const PROTOCOL_BODY_BYTES_MAX = 16_384

const REFERENCE_PATTERN = '^[A-Za-z0-9_-]{1,64}$'
const MERCHANT_CODE_PATTERN = '^[A-Za-z0-9_-]{1,64}$'
const CODE_PATTERN = '^[A-Z0-9_]{1,64}$'
const CURRENCY_CODE_PATTERN = '^[A-Z0-9]{3,10}$'
const AMOUNT_PATTERN = '^(0|[1-9][0-9]*)([.][0-9]+)?$'
/** Digits and a point: 40 digits, as everywhere in the gateway. */
const AMOUNT_LENGTH_MAX = 41
const URL_LENGTH_MAX = 2048
const MESSAGE_LENGTH_MAX = 250
const AGAIN_SECONDS_MAX = 86_400
/** Printable text without control and bidirectional-formatting characters. */
const PRINTABLE_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]+$'

const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: PRINTABLE_PATTERN, description, examples: [example] })

const Time = (description: string, example: string) =>
  Type.String({ format: 'date-time', maxLength: 40, description, examples: [example] })

const ReferenceSchema = Type.String({
  pattern: REFERENCE_PATTERN,
  description: 'The gateway’s name of the payment: the key of every request about it, unique for ever.',
  examples: ['7KQ2M8X4TJ5N'],
})

const MerchantCodeSchema = Type.String({
  pattern: MERCHANT_CODE_PATTERN,
  description: 'The merchant whose payment it is.',
  examples: ['SHOP'],
})

export const DIRECTIONS = ['PAYIN', 'PAYOUT', 'TOPUP'] as const
export const PAYMENT_STATES = ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'RETURNED'] as const

const DirectionSchema = Type.Union([Type.Literal('PAYIN'), Type.Literal('PAYOUT'), Type.Literal('TOPUP')], {
  description: 'PAYIN and TOPUP bring money in, PAYOUT sends it out.',
})

/** Money on this wire: the amount is a text, so that no parser of JSON can lose a digit of it. */
export const ProtocolMoneySchema = Type.Object(
  {
    amount: Type.String({
      pattern: AMOUNT_PATTERN,
      maxLength: AMOUNT_LENGTH_MAX,
      description: 'A plain decimal number as a text, without sign and exponent.',
      examples: ['149.9'],
    }),
    currencyCode: Type.String({
      pattern: CURRENCY_CODE_PATTERN,
      description: 'ISO 4217 code, or the common code of a cryptocurrency.',
      examples: ['EUR'],
    }),
  },
  { title: 'Money' },
)
export type ProtocolMoney = Static<typeof ProtocolMoneySchema>

const CustomerSchema = Type.Object(
  {
    accountName: Type.Optional(Text(140, 'Holder of the account.', 'Jana Nováková')),
    accountNumber: Type.Optional(
      Text(140, 'IBAN, number of a wallet, or virtual payment address.', 'CZ6508000000192000145399'),
    ),
    bankCode: Type.Optional(Text(140, 'BIC or national code of the bank.', 'GIBACZPX')),
    emailAddress: Type.Optional(
      Type.String({ minLength: 3, maxLength: 254, examples: ['jana@example.com'] }),
    ),
  },
  { title: 'Customer', description: 'Who pays, or who is paid. Personal data: keep it out of logs.' },
)

/** A payment that is handed over, and below what may have become of it: for documents and tests. */
export const HAND_OVER_EXAMPLE = {
  reference: '7KQ2M8X4TJ5N',
  direction: 'PAYIN',
  merchantCode: 'SHOP',
  money: { amount: '149.9', currencyCode: 'EUR' },
  methodCode: 'ONLINE_BANKING',
  operatorCode: 'CZ_CSAS',
  customer: { accountName: 'Jana Nováková', emailAddress: 'jana@example.com' },
  returnUrl: 'https://shop.example/thanks',
  expireAt: '2026-11-21T11:15:30.123Z',
} as const

export const STATE_EXAMPLE = {
  reference: '7KQ2M8X4TJ5N',
  merchantCode: 'SHOP',
  direction: 'PAYIN',
  status: 'SUCCEEDED',
  institutionReference: 'BANK-000417',
  money: { amount: '149.9', currencyCode: 'EUR' },
  payer: { accountName: 'Jana Nováková', accountNumber: 'CZ6508000000192000145399' },
  updatedAt: '2026-11-21T10:16:02.500Z',
} as const

/** Body of `PUT /payments/{reference}`. */
export const HandOverRequestSchema = Type.Object(
  {
    reference: ReferenceSchema,
    direction: DirectionSchema,
    merchantCode: MerchantCodeSchema,
    money: ProtocolMoneySchema,
    methodCode: Type.String({
      pattern: CODE_PATTERN,
      description: 'Payment method of the gateway’s catalogue.',
      examples: ['ONLINE_BANKING'],
    }),
    operatorCode: Type.Optional(
      Type.String({
        pattern: CODE_PATTERN,
        description: 'Operator of the method, such as a bank, where the customer chose one.',
        examples: ['CZ_CSAS'],
      }),
    ),
    customer: CustomerSchema,
    returnUrl: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: URL_LENGTH_MAX,
        description: 'Where the customer’s page leads to at the end.',
        examples: ['https://shop.example/thanks'],
      }),
    ),
    expireAt: Type.Optional(
      Time('Until when the customer may pay. Ask nobody for money afterwards.', '2026-11-21T11:15:30.123Z'),
    ),
  },
  {
    title: 'HandOverRequest',
    examples: [HAND_OVER_EXAMPLE],
  },
)
export type HandOverRequest = Static<typeof HandOverRequestSchema>

const PayerSchema = Type.Object(
  {
    accountName: Text(140, 'Holder of the account that paid.', 'Jana Nováková'),
    accountNumber: Text(140, 'Account that paid.', 'CZ6508000000192000145399'),
    bankCode: Type.Optional(Text(140, 'BIC or national code of its bank.', 'GIBACZPX')),
    bankName: Type.Optional(Text(140, 'Name of its bank.', 'Česká spořitelna')),
  },
  { title: 'Payer' },
)

const ReasonSchema = Type.Object(
  {
    code: Type.String({ pattern: CODE_PATTERN, examples: ['DECLINED'] }),
    message: Text(MESSAGE_LENGTH_MAX, 'A sentence for people.', 'The institution declined the payment.'),
  },
  { title: 'Reason' },
)

/** What an institution knows of a payment. */
export const PaymentStateSchema = Type.Object(
  {
    reference: ReferenceSchema,
    merchantCode: MerchantCodeSchema,
    direction: DirectionSchema,
    status: Type.Union(
      [
        Type.Literal('PENDING'),
        Type.Literal('SUCCEEDED'),
        Type.Literal('FAILED'),
        Type.Literal('CANCELLED'),
        Type.Literal('RETURNED'),
      ],
      {
        description:
          'PENDING: nothing is decided. SUCCEEDED: the money has moved. FAILED, CANCELLED: it has not, and never will. RETURNED: it had moved, and came back.',
      },
    ),
    institutionReference: Text(140, 'The institution’s own name of the payment.', 'BANK-000417'),
    money: ProtocolMoneySchema,
    received: Type.Optional({
      ...ProtocolMoneySchema,
      description: 'What moved in fact, where that is not `money`.',
    }),
    payer: Type.Optional(PayerSchema),
    reason: Type.Optional({ ...ReasonSchema, description: 'Why it FAILED, was CANCELLED or RETURNED.' }),
    askAgainSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: AGAIN_SECONDS_MAX,
        description:
          'When the gateway asks again: while PENDING for the outcome, after SUCCEEDED of a payout whether the money came back. Without it, a PENDING payment is asked for after a quarter of its age, 15 to 900 seconds, and one that SUCCEEDED is not. An open incoming payment is asked for by repeating its PUT.',
        examples: [30],
      }),
    ),
    updatedAt: Time('When the state last changed.', '2026-11-21T10:16:02.500Z'),
  },
  {
    title: 'PaymentState',
    examples: [STATE_EXAMPLE],
  },
)
export type PaymentState = Static<typeof PaymentStateSchema>

/** Body of `POST /rails/{railCode}/notifications`. */
export const NotificationSchema = Type.Object(
  {
    idNotification: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,128}$',
      description:
        'The institution’s own id of this message: the same in every repeat of it, and in no other.',
      examples: ['N-2026-000913'],
    }),
    payment: PaymentStateSchema,
  },
  { title: 'Notification' },
)
export type Notification = Static<typeof NotificationSchema>

/** Body of every answer that is no state. */
export const ProtocolErrorSchema = Type.Object(
  {
    code: Type.String({ pattern: CODE_PATTERN, examples: ['CONFLICT'] }),
    message: Text(
      MESSAGE_LENGTH_MAX,
      'A sentence for people.',
      'The reference is known with another amount.',
    ),
  },
  {
    title: 'ProtocolError',
    examples: [{ code: 'CONFLICT', message: 'The reference is known with another amount.' }],
  },
)
export type ProtocolError = Static<typeof ProtocolErrorSchema>

export const PAYEE_RESULTS = ['MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_CHECKED'] as const

/** Whose account it is, as it is asked, and as it is answered: for documents and tests. */
export const PAYEE_QUESTION_EXAMPLE = {
  reference: '7KQ2M8X4TJ5N',
  currencyCode: 'EUR',
  accountName: 'Ada Lovelace',
  accountNumber: 'NL91ABNA0417164300',
} as const

/** Body of `POST /payee-checks`. */
export const PayeeQuestionSchema = Type.Object(
  {
    reference: ReferenceSchema,
    currencyCode: Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] }),
    accountName: Text(140, 'The name that the payee is said to have.', 'Ada Lovelace'),
    accountNumber: Text(140, 'IBAN, or number of the account.', 'NL91ABNA0417164300'),
    bankCode: Type.Optional(Text(140, 'BIC or national code of the bank.', 'ABNANL2A')),
  },
  { title: 'PayeeQuestion', examples: [PAYEE_QUESTION_EXAMPLE] },
)
export type PayeeQuestion = Static<typeof PayeeQuestionSchema>

/** Answer to it. */
export const PayeeAnswerSchema = Type.Object(
  {
    result: Type.Union(
      PAYEE_RESULTS.map((result) => Type.Literal(result)),
      {
        description:
          'MATCH: name and account belong together. CLOSE_MATCH: nearly. NO_MATCH: they do not. NOT_CHECKED: the payee’s bank could not say.',
      },
    ),
  },
  { title: 'PayeeAnswer', examples: [{ result: 'MATCH' }] },
)
export type PayeeAnswer = Static<typeof PayeeAnswerSchema>
