import { createHmac, createPublicKey, createSecretKey, type KeyObject, sign } from 'node:crypto'
import { createLoadingCache } from '../../platform/caches.ts'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Merchant } from './model.ts'
import { findMerchantById } from './store.ts'

/** Signs and publishes callback keys: a function of the root key, the merchant and its key generation. */
export interface CallbackSigner {
  /**
   * `v1a,` signatures by the current key and, after a rotation, the one before; then `v1,` by the shared secrets, where the
   * merchant wants them. Throws for an unknown merchant.
   */
  sign(merchantId: string, message: string): Promise<readonly string[]>
  /** `whpk_` public keys, newest first. */
  publicKeys(merchant: Pick<Merchant, 'merchantId' | 'callbackKeyGeneration'>): readonly string[]
  /** The `whsec_` secret that signs now; undefined where the merchant has none. To be shown once, to the merchant. */
  secret(merchant: SharingMerchant): string | undefined
}

type SharingMerchant = Pick<Merchant, 'merchantId' | 'callbackSecretGeneration' | 'callbackSecretsSigning'>

interface CallbackSignerDeps {
  readonly db: Database
  readonly secrets: Secrets
  readonly changes: Pick<ConfigurationChanges, 'on'>
}

const SIGNERS_CACHED_MAX = 20_000
const SPKI_PREFIX_BYTES = 12

/** What signs a merchant's callbacks. */
interface Signing {
  readonly keys: readonly KeyObject[]
  readonly secrets: readonly KeyObject[]
}

/** The keys of a merchant are derived once, and again when its row changes. */
export function createCallbackSigner({ db, secrets, changes }: CallbackSignerDeps): CallbackSigner {
  const keysOf = (merchant: Parameters<CallbackSigner['publicKeys']>[0]): readonly KeyObject[] =>
    generationsOf(merchant.callbackKeyGeneration).map((generation) =>
      secrets.derivedSigningKey(`${merchant.merchantId} ${generation}`),
    )
  const secretsOf = (merchant: SharingMerchant): readonly Buffer[] => {
    const { merchantId, callbackSecretGeneration: latest, callbackSecretsSigning: count } = merchant
    return Array.from({ length: count }, (_, before) =>
      secrets.derivedCallbackSecret(`${merchantId} ${latest - before}`),
    )
  }
  const cache = createLoadingCache<Signing>({
    entriesMax: SIGNERS_CACHED_MAX,
    load: async (merchantId) => {
      const merchant = await findMerchantById(db, merchantId)
      if (merchant === undefined) return undefined
      return { keys: keysOf(merchant), secrets: secretsOf(merchant).map((bytes) => createSecretKey(bytes)) }
    },
  })
  changes.on('MERCHANT', (merchantId) => (merchantId === undefined ? cache.clear() : cache.drop(merchantId)))
  return {
    async sign(merchantId, message) {
      const signing = await cache.get(merchantId)
      if (signing === undefined) throw new Error(`there is no merchant with the id ${merchantId}`)
      const content = Buffer.from(message)
      return [
        ...signing.keys.map((key) => `v1a,${sign(null, content, key).toString('base64')}`),
        ...signing.secrets.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`),
      ]
    },
    publicKeys: (merchant) => keysOf(merchant).map(toPublicText),
    secret(merchant) {
      const [current] = secretsOf(merchant)
      return current && `whsec_${current.toString('base64')}`
    },
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
