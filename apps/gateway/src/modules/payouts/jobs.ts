import type { Log } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createPeriodic } from '../../platform/periodic.ts'
import { findOpenGap } from './gap-store.ts'

/** Tells metrics and log whether money leaves, after a restore. */
interface GapWatch {
  start(): void
  /** Resolves when the round under way is done. */
  stop(): Promise<void>
}

const POLL_MS = 15_000

export function createGapWatch({
  db,
  log,
  metrics,
}: {
  readonly db: Database
  readonly log: Log
  readonly metrics: Pick<Metrics, 'restoreGapOpen'>
}): GapWatch {
  let wasOpen = false
  const periodic = createPeriodic({
    pauseMs: POLL_MS,
    work: async () => {
      const gap = await findOpenGap(db)
      metrics.restoreGapOpen.set(gap === undefined ? 0 : 1)
      if (gap !== undefined && !wasOpen)
        log.warn({ lostFrom: gap.lostFrom }, 'a restore gap is open: no payouts are accepted or handed over')
      wasOpen = gap !== undefined
      return false
    },
    onFault: (error) => log.warn({ err: error }, 'the restore gap could not be looked at; it is tried again'),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}
