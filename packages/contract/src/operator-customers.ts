import { Type } from 'typebox'
import { ID_PATTERN, TimestampSchema } from './common.ts'
import { CustomerParams, PageQuery } from './customers.ts'
import { MerchantCode, pagesOf } from './operator-parts.ts'

// The operator API: merchants' customers, without what names them.

export const OperatorCustomersParams = Type.Object({ merchantCode: MerchantCode })
export const OperatorCustomersQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: ID_PATTERN,
      description: 'Begin after this customer, where there is no `cursor`.',
    }),
  ),
  ...PageQuery.properties,
})
export const OperatorCustomerParams = Type.Object({
  merchantCode: MerchantCode,
  idCustomer: CustomerParams.properties.idCustomer,
})

const EXAMPLE = {
  merchantCode: 'DEMO',
  idCustomer: 'CUST-7781',
  status: 'ACTIVE',
  segmentCode: 'TRUSTED',
  countryCode: 'CZ',
  createdAt: '2026-05-04T08:00:12.345Z',
}
const PLAIN = {
  merchantCode: Type.String(),
  idCustomer: Type.String(),
  status: Type.String({ description: 'ACTIVE, BLOCKED or ERASED.', examples: ['ACTIVE'] }),
  segmentCode: Type.Optional(Type.String()),
  countryCode: Type.Optional(Type.String()),
  createdAt: TimestampSchema,
  erasedAt: Type.Optional(TimestampSchema),
}

export const OperatorCustomerSchema = Type.Object(
  {
    ...PLAIN,
    masked: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Type.String({ examples: ['J…'] })),
          accounts: Type.Array(
            Type.Object({
              accountName: Type.String({ examples: ['J…'] }),
              accountNumber: Type.String({ examples: ['…0001'] }),
            }),
          ),
        },
        {
          description:
            'Enough to recognise a customer whose data lies beside you. E-mail address and phone are not shown.',
        },
      ),
    ),
  },
  {
    title: 'OperatorCustomer',
    examples: [
      { ...EXAMPLE, masked: { name: 'J…', accounts: [{ accountName: 'J…', accountNumber: '…0001' }] } },
    ],
  },
)

export const CustomerErasureSchema = Type.Object(
  {
    ...PLAIN,
    erased: Type.Object(
      {
        personalData: Type.Integer({ description: 'Account data of payments.' }),
        callbackAnswers: Type.Integer({ description: 'What receivers of callbacks answered.' }),
        statementLines: Type.Integer({ description: 'What banks said of payers.' }),
      },
      { description: 'How many of each were erased now.' },
    ),
    kept: Type.Array(
      Type.Object({
        what: Type.String({
          description: 'PAYMENTS, STATEMENT_LINES, PAYOUT_FILES, PAYOUT_REPORTS, CONFIRMATIONS or MESSAGES.',
          examples: ['PAYOUT_FILES'],
        }),
        count: Type.Integer(),
        until: Type.String({ description: 'For people: a day, or what has to happen before.' }),
        why: Type.String(),
      }),
      { description: 'What is still there. PAYMENTS name no one.' },
    ),
  },
  {
    title: 'CustomerErasure',
    examples: [
      {
        merchantCode: 'DEMO',
        idCustomer: 'CUST-7781',
        status: 'ERASED',
        createdAt: EXAMPLE.createdAt,
        erasedAt: '2026-11-21T10:16:03.001Z',
        erased: { personalData: 3, callbackAnswers: 0, statementLines: 1 },
        kept: [
          {
            what: 'PAYOUT_FILES',
            count: 1,
            until: 'the next round of a worker, within the hour',
            why: 'A bank may have to be given the file again as long as a payment in it is open.',
          },
        ],
      },
    ],
  },
)

export const OperatorCustomerListSchema = pagesOf(
  Type.Object(PLAIN, { title: 'ListedCustomer' }),
  'OperatorCustomerList',
  EXAMPLE,
)
