import { Type } from 'typebox'
import { AmountSchema, CURRENCY_CODE_PATTERN, EXACT_NUMBER, oneOf, TimestampSchema } from './common.ts'
import type { WireAmount } from './wire.ts'

// The operator API: the operator's own bank accounts.

const FORMATS = ['pain.001.001.03', 'pain.001.001.09', 'none'] as const
const PayoutFormat = Type.Optional(
  oneOf(FORMATS, {
    description: 'The files by which payouts leave the account.',
    examples: ['pain.001.001.09'],
  }),
)
const InstantMax = Type.Optional(
  Type.Unsafe<WireAmount>({
    [EXACT_NUMBER]: true,
    description:
      'In EUR: what its bank moves at once at most, in files of instant transfers (SEPA Instant). 0: it takes no such files.',
    examples: [100000],
  }),
)
const Text = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 256, description, examples: [example] }))

export const BankAccountParams = Type.Object({
  code: Type.String({
    pattern: '^[A-Z0-9_]{1,32}$',
    description: 'Your own name for it.',
    examples: ['HOUSE_EUR'],
  }),
})

export const BankAccountsQuery = Type.Object({
  all: Type.Optional(Type.Literal('true', { description: 'The retired ones, too.' })),
})

const NUMBERS = {
  iban: Text('Its check digits are checked.', 'DE02120300000000202051'),
  bic: Text('Of the bank.', 'TGSBDE99'),
  accountNumber: Text('Where there is no IBAN.', '12345678'),
  bankCode: Text('That goes with the number: sort code, routing number, IFSC.', '200000'),
  upiAddress: Text('For INR.', 'shop@bank'),
  pixKey: Text('For BRL.', 'shop@example.com'),
  bitcoinAddress: Text('For BTC.', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'),
}

export const BankAccountAddSchema = Type.Object(
  {
    code: BankAccountParams.properties.code,
    currencyCode: Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] }),
    holder: Type.String({ maxLength: 256, description: 'As the bank writes it.', examples: ['Shop GmbH'] }),
    bankName: Type.String({ maxLength: 256, description: 'For people.', examples: ['Bank of Example'] }),
    ...NUMBERS,
    address: Type.Optional(
      Type.Object(
        {
          street: Text('Of the holder.', 'Main Street'),
          buildingNumber: Text('Of the holder.', '1'),
          postalCode: Text('Of the holder.', '10115'),
          town: Text('Of the holder.', 'Berlin'),
          countryCode: Text('Two capital letters.', 'DE'),
        },
        { description: 'For payment codes and files that carry it.' },
      ),
    ),
    payoutFormat: PayoutFormat,
    instantMax: InstantMax,
    isDefault: Type.Optional(
      Type.Boolean({ description: 'In place of the present default. The first of a currency always is.' }),
    ),
  },
  {
    title: 'BankAccountAdd',
    examples: [
      {
        code: 'HOUSE_EUR',
        currencyCode: 'EUR',
        holder: 'Shop GmbH',
        bankName: 'Bank of Example',
        iban: 'DE02120300000000202051',
        bic: 'TGSBDE99',
      },
    ],
  },
)

export const BankAccountChangeSchema = Type.Object(
  {
    isDefault: Type.Optional(
      Type.Literal(true, { description: 'Money of its currency goes here from now on.' }),
    ),
    payoutFormat: PayoutFormat,
    instantMax: InstantMax,
  },
  { title: 'BankAccountChange', minProperties: 1, examples: [{ isDefault: true }] },
)

const EXAMPLE = {
  code: 'HOUSE_EUR',
  currencyCode: 'EUR',
  isDefault: true,
  status: 'ACTIVE',
  holder: 'Shop GmbH',
  bankName: 'Bank of Example',
  iban: 'DE02120300000000202051',
  bic: 'TGSBDE99',
  payoutFormat: 'pain.001.001.09',
  createdAt: '2026-11-21T10:15:28.001Z',
}

export const BankAccountSchema = Type.Object(
  {
    code: Type.String(),
    currencyCode: Type.String(),
    isDefault: Type.Boolean({ description: 'Customers are told to pay here.' }),
    status: Type.String({ description: 'ACTIVE or RETIRED.', examples: ['ACTIVE'] }),
    holder: Type.String(),
    bankName: Type.String(),
    ...NUMBERS,
    payoutFormat: Type.Optional(Type.String({ description: 'Absent: no files are made for it.' })),
    instantMax: Type.Optional(
      Type.Unsafe<WireAmount>({
        ...AmountSchema,
        description: 'Absent: its bank takes no files of instant transfers.',
      }),
    ),
    createdAt: TimestampSchema,
  },
  { title: 'BankAccount', examples: [EXAMPLE] },
)

export const BankAccountListSchema = Type.Object(
  { data: Type.Array(BankAccountSchema, { description: 'By currency, the default first.' }) },
  { title: 'BankAccountList', examples: [{ data: [EXAMPLE] }] },
)
