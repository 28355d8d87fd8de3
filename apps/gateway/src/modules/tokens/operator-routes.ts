import {
  answers,
  SigningKeyListSchema,
  SigningKeyRotatedSchema,
  SigningKeyRotateSchema,
  TokenRevokedSchema,
  TokenRevokeSchema,
} from '@tollgate/contract'
import type { Clock } from '@tollgate/runtime'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { invalidField } from '../../platform/refusal.ts'
import type { MerchantService } from '../merchants/index.ts'
import { readToken, type TokenAdministration } from './administration.ts'
import type { Keyring } from './keyring.ts'

const operation = operatorOperationsOf('Merchants')

interface TokenOperatorDeps {
  readonly tokens: Pick<TokenAdministration, 'judgeSignature' | 'listKeys' | 'revoke'>
  readonly keyring: Pick<Keyring, 'rotate'>
  readonly merchants: Pick<MerchantService, 'show'>
  readonly clock: Clock
}

const TOKEN_READ_MAX = 65_536

/** Tokens for operators, and the keys that sign them. */
export function tokenOperatorRoutes(app: App, deps: TokenOperatorDeps): void {
  revokeRoute(app, deps)
  signingKeyRoutes(app, deps)
}

/** The token comes in the body, so that no log of addresses holds it. */
function revokeRoute(app: App, { tokens, merchants, clock }: TokenOperatorDeps): void {
  app.post(
    '/operator/tokens/!revoke',
    operation(
      'revokeToken',
      'merchants.change',
      {
        summary: 'Revoke one token; doing it twice changes nothing',
        body: TokenRevokeSchema,
        response: { 200: TokenRevokedSchema },
      },
      { stringCharactersMax: TOKEN_READ_MAX },
    ),
    async ({ body: { token } }) => {
      const claims = readToken(token)?.claims
      if (claims === undefined) throw invalidField('token', 'is not a token of Tollgate')
      // A forged one must not revoke the real one, whose id it may carry.
      if ((await tokens.judgeSignature(token)) !== 'VALID')
        throw invalidField('token', 'was not signed by this installation, so it opens nothing here')
      const { merchant } = await merchants.show(claims.sub)
      await tokens.revoke(merchant, claims)
      return {
        merchantCode: claims.sub,
        jti: claims.jti,
        revoked: true as const,
        expired: clock.nowMs() >= claims.exp * 1000,
      }
    },
  )
}

function signingKeyRoutes(app: App, { tokens, keyring }: TokenOperatorDeps): void {
  app.get(
    '/operator/signing-keys',
    operation('listSigningKeys', 'merchants.read', {
      summary: 'The keys that sign tokens, without their private halves',
      response: { 200: SigningKeyListSchema },
    }),
    async () => ({
      data: (await tokens.listKeys()).map(({ kid, status, createdAt, signsFrom, replacedAt }) => ({
        kid,
        status,
        createdAt: createdAt.toISOString(),
        signsFrom: signsFrom.toISOString(),
        replacedAt: replacedAt?.toISOString(),
      })),
    }),
  )
  app.post(
    '/operator/signing-keys/!rotate',
    operation('rotateSigningKey', 'merchants.change', {
      summary: 'Publish a new key, which signs new tokens three minutes later',
      description:
        'Tokens of the key before stay valid until they expire. Until the new key signs, another rotation is refused, unless with `signsNow`.',
      body: SigningKeyRotateSchema,
      response: answers({ 200: SigningKeyRotatedSchema }, 409),
    }),
    async ({ body: { signsNow = false } }) => {
      const { kid, signsFrom } = await keyring.rotate(signsNow ? 'NOW' : 'WHEN_PUBLISHED')
      return { kid, signsFrom: signsFrom.toISOString() }
    },
  )
}
