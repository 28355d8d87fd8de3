import { type Static, Type } from 'typebox'
import { DOCUMENTED, ID_PATTERN, oneOf, RequestedMoneySchema } from './common.ts'
import { EXAMPLES } from './examples.ts'
import { TOKEN_ACTIONS } from './payment-words.ts'
import {
  PAYIN_INFO_TOKEN_VALIDITY_SECONDS_MAX,
  TOKEN_VALIDITY_SECONDS_DEFAULT,
  TOKEN_VALIDITY_SECONDS_MAX,
} from './token-limits.ts'

const MerchantCode = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]+$',
  examples: ['DEMO'],
})
const Timestamp = Type.Integer({
  minimum: 0,
  maximum: 99_999_999_999_999,
  description: 'Time of signing: seconds, or milliseconds from 100000000000 on. Required with X-SIGNATURE.',
  examples: [1795255200],
})
const Secret = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'Deprecated credential; sign with X-SIGNATURE instead.',
})

const Operation = Type.String({
  minLength: 1,
  maxLength: 300,
  examples: ['POST /payins/.*'],
  [DOCUMENTED]: { pattern: '^(?:GET|POST|PUT|PATCH|DELETE) [\\x21-\\x7e]+$' },
})

const validity = (maximum: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      default: TOKEN_VALIDITY_SECONDS_DEFAULT,
      description: 'Lifetime in seconds.',
    }),
  )

/** Body of POST /auth-tokens (specification 5.2). */
export const AuthTokenRequestSchema = Type.Object(
  {
    merchantCode: MerchantCode,
    validitySecs: validity(TOKEN_VALIDITY_SECONDS_MAX),
    operations: Type.Array(Operation, {
      minItems: 1,
      maxItems: 50,
      description:
        'Each an HTTP method, a space and a path, which may be a regular expression without counted repetition and look-around.',
    }),
    money: Type.Optional(RequestedMoneySchema),
    timestamp: Type.Optional(Timestamp),
    secret: Type.Optional(Secret),
  },
  { title: 'AuthTokenRequest', examples: [EXAMPLES.authTokenRequest] },
)
export type AuthTokenRequest = Static<typeof AuthTokenRequestSchema>

/** Body of POST /auth-tokens-by-action (specification 5.2). */
export const AuthTokenByActionRequestSchema = Type.Object(
  {
    merchantCode: MerchantCode,
    validitySecs: validity(PAYIN_INFO_TOKEN_VALIDITY_SECONDS_MAX),
    action: oneOf(TOKEN_ACTIONS),
    idPayment: Type.String({ pattern: ID_PATTERN, examples: ['ORD-2026-041'] }),
    money: Type.Optional(RequestedMoneySchema),
    timestamp: Type.Optional(Timestamp),
    secret: Type.Optional(Secret),
  },
  {
    title: 'AuthTokenByActionRequest',
    description: `A token of an action other than PAYIN_INFO lives for ${TOKEN_VALIDITY_SECONDS_MAX} seconds at most.`,
    [DOCUMENTED]: {
      if: { properties: { action: { not: { const: 'PAYIN_INFO' } } } },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
      then: { properties: { validitySecs: { maximum: TOKEN_VALIDITY_SECONDS_MAX } } },
    },
  },
)
export type AuthTokenByActionRequest = Static<typeof AuthTokenByActionRequestSchema>

export const AuthTokenSchema = Type.Object(
  { token: Type.String({ description: 'A JWT.' }) },
  { title: 'AuthToken', examples: [EXAMPLES.authToken] },
)
