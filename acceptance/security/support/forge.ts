import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Gateway } from './gateway.ts'
import type { Merchant } from './merchant.ts'
import { nowSeconds } from './token-request.ts'

export type Json = Readonly<Record<string, unknown>>

export const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A compact JWS with any header and any payload, signed by any ed25519 key. */
export function jws(header: Json, payload: unknown, key: KeyObject): string {
  const content = `${encode(header)}.${encode(payload)}`
  return `${content}.${sign(null, Buffer.from(content), key).toString('base64url')}`
}

/** The same with HMAC, as one who knows the public key might try. */
export function hmacJws(header: Json, payload: Json, secret: string | Uint8Array): string {
  const content = `${encode(header)}.${encode(payload)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

/** A key whose private half the test has. */
interface KnownKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export function newKey(kid: string): KnownKey {
  return { kid, ...generateKeyPairSync('ed25519') }
}

/**
 * Makes the gateway trust the key as one of its own old ones: with it, a token can be wrong in one single point, which no
 * token signed by a stranger can.
 */
export async function trustKey(gateway: Gateway, { kid, publicKey }: KnownKey): Promise<void> {
  await gateway.sql(
    `insert into token_signing_keys (kid, private_key_sealed, public_key_pem, status, replaced_at)
     values ($1, $2, $3, 'VERIFY_ONLY', now())`,
    [kid, randomBytes(64), publicKey.export({ type: 'spki', format: 'pem' })],
  )
}

/** Claims that the gateway accepts. */
export function goodClaims(merchant: Pick<Merchant, 'merchantCode'>, more: Json = {}): Json {
  const iat = nowSeconds()
  return {
    operations: ['GET /.*', 'POST /.*'],
    sub: merchant.merchantCode,
    iat,
    exp: iat + 600,
    jti: randomBytes(12).toString('base64url'),
    iss: 'tollgate',
    aud: 'tollgate-sandbox',
    ...more,
  }
}
