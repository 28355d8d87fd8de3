import { Type } from 'typebox'
import { AmountSchema, CURRENCY_CODE_PATTERN, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'
import { MerchantCode, pagesOf } from './operator-parts.ts'

// The operator API: what merchants have.

/** Query of GET /operator/balances. */
export const OperatorBalancesQuery = Type.Object({
  merchantCode: Type.Optional(MerchantCode),
  currencyCode: Type.Optional(Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] })),
  ...PageQuery.properties,
})

const PARTS = {
  available: AmountSchema,
  notSettled: AmountSchema,
  reserved: AmountSchema,
  receivable: AmountSchema,
}
const EXAMPLE = { available: 850, notSettled: 149.9, reserved: 0, receivable: 0 }

export const OperatorBalanceListSchema = pagesOf(
  Type.Object(
    {
      merchantCode: Type.String(),
      currencyCode: Type.String(),
      balance: AmountSchema,
      ...PARTS,
      updatedAt: TimestampSchema,
    },
    { title: 'OperatorBalance' },
  ),
  'OperatorBalanceList',
  {
    merchantCode: 'DEMO',
    currencyCode: 'EUR',
    balance: 999.9,
    ...EXAMPLE,
    updatedAt: '2026-11-21T10:15:28.001Z',
  },
)

/** Answer of GET /operator/balances/totals. */
export const BalanceTotalsSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        currencyCode: Type.String(),
        merchants: Type.Integer({ description: 'How many have a balance in it.' }),
        ...PARTS,
        suspense: AmountSchema,
      }),
    ),
  },
  {
    title: 'BalanceTotals',
    examples: [{ data: [{ currencyCode: 'EUR', merchants: 1, ...EXAMPLE, suspense: 0 }] }],
  },
)
