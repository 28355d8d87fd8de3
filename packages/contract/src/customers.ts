import { type Static, type TProperties, Type } from 'typebox'
import {
  COMPARED_PATTERN,
  ID_PATTERN,
  MoneySchema,
  openText,
  PRINTABLE_PATTERN,
  TimestampSchema,
} from './common.ts'
import { EXAMPLES } from './examples.ts'
import type { PaymentStatus } from './payment-words.ts'

export const CustomerParams = Type.Object({
  idCustomer: Type.String({
    pattern: ID_PATTERN,
    description: 'Your own name for the customer: unique per merchant, 1 to 250 of A-Z a-z 0-9 _ -.',
    examples: ['CUST-7781'],
  }),
})

const CUSTOMER_ACCOUNTS_MAX = 20

const text = (maxLength: number, description: string, pattern = PRINTABLE_PATTERN) => ({
  minLength: 1,
  maxLength,
  pattern,
  description,
})

const CustomerOwnAccountSchema = Type.Object(
  {
    accountName: Type.String(text(140, 'Holder of the account.')),
    accountNumber: Type.String(text(140, 'IBAN, wallet or virtual payment address.', COMPARED_PATTERN)),
    bankCode: Type.Optional(Type.String(text(35, 'BIC or national bank code.', COMPARED_PATTERN))),
    bankName: Type.Optional(Type.String(text(140, 'Name of the bank.'))),
  },
  { title: 'CustomerOwnAccount' },
)

const NAME = text(140, 'Name of the customer.')
const EMAIL_ADDRESS = {
  minLength: 3,
  maxLength: 254,
  pattern:
    "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$",
  examples: ['jana@example.com'],
}
const PHONE = {
  pattern: '^[+]?[0-9](?:[ ().-]{0,2}[0-9]){4,19}$',
  description:
    'Five to twenty digits, with or without a plus in front; up to two spaces, hyphens, dots or brackets may stand between two.',
  examples: ['+420 601 234 567'],
}
const COUNTRY_CODE = { pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.', examples: ['CZ'] }
const SEGMENT_CODE = {
  pattern: '^[A-Z0-9_]{1,32}$',
  description: 'Customer segment of GET /segments: the default of this customer’s payments.',
  examples: ['TRUSTED'],
}

/** Body of POST /customers/{idCustomer}. */
export const CustomerCreateSchema = Type.Object(
  {
    name: Type.Optional(Type.String(NAME)),
    emailAddress: Type.Optional(Type.String(EMAIL_ADDRESS)),
    phone: Type.Optional(Type.String(PHONE)),
    countryCode: Type.Optional(Type.String(COUNTRY_CODE)),
    segmentCode: Type.Optional(Type.String(SEGMENT_CODE)),
    accounts: Type.Optional(Type.Array(CustomerOwnAccountSchema, { maxItems: CUSTOMER_ACCOUNTS_MAX })),
  },
  { title: 'CustomerCreate', examples: [EXAMPLES.customerCreate] },
)

const ClearableText = (options: Readonly<Record<string, unknown>>) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], ...options }))

/** Body of PATCH /customers/{idCustomer}: what is absent stays, null removes (RFC 7396). */
export const CustomerPatchSchema = Type.Object(
  {
    name: ClearableText(NAME),
    emailAddress: ClearableText(EMAIL_ADDRESS),
    phone: ClearableText(PHONE),
    countryCode: ClearableText(COUNTRY_CODE),
    segmentCode: ClearableText(SEGMENT_CODE),
    accounts: Type.Optional(
      Type.Unsafe<Static<typeof CustomerOwnAccountSchema>[] | null>({
        type: ['array', 'null'],
        maxItems: CUSTOMER_ACCOUNTS_MAX,
        items: CustomerOwnAccountSchema,
        description: 'Replaces all accounts.',
      }),
    ),
  },
  { title: 'CustomerPatch', examples: [EXAMPLES.customerPatch] },
)

/** A customer. One that was erased has `idCustomer`, `status`, `createdAt` and `erasedAt`, and nothing else. */
export const CustomerSchema = Type.Object(
  {
    idCustomer: Type.String(),
    name: Type.Optional(Type.String()),
    emailAddress: Type.Optional(Type.String()),
    phone: Type.Optional(Type.String()),
    countryCode: Type.Optional(Type.String()),
    segmentCode: Type.Optional(Type.String()),
    status: openText<'ACTIVE' | 'BLOCKED' | 'ERASED'>({
      description: 'ACTIVE, BLOCKED or ERASED.',
      examples: ['ACTIVE'],
    }),
    accounts: Type.Optional(Type.Array(CustomerOwnAccountSchema)),
    createdAt: TimestampSchema,
    erasedAt: Type.Optional(TimestampSchema),
  },
  { title: 'Customer', examples: [EXAMPLES.customer] },
)

const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_DEFAULT = 50

/** Query of a list that comes in pages. */
export const PageQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: '`nextCursor` of the page before. Its content is ours and may change.',
    }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: '^(?:[1-9][0-9]?|100)$',
      description: `Items of a page: 1 to ${PAGE_LIMIT_MAX}, by default ${PAGE_LIMIT_DEFAULT}.`,
      examples: ['50'],
    }),
  ),
})

const pageOf = <Item extends TProperties>(
  item: ReturnType<typeof Type.Object<Item>>,
  title: string,
  example: unknown,
) =>
  Type.Object(
    {
      data: Type.Array(item),
      nextCursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
    },
    { title, examples: [example] },
  )

export const CustomerListSchema = pageOf(CustomerSchema, 'CustomerList', EXAMPLES.customerList)

/** GET /customers/{idCustomer}/payments: of every kind, the newest first. */
export const CustomerPaymentListSchema = pageOf(
  Type.Object(
    {
      kind: openText<'PAYIN' | 'PAYOUT' | 'TOPUP'>({
        description: 'PAYIN, PAYOUT or TOPUP.',
        examples: ['PAYIN'],
      }),
      id: Type.String({ description: 'The idPayin, idPayout or idTopUp.', examples: ['ORD-2026-041'] }),
      status: openText<PaymentStatus>({
        description: '`process.status` of the payment.',
        examples: ['SUCCESS'],
      }),
      money: MoneySchema,
      paymentMethodCode: Type.String(),
      createdAt: TimestampSchema,
    },
    { title: 'CustomerPayment' },
  ),
  'CustomerPaymentList',
  EXAMPLES.customerPaymentList,
)
