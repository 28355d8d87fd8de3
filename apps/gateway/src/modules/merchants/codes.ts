import { createLoadingCache } from '../../platform/caches.ts'
import type { Database } from '../../platform/database.ts'
import { findMerchantById } from './store.ts'

/** The public code of a merchant that is known to exist. */
export type MerchantCodeOf = (merchantId: string) => Promise<string>

const MERCHANT_CODES_MAX = 20_000

/** Asks once for each merchant, which keeps its code and is never deleted: a page of payments may be of as many merchants as it has rows. */
export function createMerchantCodes(db: Database): MerchantCodeOf {
  const codes = createLoadingCache<string>({
    entriesMax: MERCHANT_CODES_MAX,
    load: async (merchantId) => (await findMerchantById(db, merchantId))?.merchantCode,
  })
  return async (merchantId) => {
    const code = await codes.get(merchantId)
    if (code === undefined) throw new Error(`there is no merchant with the id ${merchantId}`)
    return code
  }
}
