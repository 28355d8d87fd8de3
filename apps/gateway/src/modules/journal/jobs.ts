import { type ChainWorker, createChainWorker } from '../../platform/chain/index.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { JOURNAL } from './chained.ts'

interface JournalWorkerDeps
  extends Pick<Parameters<typeof createChainWorker>[0], 'db' | 'clock' | 'log' | 'pollMs'> {
  readonly metrics: Pick<Metrics, 'journalLagSeconds'>
}

/** Writes the journal behind the bookings. */
export const createJournalWorker = (deps: JournalWorkerDeps): ChainWorker =>
  createChainWorker({
    ...deps,
    table: JOURNAL,
    tellLag: (seconds) => deps.metrics.journalLagSeconds.set(seconds),
  })
