import type { Clock, Ids, Log } from '@tollgate/runtime'
import type { Database } from '../../../platform/database.ts'
import { createLeasedWork, type LeasedWork } from '../../../platform/leased-work.ts'
import { createRailShares, type RailShares } from './rail-shares.ts'
import {
  claimTasks,
  claimTasksBeside,
  findNextDueSeconds,
  type Task,
  type TaskName,
  updateTaskDue,
} from './task-store.ts'

interface TaskLoopDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly ids: Ids
  readonly log: Log
  /** How long a task stays with the worker that claimed it. */
  readonly leaseSeconds: number
}

/** A rail alone gets half of its places. */
const UNDER_WAY_MAX: Readonly<Record<TaskName, number>> = { EXPIRE: 200, RAIL: 400 }
const REFILL_AT = 100
const POLL_MS = 100
/** The least time from one look to the next: what follows from a look costs nearly the same for one payment as for many. */
const GATHER_MS = 20
/** The least time from one look beside a rail to the next, where not all was taken that it found; twice as long each time it finds nothing. */
const BESIDE_MS = 200
const BESIDE_MS_MAX = 1_600
const FAULT_RETRY_SECONDS = 5

/** What a look took up, and whether it knows that it left some. */
interface Look {
  readonly rows: readonly Task[]
  readonly hasMore: boolean
}

/** Works off one kind of task; what fails is tried again. */
export function createTaskLoop(
  deps: TaskLoopDeps,
  name: TaskName,
  work: (task: Task) => Promise<void>,
): LeasedWork {
  const { db, log } = deps
  const shares = createRailShares()
  const look = name === 'RAIL' ? looksInShares(deps, shares) : (limit: number) => lookAt(deps, name, limit)
  return createLeasedWork<Task>({
    pollMs: POLL_MS,
    gatherMs: GATHER_MS,
    underWayMax: UNDER_WAY_MAX[name],
    refillAt: REFILL_AT,
    async claim(free) {
      const { rows, hasMore } = await look(free)
      return { rows, hasMore, restMs: hasMore ? POLL_MS : await untilDueMs(db, name) }
    },
    async run(task) {
      const rail = task.payment?.rail ?? ''
      shares.take(rail)
      try {
        await work(task)
      } catch (error) {
        const about = { task: task.task, kind: task.kind, err: error }
        log.error(about, 'a payment task failed; it is tried again')
        await updateTaskDue(db, task, FAULT_RETRY_SECONDS).catch(() => undefined)
      } finally {
        shares.release(rail)
      }
    },
    onFault: (error) =>
      log.warn({ task: name, err: error }, 'due payment work could not be claimed; it stays due'),
  })
}

const orderOf = ({ ids, leaseSeconds }: TaskLoopDeps, task: TaskName, limit: number) => ({
  task,
  limit,
  leaseToken: ids.uuid(),
  leaseSeconds,
})

async function lookAt(deps: TaskLoopDeps, name: TaskName, limit: number): Promise<Look> {
  const rows = await claimTasks(deps.db, orderOf(deps, name, limit))
  return { rows, hasMore: rows.length === limit }
}

/**
 * The oldest first, as long as that leaves places for all rails. Where it may have left some, it also looks beside the rails that have
 * most or all they may have: what is due of those may stand before all else.
 */
function looksInShares(deps: TaskLoopDeps, shares: RailShares): (free: number) => Promise<Look> {
  let isCut = false
  let walkedTo: string | undefined
  let besideAtMs = 0
  let besideRestMs = BESIDE_MS

  async function lookBeside(rails: readonly string[], free: number): Promise<readonly Task[]> {
    const limit = shares.roomBeside(rails, free)
    const from = walkedTo
    const found = await claimTasksBeside(deps.db, orderOf(deps, 'RAIL', limit), { rails, from })
    walkedTo = found.walkedTo
    besideRestMs = found.tasks.length > 0 ? BESIDE_MS : Math.min(2 * besideRestMs, BESIDE_MS_MAX)
    if (found.tasks.length < limit) besideAtMs = deps.clock.monotonicMs() + besideRestMs
    return found.tasks
  }

  return async (free) => {
    const full = shares.full(free)
    if ((isCut || full.length > 0) && deps.clock.monotonicMs() >= besideAtMs) {
      isCut = false
      const rows = await lookBeside(full.length > 0 ? full : shares.most(), free)
      if (rows.length > 0) return { rows, hasMore: true }
    }
    if (full.length > 0) return { rows: [], hasMore: true }
    const look = await lookAt(deps, 'RAIL', shares.roomBeside([], free))
    isCut = look.hasMore
    return look
  }
}

/** No longer than a poll, and not past the next task. */
async function untilDueMs(db: Database, name: TaskName): Promise<number> {
  const seconds = await findNextDueSeconds(db, name).catch(() => undefined)
  return seconds === undefined ? POLL_MS : Math.min(POLL_MS, Math.max(0, Math.ceil(seconds * 1000)) + 1)
}
