import { type Static, type TString, Type } from 'typebox'
import {
  CODE_PATTERN,
  COMPARED_PATTERN,
  CURRENCY_CODE_PATTERN,
  DOCUMENTED,
  ID_PATTERN,
  MethodLimitSchema,
  MoneySchema,
  oneOf,
  openText,
  PRINTABLE_PATTERN,
  RequestedMoneySchema,
  SegmentCode,
  TimestampSchema,
} from './common.ts'
import { EXAMPLES } from './examples.ts'
import type { PaymentStatus } from './payment-words.ts'

// What the three kinds of payments share on the wire.

const AccountText = (description: string, maxLength: number, pattern: string) =>
  Type.String({ minLength: 1, maxLength, pattern, description })

/** `paymentMethod.account` of a create request: which members a method needs is in its `fields`. */
export const CustomerAccountSchema = Type.Object(
  {
    accountName: Type.Optional(AccountText('Holder of the customer account.', 140, PRINTABLE_PATTERN)),
    accountNumber: Type.Optional(
      AccountText(
        'Number of the customer account: IBAN, wallet or virtual payment address.',
        140,
        COMPARED_PATTERN,
      ),
    ),
    bankCode: Type.Optional(AccountText('BIC or national bank code.', 35, COMPARED_PATTERN)),
  },
  { title: 'CustomerAccount' },
)

/** `paymentMethod` of a create request. */
export const PaymentMethodSchema = Type.Object(
  {
    paymentMethodCode: Type.String({ pattern: CODE_PATTERN, examples: ['BANK_TRANSFER'] }),
    paymentOperatorCode: Type.Optional(
      Type.String({ pattern: CODE_PATTERN, description: 'Bank or wallet, where the method has several.' }),
    ),
    account: Type.Optional(CustomerAccountSchema),
    emailAddress: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 254,
        pattern:
          "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$",
        examples: ['success@sandbox.test'],
      }),
    ),
  },
  { title: 'PaymentMethod' },
)

/** URLs are checked by the outbound rules (their message is better than a pattern's), so only the length is here. */
export const UrlText = (description: string, example: string, { fragment = false } = {}): TString =>
  Type.String({
    minLength: 1,
    maxLength: 2048,
    description,
    examples: [example],
    [DOCUMENTED]: { pattern: urlPattern(fragment ? '' : '#') },
  })

/** No name and password before the host, no space, backslash or control character; no fragment where there is a sign for it. */
const urlPattern = (sign: string): string =>
  `^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^\\/?#@\\s\\\\\\u0000-\\u001f\\u007f]+(?:[\\/?#][^${sign}\\s\\\\\\u0000-\\u001f\\u007f]*)?$`

export type PaymentMethodRequest = Static<typeof PaymentMethodSchema>

/** `customer` of a create request: a customer of POST /customers/{idCustomer}. */
export const NamedCustomerSchema = Type.Object(
  {
    idCustomer: Type.String({
      pattern: ID_PATTERN,
      description: 'A customer that you have created; its segment counts where the request names none.',
      examples: ['CUST-7031'],
    }),
  },
  { title: 'NamedCustomer' },
)

/** Body of the options operations (specification 2.7). */
export const OptionsRequestSchema = Type.Object(
  { money: RequestedMoneySchema, segmentCode: Type.Optional(SegmentCode) },
  {
    title: 'PaymentOptionsRequest',
    examples: [{ money: { amount: 149.9, currencyCode: 'EUR' }, segmentCode: 'TRUSTED' }],
  },
)
export type OptionsRequest = Static<typeof OptionsRequestSchema>

const FieldSchema = Type.Object(
  {
    name: Type.String({ examples: ['accountName'] }),
    required: Type.Boolean(),
    pattern: Type.Optional(Type.String()),
    maxLength: Type.Optional(Type.Integer()),
  },
  { title: 'MethodField' },
)
export const FlowSchema = oneOf(['REDIRECT', 'INSTRUCTIONS', 'QR', 'REFERENCE'])
export const ExternalReferenceUseSchema = Type.String({
  description: 'Whether the customer supplies a reference at the end: NONE, OPTIONAL or REQUIRED.',
  examples: ['NONE'],
})
const OptionOperatorSchema = Type.Object(
  { code: Type.String(), name: Type.String() },
  { title: 'OptionOperator' },
)

/** One item of the options answer (specification 2.7), with what a payment form needs. */
const PaymentOptionSchema = Type.Object(
  {
    paymentMethodCode: Type.String(),
    name: Type.String(),
    paymentOperators: Type.Array(OptionOperatorSchema),
    flow: FlowSchema,
    externalReference: ExternalReferenceUseSchema,
    fields: Type.Array(FieldSchema),
    limits: Type.Array(MethodLimitSchema),
    fee: Type.Object(MoneySchema.properties, {
      description: 'A preview: where the operators differ, the highest of their fees.',
    }),
  },
  { title: 'PaymentOption' },
)
export const PaymentOptionsSchema = Type.Object(
  { data: Type.Array(PaymentOptionSchema, { minItems: 1 }) },
  { title: 'PaymentOptions', examples: [EXAMPLES.paymentOptions] },
)

/** Where the customer pays to. */
const PayeeAccountSchema = Type.Object(
  {
    accountName: Type.String(),
    accountNumber: Type.String(),
    bankCode: Type.String(),
    bankName: Type.String(),
    bankBranch: Type.Optional(Type.String()),
    bankCity: Type.Optional(Type.String()),
    bankProvince: Type.Optional(Type.String()),
  },
  { title: 'PayeeAccount' },
)

/** Where coins go to. */
const PayeeWalletSchema = Type.Object(
  {
    address: Type.String({ description: 'Of this payment alone: whatever arrives there is its.' }),
    network: Type.String({ description: 'For people.', examples: ['Base'] }),
    chainId: Type.String({ description: 'As wallets know the network.', examples: ['8453'] }),
    token: Type.Optional(
      Type.String({ description: "The contract of the token; absent for the network's own coin." }),
    ),
  },
  { title: 'PayeeWallet' },
)

/** What the payer needs (specification 2.3): which members are there depends on the method. */
export const INSTRUCTION_MEMBERS = {
  paymentMethodCode: Type.String(),
  paymentOperatorCode: Type.Optional(Type.String()),
  account: Type.Optional(PayeeAccountSchema),
  wallet: Type.Optional(PayeeWalletSchema),
  money: MoneySchema,
  expireAt: TimestampSchema,
  reference: Type.String({ description: 'The payer must quote it.' }),
  returnUrl: Type.Optional(Type.String()),
  acceptedAt: TimestampSchema,
  redirectUrl: Type.Optional(Type.String({ description: 'Send the customer here to pay.' })),
  qr: Type.Optional(
    Type.Object(
      { format: Type.String({ examples: ['EPC069-12'] }), content: Type.String() },
      { title: 'Qr', description: 'What to draw as a QR code.' },
    ),
  ),
  deepLinks: Type.Optional(Type.Array(Type.String())),
}

/** `process` of every payment detail: open values, new ones may appear. */
export const ProcessSchema = Type.Object(
  {
    status: openText<PaymentStatus>({
      description: 'CREATED until the end, then SUCCESS, FAILED, EXPIRED, CANCELLED or REVERSED.',
      examples: ['SUCCESS'],
    }),
    processorStatus: Type.String({ description: 'The finer phase, for people.', examples: ['CONFIRMED'] }),
    createdAt: TimestampSchema,
    processedAt: Type.Optional(TimestampSchema),
    isTest: Type.Boolean(),
    failureReasons: Type.Optional(
      Type.Object(
        { failedAt: TimestampSchema, failureReasonCode: Type.String(), message: Type.String() },
        { title: 'FailureReasons' },
      ),
    ),
  },
  { title: 'Process' },
)

/** How a fee that is priced in another currency came about. */
const FeeConversionSchema = Type.Object(
  {
    rateListCode: Type.String(),
    version: Type.Integer(),
    currencyCode: Type.String({ pattern: CURRENCY_CODE_PATTERN, description: 'The row of the sheet.' }),
    side: openText<'BUY' | 'SELL' | 'MID'>({ examples: ['SELL'] }),
    rate: Type.String({ description: 'As a text, with all digits.' }),
    priced: MoneySchema,
  },
  { title: 'FeeConversion' },
)

const PaymentReversedSchema = Type.Object(
  { money: MoneySchema, reversedAt: TimestampSchema },
  { title: 'PaymentReversed', description: 'What went back; `paymentReceived` is away from then on.' },
)

/** The members that every payment detail has beside its money and its `paymentMethodResponse`. */
export const DETAIL_MEMBERS = {
  fee: Type.Optional(MoneySchema),
  feeConversion: Type.Optional(FeeConversionSchema),
  customer: Type.Optional(NamedCustomerSchema),
  process: ProcessSchema,
  paymentReceived: Type.Optional(Type.Object({ money: MoneySchema }, { title: 'PaymentReceived' })),
  paymentReversed: Type.Optional(PaymentReversedSchema),
  externalReference: Type.Optional(Type.String()),
}
