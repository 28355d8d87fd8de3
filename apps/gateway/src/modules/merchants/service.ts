import { createPublicKey, sign, timingSafeEqual } from 'node:crypto'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import type { Ids } from '../../platform/ids.ts'
import { createLoadingCache } from '../../platform/loading-cache.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { MerchantProblem } from './errors.ts'
import {
  KEYS_ACTIVE_MAX,
  MERCHANT_CODE_PATTERN,
  type Merchant,
  SECRETS_ACTIVE_MAX,
  takeInPublicKey,
} from './model.ts'
import * as store from './store.ts'

export interface MerchantDeps {
  readonly db: Database
  readonly ids: Ids
  readonly secrets: Secrets
}

/** The merchants as the request path sees them: from memory, at most a poll old. */
export interface MerchantDirectory {
  /** The merchant with the code; undefined when there is none. */
  find(merchantCode: string): Promise<Merchant | undefined>
  /** Like `find`, but only what is in memory now. */
  peek(merchantCode: string): Merchant | undefined
}

const MERCHANTS_CACHED_MAX = 20_000

/** Opens the directory and keeps it fresh. */
export function createMerchantDirectory(deps: {
  readonly db: Database
  readonly changes: ConfigurationChanges
}): MerchantDirectory {
  const cache = createLoadingCache<Merchant>({
    entriesMax: MERCHANTS_CACHED_MAX,
    load: async (code) => {
      const merchant = await store.findMerchantByCode(deps.db, code)
      if (merchant !== undefined) codes.set(merchant.merchantId, code)
      return merchant
    },
  })
  const codes = new Map<string, string>()
  deps.changes.on('MERCHANT', (merchantId) => {
    const code = merchantId === undefined ? undefined : codes.get(merchantId)
    // A merchant that is not known by id may be loading right now: forget everything rather than keep something stale.
    if (code === undefined) cache.clear()
    else cache.drop(code)
  })
  return {
    find: (merchantCode) => cache.get(merchantCode),
    peek: (merchantCode) => cache.peek(merchantCode),
  }
}

/** What operators do with merchants. Every method throws MerchantProblem with one clear sentence. */
export interface MerchantService {
  create(merchantCode: string, channelName: string): Promise<Merchant>
  show(
    merchantCode: string,
  ): Promise<{ readonly merchant: Merchant; readonly credentials: readonly store.Credential[] }>
  list(): Promise<readonly Merchant[]>
  change(merchantCode: string, change: store.MerchantChange): Promise<Merchant>
  addKey(
    merchantCode: string,
    pem: string,
  ): Promise<{ readonly keyId: string; readonly fingerprint: string; readonly bits: number }>
  removeKey(merchantCode: string, keyId: string): Promise<void>
  /** The secret is shown this once; only its keyed hash is stored. */
  addSecret(merchantCode: string): Promise<{ readonly secretId: string; readonly secret: string }>
  removeSecret(merchantCode: string, secretId: string): Promise<void>
  /** Revokes every token the merchant holds now. */
  revokeTokens(merchantCode: string): Promise<void>
  /** Signs callbacks by a new key; the one before goes on signing beside it until the next rotation. */
  rotateCallbackKey(merchantCode: string): Promise<Merchant>
}

export function createMerchantService(deps: MerchantDeps): MerchantService {
  const { db } = deps
  return {
    create: (merchantCode, channelName) => createMerchant(deps, merchantCode, channelName),
    async show(merchantCode) {
      const merchant = await existing(db, merchantCode)
      return { merchant, credentials: await store.listCredentials(db, merchant.merchantId) }
    },
    list: () => store.listMerchants(db, MERCHANTS_LISTED_MAX),
    async change(merchantCode, change) {
      const { merchantId } = await existing(db, merchantCode)
      await store.updateMerchant(db, merchantId, change)
      return existing(db, merchantCode)
    },
    addKey: (merchantCode, pem) => addKey(deps, merchantCode, pem),
    async removeKey(merchantCode, keyId) {
      const { merchantId } = await existing(db, merchantCode)
      if (!(await store.updateKeyRemoved(db, merchantId, keyId)))
        throw new MerchantProblem(
          `${merchantCode} has no active key ${keyId}. \`tollgate merchants show ${merchantCode}\` lists them.`,
          'NOT_FOUND',
        )
    },
    addSecret: (merchantCode) => addSecret(deps, merchantCode),
    async removeSecret(merchantCode, secretId) {
      const { merchantId } = await existing(db, merchantCode)
      if (!(await store.updateSecretRemoved(db, merchantId, secretId))) {
        throw new MerchantProblem(
          `${merchantCode} has no active secret ${secretId}. \`tollgate merchants show ${merchantCode}\` lists them.`,
          'NOT_FOUND',
        )
      }
    },
    async revokeTokens(merchantCode) {
      const { merchantId } = await existing(db, merchantCode)
      await store.updateTokensNotBefore(db, merchantId)
    },
    async rotateCallbackKey(merchantCode) {
      const { merchantId } = await existing(db, merchantCode)
      await store.updateCallbackKeyGeneration(db, merchantId)
      return existing(db, merchantCode)
    },
  }
}

const MERCHANTS_LISTED_MAX = 10_000
const SECRET_BYTES = 32

async function existing(db: Database, merchantCode: string): Promise<Merchant> {
  const merchant = await store.findMerchantByCode(db, merchantCode)
  if (merchant === undefined)
    throw new MerchantProblem(
      `There is no merchant ${merchantCode}. \`tollgate merchants list\` shows them.`,
      'NOT_FOUND',
    )
  return merchant
}

async function createMerchant(
  deps: MerchantDeps,
  merchantCode: string,
  channelName: string,
): Promise<Merchant> {
  if (!MERCHANT_CODE_PATTERN.test(merchantCode)) {
    throw new MerchantProblem('A merchant code has 1 to 64 letters, digits, hyphens or underscores.')
  }
  const merchantId = await store.insertMerchant(deps.db, merchantCode, channelName)
  if (merchantId === undefined)
    throw new MerchantProblem(`The merchant code ${merchantCode} is taken.`, 'CONFLICT')
  return existing(deps.db, merchantCode)
}

async function addKey(
  deps: MerchantDeps,
  merchantCode: string,
  pem: string,
): Promise<{ keyId: string; fingerprint: string; bits: number }> {
  const merchant = await existing(deps.db, merchantCode)
  const intake = takeInPublicKey(pem)
  if (!intake.ok) throw new MerchantProblem(intake.problem)
  if (merchant.keys.length >= KEYS_ACTIVE_MAX) {
    throw new MerchantProblem(`${merchantCode} has ${KEYS_ACTIVE_MAX} active keys; remove one first.`)
  }
  const keyId = `key_${deps.ids.readable(10)}`
  const { fingerprint, bits } = intake
  if (!(await store.insertKey(deps.db, merchant.merchantId, { keyId, pem: intake.pem, fingerprint, bits }))) {
    throw new MerchantProblem(
      'This key is registered already. Every merchant needs a key pair of its own.',
      'CONFLICT',
    )
  }
  return { keyId, fingerprint, bits }
}

async function addSecret(
  deps: MerchantDeps,
  merchantCode: string,
): Promise<{ secretId: string; secret: string }> {
  const merchant = await existing(deps.db, merchantCode)
  if (merchant.secretHashes.length >= SECRETS_ACTIVE_MAX) {
    throw new MerchantProblem(`${merchantCode} has ${SECRETS_ACTIVE_MAX} active secrets; remove one first.`)
  }
  const secret = `sec_${deps.ids.bytes(SECRET_BYTES).toString('base64url')}`
  const secretId = `sec_${deps.ids.readable(10)}`
  await store.insertSecret(deps.db, merchant.merchantId, { secretId, hash: hashSecret(deps.secrets, secret) })
  return { secretId, secret }
}

/** The form in which a secret is stored. */
export function hashSecret(secrets: Secrets, secret: string): Buffer {
  return secrets.digest('merchant-secrets', secret)
}

const NO_SECRET = Buffer.alloc(32)

/**
 * True when the secret is one of the merchant's. Takes the same time for an unknown merchant, a wrong secret and a right
 * one: hashes of equal length are compared in constant time, and there is always at least one comparison.
 */
export function secretMatches(secrets: Secrets, merchant: Merchant | undefined, secret: string): boolean {
  const hash = hashSecret(secrets, secret)
  let matches = false
  for (const known of [NO_SECRET, ...(merchant?.secretHashes ?? [])]) {
    if (known.length === hash.length && timingSafeEqual(known, hash)) matches = true
  }
  return matches
}

/** Signs and publishes callback keys: a function of the master key, the merchant and its key generation. */
export interface CallbackSigner {
  /** `v1a,` signatures by the current key and, after a rotation, the one before. */
  sign(merchantId: string, message: string): Promise<readonly string[]>
  /** `whpk_` public keys, newest first. */
  publicKeys(merchant: Merchant): readonly string[]
}

const SPKI_PREFIX_BYTES = 12

export function createCallbackSigner(deps: {
  readonly db: Database
  readonly secrets: Secrets
  readonly changes: ConfigurationChanges
}): CallbackSigner {
  const generations = createLoadingCache<readonly number[]>({
    entriesMax: MERCHANTS_CACHED_MAX,
    load: async (merchantId) => {
      const merchant = await store.findMerchantById(deps.db, merchantId)
      return merchant && generationsOf(merchant)
    },
  })
  deps.changes.on('MERCHANT', (merchantId) =>
    merchantId === undefined ? generations.clear() : generations.drop(merchantId),
  )
  const keyOf = (merchantId: string, generation: number) =>
    deps.secrets.derivedSigningKey(`${merchantId} ${generation}`)
  return {
    async sign(merchantId, message) {
      const active = (await generations.get(merchantId)) ?? [1]
      return active.map(
        (generation) =>
          `v1a,${sign(null, Buffer.from(message), keyOf(merchantId, generation)).toString('base64')}`,
      )
    },
    publicKeys: (merchant) =>
      generationsOf(merchant).map((generation) => {
        const spki = createPublicKey(keyOf(merchant.merchantId, generation)).export({
          type: 'spki',
          format: 'der',
        })
        return `whpk_${spki.subarray(SPKI_PREFIX_BYTES).toString('base64')}`
      }),
  }
}

function generationsOf(merchant: Merchant): readonly number[] {
  const current = merchant.callbackKeyGeneration
  return current > 1 ? [current, current - 1] : [current]
}

/** The public code of a merchant that is known to exist. */
export async function findMerchantCode(db: Database, merchantId: string): Promise<string> {
  const merchant = await store.findMerchantById(db, merchantId)
  if (merchant === undefined) throw new Error(`there is no merchant with the id ${merchantId}`)
  return merchant.merchantCode
}
