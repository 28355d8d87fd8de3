import type { FaultKind } from './kind.ts'

const API_MS = { from: 500, to: 6_000 } as const
/** The lease of a callback is over after 11 s: sometimes a worker comes back when another has its work. */
const WORKER_MS = { from: 1_000, to: 14_000 } as const

/** A process stands still and then goes on, as if no time had passed. */
export const freezeProcesses: FaultKind = {
  name: 'freeze-processes',
  title: 'SIGSTOP of a process of the API or a worker for up to 14 s, then SIGCONT',
  async strike({ apis, workers }, random) {
    if (random.share() < 0.5) await random.pick(apis).freeze(random.between(API_MS.from, API_MS.to))
    else await random.pick(workers).freeze(random.between(WORKER_MS.from, WORKER_MS.to))
  },
}
