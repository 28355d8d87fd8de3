import type { Clock, Log } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createPeriodic } from '../../platform/periodic.ts'
import { createChainer, findHead } from './chainer.ts'

interface JournalWorkerDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'journalLagSeconds'>
  /** Between two looks for new transfers; 1000 unless a test is in a hurry. */
  readonly pollMs?: number
}

/** Writes the journal behind the bookings. Any number of workers may run; one of them writes at a time. */
export interface JournalWorker {
  start(): void
  /** Begins no other round, and resolves when the one under way is done. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
/** How often the log tells the head, so that it is known outside of the database. */
const HEAD_LOGGED_MS = 3_600_000

export function createJournalWorker(deps: JournalWorkerDeps): JournalWorker {
  const chainer = createChainer(deps.db)
  let headDueAtMs = deps.clock.monotonicMs()

  /** One round; true when there is more to do at once. */
  async function lookOnce(): Promise<boolean> {
    try {
      return await chainOnce()
    } finally {
      // Also when nothing could be chained: it is then that it grows.
      deps.metrics.journalLagSeconds.set(await chainer.findLagSeconds())
    }
  }

  async function chainOnce(): Promise<boolean> {
    const { isFull } = await chainer.chain()
    if (deps.clock.monotonicMs() >= headDueAtMs && (await logHead(deps)))
      headDueAtMs = deps.clock.monotonicMs() + HEAD_LOGGED_MS
    return isFull
  }

  const periodic = createPeriodic({
    pauseMs: deps.pollMs ?? POLL_MS,
    work: lookOnce,
    onFault: (error) => deps.log.warn({ err: error }, 'transfers could not be chained; they are tried again'),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}

/** False while there is no head to tell. */
async function logHead({ db, log }: JournalWorkerDeps): Promise<boolean> {
  const head = await findHead(db)
  if (head === undefined) return false
  const { entryNo, chainHash, chainedAt } = head
  log.info({ entryNo, chainHash: chainHash.toString('hex'), chainedAt }, 'the head of the journal')
  return true
}
