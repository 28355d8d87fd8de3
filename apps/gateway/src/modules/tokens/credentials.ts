import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { drawBytes } from '../../platform/chance.ts'
import { minifyJson } from '../../platform/json/index.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type Merchant, type MerchantDirectory, secretMatches } from '../merchants/index.ts'
import { decodeSignature, isTimely, jtiOfSignature, timestampSeconds } from './model.ts'

export interface CredentialDeps {
  readonly merchants: MerchantDirectory
  readonly secrets: Secrets
  readonly nowMs: () => number
  readonly timestampToleranceSeconds: number
}

/** A token request as it came: what was signed is the bytes, never a re-serialised body. */
export interface CredentialRequest {
  readonly merchantCode: string
  readonly secret: string | undefined
  readonly timestamp: number | undefined
  readonly signatureHeader: string | undefined
  readonly rawBody: Uint8Array
}

/** A proven credential. With a signature, `issuance` fixes the token's time and id, so that a repeat gives the same token. */
export interface ProvenCredential {
  readonly merchant: Merchant
  readonly issuance: { readonly iatSeconds: number; readonly jti: string } | undefined
  readonly usedSecret: boolean
}

/**
 * Proves who asks for a token (specification 5.1). A signature that is sent must hold, without falling back to a secret;
 * if both are sent, both must hold. An unknown merchant costs the same work and gets the same answer as a wrong credential.
 */
export async function proveCredential(
  deps: CredentialDeps,
  request: CredentialRequest,
): Promise<ProvenCredential> {
  requireCredential(request)
  const merchant = await deps.merchants.find(request.merchantCode)
  const signature = proveSignature(merchant, request)
  if (request.secret !== undefined && !isSecretRight(deps, merchant, request.secret))
    throw new Refusal('CREDENTIALS_INVALID')
  if (merchant === undefined) throw new Refusal('CREDENTIALS_INVALID')
  requireTimely(deps, request)
  return {
    merchant,
    usedSecret: request.secret !== undefined,
    issuance: issuanceOf(merchant, request.timestamp, signature),
  }
}

function requireCredential({ signatureHeader, secret, timestamp }: CredentialRequest): void {
  if (signatureHeader === undefined && secret === undefined) throw new Refusal('CREDENTIALS_INVALID')
  if (signatureHeader !== undefined && timestamp === undefined)
    throw invalidField('timestamp', 'is required with X-SIGNATURE', 'ATTRIBUTE_REQUIRED')
}

/** The signature's bytes if one was sent; throws when it does not hold. */
function proveSignature(merchant: Merchant | undefined, request: CredentialRequest): Uint8Array | undefined {
  if (request.signatureHeader === undefined) return undefined
  const signature = verifiedSignature(merchant, request, request.signatureHeader)
  if (signature === undefined) throw new Refusal('SIGNATURE_INVALID')
  return signature
}

function issuanceOf(
  merchant: Merchant,
  timestamp: number | undefined,
  signature: Uint8Array | undefined,
): ProvenCredential['issuance'] {
  if (timestamp === undefined || signature === undefined) return undefined
  return { iatSeconds: timestampSeconds(timestamp), jti: jtiOfSignature(merchant.merchantCode, signature) }
}

function requireTimely(deps: CredentialDeps, request: CredentialRequest): void {
  if (request.timestamp === undefined) return
  if (isTimely(request.timestamp, deps.nowMs(), deps.timestampToleranceSeconds)) return
  throw new Refusal('SIGNATURE_INVALID', {
    message: `timestamp is more than ${String(deps.timestampToleranceSeconds)} seconds away from the gateway's clock.`,
  })
}

function isSecretRight(deps: CredentialDeps, merchant: Merchant | undefined, secret: string): boolean {
  const matches = secretMatches(deps.secrets, merchant, secret)
  return matches && merchant?.secretEnabled === true
}

const KEY_BYTES = 256

/** Stands in for the keys of a merchant that does not exist, so that its absence costs the same time. */
const decoyKey: KeyObject = makeDecoyKey()

/**
 * Verifying takes a modulus, not one of two primes, and looking for those would be most of a start. What nobody is told,
 * and nobody has the factors of, nobody signs for.
 */
function makeDecoyKey(): KeyObject {
  const modulus = drawBytes(KEY_BYTES)
  modulus.writeUInt8(modulus.readUInt8(0) | 0x80, 0)
  modulus.writeUInt8(modulus.readUInt8(KEY_BYTES - 1) | 0x01, KEY_BYTES - 1)
  return createPublicKey({
    key: { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' },
    format: 'jwk',
  })
}

/** The signature's bytes when one of the merchant's keys made it over the raw or the minified body. */
function verifiedSignature(
  merchant: Merchant | undefined,
  request: CredentialRequest,
  header: string,
): Uint8Array | undefined {
  const signature = decodeSignature(header)
  if (signature === undefined) return undefined
  const active = merchant?.keys.map((key) => key.publicKey) ?? []
  const keys = active.length > 0 ? active : [decoyKey]
  const minified = minifyJson(request.rawBody)
  const contents =
    minified.length === request.rawBody.length ? [request.rawBody] : [request.rawBody, minified]
  for (const content of contents) {
    for (const key of keys) {
      if (verify('RSA-SHA256', content, key, signature)) return signature
    }
  }
  return undefined
}
