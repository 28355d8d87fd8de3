import { createLoadingCache } from '../../platform/caches.ts'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Merchant } from './model.ts'
import { findMerchantByCode } from './store.ts'

/** The merchants as the request path sees them: from memory, at most a poll old. */
export interface MerchantDirectory {
  /** The merchant with the code; undefined when there is none. */
  readonly find: (merchantCode: string) => Promise<Merchant | undefined>
  /** Like `find`, but only what is in memory now. */
  readonly peek: (merchantCode: string) => Merchant | undefined
  /** Asks the database, whatever is in memory; nothing is kept. */
  lookUp(merchantCode: string): Promise<Merchant | undefined>
}

interface MerchantDirectoryDeps {
  readonly db: Database
  readonly changes: Pick<ConfigurationChanges, 'on'>
}

const MERCHANTS_CACHED_MAX = 20_000

/** Opens the directory and keeps it fresh. */
export function createMerchantDirectory({ db, changes }: MerchantDirectoryDeps): MerchantDirectory {
  const codes = new Map<string, string>()
  const cache = createLoadingCache<Merchant>({
    entriesMax: MERCHANTS_CACHED_MAX,
    load: async (code) => {
      const merchant = await findMerchantByCode(db, code)
      if (merchant !== undefined) codes.set(merchant.merchantId, code)
      return merchant
    },
  })
  changes.on('MERCHANT', (merchantId) => {
    const code = merchantId === undefined ? undefined : codes.get(merchantId)
    // A merchant that is not known by id may be loading right now: forget everything rather than keep something stale.
    if (code === undefined || codes.size > MERCHANTS_CACHED_MAX) {
      codes.clear()
      cache.clear()
    } else cache.drop(code)
  })
  return {
    find: cache.get,
    peek: cache.peek,
    lookUp: (merchantCode) => findMerchantByCode(db, merchantCode),
  }
}

/** The id of the merchant that has the code. Throws ENTITY_NOT_FOUND where none has it. */
export async function requireMerchantId(
  merchants: Pick<MerchantDirectory, 'find'>,
  merchantCode: string,
): Promise<string> {
  const merchant = await merchants.find(merchantCode)
  if (merchant !== undefined) return merchant.merchantId
  throw new Refusal('ENTITY_NOT_FOUND', { message: `There is no merchant ${merchantCode}.` })
}
