import { Type } from 'typebox'
import { oneOf, PRINTABLE_PATTERN, TimestampSchema } from './common.ts'
import { MerchantCode } from './operator-parts.ts'
import { MEMBER_ROLES } from './operator-roles.ts'

// The operator API: people of merchants, who see their own merchant and nothing else.

export const MembersParams = Type.Object({ merchantCode: MerchantCode })
export const MemberParams = Type.Object({
  merchantCode: MerchantCode,
  operatorCode: Type.String({
    pattern: '^[a-z0-9._-]{2,64}@[A-Za-z0-9_-]{1,64}$',
    examples: ['lea@DEMO'],
  }),
})

const Role = oneOf(MEMBER_ROLES, {
  description:
    'STAFF reads what is the merchant’s and sends callbacks again; ADMIN also changes keys and invites people.',
  examples: ['STAFF'],
})

export const MemberAddSchema = Type.Object(
  {
    person: Type.String({
      pattern: '^[a-z0-9._-]{2,64}$',
      description:
        'With @ and the merchant’s code it is the permanent code under which everything is recorded.',
      examples: ['lea'],
    }),
    name: Type.String({ minLength: 1, maxLength: 140, pattern: PRINTABLE_PATTERN, examples: ['Lea Novak'] }),
    role: Role,
  },
  { title: 'MemberAdd', examples: [{ person: 'lea', name: 'Lea Novak', role: 'STAFF' }] },
)

export const MemberRoleSetSchema = Type.Object(
  { role: Role },
  { title: 'MemberRoleSet', examples: [{ role: 'ADMIN' }] },
)

const MEMBER = {
  operatorCode: Type.String(),
  merchantCode: Type.String(),
  name: Type.String(),
  role: Role,
  status: Type.String({ description: 'ACTIVE or DISABLED.', examples: ['ACTIVE'] }),
  createdAt: TimestampSchema,
}
const EXAMPLE = {
  operatorCode: 'lea@DEMO',
  merchantCode: 'DEMO',
  name: 'Lea Novak',
  role: 'STAFF',
  status: 'ACTIVE',
  createdAt: '2026-11-21T10:15:28.001Z',
}

export const MemberSchema = Type.Object(MEMBER, { title: 'Member', examples: [EXAMPLE] })

export const MemberListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          ...MEMBER,
          passkeys: Type.Integer({ description: 'How many are active. None: the person cannot sign in.' }),
          halfPasskeys: Type.Optional(
            Type.Array(Type.String(), {
              description:
                'Of those, what another ADMIN of the operators has to confirm before the person is more than STAFF. Told to operators.',
            }),
          ),
          invitedUntil: Type.Optional(
            Type.String({ ...TimestampSchema, description: 'When the open invitation expires.' }),
          ),
        },
        { title: 'ListedMember' },
      ),
      { description: 'All of them, by their codes.' },
    ),
  },
  { title: 'MemberList', examples: [{ data: [{ ...EXAMPLE, passkeys: 1, halfPasskeys: [] }] }] },
)

export const MemberInvitedSchema = Type.Object(
  {
    ...MEMBER,
    invitationId: Type.String(),
    secret: Type.String({ description: 'Told this once: only its hash is stored.', examples: ['tgoi_…'] }),
    link: Type.String({ description: 'What the person opens, at the console.' }),
    expireAt: TimestampSchema,
  },
  {
    title: 'MemberInvited',
    examples: [
      {
        ...EXAMPLE,
        invitationId: 'inv_4Q7XWB2K9M',
        secret: 'tgoi_…',
        link: 'https://console.example/invitation#tgoi_…',
        expireAt: '2026-11-22T10:15:28.001Z',
      },
    ],
  },
)
