import { join } from 'node:path'
import { serverAccount } from '../../apps/gateway/src/platform/embedded-postgres/account.ts'
import { locateBinaries } from '../../apps/gateway/src/platform/embedded-postgres/binaries.ts'
import type { Place } from '../../apps/gateway/src/platform/embedded-postgres/cluster.ts'

/** Where the embedded server of this data directory is, or will be. */
export async function placeIn(dataDir: string): Promise<Place> {
  const cluster = join(dataDir, 'postgres')
  const account = serverAccount(cluster)
  return { dataDir, cluster, account, binaries: await locateBinaries({ account }) }
}
