import { createPeriodic, type Periodic } from './periodic.ts'

/** What one look found. */
interface Claimed<Row> {
  readonly rows: readonly Row[]
  /** Whether something that is due may be left: then it is looked for again as soon as there is room. */
  readonly hasMore: boolean
  /** Until the next look; a poll unless given. */
  readonly restMs?: number
}

interface LeasedWorkOptions<Row> {
  /** The longest time between two looks. */
  readonly pollMs: number
  readonly gatherMs?: number
  /** So many rows are worked on at once, at most. */
  readonly underWayMax: number
  /** So many may still be under way when what was left is looked for: a look for single rows costs more than their work. */
  readonly refillAt: number
  /** Leases at most so many rows that are due. */
  readonly claim: (free: number) => Promise<Claimed<Row>>
  /** Works on one; its first step happens before the next look. Must not reject. */
  readonly run: (row: Row) => Promise<void>
  /** Is told of a look that failed. Must not throw. */
  readonly onFault: (error: unknown) => void
}

/** Works off durable rows as they fall due: a row that takes long holds up none of the others. */
export interface LeasedWork extends Omit<Periodic, 'signal'> {
  /** Whether a row that was leased without a look can be worked on; never after a stop. */
  hasRoom(): boolean
  /** Counts the work on such a row as under way. It must not reject. */
  add(work: Promise<void>): void
}

/** `stop` claims no more, and resolves when the rows under way are done. */
export function createLeasedWork<Row>(options: LeasedWorkOptions<Row>): LeasedWork {
  const underWay = new Set<Promise<void>>()
  let hasMore = false
  let done = 0
  let isStopped = false
  const callsForLook = (): boolean => hasMore && underWay.size <= options.refillAt
  const looks = createPeriodic({
    pauseMs: options.pollMs,
    gatherMs: options.gatherMs,
    work: look,
    onFault: options.onFault,
  })

  async function look(): Promise<number | true> {
    const doneBefore = done
    const {
      rows,
      hasMore: isMore,
      restMs = options.pollMs,
    } = await options.claim(options.underWayMax - underWay.size)
    hasMore = isMore
    for (const row of rows) add(options.run(row))
    // Room that was made during the look is not in its count, and nobody called for another look.
    return done !== doneBefore && callsForLook() ? true : restMs
  }

  function add(given: Promise<void>): void {
    const work = given.then(() => {
      underWay.delete(work)
      done += 1
      if (callsForLook()) looks.wake()
    })
    underWay.add(work)
  }

  return {
    start: looks.start,
    wake: looks.wake,
    hasRoom: () => !isStopped && underWay.size < options.underWayMax,
    add,
    async stop() {
      isStopped = true
      await looks.stop()
      await Promise.all(underWay)
    },
  }
}
