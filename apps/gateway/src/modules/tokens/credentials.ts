import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { drawBytes } from '@tollgate/runtime'
import { minifyJson } from '../../platform/json/index.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { KEYS_ACTIVE_MAX, type Merchant, type MerchantDirectory, secretIdOf } from '../merchants/index.ts'
import { diagnose } from './diagnosis.ts'
import { decodeSignature, isTimely, jtiOfSignature, timestampSeconds } from './model.ts'

interface CredentialDeps {
  readonly merchants: MerchantDirectory
  readonly secrets: Secrets
  readonly nowMs: () => number
  readonly timestampToleranceSeconds: number
  /** Whether the merchant's developers are shown what a signature covers that does not hold. */
  readonly diagnosesSignatures?: boolean
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
  /** The merchant's key, or without a signature its secret. */
  readonly credentialId: string
  readonly usedSecret: boolean
}

/**
 * Proves who asks for a token (specification 5.1). A signature that is sent must hold, without falling back to a secret;
 * if both are sent, both must hold. An unknown merchant costs the same work and gets the same answer as a wrong credential:
 * one look into the database, and as many verifications and comparisons as for a merchant with all keys and secrets that it
 * may have.
 */
export async function proveCredential(
  deps: CredentialDeps,
  request: CredentialRequest,
): Promise<ProvenCredential> {
  requireCredential(request)
  const inMemory = deps.merchants.peek(request.merchantCode)
  const merchant = inMemory ?? (await deps.merchants.find(request.merchantCode))
  try {
    return judge(deps, request, merchant)
  } catch (error) {
    // Whoever guesses must not see by the time whether there is such a merchant.
    if (inMemory !== undefined) await deps.merchants.lookUp(request.merchantCode)
    throw error
  }
}

function judge(
  deps: CredentialDeps,
  request: CredentialRequest,
  merchant: Merchant | undefined,
): ProvenCredential {
  const signed = proveSignature(deps, merchant, request)
  const secretId = request.secret === undefined ? undefined : provenSecretId(deps, merchant, request.secret)
  const credentialId = signed?.keyId ?? secretId
  if (merchant === undefined || credentialId === undefined) throw new Refusal('CREDENTIALS_INVALID')
  requireTimely(deps, request)
  return {
    merchant,
    credentialId,
    usedSecret: request.secret !== undefined,
    issuance: issuanceOf(merchant, request.timestamp, signed?.signature),
  }
}

function requireCredential({ signatureHeader, secret, timestamp }: CredentialRequest): void {
  if (signatureHeader === undefined && secret === undefined) throw new Refusal('CREDENTIALS_INVALID')
  if (signatureHeader !== undefined && timestamp === undefined)
    throw invalidField('timestamp', 'is required with X-SIGNATURE', 'ATTRIBUTE_REQUIRED')
}

function provenSecretId(deps: CredentialDeps, merchant: Merchant | undefined, secret: string): string {
  const secretId = secretIdOf(deps.secrets, merchant, secret)
  if (secretId === undefined || merchant?.secretEnabled !== true) throw new Refusal('CREDENTIALS_INVALID')
  return secretId
}

/** A signature that holds, and the key that made it. */
interface Signed {
  readonly signature: Uint8Array
  readonly keyId: string
}

/** Undefined when no signature was sent; throws when one does not hold. */
function proveSignature(
  { diagnosesSignatures }: CredentialDeps,
  merchant: Merchant | undefined,
  request: CredentialRequest,
): Signed | undefined {
  const { signatureHeader, rawBody } = request
  if (signatureHeader === undefined) return undefined
  const signed = verifiedSignature(merchant, request, signatureHeader)
  if (signed !== undefined) return signed
  const diagnosis =
    diagnosesSignatures === true ? diagnosisFor(merchant, rawBody, signatureHeader) : undefined
  throw new Refusal('SIGNATURE_INVALID', { diagnosis })
}

/** What was signed instead, by one of the merchant's keys. */
function diagnosisFor(
  merchant: Merchant | undefined,
  rawBody: Uint8Array,
  signatureHeader: string,
): string | undefined {
  const found = merchant?.keys.map(({ publicKey }) =>
    diagnose(Buffer.from(rawBody), publicKey, signatureHeader),
  )
  return (found?.find(({ form }) => form !== undefined) ?? found?.[0])?.message
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

const KEY_BYTES = 256

/** Stands in for the keys that a merchant does not have, or that does not exist, so that their absence costs the same time. */
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

/** The signature when one of the merchant's keys made it over the raw or the minified body. */
function verifiedSignature(
  merchant: Merchant | undefined,
  request: CredentialRequest,
  header: string,
): Signed | undefined {
  const signature = decodeSignature(header)
  if (signature === undefined) return undefined
  const minified = minifyJson(request.rawBody)
  const contents =
    minified.length === request.rawBody.length ? [request.rawBody] : [request.rawBody, minified]
  for (const content of contents) {
    for (let index = 0; index < KEYS_ACTIVE_MAX; index += 1) {
      const key = merchant?.keys[index]
      const isRight = verify('RSA-SHA256', content, key?.publicKey ?? decoyKey, signature)
      if (isRight && key !== undefined) return { signature, keyId: key.keyId }
    }
  }
  return undefined
}
