import { createLoadingCache } from '../../platform/caches.ts'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import { isBrowserOrigin } from './store.ts'

/** Whether some merchant lets browsers read from pages of the origin; from memory where one does. */
export type KnowsBrowserOrigin = (origin: string) => Promise<boolean>

interface BrowserOriginsDeps {
  readonly db: Database
  readonly changes: Pick<ConfigurationChanges, 'on'>
}

const ORIGINS_CACHED_MAX = 10_000
const ORIGIN_CHARACTERS_MAX = 300

/** Origins that nobody has named are asked for anew each time: the limit of the address bounds that. */
export function createBrowserOrigins({ db, changes }: BrowserOriginsDeps): KnowsBrowserOrigin {
  const cache = createLoadingCache<true>({
    entriesMax: ORIGINS_CACHED_MAX,
    load: async (origin) => ((await isBrowserOrigin(db, origin)) ? true : undefined),
  })
  changes.on('MERCHANT', () => {
    cache.clear()
  })
  return async (origin) =>
    origin.length <= ORIGIN_CHARACTERS_MAX && URL.canParse(origin) && (await cache.get(origin)) === true
}
