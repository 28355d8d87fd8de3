import type { Log } from '@tollgate/runtime'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import { createSnapshot } from '../../platform/snapshot.ts'
import type { Catalogue, MerchantTerms } from './model.ts'
import { findCatalogue, findTerms } from './store.ts'

interface CatalogueDeps {
  readonly db: Database
  readonly changes: Pick<ConfigurationChanges, 'on'>
  readonly log: Log
}

export interface CatalogueService {
  /** Reads the catalogue and keeps it current from then on. To be called once, before anything else. */
  start(): Promise<void>
  /** The snapshot of now. Take it once per request, so that the request sees one catalogue. */
  readonly current: () => Catalogue
  /** What is agreed with the merchant: at once when it is cached. Empty terms for an unknown merchant. */
  readonly termsOf: (merchantId: string) => MerchantTerms | Promise<MerchantTerms>
}

/** How many merchants' terms a process keeps; those that were not used for the longest time go first. */
const TERMS_CACHED_MAX = 10_000

/** Holds the catalogue and the merchants' terms in memory, for the hot path of a create. */
export function createCatalogueService(deps: CatalogueDeps): CatalogueService {
  const snapshot = createSnapshot('the catalogue was', async () => {
    const catalogue = await findCatalogue(deps.db)
    for (const fault of catalogue.faults)
      deps.log.error({ fault }, 'a payment method is left out of the catalogue')
    deps.log.info({ methods: catalogue.methods.size }, 'the catalogue was read')
    return catalogue
  })
  const terms = cacheTerms((merchantId) => findTerms(deps.db, merchantId), TERMS_CACHED_MAX)
  return {
    async start() {
      deps.changes.on('CATALOGUE', () => snapshot.reload())
      deps.changes.on('MERCHANT', (merchantId) => terms.drop(merchantId))
      await snapshot.reload()
    },
    current: snapshot.current,
    termsOf: terms.find,
  }
}

interface TermsCache {
  readonly find: (merchantId: string) => MerchantTerms | Promise<MerchantTerms>
  /** Forgets one merchant, or all. */
  drop(merchantId: string | undefined): void
}

/** Concurrent misses of one merchant share one query. What was read before a change is handed out, but not kept. */
export function cacheTerms(
  read: (merchantId: string) => Promise<MerchantTerms>,
  cachedMax: number,
): TermsCache {
  // A map keeps its insertion order: the first entry is the one that was not used for the longest time.
  const cached = new Map<string, MerchantTerms>()
  const loading = new Map<string, Promise<MerchantTerms>>()

  function keep(merchantId: string, terms: MerchantTerms): void {
    cached.delete(merchantId)
    cached.set(merchantId, terms)
    const oldest = cached.keys().next()
    if (cached.size > cachedMax && oldest.done !== true) cached.delete(oldest.value)
  }

  function load(merchantId: string): Promise<MerchantTerms> {
    const promise = read(merchantId)
      .then((terms) => {
        if (loading.get(merchantId) === promise) keep(merchantId, terms)
        return terms
      })
      .finally(() => {
        if (loading.get(merchantId) === promise) loading.delete(merchantId)
      })
    loading.set(merchantId, promise)
    return promise
  }

  return {
    find(merchantId) {
      const known = cached.get(merchantId)
      if (known === undefined) return loading.get(merchantId) ?? load(merchantId)
      keep(merchantId, known)
      return known
    },
    drop(merchantId) {
      if (merchantId === undefined) {
        cached.clear()
        loading.clear()
        return
      }
      cached.delete(merchantId)
      loading.delete(merchantId)
    },
  }
}
