import { createLoadingCache } from '../../platform/caches.ts'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database } from '../../platform/database.ts'
import { MerchantProblem } from './errors.ts'
import type { Logo } from './logo.ts'
import { deleteLogo, findLogo, upsertLogo } from './logo-store.ts'
import { findMerchantByCode } from './store.ts'

/** Where strangers find logos, by their hash. */
export const LOGOS_PATH = '/brand-logos'

/** Where strangers find this one. */
export const logoUrl = (publicUrl: string, hash: string): string => `${publicUrl}${LOGOS_PATH}/${hash}`

/** What operators do with logos. Both throw MerchantProblem. */
export interface LogoService {
  /** Takes in a file and shows it in place of the logo before. */
  set(merchantCode: string, bytes: Uint8Array): Promise<Logo>
  remove(merchantCode: string): Promise<void>
}

export function createLogoService({ db }: { readonly db: Database }): LogoService {
  const merchantIdOf = async (merchantCode: string): Promise<string> => {
    const merchant = await findMerchantByCode(db, merchantCode)
    if (merchant !== undefined) return merchant.merchantId
    throw new MerchantProblem(
      `There is no merchant ${merchantCode}. \`tollgate merchants list\` shows them.`,
      'NOT_FOUND',
    )
  }
  return {
    async set(merchantCode, bytes) {
      // Reading drawings takes a parser of XML, which nothing else here needs.
      const { takeInLogo } = await import('./logo.ts')
      const logo = takeInLogo(bytes)
      await upsertLogo(db, await merchantIdOf(merchantCode), logo)
      return logo
    },
    async remove(merchantCode) {
      if (!(await deleteLogo(db, await merchantIdOf(merchantCode))))
        throw new MerchantProblem(`${merchantCode} has no logo.`, 'NOT_FOUND')
    },
  }
}

/** The logos as strangers see them: by what they are, from memory. */
export interface LogoDirectory {
  /** The logo with the hash; undefined when no merchant has it now. */
  find(hash: string): Promise<Logo | undefined>
}

interface LogoDirectoryDeps {
  readonly db: Database
  readonly changes: Pick<ConfigurationChanges, 'on'>
}

/** At most 8 MiB. */
const LOGOS_CACHED_MAX = 256

/** Opens the directory; a logo that was taken away is forgotten as any change of a merchant is. */
export function createLogoDirectory({ db, changes }: LogoDirectoryDeps): LogoDirectory {
  const cache = createLoadingCache<Logo>({
    entriesMax: LOGOS_CACHED_MAX,
    load: (hash) => findLogo(db, hash),
  })
  changes.on('MERCHANT', () => cache.clear())
  return { find: (hash) => cache.get(hash) }
}
