import { Type } from 'typebox'
import { oneOf, TimestampSchema } from './common.ts'
import { OPERATOR_ROLES } from './operator-roles.ts'

// Sessions of operators: how people sign in at the operator API.

const METHOD = oneOf(['KEY', 'PASSKEY', 'OIDC'], { description: 'How the operator signed in.' })

const SESSION = {
  id: Type.String(),
  method: METHOD,
  passkeyId: Type.Optional(Type.String({ description: 'The passkey that it was made with.' })),
  identityId: Type.Optional(
    Type.String({ description: 'The linked account of the provider of identities that it was made with.' }),
  ),
  createdAt: TimestampSchema,
  idleUntil: Type.String({ ...TimestampSchema, description: 'When it ends unless it is used again.' }),
  expireAt: Type.String({ ...TimestampSchema, description: 'When it ends, however much it is used.' }),
}
const SESSION_EXAMPLE = {
  id: 'ses_4Q7XWB2K9M',
  method: 'KEY',
  createdAt: '2026-11-21T10:15:28.001Z',
  idleUntil: '2026-11-21T10:45:28.001Z',
  expireAt: '2026-11-21T22:15:28.001Z',
}

export const OperatorSessionOpenedSchema = Type.Object(
  {
    session: Type.Object({
      ...SESSION,
      secret: Type.String({
        description: 'Told this once: only its hash is stored. Send it as a Bearer token.',
        examples: ['tgos_…'],
      }),
    }),
    operator: Type.Object({
      code: Type.String(),
      name: Type.String(),
      roles: Type.Array(oneOf(OPERATOR_ROLES), { description: 'What the session carries.' }),
    }),
  },
  {
    title: 'OperatorSessionOpened',
    examples: [
      {
        session: { ...SESSION_EXAMPLE, secret: 'tgos_…' },
        operator: { code: 'ada', name: 'Ada Lovelace', roles: ['APPROVER'] },
      },
    ],
  },
)

/** Query of GET /operator/sessions. */
export const OperatorSessionsQuery = Type.Object({
  operatorCode: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9._-]{2,64}$',
      description: 'Those of this operator. Absent: your own.',
      examples: ['ada'],
    }),
  ),
})

export const OperatorSessionListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          ...SESSION,
          keyId: Type.Optional(Type.String({ description: 'The key that it was made with.' })),
          lastUsedAt: Type.String({ ...TimestampSchema, description: 'To the minute.' }),
          isCurrent: Type.Boolean({ description: 'True for the session that asks.' }),
        },
        { title: 'OperatorSession' },
      ),
      { description: 'Those that have not ended, the newest first.' },
    ),
  },
  {
    title: 'OperatorSessionList',
    examples: [
      {
        data: [
          {
            ...SESSION_EXAMPLE,
            keyId: 'key_4Q7XWB2K9M',
            lastUsedAt: SESSION_EXAMPLE.createdAt,
            isCurrent: true,
          },
        ],
      },
    ],
  },
)

export const OperatorSessionParams = Type.Object({
  sessionId: Type.String({
    pattern: '^(?:current|ses_[A-Z0-9]{1,32})$',
    description: '`current` is the session that asks.',
    examples: ['current'],
  }),
})

export const OperatorSessionEndedSchema = Type.Object(
  { id: Type.String(), ended: Type.Literal(true) },
  { title: 'OperatorSessionEnded', examples: [{ id: SESSION_EXAMPLE.id, ended: true }] },
)
