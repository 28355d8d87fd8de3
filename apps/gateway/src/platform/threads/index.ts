import { createThreads, type Threads } from './pool.ts'

export { createThreads, ThreadEnded } from './pool.ts'

/**
 * The threads in which documents of others are read. One pool for the whole process, since they share its processors: two
 * documents at a time, and a few that wait.
 */
export const documentThreads: Threads = createThreads({
  threadsMax: 2,
  waitingMax: 8,
  deadlineMs: 60_000,
  memoryMib: 640,
  idleMs: 10_000,
})
