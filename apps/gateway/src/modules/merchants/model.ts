import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import type { LogoReference } from './logo.ts'

/** What the payment page may show of a merchant (specification 2.8). */
export interface ChannelInfo {
  readonly name: string
  readonly logoUrl?: string
  /** In pixels. */
  readonly logoWidth?: number
  readonly logoHeight?: number
  readonly supportEmail?: string
  readonly supportUrl?: string
  readonly primaryColor?: string
}

export interface MerchantKey {
  readonly keyId: string
  readonly publicKey: KeyObject
  readonly bits: number
}

/** A merchant with the credentials that are active now. `merchantId` is ours and never leaves the gateway; `merchantCode` is the public name. */
export interface Merchant {
  readonly merchantId: string
  readonly merchantCode: string
  /** Of another cell, it is disabled here, whatever it is there. */
  readonly status: 'ACTIVE' | 'DISABLED'
  /** The cell that has the merchant now, where that is another one. */
  readonly cell?: string
  readonly channel: ChannelInfo
  readonly logo?: LogoReference
  readonly rateLimitPerSecond: number
  readonly secretEnabled: boolean
  /** The origins of both kinds of addresses, unless one has a list of its own; empty means any. */
  readonly allowedOrigins: readonly string[]
  /** The origins that callback URLs must have: an empty list allows none, undefined any. */
  readonly callbackOrigins: readonly string[] | undefined
  /** The same of return URLs. */
  readonly returnOrigins: readonly string[] | undefined
  /** The segments that count for the merchant; undefined means all. */
  readonly segments: readonly string[] | undefined
  /** Whether its tokens for the payment page must carry the money. */
  readonly requireMoneyInTokens: boolean
  readonly tokensNotBeforeSeconds: number | undefined
  /** Grows whenever all tokens of the merchant are revoked. */
  readonly tokenGeneration: number
  readonly callbackKeyGeneration: number
  /** Of the latest shared secret for callbacks; 0 before the first. */
  readonly callbackSecretGeneration: number
  /** How many of the latest shared secrets sign: 0, 1, or 2 after a rotation. */
  readonly callbackSecretsSigning: number
  /** From where browsers may read a payin, with a token that permits that alone. */
  readonly browserOrigins: readonly string[]
  readonly keys: readonly MerchantKey[]
  readonly secretIds: readonly string[]
  /** In the order of their ids. */
  readonly secretHashes: readonly Buffer[]
  /** Of all keys and secrets that are active: tokens that were issued under another are no longer accepted. */
  readonly credentialIds: ReadonlySet<string>
  /** Of those, the ones that one operator of the house added and no other has confirmed: payouts by them wait for approval. */
  readonly halfCredentialIds: ReadonlySet<string>
}

/** Who adds a credential, and whether another ADMIN has to vouch for it; undefined for the command line, whose word is whole. */
export interface Maker {
  readonly madeBy: string
  readonly isHalf: boolean
}

/** A key or secret that is active. */
export interface Credential {
  readonly type: 'KEY' | 'SECRET'
  readonly id: string
  readonly createdAt: Date
  readonly fingerprint: string | undefined
  readonly madeBy: string | undefined
  /** True while payouts by it wait for approval, whatever the merchant's rules say. */
  readonly isHalf: boolean
  readonly confirmedBy: string | undefined
}

export const MERCHANT_CODE_PATTERN = /^[A-Za-z0-9_-]{1,64}$/
export const KEYS_ACTIVE_MAX = 5
export const SECRETS_ACTIVE_MAX = 2
const RSA_BITS_MIN = 2048
const RSA_BITS_MAX = 8192
const RSA_EXPONENT = 65_537n

type KeyIntake =
  | {
      readonly ok: true
      readonly publicKey: KeyObject
      readonly pem: string
      readonly fingerprint: string
      readonly bits: number
    }
  | { readonly ok: false; readonly problem: string }

/** Checks a public key that a merchant hands in: RSA, SPKI in PEM, at least 2048 bits, exponent 65537. */
export function takeInPublicKey(pem: string): KeyIntake {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    return no(
      'This is a PRIVATE key. Treat it as disclosed: make a new pair and register the public key only.',
    )
  }
  if (/-----BEGIN CERTIFICATE-----/.test(pem))
    return no('This is a certificate. Extract its public key (PEM, "BEGIN PUBLIC KEY").')
  const trimmed = pem.trim()
  if (!/^-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----$/.test(trimmed)) {
    return no('This is not a public key in PEM: it must begin with "-----BEGIN PUBLIC KEY-----".')
  }
  let publicKey: KeyObject
  try {
    publicKey = createPublicKey(trimmed)
  } catch {
    return no('The public key cannot be read: its PEM is damaged.')
  }
  const problem = weakness(publicKey)
  if (problem !== undefined) return no(problem)
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return {
    ok: true,
    publicKey,
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    fingerprint: createHash('sha256').update(der).digest('hex'),
    bits: publicKey.asymmetricKeyDetails?.modulusLength ?? 0,
  }
}

const no = (problem: string): KeyIntake => ({ ok: false, problem })

function weakness(key: KeyObject): string | undefined {
  if (key.asymmetricKeyType !== 'rsa')
    return 'The key must be an RSA key: requests are signed with SHA256withRSA.'
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < RSA_BITS_MIN) return `The RSA key has ${bits} bits; at least ${RSA_BITS_MIN} are needed.`
  if (bits > RSA_BITS_MAX) return `The RSA key has ${bits} bits; at most ${RSA_BITS_MAX} are supported.`
  if (key.asymmetricKeyDetails?.publicExponent !== RSA_EXPONENT)
    return 'The RSA key must have the public exponent 65537.'
  return undefined
}
