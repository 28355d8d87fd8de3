import type { Timeline } from './timeline.ts'

/** Cores that share themselves out evenly among what runs, as a kernel does; one job has one core at most. */
export interface Processor {
  run(workMs: number, onDone: () => void): void
  /** Everything that runs is dropped and never done. */
  dropAll(): void
  /** Work that was done, in milliseconds of a core. */
  usedMs(): number
}

interface Job {
  leftMs: number
  readonly onDone: () => void
}

/** What rounding leaves of work that is done. */
const NOTHING_MS = 1e-9

export function createProcessor(timeline: Timeline, cores: number): Processor {
  let jobs: Job[] = []
  let sinceMs = 0
  let usedMs = 0
  /** Which plan is in force: each job that comes or ends changes when the next one ends. */
  let plan = 0

  const speed = (): number => Math.min(1, cores / jobs.length)

  function advance(): void {
    const doneMs = (timeline.nowMs() - sinceMs) * speed()
    sinceMs = timeline.nowMs()
    for (const job of jobs) {
      job.leftMs -= doneMs
      usedMs += doneMs
    }
  }

  function planNext(): void {
    plan += 1
    if (jobs.length === 0) return
    const planned = plan
    const soonestMs = jobs.reduce((least, { leftMs }) => Math.min(least, leftMs), Infinity)
    timeline.after(Math.max(0, soonestMs) / speed(), () => {
      if (planned === plan) finish()
    })
  }

  function finish(): void {
    advance()
    const ended = jobs.filter(({ leftMs }) => leftMs <= NOTHING_MS)
    jobs = jobs.filter(({ leftMs }) => leftMs > NOTHING_MS)
    planNext()
    for (const { onDone } of ended) onDone()
  }

  return {
    run(workMs, onDone) {
      advance()
      jobs.push({ leftMs: workMs, onDone })
      planNext()
    },
    dropAll() {
      advance()
      jobs = []
      planNext()
    },
    usedMs() {
      advance()
      return usedMs
    },
  }
}

/** A thread does one thing after the other, in the order in which it was asked. */
export interface Thread {
  /** `workMs` is asked for when its turn has come. */
  run(workMs: () => number, onDone: () => void): void
}

export function createThread(processor: Processor): Thread {
  const tasks: { readonly workMs: () => number; readonly onDone: () => void }[] = []
  let first = 0
  let isBusy = false

  function next(): void {
    const task = tasks[first]
    isBusy = task !== undefined
    if (task === undefined) {
      // Cleared when empty: taking away the first of a long list each time would move all others.
      tasks.length = 0
      first = 0
      return
    }
    first += 1
    processor.run(task.workMs(), () => {
      task.onDone()
      next()
    })
  }

  return {
    run(workMs, onDone) {
      tasks.push({ workMs, onDone })
      if (!isBusy) next()
    },
  }
}
