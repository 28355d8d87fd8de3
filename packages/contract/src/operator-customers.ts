import { Type } from 'typebox'
import { TimestampSchema } from './common.ts'
import { CustomerParams, PageQuery } from './customers.ts'
import { MerchantCode, pagesOf } from './operator-parts.ts'

// The operator API: merchants' customers, without what names them.

export const OperatorCustomersParams = Type.Object({ merchantCode: MerchantCode })
export const OperatorCustomersQuery = PageQuery
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

export const OperatorCustomerListSchema = pagesOf(
  Type.Object(PLAIN, { title: 'ListedCustomer' }),
  'OperatorCustomerList',
  EXAMPLE,
)
