import { Type } from 'typebox'
import { CURRENCY_CODE_PATTERN, EXACT_NUMBER, PRINTABLE_PATTERN, TimestampSchema } from './common.ts'
import { PageQuery } from './customers.ts'
import { MerchantCode } from './operator-parts.ts'
import type { WireAmount } from './wire.ts'

// The operator API: accounts that nobody pays to, and what makes payouts wait for approval.

const BLOCK_ACCOUNTS_MAX = 10_000

const WHOSE = {
  merchantCode: Type.Optional(MerchantCode),
  isForAll: Type.Optional(
    Type.Boolean({ description: 'For every merchant. Either this or `merchantCode`.' }),
  ),
}
const AccountNumbers = Type.Array(Type.String({ minLength: 1, maxLength: 140 }), {
  minItems: 1,
  maxItems: BLOCK_ACCOUNTS_MAX,
  description: 'Each an IBAN, or the account, a semicolon, and its bank code or payment operator.',
})

export const AccountsBlockSchema = Type.Object(
  {
    ...WHOSE,
    accountNumbers: AccountNumbers,
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 250,
        pattern: PRINTABLE_PATTERN,
        description: 'Why, for those who read the list. No personal data.',
      }),
    ),
  },
  {
    title: 'AccountsBlock',
    examples: [{ merchantCode: 'DEMO', accountNumbers: ['XS00TEST0000000001'], note: 'Fraud report 7.' }],
  },
)
export const AccountsUnblockSchema = Type.Object(
  { ...WHOSE, accountNumbers: AccountNumbers },
  {
    title: 'AccountsUnblock',
    examples: [{ merchantCode: 'DEMO', accountNumbers: ['XS00TEST0000000001'] }],
  },
)

export const AccountsChangedSchema = Type.Object(
  {
    merchantCode: Type.Optional(Type.String({ description: 'Absent: for every merchant.' })),
    named: Type.Integer(),
    changed: Type.Integer({ description: 'Of these, how many were not so before.' }),
  },
  { title: 'AccountsChanged', examples: [{ merchantCode: 'DEMO', named: 1, changed: 1 }] },
)

/** Query of GET /operator/blocked-accounts. */
export const BlockedAccountsQuery = Type.Object({
  merchantCode: Type.Optional(MerchantCode),
  isForAll: Type.Optional(
    Type.Literal('true', { description: 'Only those that are blocked for every merchant.' }),
  ),
  limit: PageQuery.properties.limit,
})

export const BlockedAccountListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          merchantCode: Type.Optional(Type.String({ description: 'Absent: for every merchant.' })),
          accountDigest: Type.String({ description: 'Keyed; the account itself is not kept.' }),
          note: Type.Optional(Type.String()),
          createdBy: Type.String(),
          createdAt: TimestampSchema,
        },
        { title: 'BlockedAccount' },
      ),
      { description: 'The latest, the newest first.' },
    ),
  },
  {
    title: 'BlockedAccountList',
    examples: [
      {
        data: [
          {
            merchantCode: 'DEMO',
            accountDigest: '9d1d3f5b8b7c',
            note: 'Fraud report 7.',
            createdBy: 'ada',
            createdAt: '2026-11-21T10:15:28.001Z',
          },
        ],
      },
    ],
  },
)

const CurrencyCode = Type.String({ pattern: CURRENCY_CODE_PATTERN, examples: ['EUR'] })

export const PayoutRuleParams = Type.Object({ merchantCode: MerchantCode, currencyCode: CurrencyCode })
export const PayoutRulesParams = Type.Object({ merchantCode: MerchantCode })

const Amount = (description: string) =>
  Type.String({ pattern: '^[0-9]{1,40}(?:[.][0-9]{1,39})?$', description, examples: ['1000'] })

export const PayoutRuleSetSchema = Type.Object(
  {
    amountFrom: Type.Optional(Amount('This amount and more.')),
    newBeneficiary: Type.Optional(
      Type.Boolean({ description: 'When the merchant has never paid the account.' }),
    ),
    dailySumFrom: Type.Optional(Amount('When the payouts of the day (UTC) make this sum or more.')),
  },
  {
    title: 'PayoutRuleSet',
    description: 'Replaces the rule; what is left out makes no payout wait.',
    examples: [{ amountFrom: '1000', newBeneficiary: true }],
  },
)

const ShownAmount = Type.Unsafe<WireAmount>({ [EXACT_NUMBER]: true })
const RULE_EXAMPLE = { currencyCode: 'EUR', amountFrom: 1000, newBeneficiary: true }

export const PayoutRuleSchema = Type.Object(
  {
    currencyCode: CurrencyCode,
    amountFrom: Type.Optional(ShownAmount),
    newBeneficiary: Type.Boolean(),
    dailySumFrom: Type.Optional(ShownAmount),
  },
  { title: 'MerchantPayoutRule', examples: [RULE_EXAMPLE] },
)

export const PayoutRuleListSchema = Type.Object(
  { data: Type.Array(PayoutRuleSchema) },
  { title: 'PayoutRuleList', examples: [{ data: [RULE_EXAMPLE] }] },
)
