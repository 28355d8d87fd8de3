import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import { createLoadingCache } from '../../platform/loading-cache.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Merchant } from './model.ts'
import { findMerchantById } from './store.ts'

/** Signs and publishes callback keys: a function of the root key, the merchant and its key generation. */
export interface CallbackSigner {
  /** `v1a,` signatures by the current key and, after a rotation, the one before. Throws for an unknown merchant. */
  sign(merchantId: string, message: string): Promise<readonly string[]>
  /** `whpk_` public keys, newest first. */
  publicKeys(merchant: Pick<Merchant, 'merchantId' | 'callbackKeyGeneration'>): readonly string[]
}

export interface CallbackSignerDeps {
  readonly db: Database
  readonly secrets: Secrets
  readonly changes: Pick<ConfigurationChanges, 'on'>
}

const SIGNERS_CACHED_MAX = 20_000
const SPKI_PREFIX_BYTES = 12

/** The keys of a merchant are derived once, and again when its row changes. */
export function createCallbackSigner({ db, secrets, changes }: CallbackSignerDeps): CallbackSigner {
  const keysOf = (merchant: Parameters<CallbackSigner['publicKeys']>[0]): readonly KeyObject[] =>
    generationsOf(merchant.callbackKeyGeneration).map((generation) =>
      secrets.derivedSigningKey(`${merchant.merchantId} ${generation}`),
    )
  const cache = createLoadingCache<readonly KeyObject[]>({
    entriesMax: SIGNERS_CACHED_MAX,
    load: async (merchantId) => {
      const merchant = await findMerchantById(db, merchantId)
      return merchant && keysOf(merchant)
    },
  })
  changes.on('MERCHANT', (merchantId) => (merchantId === undefined ? cache.clear() : cache.drop(merchantId)))
  return {
    async sign(merchantId, message) {
      const keys = await cache.get(merchantId)
      if (keys === undefined) throw new Error(`there is no merchant with the id ${merchantId}`)
      const content = Buffer.from(message)
      return keys.map((key) => `v1a,${sign(null, content, key).toString('base64')}`)
    },
    publicKeys: (merchant) => keysOf(merchant).map(toPublicText),
  }
}

function toPublicText(privateKey: KeyObject): string {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  return `whpk_${spki.subarray(SPKI_PREFIX_BYTES).toString('base64')}`
}

/** The current key and the one before: a receiver that still holds the old public key goes on verifying. */
function generationsOf(current: number): readonly number[] {
  return current > 1 ? [current, current - 1] : [current]
}
