import { type Static, Type } from 'typebox'

// The operator API: for the people who run the gateway, apart from what merchants call.

/** What an operator is trusted with. */
export const OPERATOR_ROLES = ['AUDITOR', 'SUPPORT', 'FINANCE', 'APPROVER', 'CATALOGUE', 'ADMIN'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** What an operation of the operator API can ask for: a noun and what is done with it. */
export const OPERATOR_PERMISSIONS = [
  'self.read',
  'payins.read',
  'payins.change',
  'payouts.read',
  'payouts.approve',
  'topups.read',
  'topups.change',
  'payout-files.read',
  'payout-files.change',
  'reviews.read',
  'reviews.decide',
  'callbacks.read',
  'callbacks.resend',
  'ledger.read',
  'ledger.adjust',
  'settlements.read',
  'settlements.run',
  'statements.read',
  'statements.take',
  'statements.decide',
  'rates.read',
  'rates.change',
  'customers.read',
  'customers.change',
  'catalogue.read',
  'catalogue.change',
  'institutions.read',
  'institutions.change',
  'merchants.read',
  'merchants.change',
  'operators.read',
  'operators.change',
] as const
export type OperatorPermission = (typeof OPERATOR_PERMISSIONS)[number]

const oneOf = <Text extends string>(texts: readonly Text[]) =>
  Type.Union(texts.map((text) => Type.Literal(text)))

export const OperatorSelfSchema = Type.Object(
  {
    operatorCode: Type.String({ description: 'The name under which everything you do is recorded.' }),
    name: Type.String(),
    roles: Type.Array(oneOf(OPERATOR_ROLES)),
    permissions: Type.Array(oneOf(OPERATOR_PERMISSIONS), {
      description: 'What your roles permit, all of them together.',
    }),
  },
  {
    title: 'OperatorSelf',
    examples: [
      {
        operatorCode: 'ada',
        name: 'Ada Lovelace',
        roles: ['APPROVER'],
        permissions: ['self.read', 'payouts.read', 'payouts.approve'],
      },
    ],
  },
)
export type OperatorSelf = Static<typeof OperatorSelfSchema>
