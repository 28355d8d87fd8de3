import { type ChainWorker, createChainWorker } from '../../platform/chain/index.ts'
import { AUDIT } from './chained.ts'

/** Chains the records behind the acts. */
export const createAuditWorker = (
  deps: Pick<Parameters<typeof createChainWorker>[0], 'db' | 'clock' | 'log'>,
): ChainWorker => createChainWorker({ ...deps, table: AUDIT })
