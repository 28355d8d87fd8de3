import { createHash } from 'node:crypto'
import { type Money, parseAmount } from '@tollgate/money'
import { Refusal } from '../../platform/refusal.ts'
import type { Merchant } from '../merchants/index.ts'

/** The claims of our auth tokens (specification 5.2), with `money` and `idPayment` beyond it. */
export interface TokenClaims {
  readonly operations: readonly string[]
  readonly sub: string
  readonly iat: number
  readonly exp: number
  readonly jti: string
  readonly money?: Money
  readonly idPayment?: string
  /** How often the merchant's tokens had been revoked all at once; absent for never. */
  readonly generation?: number
  /** The merchant's key or secret that proved the request: when it is removed, so is the token. Older tokens have none. */
  readonly credential?: string
}

/** Where the milliseconds begin: as seconds, this number lies in the year 5138. */
const MILLISECONDS_FROM = 100_000_000_000
/** Base64 of a signature by the longest key, 8192 bits, has 1 368 characters. */
const SIGNATURE_LENGTH_MAX = 1_400
const STRICT_BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** `timestamp` of a request in whole seconds; it may be given in seconds or milliseconds. */
export function timestampSeconds(timestamp: number): number {
  return timestamp < MILLISECONDS_FROM ? timestamp : Math.floor(timestamp / 1000)
}

/** True when the timestamp is at most the tolerance away from now, to either side. */
export function isTimely(timestamp: number, nowMs: number, toleranceSeconds: number): boolean {
  const timestampMs = timestamp < MILLISECONDS_FROM ? timestamp * 1000 : timestamp
  return Math.abs(nowMs - timestampMs) <= toleranceSeconds * 1000
}

/** Decodes X-SIGNATURE. Only canonical base64 counts: a lax decoder would let one signature have many spellings. */
export function decodeSignature(header: string): Buffer | undefined {
  if (header.length > SIGNATURE_LENGTH_MAX || !STRICT_BASE64.test(header)) return undefined
  const bytes = Buffer.from(header, 'base64')
  return bytes.toString('base64') === header ? bytes : undefined
}

/** The token id of a signed request: a function of the signature, so that a repeat gives the same token. */
export function jtiOfSignature(merchantCode: string, signature: Uint8Array): string {
  return createHash('sha256').update(`${merchantCode}\n`).update(signature).digest('base64url').slice(0, 32)
}

/** What a merchant's revocation of all tokens leaves behind. */
interface RevocationOfAll {
  readonly tokensNotBeforeSeconds: number | undefined
  readonly tokenGeneration: number
}

/**
 * True when the token was made before the merchant's tokens were revoked all at once. The time alone would spare a token
 * that was signed ahead of it; the generation alone would let an old signed request be turned into a new token. A token
 * of a later generation than we know was made by a process that heard of the revocation before us.
 */
export function isRevokedWithAll(
  claims: Pick<TokenClaims, 'iat' | 'generation'>,
  all: RevocationOfAll,
): boolean {
  if ((claims.generation ?? 0) < all.tokenGeneration) return true
  return all.tokensNotBeforeSeconds !== undefined && claims.iat < all.tokensNotBeforeSeconds
}

/** True when the key or secret under which the token was issued has been removed since. */
export function isCredentialRemoved(
  { credential }: Pick<TokenClaims, 'credential'>,
  { credentialIds }: { readonly credentialIds: ReadonlySet<string> },
): boolean {
  return credential !== undefined && !credentialIds.has(credential)
}

/** True while nobody has confirmed the key or secret under which the token was issued, and somebody has to. */
export function isCredentialHalf(
  { credential }: Pick<TokenClaims, 'credential'>,
  { halfCredentialIds }: { readonly halfCredentialIds: ReadonlySet<string> },
): boolean {
  return credential !== undefined && halfCredentialIds.has(credential)
}

const MOVED_RETRY_SECONDS = 5

/** Throws a refusal for a merchant that is not served here. One of another cell is asked to repeat: by then, the router leads there. */
export function requireActive({ merchantCode, status, cell }: Merchant): void {
  if (cell !== undefined)
    throw new Refusal('SYSTEM', {
      message: `The merchant ${merchantCode} has moved to cell ${cell}. Repeat the request.`,
      retryAfterSeconds: MOVED_RETRY_SECONDS,
    })
  if (status !== 'ACTIVE') throw new Refusal('MERCHANT_UNAVAILABLE')
}

/** The claims of a verified payload; undefined when one is missing or has the wrong type. */
export function claimsFrom(payload: Readonly<Record<string, unknown>>): TokenClaims | undefined {
  const { operations, sub, iat, exp, jti } = payload
  if (!isTextList(operations) || typeof sub !== 'string' || typeof jti !== 'string') return undefined
  if (!isSeconds(iat) || !isSeconds(exp)) return undefined
  const bounds = boundsFrom(payload)
  return bounds && { operations, sub, iat, exp, jti, ...bounds }
}

/** What narrows a token down beside its operations. An unreadable bound is no bound at all, so it is no token either. */
function boundsFrom({
  money,
  idPayment,
  generation,
  credential,
}: Readonly<Record<string, unknown>>):
  | Pick<TokenClaims, 'money' | 'idPayment' | 'generation' | 'credential'>
  | undefined {
  if (!isTextOrAbsent(idPayment) || !isIntegerOrAbsent(generation) || !isTextOrAbsent(credential))
    return undefined
  const bound = moneyOrAbsent(money)
  if (bound === 'UNREADABLE') return undefined
  return {
    ...(bound && { money: bound }),
    ...(idPayment !== undefined && { idPayment }),
    ...(generation !== undefined && { generation }),
    ...(credential !== undefined && { credential }),
  }
}

function moneyOrAbsent(value: unknown): Money | undefined | 'UNREADABLE' {
  return value === undefined ? undefined : (moneyFrom(value) ?? 'UNREADABLE')
}

function moneyFrom(value: unknown): Money | undefined {
  if (typeof value !== 'object' || value === null || !('amount' in value) || !('currencyCode' in value))
    return undefined
  if (typeof value.amount !== 'string' || typeof value.currencyCode !== 'string') return undefined
  const amount = parseAmount(value.amount)
  return amount === undefined ? undefined : { amount, currencyCode: value.currencyCode }
}

const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value)
const isIntegerOrAbsent = (value: unknown): value is number | undefined =>
  value === undefined || isSeconds(value)
const isTextOrAbsent = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string'
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
