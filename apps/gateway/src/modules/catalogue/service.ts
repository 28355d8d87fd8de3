import type { Log } from '@tollgate/runtime'
import { createLoadingCache, createSnapshot } from '../../platform/caches.ts'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
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
  const terms = createLoadingCache<MerchantTerms, never>({
    entriesMax: TERMS_CACHED_MAX,
    load: (merchantId) => findTerms(deps.db, merchantId),
  })
  return {
    async start() {
      deps.changes.on('CATALOGUE', () => snapshot.reload())
      deps.changes.on('MERCHANT', (merchantId) => {
        if (merchantId === undefined) terms.clear()
        else terms.drop(merchantId)
      })
      await snapshot.reload()
    },
    current: snapshot.current,
    termsOf: terms.peekOrGet,
  }
}
