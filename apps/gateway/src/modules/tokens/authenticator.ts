import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { Authenticator, Caller } from '../../http/authentication.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Merchant, MerchantDirectory } from '../merchants/index.ts'
import type { Keyring } from './keyring.ts'
import { claimsFrom, type TokenClaims } from './model.ts'
import { compileOperations, type Scope } from './operations.ts'
import { audienceOf, ISSUER } from './service.ts'
import { deleteOldRevocations, listRevocations } from './store.ts'

export interface AuthenticatorDeps {
  readonly db: Database
  readonly clock: Clock
  readonly changes: ConfigurationChanges
  readonly merchants: MerchantDirectory
  readonly keyring: Keyring
  readonly environment: 'sandbox' | 'live'
  readonly timestampToleranceSeconds: number
}

/** Verified tokens kept in memory; the oldest goes first. */
const TOKENS_CACHED_MAX = 20_000
/** Beyond this age of the revocation list nobody is let in: a revoked token must not work because we cannot see. */
const REVOCATIONS_STALE_MS_MAX = 30_000
const CLOCK_SKEW_SECONDS = 5

interface VerifiedToken {
  readonly claims: TokenClaims
  readonly scope: Scope
}

/** Verifies Bearer tokens (specification 5): the signature once, everything that can change on every request. */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator & { start(): Promise<void> } {
  const verified = new Map<string, VerifiedToken>()
  let revoked: ReadonlySet<string> = new Set()
  const reload = async (): Promise<void> => {
    revoked = await listRevocations(deps.db)
  }
  deps.changes.on('REVOCATIONS', reload)
  deps.changes.on('SIGNING_KEYS', () => verified.clear())

  function admit(token: VerifiedToken, merchant: Merchant | undefined): Caller {
    const { claims } = token
    const nowSeconds = deps.clock.nowMs() / 1000
    if (deps.changes.staleMs() > REVOCATIONS_STALE_MS_MAX) throw new Refusal('SYSTEM')
    if (nowSeconds >= claims.exp) throw new Refusal('TOKEN_EXPIRED')
    if (claims.iat > nowSeconds + deps.timestampToleranceSeconds + CLOCK_SKEW_SECONDS)
      throw new Refusal('TOKEN_INVALID')
    if (merchant === undefined || revoked.has(`${merchant.merchantId} ${claims.jti}`))
      throw new Refusal('TOKEN_INVALID')
    if (merchant.tokensNotBeforeSeconds !== undefined && claims.iat < merchant.tokensNotBeforeSeconds)
      throw new Refusal('TOKEN_INVALID')
    if (merchant.status !== 'ACTIVE') throw new Refusal('MERCHANT_UNAVAILABLE')
    return callerFrom(token, merchant)
  }

  async function authenticateSlowly(text: string): Promise<Caller> {
    const token = verified.get(text) ?? (await verifyToken(deps, text))
    verified.set(text, token)
    if (verified.size > TOKENS_CACHED_MAX) {
      const oldest = verified.keys().next()
      if (oldest.done !== true) verified.delete(oldest.value)
    }
    return admit(token, await deps.merchants.find(token.claims.sub))
  }

  return {
    async start() {
      await deleteOldRevocations(deps.db)
      await reload()
    },
    authenticate(text) {
      const token = verified.get(text)
      const merchant = token && deps.merchants.peek(token.claims.sub)
      return token !== undefined && merchant !== undefined ? admit(token, merchant) : authenticateSlowly(text)
    },
  }
}

async function verifyToken(deps: AuthenticatorDeps, text: string): Promise<VerifiedToken> {
  const payload = await verifiedPayload(deps, text)
  const claims = claimsFrom(payload)
  if (claims === undefined) throw new Refusal('TOKEN_INVALID')
  const outcome = compileOperations(claims.operations)
  if (!outcome.ok) throw new Refusal('TOKEN_INVALID')
  return { claims, scope: outcome.scope }
}

/** One algorithm, our own keys only, `typ`, issuer and audience checked; expiry is checked on every use instead. */
async function verifiedPayload(deps: AuthenticatorDeps, text: string): Promise<Record<string, unknown>> {
  let kid: string | undefined
  try {
    kid = decodeProtectedHeader(text).kid
  } catch {
    throw new Refusal('TOKEN_INVALID')
  }
  const key = kid === undefined ? undefined : await deps.keyring.verificationKey(kid)
  if (key === undefined) throw new Refusal('TOKEN_INVALID')
  try {
    const { payload } = await jwtVerify(text, key, {
      algorithms: ['EdDSA'],
      typ: 'JWT',
      issuer: ISSUER,
      audience: audienceOf(deps.environment),
      currentDate: new Date(deps.clock.nowMs()),
    })
    return payload
  } catch (error) {
    throw new Refusal(error instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID')
  }
}

function callerFrom(token: VerifiedToken, merchant: Merchant): Caller {
  const payment = token.scope.singlePaymentId
  return {
    merchantId: merchant.merchantId,
    merchantCode: merchant.merchantCode,
    allows: (method, path) => token.scope.allows(method, path),
    money: token.claims.money,
    bucket: {
      key:
        payment === undefined
          ? `merchant ${merchant.merchantId}`
          : `payment ${merchant.merchantId} ${payment.kind} ${payment.id}`,
      limitPerSecond: merchant.rateLimitPerSecond,
      name: payment === undefined ? 'merchant' : 'payment',
    },
  }
}
