import { setTimeout as sleep } from 'node:timers/promises'
import { createFakedClock, type FakedClock, missingForFakedClocks } from '../setup/faked-clocks.ts'
import type { Member } from '../setup/member.ts'
import { restartPostmasterWith, stopPostmaster } from '../setup/postmaster.ts'
import type { PreparedFault } from './kind.ts'
import { inTurns, restart } from './restart.ts'

const API_SECONDS = 7_200
const WORKER_SECONDS = 3_600
const DATABASE_SLOW_SECONDS = 600
/** More than a lease and all five attempts take. What is noted meanwhile is due only so much later, and the run waits for it. */
const DATABASE_FAST_SECONDS = 30
const WRONG_MS = { from: 1_000, to: 3_000 } as const
const PAUSE_MS_MAX = 1_000

/** A clock that can jump, and by how many seconds. */
interface Jumper {
  readonly clock: FakedClock
  readonly jumps: readonly [number, ...number[]]
  readonly isDatabase?: true
}

/** A wall clock jumps, and jumps back: that of a process of the API, of a worker, or of the database. */
export const jumpingClocks: PreparedFault = {
  name: 'jumping-clocks',
  title:
    'the clock of an API process 2 h off, of a worker 1 h off, or of the database 10 min slow or 30 s fast; then right again',
  missing: missingForFakedClocks,
  async prepare(stage, random) {
    const { server, notes, atEnd } = stage
    const database = createFakedClock()
    atEnd(() => stopPostmaster(server))
    await restartPostmasterWith(server, database.environment)
    const { apis, workers } = await inTurns(stage, fake)
    const jumpers: readonly [Jumper, ...Jumper[]] = [
      { clock: database, jumps: [-DATABASE_SLOW_SECONDS, DATABASE_FAST_SECONDS], isDatabase: true },
      ...apis.map((clock): Jumper => ({ clock, jumps: [-API_SECONDS, API_SECONDS] })),
      ...workers.map((clock): Jumper => ({ clock, jumps: [-WORKER_SECONDS, WORKER_SECONDS] })),
    ]
    return {
      async strike() {
        await sleep(random.below(PAUSE_MS_MAX))
        const { clock, jumps, isDatabase } = random.pick(jumpers)
        const jumpTo = (seconds: number): void => {
          if (isDatabase) notes.clockJumped()
          clock.set(seconds)
        }
        jumpTo(random.pick(jumps))
        await sleep(random.between(WRONG_MS.from, WRONG_MS.to))
        jumpTo(0)
      },
      async end() {
        await stopPostmaster(server)
        await server.restart()
        await inTurns(stage, (member) => restart(member))
        for (const { clock } of jumpers) clock.remove()
      },
    }
  },
}

async function fake(member: Member): Promise<FakedClock> {
  const clock = createFakedClock()
  await restart(member, clock.environment)
  return clock
}
