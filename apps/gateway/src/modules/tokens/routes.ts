import { AuthTokenByActionRequestSchema, AuthTokenRequestSchema, AuthTokenSchema } from '@tollgate/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { operationsOf } from '../../http/operation.ts'
import type { ProvenCredential } from './credentials.ts'
import { JWKS_MAX_AGE_SECONDS, type Keyring } from './keyring.ts'
import type { IssuedToken, SignedParts, TokenService } from './service.ts'

const operation = operationsOf('Auth')

interface TokenRouteDeps {
  readonly tokens: TokenService
  readonly keyring: Keyring
  /** Counts the request against the merchant's rate limit; throws, or rejects, with 429. */
  readonly limit: (credential: ProvenCredential, reply: FastifyReply) => Promise<void> | undefined
}

/** Specification 4.6 and 5: tokens, and the public keys that verify them. */
export function tokenRoutes(app: App, deps: TokenRouteDeps): void {
  app.post(
    '/auth-tokens',
    {
      config: { access: 'versioned' },
      ...operation('createAuthToken', {
        summary: 'Create a token for operations',
        body: AuthTokenRequestSchema,
        response: { 200: AuthTokenSchema },
      }),
    },
    async (request, reply) => {
      const credential = await deps.tokens.prove(request.body, signedParts(request))
      await deps.limit(credential, reply)
      return answer(reply, await deps.tokens.issue(request.body, credential))
    },
  )

  app.post(
    '/auth-tokens-by-action',
    {
      config: { access: 'versioned' },
      ...operation('createAuthTokenByAction', {
        summary: 'Create a token for one payment',
        body: AuthTokenByActionRequestSchema,
        response: { 200: AuthTokenSchema },
      }),
    },
    async (request, reply) => {
      const credential = await deps.tokens.prove(request.body, signedParts(request))
      await deps.limit(credential, reply)
      return answer(reply, await deps.tokens.issueByAction(request.body, credential))
    },
  )

  app.get(
    '/.well-known/jwks.json',
    { config: { access: 'open' }, schema: { hide: true } },
    (_request, reply) =>
      reply
        .header('cache-control', `public, max-age=${JWKS_MAX_AGE_SECONDS}`)
        .send({ keys: deps.keyring.publicJwks() }),
  )
}

function signedParts(request: FastifyRequest): SignedParts {
  const header = request.headers['x-signature']
  return {
    signatureHeader: Array.isArray(header) ? header.join(',') : header,
    rawBody: request.rawBody ?? new Uint8Array(),
  }
}

/** RFC 9745: the credential `secret` has been deprecated since the first version of this gateway, 2026-01-01. */
const SECRET_DEPRECATED_SINCE = '@1767225600'

function answer(reply: FastifyReply, issued: IssuedToken): { token: string } {
  if (issued.usedSecret) void reply.header('deprecation', SECRET_DEPRECATED_SINCE)
  return { token: issued.token }
}
