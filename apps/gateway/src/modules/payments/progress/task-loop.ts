import type { Ids, Log } from '@tollgate/runtime'
import type { Database } from '../../../platform/database.ts'
import { createLeasedWork, type LeasedWork } from '../../../platform/leased-work.ts'
import { claimTasks, findNextDueSeconds, type Task, type TaskName, updateTaskDue } from './task-store.ts'

interface TaskLoopDeps {
  readonly db: Database
  readonly ids: Ids
  readonly log: Log
  /** How long a task stays with the worker that claimed it. */
  readonly leaseSeconds: number
}

const UNDER_WAY_MAX = 200
const POLL_MS = 100
/** The least time from one look to the next: what follows from a look costs nearly the same for one payment as for many. */
const GATHER_MS = 20
const FAULT_RETRY_SECONDS = 5

/** Works off one kind of task; what fails is tried again. */
export function createTaskLoop(
  { db, ids, log, leaseSeconds }: TaskLoopDeps,
  name: TaskName,
  work: (task: Task) => Promise<void>,
): LeasedWork {
  return createLeasedWork<Task>({
    pollMs: POLL_MS,
    gatherMs: GATHER_MS,
    underWayMax: UNDER_WAY_MAX,
    refillAt: UNDER_WAY_MAX / 2,
    async claim(limit) {
      const rows = await claimTasks(db, { task: name, limit, leaseToken: ids.uuid(), leaseSeconds })
      const hasMore = rows.length === limit
      return { rows, hasMore, restMs: hasMore ? POLL_MS : await untilDueMs(db, name) }
    },
    async run(task) {
      try {
        await work(task)
      } catch (error) {
        const about = { task: task.task, kind: task.kind, err: error }
        log.error(about, 'a payment task failed; it is tried again')
        await updateTaskDue(db, task, FAULT_RETRY_SECONDS).catch(() => undefined)
      }
    },
    onFault: (error) =>
      log.warn({ task: name, err: error }, 'due payment work could not be claimed; it stays due'),
  })
}

/** No longer than a poll, and not past the next task. */
async function untilDueMs(db: Database, name: TaskName): Promise<number> {
  const seconds = await findNextDueSeconds(db, name).catch(() => undefined)
  return seconds === undefined ? POLL_MS : Math.min(POLL_MS, Math.max(0, Math.ceil(seconds * 1000)) + 1)
}
