import { TokenRevokedSchema, TokenRevokeSchema } from '@tollgate/contract'
import type { Clock } from '@tollgate/runtime'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { invalidField } from '../../platform/refusal.ts'
import type { MerchantService } from '../merchants/index.ts'
import { readToken, type TokenAdministration } from './administration.ts'

const operation = operatorOperationsOf('Merchants')

interface TokenOperatorDeps {
  readonly tokens: Pick<TokenAdministration, 'judgeSignature' | 'revoke'>
  readonly merchants: Pick<MerchantService, 'show'>
  readonly clock: Clock
}

const TOKEN_READ_MAX = 65_536

/** Tokens for operators: revoking one. It comes in the body, so that no log of addresses holds it. */
export function tokenOperatorRoutes(app: App, { tokens, merchants, clock }: TokenOperatorDeps): void {
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
