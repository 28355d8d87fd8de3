import { setTimeout as sleep } from 'node:timers/promises'
import type { Ids, Log } from '@tollgate/runtime'
import type { Database } from '../../../platform/database.ts'
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
  const sleeper = createSleeper()
  let stopping = false
  /** Whether the last claim may have left something behind. */
  let hasMore = false
  let loop: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    while (!stopping) {
      await takeUp().catch((error: unknown) => {
        deps.log.warn({ task: name, err: error }, 'due payment work could not be claimed; it stays due')
      })
      await sleeper.sleep(hasMore ? POLL_MS : await untilDueMs(deps, name))
    }
    await Promise.all(underWay)
  }

  async function takeUp(): Promise<void> {
    const limit = UNDER_WAY_MAX - underWay.size
    if (limit === 0) return
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
        if (hasMore && underWay.size <= UNDER_WAY_MAX / 2) sleeper.wake()
      })
      underWay.add(done)
    }
  }

  return {
    start() {
      loop = run()
    },
    wake: () => sleeper.wake(),
    async stop() {
      stopping = true
      sleeper.wake()
      await loop
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

/** Sleep that can be cut short. A wake that comes while nobody sleeps counts for the next sleep. */
function createSleeper() {
  let waker = new AbortController()
  return {
    wake: () => waker.abort(),
    async sleep(ms: number): Promise<void> {
      if (!waker.signal.aborted) await sleep(ms, undefined, { signal: waker.signal }).catch(() => undefined)
      waker = new AbortController()
    },
  }
}
