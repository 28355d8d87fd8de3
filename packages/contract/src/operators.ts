import { type Static, Type } from 'typebox'
import { OPERATOR_PERMISSIONS, OPERATOR_ROLES } from './operator-roles.ts'

// The operator API: for the people who run the gateway, apart from what merchants call.

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
