import type { Ids, Log } from '@tollgate/runtime'
import type { Database } from '../../../platform/database.ts'
import { createPeriodic } from '../../../platform/periodic.ts'
import { claimTasks, findNextDueSeconds, type Task, type TaskName, updateTaskDue } from './task-store.ts'

interface TaskLoopDeps {
  readonly db: Database
  readonly ids: Ids
  readonly log: Log
  /** How long a task stays with the worker that claimed it. */
  readonly leaseSeconds: number
}

/** Works off one kind of task, as it falls due. */
interface TaskLoop {
  start(): void
  /** Looks at once. */
  wake(): void
  /** Takes no new work, and resolves when the work under way is done. */
  stop(): Promise<void>
}

const UNDER_WAY_MAX = 200
const POLL_MS = 100
const FAULT_RETRY_SECONDS = 5

/** Claims what is due and works on it; a task that takes long holds up none of the others. */
export function createTaskLoop(
  deps: TaskLoopDeps,
  name: TaskName,
  work: (task: Task) => Promise<void>,
): TaskLoop {
  const underWay = new Set<Promise<void>>()
  const looks = createPeriodic({
    pauseMs: POLL_MS,
    work: async () => ((await takeUp()) ? POLL_MS : untilDueMs(deps, name)),
    onFault: (error) =>
      deps.log.warn({ task: name, err: error }, 'due payment work could not be claimed; it stays due'),
  })
  /** Whether the last claim may have left something behind. */
  let hasMore = false

  async function takeUp(): Promise<boolean> {
    const limit = UNDER_WAY_MAX - underWay.size
    if (limit === 0) return hasMore
    const leaseToken = deps.ids.uuid()
    const tasks = await claimTasks(deps.db, {
      task: name,
      limit,
      leaseToken,
      leaseSeconds: deps.leaseSeconds,
    })
    hasMore = tasks.length === limit
    for (const task of tasks) {
      const done = finish(deps, task, work).then(() => {
        underWay.delete(done)
        // Not for each one: claims of a single task would cost more than the work.
        if (hasMore && underWay.size <= UNDER_WAY_MAX / 2) looks.wake()
      })
      underWay.add(done)
    }
    return hasMore
  }

  return {
    start: () => looks.start(),
    wake: () => looks.wake(),
    async stop() {
      await looks.stop()
      await Promise.all(underWay)
    },
  }
}

/** Never rejects: a task that fails is tried again. */
async function finish(deps: TaskLoopDeps, task: Task, work: (task: Task) => Promise<void>): Promise<void> {
  try {
    await work(task)
  } catch (error) {
    const about = { task: task.task, kind: task.kind, err: error }
    deps.log.error(about, 'a payment task failed; it is tried again')
    await updateTaskDue(deps.db, task, FAULT_RETRY_SECONDS).catch(() => undefined)
  }
}

/** No longer than a poll, and not past the next task. */
async function untilDueMs(deps: TaskLoopDeps, name: TaskName): Promise<number> {
  const seconds = await findNextDueSeconds(deps.db, name).catch(() => undefined)
  return seconds === undefined ? POLL_MS : Math.min(POLL_MS, Math.max(0, Math.ceil(seconds * 1000)) + 1)
}
