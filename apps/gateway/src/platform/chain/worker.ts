import type { Clock, Log } from '@tollgate/runtime'
import type { Database } from '../database.ts'
import { createPeriodic } from '../periodic.ts'
import type { ChainedTable } from './chained.ts'
import { createChainer, findHead } from './chainer.ts'

interface ChainWorkerDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Log
  readonly table: ChainedTable
  /** Told after each round how long the row that comes next has waited. */
  readonly tellLag?: (seconds: number) => void
  /** Between two looks for new rows; 1000 unless a test is in a hurry. */
  readonly pollMs?: number
}

/** Writes a chain behind its rows. Any number of workers may run; one of them writes at a time. */
export interface ChainWorker {
  start(): void
  /** Begins no other round, and resolves when the one under way is done. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
/** How often the log tells the head, so that it is known outside of the database. */
const HEAD_LOGGED_MS = 3_600_000

export function createChainWorker(deps: ChainWorkerDeps): ChainWorker {
  const { table, tellLag } = deps
  const chainer = createChainer(deps.db, table)
  let headDueAtMs = deps.clock.monotonicMs()

  /** One round; true when there is more to do at once. */
  async function lookOnce(): Promise<boolean> {
    try {
      return await chainOnce()
    } finally {
      // Also when nothing could be chained: it is then that it grows.
      tellLag?.(await chainer.findLagSeconds())
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
    onFault: (error) =>
      deps.log.warn({ err: error }, `${table.row}s could not be chained; they are tried again`),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}

/** False while there is no head to tell. */
async function logHead({ db, log, table }: ChainWorkerDeps): Promise<boolean> {
  const head = await findHead(db, table)
  if (head === undefined) return false
  const { entryNo, chainHash, chainedAt } = head
  log.info({ entryNo, chainHash: chainHash.toString('hex'), chainedAt }, `the head of the ${table.called}`)
  return true
}
