import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageFault } from '@tollgate/testkit'
import type { FaultKind } from './kind.ts'

const PARTITION_MS = { from: 2_000, to: 8_000 } as const
const PAUSE_MS = 2_000

/** Every message, until it is over. What was connected meanwhile stays silent for ever. */
const EVERYTHING: MessageFault = { kind: 'BLACK_HOLE', marker: '', times: Number.MAX_SAFE_INTEGER }

/** One role of the gateway cannot be heard by the database, and does not hear it, while the other goes on. */
export const partition: FaultKind = {
  name: 'partition',
  title: 'no message passes between the database and all API processes, or all workers',
  async strike({ proxies }, random) {
    const proxy = random.pick([proxies.api, proxies.worker])
    proxy.plan(EVERYTHING)
    await sleep(random.between(PARTITION_MS.from, PARTITION_MS.to))
    proxy.plan({ ...EVERYTHING, times: 0 })
    await sleep(PAUSE_MS)
  },
}
