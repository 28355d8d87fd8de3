import type { AuthTokenByActionRequest, AuthTokenRequest, WireMoney } from '@tollgate/contract'
import type { TokenAction } from '@tollgate/contract/words'
import {
  PAYIN_INFO_TOKEN_VALIDITY_SECONDS_MAX,
  TOKEN_LENGTH_MAX,
  TOKEN_VALIDITY_SECONDS_DEFAULT,
  TOKEN_VALIDITY_SECONDS_MAX,
} from '@tollgate/contract/words'
import { isPositive, type Money, parseAmount } from '@tollgate/money'
import type { Clock, Ids } from '@tollgate/runtime'
import { SignJWT } from 'jose'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Merchant, MerchantDirectory } from '../merchants/index.ts'
import { type CredentialRequest, type ProvenCredential, proveCredential } from './credentials.ts'
import type { Keyring } from './keyring.ts'
import { requireActive, type TokenClaims } from './model.ts'
import { compileOperations, operationsForAction } from './operations.ts'
import type { SignedRequests } from './signed-requests.ts'

interface TokenDeps {
  readonly merchants: MerchantDirectory
  readonly keyring: Keyring
  readonly secrets: Secrets
  readonly clock: Clock
  readonly ids: Ids
  readonly signedRequests: SignedRequests
  readonly environment: 'sandbox' | 'live'
  readonly timestampToleranceSeconds: number
}

/** The signed part of a token request, beside its parsed body. */
export type SignedParts = Pick<CredentialRequest, 'signatureHeader' | 'rawBody'>

export interface IssuedToken {
  readonly token: string
  readonly usedSecret: boolean
}

export interface TokenService {
  /** Proves the credential; the rate limit comes between this and the issue of the token. */
  prove(body: AuthTokenRequest | AuthTokenByActionRequest, parts: SignedParts): Promise<ProvenCredential>
  /** POST /auth-tokens (specification 5.2). Throws 400 for operations that do not compile. */
  issue(body: AuthTokenRequest, credential: ProvenCredential): Promise<IssuedToken>
  /** POST /auth-tokens-by-action (specification 5.2). */
  issueByAction(body: AuthTokenByActionRequest, credential: ProvenCredential): Promise<IssuedToken>
}

export const ISSUER = 'tollgate'
export const audienceOf = (environment: 'sandbox' | 'live'): string => `tollgate-${environment}`

export function createTokenService(deps: TokenDeps): TokenService {
  return {
    prove: (body, parts) =>
      proveCredential(
        {
          ...deps,
          nowMs: () => deps.clock.nowMs(),
          diagnosesSignatures: deps.environment === 'sandbox',
        },
        { merchantCode: body.merchantCode, secret: body.secret, timestamp: body.timestamp, ...parts },
      ),
    issue: (body, credential) => {
      requireCompilable(body.operations)
      return issue(deps, credential, {
        operations: body.operations,
        validitySecs: body.validitySecs,
        money: moneyOf(body.money),
      })
    },
    issueByAction: (body, credential) => {
      const { action } = body
      requireValidity(action, body.validitySecs)
      if (action === 'PAYIN_CREATE' && body.money === undefined && credential.merchant.requireMoneyInTokens)
        throw invalidField(
          'money',
          'is required in this merchant’s tokens for the payment page',
          'ATTRIBUTE_REQUIRED',
        )
      return issue(deps, credential, {
        operations: operationsForAction(action, body.idPayment),
        validitySecs: body.validitySecs,
        money: moneyOf(body.money),
        idPayment: body.idPayment,
      })
    },
  }
}

interface Grant {
  readonly operations: readonly string[]
  readonly validitySecs: number | undefined
  readonly money: Money | undefined
  readonly idPayment?: string
}

async function issue(deps: TokenDeps, credential: ProvenCredential, grant: Grant): Promise<IssuedToken> {
  requireActive(credential.merchant)
  const nowSeconds = Math.floor(deps.clock.nowMs() / 1000)
  const iat = credential.issuance?.iatSeconds ?? nowSeconds
  const exp = iat + (grant.validitySecs ?? TOKEN_VALIDITY_SECONDS_DEFAULT)
  requireLife(credential.merchant, { iat, exp, nowSeconds })
  const generation = await generationOf(deps, credential)
  const claims: TokenClaims = {
    operations: grant.operations,
    sub: credential.merchant.merchantCode,
    iat,
    exp,
    jti: credential.issuance?.jti ?? deps.ids.bytes(JTI_BYTES).toString('base64url'),
    ...(grant.money !== undefined && { money: grant.money }),
    ...(grant.idPayment !== undefined && { idPayment: grant.idPayment }),
    ...(generation > 0 && { generation }),
    credential: credential.credentialId,
  }
  const token = await signClaims(deps, claims)
  if (token.length > TOKEN_LENGTH_MAX) throw invalidField('operations', 'are too long to fit into a token')
  return { token, usedSecret: credential.usedSecret }
}

/** A token is a function of its signed request: one that would be refused everywhere is not issued. */
function requireLife(
  { tokensNotBeforeSeconds }: Merchant,
  { iat, exp, nowSeconds }: { readonly iat: number; readonly exp: number; readonly nowSeconds: number },
): void {
  if (tokensNotBeforeSeconds !== undefined && iat < tokensNotBeforeSeconds) throw new Refusal(...REVOKED)
  if (exp <= nowSeconds)
    throw new Refusal('SIGNATURE_INVALID', {
      message:
        'The token of this request has expired: its life begins at the signed timestamp. Sign a new request.',
    })
}

const REVOKED = [
  'SIGNATURE_INVALID',
  {
    message:
      'The tokens of this merchant were revoked after this request was signed, or in the same second. Sign a new request in a second.',
  },
] as const

/**
 * How often the merchant's tokens had been revoked when the request was first seen. A request that was signed ahead of our
 * clock would otherwise outlive a revocation: sent again, it would be a new token.
 */
async function generationOf(deps: TokenDeps, { merchant, issuance }: ProvenCredential): Promise<number> {
  const { merchantId, tokenGeneration: now } = merchant
  if (issuance === undefined) return now
  const first = await deps.signedRequests.remember({ merchantId, ...issuance, generation: now })
  if (first < now) throw new Refusal(...REVOKED)
  return first
}

const JTI_BYTES = 24

/** EdDSA is deterministic: the same claims under the same key are the same token. */
async function signClaims(deps: TokenDeps, claims: TokenClaims): Promise<string> {
  const { kid, privateKey } = deps.keyring.signingKey()
  return new SignJWT({
    ...claims,
    operations: [...claims.operations],
    iss: ISSUER,
    aud: audienceOf(deps.environment),
  })
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
    .sign(privateKey)
}

function requireCompilable(operations: readonly string[]): void {
  const outcome = compileOperations(operations)
  if (outcome.ok) return
  const problems = outcome.problems.toSorted((a, b) => a.index - b.index)
  const violations = problems.map((problem) => ({
    field: `operations.${String(problem.index)}`,
    code: 'ATTRIBUTE_VALUE_INVALID',
    message: problem.message,
  }))
  throw new Refusal('ATTRIBUTE_VALUE_INVALID', {
    message: `${violations[0]?.field ?? 'operations'}: ${violations[0]?.message ?? 'not valid'}`,
    violations,
  })
}

function requireValidity(action: TokenAction, validitySecs: number | undefined): void {
  const most = action === 'PAYIN_INFO' ? PAYIN_INFO_TOKEN_VALIDITY_SECONDS_MAX : TOKEN_VALIDITY_SECONDS_MAX
  if (validitySecs !== undefined && validitySecs > most)
    throw invalidField('validitySecs', `must be at most ${String(most)} for ${action}`)
}

function moneyOf(wire: WireMoney | undefined): Money | undefined {
  if (wire === undefined) return undefined
  const amount = parseAmount(typeof wire.amount === 'number' ? String(wire.amount) : wire.amount.text)
  if (amount === undefined || !isPositive(amount)) {
    throw invalidField('money.amount', 'must be a number greater than zero with at most 40 digits')
  }
  return { amount, currencyCode: wire.currencyCode }
}
