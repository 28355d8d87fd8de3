import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultProxy, MessageFault } from '@tollgate/testkit'
import type { Random } from '../../rig/random.ts'
import type { FaultKind } from './kind.ts'

const STRIKE_MS = { from: 500, to: 2_000 } as const
const MESSAGES_MAX = 12
const DELAY_MS = { from: 50, to: 300 } as const
const LOSSES = ['REQUEST_LOST', 'REPLY_LOST', 'BLACK_HOLE'] as const

/** Names of statements, as they go over the wire: those that write in one statement, and the end of the others. */
const MARKERS = {
  api: ['payments_insert', 'payments_insert_outgoing', 'payments_list', 'rail_notifications', 'commit'],
  worker: ['commit', 'callbacks_update_attempts', 'callbacks_claim_due', 'payment_tasks', 'payments_update'],
} as const

/** Messages between the gateway and the database are lost, late, or cut off: also the answer to a write that happened. */
export const badNetwork: FaultKind = {
  name: 'bad-network',
  title: 'a reply or request lost at a write, a black hole, resets and delays between gateway and database',
  async strike({ proxies }, random) {
    const role = random.pick(['api', 'worker'] as const)
    const proxy = proxies[role]
    switch (random.pick(['LOSS', 'LOSS', 'LOSS', 'DELAY', 'RESET', 'REFUSE'] as const)) {
      case 'LOSS':
        return lose(proxy, random, random.pick(MARKERS[role]))
      case 'DELAY':
        proxy.delay(random.between(DELAY_MS.from, DELAY_MS.to))
        await sleep(strikeMs(random))
        proxy.delay(0)
        return
      case 'RESET':
        proxy.cutAll()
        return
      case 'REFUSE':
        proxy.refuse(true)
        proxy.cutAll()
        await sleep(strikeMs(random))
        proxy.refuse(false)
    }
  },
}

async function lose(proxy: FaultProxy, random: Random, marker: string): Promise<void> {
  const fault: MessageFault = { kind: random.pick(LOSSES), marker, times: 1 + random.below(MESSAGES_MAX) }
  proxy.plan(fault)
  await sleep(strikeMs(random))
  proxy.plan({ ...fault, times: 0 })
}

const strikeMs = (random: Random): number => random.between(STRIKE_MS.from, STRIKE_MS.to)
