import { Type } from 'typebox'
import { TimestampSchema } from './common.ts'

// Operators who sign in by a provider of identities (OpenID Connect): linking an account, signing in, and looking after links.

export const SignInWaysSchema = Type.Object(
  {
    passkeys: Type.Boolean(),
    oidc: Type.Optional(
      Type.Object(
        { name: Type.String({ examples: ['Example Corp'] }) },
        { description: 'Absent where no provider of identities is configured.' },
      ),
    ),
  },
  { title: 'SignInWays', examples: [{ passkeys: true, oidc: { name: 'Example Corp' } }] },
)

export const OidcBegunSchema = Type.Object(
  {
    authorizationUrl: Type.String({ description: 'Where the browser is sent.' }),
    browserSecret: Type.String({
      description: 'For a cookie of this browser, until it comes back: without it nothing can be finished.',
    }),
  },
  {
    title: 'OidcBegun',
    examples: [{ authorizationUrl: 'https://login.example/authorize?client_id=…', browserSecret: 'mF3x…' }],
  },
)

/** Body of POST /operator/sessions/oidc/!finish and /operator/identities/!finish. */
export const OidcBroughtBackSchema = Type.Object(
  {
    state: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', examples: ['A'.repeat(43)] }),
    browserSecret: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', examples: ['B'.repeat(43)] }),
    code: Type.Optional(Type.String({ pattern: '^[!-~]{1,4000}$', examples: ['SplxlOBeZQQYbYS6WxSbIA'] })),
    iss: Type.Optional(
      Type.String({
        pattern: '^[!-~]{1,2000}$',
        description: 'By it one provider is told from another (RFC 9207).',
        examples: ['https://login.example'],
      }),
    ),
    error: Type.Optional(
      Type.String({
        pattern: '^[!-~]{1,100}$',
        description: 'Instead of a code, where the provider refused.',
        examples: ['access_denied'],
      }),
    ),
  },
  {
    title: 'OidcBroughtBack',
    description: 'What the browser kept, and what the provider sent it back with.',
    examples: [
      {
        state: 'A'.repeat(43),
        browserSecret: 'B'.repeat(43),
        code: 'SplxlOBeZQQYbYS6WxSbIA',
        iss: 'https://login.example',
      },
    ],
  },
)

const IDENTITY = {
  identityId: Type.String(),
  issuer: Type.String({ description: 'The provider.' }),
  subject: Type.String({ description: 'What the provider calls the account for good.' }),
  createdAt: TimestampSchema,
  lastUsedAt: Type.Optional(TimestampSchema),
  isHalf: Type.Boolean({
    description:
      'True while it carries no role but AUDITOR, SUPPORT and CATALOGUE: another ADMIN confirms it.',
  }),
  invitedBy: Type.Optional(
    Type.String({
      description: 'The ADMIN who invited the operator, and so does not confirm it.',
      examples: ['alan'],
    }),
  ),
  confirmedBy: Type.Optional(Type.String({ description: 'The ADMIN who confirmed it.' })),
}
const IDENTITY_EXAMPLE = {
  identityId: 'oid_4Q7XWB2K9M',
  issuer: 'https://login.example',
  subject: '248289761001',
  createdAt: '2026-11-26T10:15:28.001Z',
  isHalf: true,
  invitedBy: 'alan',
}
const FINGERPRINT = '7KQ2-M8X4-TJ5N'

export const OperatorIdentitySchema = Type.Object(IDENTITY, {
  title: 'OperatorIdentity',
  examples: [IDENTITY_EXAMPLE],
})

export const IdentityLinkedSchema = Type.Object(
  {
    ...IDENTITY,
    fingerprint: Type.String({
      description: 'Told this once, and to nobody else. The ADMIN who confirms the account asks for it.',
      examples: [FINGERPRINT],
    }),
  },
  { title: 'IdentityLinked', examples: [{ ...IDENTITY_EXAMPLE, fingerprint: FINGERPRINT }] },
)

/** Query of GET /operator/identities. */
export const OperatorIdentitiesQuery = Type.Object({
  operatorCode: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9._-]{2,64}$',
      description: 'Those of this operator. Absent: your own.',
      examples: ['ada'],
    }),
  ),
})

export const OperatorIdentityListSchema = Type.Object(
  { data: Type.Array(OperatorIdentitySchema, { description: 'The oldest first.' }) },
  { title: 'OperatorIdentityList', examples: [{ data: [IDENTITY_EXAMPLE] }] },
)

export const OperatorIdentityParams = Type.Object({
  identityId: Type.String({ pattern: '^oid_[A-Z0-9]{1,32}$', examples: [IDENTITY_EXAMPLE.identityId] }),
})

export const IdentityConfirmSchema = Type.Object(
  {
    fingerprint: Type.String({
      pattern: '^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$',
      description: 'As the operator was shown it. Ask in person.',
      examples: [FINGERPRINT],
    }),
  },
  { title: 'IdentityConfirm', examples: [{ fingerprint: FINGERPRINT }] },
)

export const OperatorIdentityRemovedSchema = Type.Object(
  { identityId: Type.String(), removed: Type.Literal(true) },
  {
    title: 'OperatorIdentityRemoved',
    examples: [{ identityId: IDENTITY_EXAMPLE.identityId, removed: true }],
  },
)
