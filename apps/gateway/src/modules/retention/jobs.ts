import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createPeriodic } from '../../platform/periodic.ts'
import { type ExpiringData, RETENTION_CLASSES, type RetentionClass, type RetentionDays } from './model.ts'
import { findCutoffUs, updateHorizon } from './store.ts'

interface RetentionWorkerDeps {
  readonly db: Database
  readonly log: Log
  readonly metrics: Pick<Metrics, 'retentionRemoved'>
  readonly expiring: ExpiringData
  readonly days: RetentionDays
  /** For how many days the bytes of documents are kept after their end; 0 is for ever. */
  readonly documentDays: number
  readonly settings: RetentionSettings
}

/** How much is done at a time; `RETENTION_SETTINGS` has the defaults. */
export interface RetentionSettings {
  /** Rows that one statement looks at, beside those of the same moment as the last. */
  readonly rowsMax: number
  /** From the end of a statement to the start of the next: payments go first. */
  readonly pauseMs: number
}

export const RETENTION_SETTINGS: RetentionSettings = { rowsMax: 500, pauseMs: 100 }

/** Removes what was kept for long enough. Any number of workers may run: none waits for another. */
export interface RetentionWorker {
  start(): void
  /** Begins a round at once. */
  wake(): void
  /** Resolves when the statement under way is done. What is left waits for the next round. */
  stop(): Promise<void>
  /** One round; what it removed of each class. A class that fails is left for the next round. */
  sweep(): Promise<Readonly<Record<RetentionClass, number>>>
  /** The bytes of documents that nobody needs; how many documents. */
  sweepDocuments(): Promise<number>
}

const SWEEP_EVERY_MS = 3_600_000
const BEGINNING_US = '0'

export function createRetentionWorker(deps: RetentionWorkerDeps): RetentionWorker {
  const periodic = createPeriodic({
    pauseMs: SWEEP_EVERY_MS,
    work: async (signal) => {
      await sweep(deps, signal)
      await sweepDocuments(deps, signal)
      return false
    },
    onFault: (error) =>
      deps.log.error({ err: error }, 'what is over could not be removed; it waits for the next round'),
  })
  return {
    start: () => periodic.start(),
    wake: () => periodic.wake(),
    stop: () => periodic.stop(),
    sweep: () => sweep(deps, periodic.signal),
    sweepDocuments: () => sweepDocuments(deps, periodic.signal),
  }
}

/** Also when documents are kept for ever: an erasure takes the bytes of those that the person is in. */
async function sweepDocuments(deps: RetentionWorkerDeps, signal: AbortSignal): Promise<number> {
  const { db, log, metrics, expiring, documentDays, settings } = deps
  let erased = 0
  for (let last = 1; last > 0 && !signal.aborted; ) {
    last = 0
    for (const documents of expiring.documents)
      last += await documents.erase(db, documentDays, settings.rowsMax)
    erased += last
    if (last > 0) await sleep(settings.pauseMs, undefined, { signal }).catch(() => undefined)
  }
  metrics.retentionRemoved.inc({ class: 'DOCUMENTS' }, erased)
  if (erased > 0) log.info({ class: 'DOCUMENTS', removed: erased }, 'what was over is removed')
  return erased
}

async function sweep(
  deps: RetentionWorkerDeps,
  signal: AbortSignal,
): Promise<Readonly<Record<RetentionClass, number>>> {
  const removed = { DELIVERIES: 0, INQUIRIES: 0, PERSONAL_DATA: 0 }
  for (const retentionClass of RETENTION_CLASSES) {
    try {
      for await (const count of stepsOf(deps, retentionClass, signal)) {
        removed[retentionClass] += count
        deps.metrics.retentionRemoved.inc({ class: retentionClass }, count)
      }
    } catch (error) {
      deps.log.warn(
        { err: error, class: retentionClass },
        'what is over could not be removed; it waits for the next round',
      )
    }
    if (removed[retentionClass] > 0)
      deps.log.info({ class: retentionClass, removed: removed[retentionClass] }, 'what was over is removed')
  }
  return removed
}

/** Goes through what is older than the cutoff, once, and gives what each statement removed. It ends where the cutoff is. */
async function* stepsOf(
  { db, expiring, days, settings }: RetentionWorkerDeps,
  retentionClass: RetentionClass,
  signal: AbortSignal,
): AsyncGenerator<number> {
  if (days[retentionClass] === 0) return
  const cutoffUs = await findCutoffUs(db, days[retentionClass])
  await updateHorizon(db, retentionClass, cutoffUs)
  let afterUs = BEGINNING_US
  while (!signal.aborted) {
    const look = { cutoffUs, afterUs, rowsMax: settings.rowsMax }
    const { lookedAt, lastUs, removed } = await expiring.rows[retentionClass].remove(db, look)
    yield removed
    if (lastUs === undefined || lookedAt < settings.rowsMax) return
    afterUs = lastUs
    await sleep(settings.pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
