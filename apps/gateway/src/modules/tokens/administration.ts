import { createPublicKey } from 'node:crypto'
import { compactVerify, decodeJwt, decodeProtectedHeader, errors } from 'jose'
import type { Database } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Merchant } from '../merchants/index.ts'
import { claimsFrom, isCredentialRemoved, isRevokedWithAll, type TokenClaims } from './model.ts'
import {
  insertRevocation,
  listRevocations,
  listSigningKeyHistory,
  listSigningKeys,
  type SigningKeyRecord,
} from './store.ts'

/** What a token says of itself; nothing of it is verified. */
export interface ReadToken {
  readonly kid: string | undefined
  readonly audience: string | undefined
  readonly claims: TokenClaims
}

/** VALID: one of our keys signed it. UNKNOWN_KEY: it names none of ours. INVALID: the key it names did not sign it. */
export type SignatureVerdict = 'VALID' | 'UNKNOWN_KEY' | 'INVALID'

/** Reads a token without verifying it; undefined when the text is not one of our kind. */
export function readToken(text: string): ReadToken | undefined {
  try {
    const payload = decodeJwt(text)
    const claims = claimsFrom(payload)
    const { kid } = decodeProtectedHeader(text)
    const audience = typeof payload.aud === 'string' ? payload.aud : undefined
    return claims && { kid, audience, claims }
  } catch {
    return undefined
  }
}

/** What operators ask about tokens and the keys that sign them. */
export interface TokenAdministration {
  /** All signing keys, the newest first. */
  listKeys(): Promise<readonly SigningKeyRecord[]>
  /** The id of a key that signs, or waits to, and does not open: it and these secrets do not belong together. */
  findClosedKey(): Promise<string | undefined>
  /** Whose signature a token bears. Its expiry does not matter here. */
  judgeSignature(text: string): Promise<SignatureVerdict>
  /** Whether the token was revoked, alone or with all of the merchant's. */
  isRevoked(merchant: Merchant, claims: TokenClaims): Promise<boolean>
  /** Revokes one token; doing it twice changes nothing. */
  revoke(merchant: Merchant, claims: TokenClaims): Promise<void>
}

export function createTokenAdministration(deps: {
  readonly db: Database
  readonly secrets: Secrets
}): TokenAdministration {
  const { db } = deps
  return {
    listKeys: () => listSigningKeyHistory(db),
    findClosedKey: () => findClosedKey(deps),
    judgeSignature: async (text) => judgeSignature(await listSigningKeyHistory(db), text),
    async isRevoked(merchant, claims) {
      if (isRevokedWithAll(claims, merchant) || isCredentialRemoved(claims, merchant)) return true
      return (await listRevocations(db)).has(`${merchant.merchantId} ${claims.jti}`)
    },
    revoke: ({ merchantId }, { jti, exp }) => insertRevocation(db, { merchantId, jti, expSeconds: exp }),
  }
}

async function findClosedKey(deps: {
  readonly db: Database
  readonly secrets: Secrets
}): Promise<string | undefined> {
  const signing = (await listSigningKeys(deps.db)).filter(({ status }) => status !== 'VERIFY_ONLY')
  return signing.find((key) => {
    try {
      deps.secrets.open('signing-keys', key.kid, key.privateKeySealed)
      return false
    } catch {
      return true
    }
  })?.kid
}

async function judgeSignature(keys: readonly SigningKeyRecord[], text: string): Promise<SignatureVerdict> {
  const kid = readToken(text)?.kid
  const key = keys.find((known) => known.kid === kid && known.status !== 'RETIRED')
  if (key === undefined) return 'UNKNOWN_KEY'
  try {
    await compactVerify(text, createPublicKey(key.publicKeyPem), { algorithms: ['EdDSA'] })
    return 'VALID'
  } catch (error) {
    if (error instanceof errors.JOSEError) return 'INVALID'
    throw error
  }
}
