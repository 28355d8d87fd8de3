import type { Clock, Log } from '@tollgate/runtime'
import type { Database, Tx } from '../../../platform/database.ts'
import { createPeriodic } from '../../../platform/periodic.ts'
import {
  countHouseSpan,
  countSpan,
  findWriters,
  forgetHouse,
  lockMark,
  type Mark,
  recountVolumes,
} from './store.ts'

// Counts the timeline into hours and days, behind the payments: docs/decisions/0044-volumes.md.

interface VolumeWorkerDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Log
  /** Between two looks; 10 seconds unless a test is in a hurry. */
  readonly pollMs?: number
  /** What happened so lately is not counted yet; a minute unless a test is in a hurry. */
  readonly lagMs?: number
}

/** Counts payments by hour and day. Any number of workers may run; one of them counts at a time. */
export interface VolumeWorker {
  start(): void
  /** Begins no other round, and resolves when the one under way is done. */
  stop(): Promise<void>
}

const POLL_MS = 10_000
/** More than what clocks are set back by without anybody noticing. */
const LAG_MS = 60_000
const SPAN_MIN_MS = 1_000
const SPAN_MAX_MS = 86_400_000
/** A span that takes less is followed by a longer one, and a span that takes more by a shorter one. */
const QUICK_MS = 200
const SLOW_MS = 1_000

export function createVolumeWorker(deps: VolumeWorkerDeps): VolumeWorker {
  const { db, clock, log, pollMs = POLL_MS, lagMs = LAG_MS } = deps
  const horizon = createHorizon()
  let spanMs = LAG_MS

  /** One round; true when there is more to count at once. */
  async function countOnce(): Promise<boolean> {
    const complete = horizon.seen(await findWriters(db))
    if (complete === undefined) return false
    const until = new Date(complete.getTime() - lagMs)
    const startedAtMs = clock.monotonicMs()
    try {
      return await db.transaction((tx) => countNext(tx, until, spanMs))
    } finally {
      const tookMs = clock.monotonicMs() - startedAtMs
      if (tookMs < QUICK_MS) spanMs = Math.min(SPAN_MAX_MS, spanMs * 2)
      if (tookMs > SLOW_MS) spanMs = Math.max(SPAN_MIN_MS, spanMs / 2)
    }
  }

  const periodic = createPeriodic({
    pauseMs: pollMs,
    work: countOnce,
    onFault: (error) => log.warn({ err: error }, 'volumes could not be counted; they are tried again'),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}

async function countNext(tx: Tx, until: Date, spanMs: number): Promise<boolean> {
  const mark = await lockMark(tx)
  if (mark === undefined) return false
  if (mark.isAhead) {
    await recountVolumes(tx, mark.today)
    return true
  }
  if (mark.houseCountedUntil.getTime() !== mark.countedUntil.getTime()) {
    await catchUp(tx, mark, spanMs)
    return true
  }
  if (mark.countedUntil >= until) return false
  const to = new Date(Math.min(until.getTime(), mark.countedUntil.getTime() + spanMs))
  await countSpan(tx, mark.countedUntil, to)
  return to < until
}

/** A process of an earlier version counted each merchant and not all of them together, or took back the one and not the other. */
async function catchUp(tx: Tx, { countedUntil, houseCountedUntil }: Mark, spanMs: number): Promise<void> {
  if (houseCountedUntil > countedUntil) return forgetHouse(tx)
  const to = new Date(Math.min(countedUntil.getTime(), houseCountedUntil.getTime() + spanMs))
  return countHouseSpan(tx, houseCountedUntil, to)
}

interface Horizon {
  /**
   * Takes who writes now; gives the latest time before which everything that was written is committed, as far as that is
   * known: a time at which somebody looked, after all who wrote at that time have ended.
   */
  seen(look: { readonly now: Date; readonly writers: readonly string[] }): Date | undefined
}

export function createHorizon(): Horizon {
  let complete: Date | undefined
  let waiting: { readonly now: Date; readonly writers: ReadonlySet<string> } | undefined
  return {
    seen({ now, writers }) {
      // The clock went back: what was known is not true of the times that come again.
      if (complete !== undefined && now < complete) {
        complete = undefined
        waiting = undefined
      }
      if (waiting === undefined || writers.every((writer) => waiting?.writers.has(writer) !== true)) {
        complete = writers.length === 0 ? now : waiting?.now
        waiting = { now, writers: new Set(writers) }
      }
      return complete
    },
  }
}
