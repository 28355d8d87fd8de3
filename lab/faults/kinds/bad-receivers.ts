import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultKind } from './kind.ts'

const SPOILED_MS = { from: 1_000, to: 4_000 } as const
const PAUSE_MS_MAX = 1_500

/** The server that took callbacks takes none, in another manner each time; the bad ones are bad all the time. */
export const badReceivers: FaultKind = {
  name: 'bad-receivers',
  title: 'receivers answer 500, 204 or 302, close, hang or drip',
  async strike({ receivers }, random) {
    receivers.spoil(random)
    await sleep(random.between(SPOILED_MS.from, SPOILED_MS.to))
    receivers.improve()
    await sleep(random.below(PAUSE_MS_MAX))
  },
}
