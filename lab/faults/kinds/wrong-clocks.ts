import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../rig/programs.ts'
import type { PlainFault } from './kind.ts'
import { restart } from './restart.ts'

/** Less than the 300 s by which signatures between the gateway and an institution may be off. */
const OFF_MS = { from: 60_000, to: 240_000 } as const
const STRIKE_MS = { from: 2_000, to: 4_000 } as const
const SHIFT = new URL('../setup/shifted-clock.ts', import.meta.url).href

/** Each worker goes by a wrong clock of its own. What is due is for the database to say. */
export const wrongClocks: PlainFault = {
  name: 'wrong-clocks',
  isLongOnly: true,
  title: 'the clock of one worker 1 to 4 min ahead, that of the other as far behind, then both right again',
  async strike({ workers: [one, other] }, random) {
    const offMs = random.between(OFF_MS.from, OFF_MS.to)
    await Promise.all([restart(one, clockAhead(offMs)), restart(other, clockAhead(-offMs))])
    await sleep(random.between(STRIKE_MS.from, STRIKE_MS.to))
    await Promise.all([restart(one), restart(other)])
  },
}

const clockAhead = (ms: number): Settings => ({
  CLOCK_AHEAD_MS: String(Math.round(ms)),
  NODE_OPTIONS: `--import=${SHIFT}`,
})
