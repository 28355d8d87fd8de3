import type { Clock } from '@tollgate/runtime'
import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { Caller } from '../../http/app-type.ts'
import type { Authenticator } from '../../http/gate.ts'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Merchant, MerchantDirectory } from '../merchants/index.ts'
import type { Keyring } from './keyring.ts'
import {
  claimsFrom,
  isCredentialHalf,
  isCredentialRemoved,
  isRevokedWithAll,
  requireActive,
  type TokenClaims,
} from './model.ts'
import { compileOperations, type Scope } from './operations.ts'
import { audienceOf, ISSUER } from './service.ts'
import { deleteOldRevocations, listRevocations } from './store.ts'

interface AuthenticatorDeps {
  readonly db: Database
  readonly clock: Clock
  readonly changes: ConfigurationChanges
  readonly merchants: MerchantDirectory
  readonly keyring: Keyring
  readonly environment: 'sandbox' | 'live'
  readonly timestampToleranceSeconds: number
  /** How many times a merchant's limit all of its one-payment tokens have together. */
  readonly customersRateFactor: number
}

/** Beyond this age of the revocation list nobody is let in: a revoked token must not work because we cannot see. */
const REVOCATIONS_STALE_MS_MAX = 30_000
const CLOCK_SKEW_SECONDS = 5
/** Of a token that is limited to one payment; a merchant whose own limit is higher has it here, too. */
const PAYMENT_RATE_PER_SECOND_MIN = 10

/** Verifies Bearer tokens (specification 5): the signature once, everything that can change on every request. */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator & { start(): Promise<void> } {
  const verified = createTokenCache()
  let revoked: ReadonlySet<string> = new Set()
  let keyChanges = 0
  const reload = async (): Promise<void> => {
    revoked = await listRevocations(deps.db)
  }
  deps.changes.on('REVOCATIONS', reload)
  deps.changes.on('SIGNING_KEYS', () => {
    keyChanges += 1
    verified.clear()
  })

  function admit(token: VerifiedToken, merchant: Merchant | undefined, graceSeconds: number): Caller {
    const { claims } = token
    const nowSeconds = deps.clock.nowMs() / 1000
    if (deps.changes.staleMs() > REVOCATIONS_STALE_MS_MAX) throw new Refusal('SYSTEM')
    if (nowSeconds >= endOf(token, graceSeconds)) throw new Refusal('TOKEN_EXPIRED')
    if (claims.iat > nowSeconds + deps.timestampToleranceSeconds + CLOCK_SKEW_SECONDS)
      throw new Refusal('TOKEN_INVALID')
    if (merchant === undefined || isRevoked(revoked, claims, merchant)) throw new Refusal('TOKEN_INVALID')
    requireActive(merchant)
    return callerFrom(token, merchant, deps.customersRateFactor)
  }

  async function verifiedToken(text: string, graceSeconds: number): Promise<VerifiedToken> {
    const known = verified.find(text)
    if (known !== undefined) return known
    const before = keyChanges
    const token = await verifyToken(deps, text, graceSeconds)
    // A key that was withdrawn meanwhile may be the one that verified it.
    if (before === keyChanges) verified.keep(text, token)
    return token
  }

  async function authenticateSlowly(text: string, graceSeconds: number): Promise<Caller> {
    const token = await verifiedToken(text, graceSeconds)
    return admit(token, await merchantOf(token), graceSeconds)
  }

  /** The credentials that were looked for in the database, and were not there, by the merchant as it was in memory. */
  const missing = new WeakMap<Merchant, Set<string>>()

  /** A key may be so new that this process has not heard of it: the database knows, and is asked once. */
  async function merchantOf({ claims }: VerifiedToken): Promise<Merchant | undefined> {
    const merchant = await deps.merchants.find(claims.sub)
    if (merchant === undefined || !isCredentialRemoved(claims, merchant)) return merchant
    const known = missing.get(merchant) ?? new Set()
    missing.set(merchant, known)
    if (claims.credential === undefined || known.has(claims.credential)) return merchant
    const fresh = await deps.merchants.lookUp(claims.sub)
    if (fresh !== undefined && !isCredentialRemoved(claims, fresh)) return fresh
    known.add(claims.credential)
    return merchant
  }

  return {
    async start() {
      await deleteOldRevocations(deps.db)
      await reload()
    },
    authenticate(text, graceSeconds = 0) {
      const token = verified.find(text)
      const merchant = token && deps.merchants.peek(token.claims.sub)
      return token !== undefined && merchant !== undefined && !isCredentialRemoved(token.claims, merchant)
        ? admit(token, merchant, graceSeconds)
        : authenticateSlowly(text, graceSeconds)
    },
  }
}

function isRevoked(revoked: ReadonlySet<string>, claims: TokenClaims, merchant: Merchant): boolean {
  if (isRevokedWithAll(claims, merchant) || isCredentialRemoved(claims, merchant)) return true
  return revoked.has(`${merchant.merchantId} ${claims.jti}`)
}

/** When it is no longer taken, in seconds since 1970. Only a token for one payment may outlive itself. */
function endOf({ claims, scope }: VerifiedToken, graceSeconds: number): number {
  return claims.exp + (scope.singlePaymentId === undefined ? 0 : graceSeconds)
}

async function verifyToken(
  deps: AuthenticatorDeps,
  text: string,
  graceSeconds: number,
): Promise<VerifiedToken> {
  const payload = await verifiedPayload(deps, text, graceSeconds)
  const claims = claimsFrom(payload)
  if (claims === undefined) throw new Refusal('TOKEN_INVALID')
  const outcome = compileOperations(claims.operations)
  if (!outcome.ok) throw new Refusal('TOKEN_INVALID')
  return { claims, scope: outcome.scope }
}

/** One algorithm, our own keys only, `typ`, issuer and audience checked; expiry is checked on every use instead. */
async function verifiedPayload(
  deps: AuthenticatorDeps,
  text: string,
  graceSeconds: number,
): Promise<Record<string, unknown>> {
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
      clockTolerance: graceSeconds,
    })
    return payload
  } catch (error) {
    throw new Refusal(error instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID')
  }
}

function callerFrom(token: VerifiedToken, merchant: Merchant, customersRateFactor: number): Caller {
  return {
    merchantId: merchant.merchantId,
    merchantCode: merchant.merchantCode,
    allows: token.scope.allows,
    money: token.claims.money,
    isMoneyMissing: merchant.requireMoneyInTokens && token.claims.money === undefined,
    ...(isCredentialHalf(token.claims, merchant) && { isCredentialHalf: true }),
    bucket: bucketOf(token, merchant),
    ...(token.scope.readsOnePayin && { browserOrigins: merchant.browserOrigins }),
    ...(token.scope.singlePaymentId !== undefined && {
      sharedBucket: {
        key: `customers ${merchant.merchantId}`,
        limitPerSecond: merchant.rateLimitPerSecond * customersRateFactor,
        name: 'customers',
      },
    }),
  }
}

/** Customers who wait for one payment share a bucket of their own, so that they never use up the shop's. */
function bucketOf({ scope }: VerifiedToken, merchant: Merchant): Caller['bucket'] {
  const payment = scope.singlePaymentId
  if (payment === undefined) {
    return {
      key: `merchant ${merchant.merchantId}`,
      limitPerSecond: merchant.rateLimitPerSecond,
      name: 'merchant',
    }
  }
  return {
    key: `payment ${merchant.merchantId} ${payment.kind} ${payment.id}`,
    limitPerSecond: Math.max(PAYMENT_RATE_PER_SECOND_MIN, merchant.rateLimitPerSecond),
    name: 'payment',
  }
}

/** A token whose signature holds: what it says, and what it permits. */
export interface VerifiedToken {
  readonly claims: TokenClaims
  readonly scope: Scope
}

/** Remembers verified tokens by their text. */
interface TokenCache {
  find(text: string): VerifiedToken | undefined
  keep(text: string, token: VerifiedToken): void
  clear(): void
}

export const TOKENS_CACHED_MAX = 20_000
/** A token may have 14 000 characters; 20 000 of those, and what they permit, would be half a gigabyte. */
export const CHARACTERS_CACHED_MAX = 20_000_000

/** The token that was kept first goes first, once there are too many or they are too long together. */
export function createTokenCache(): TokenCache {
  const tokens = new Map<string, VerifiedToken>()
  let characters = 0

  function drop(text: string): void {
    if (tokens.delete(text)) characters -= text.length
  }

  return {
    find: (text) => tokens.get(text),
    keep(text, token) {
      drop(text)
      tokens.set(text, token)
      characters += text.length
      for (const oldest of tokens.keys()) {
        if (tokens.size <= TOKENS_CACHED_MAX && characters <= CHARACTERS_CACHED_MAX) return
        drop(oldest)
      }
    },
    clear() {
      tokens.clear()
      characters = 0
    },
  }
}
