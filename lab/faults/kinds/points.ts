import type { MessageFault } from '@tollgate/testkit'
import type { Random } from '../../rig/random.ts'

/**
 * A place in the code that can be seen from outside: something that the process says to the database or to the bank, or hears
 * from them. It is killed there, and what was said or heard is lost.
 */
export interface Point {
  /** Where it stands, as figures call it. */
  readonly name: string
  readonly at: 'DATABASE' | 'BANK'
  readonly fault: Omit<MessageFault, 'onFault' | 'times'>
}

/** Names of statements, as they go over the wire. */
const before = (marker: string): Point['fault'] => ({ kind: 'REQUEST_LOST', marker })
const after = (marker: string, replyMarker?: string): Point['fault'] => ({
  kind: 'REPLY_LOST',
  marker,
  ...(replyMarker !== undefined && { replyMarker }),
})
const HAND_OVER = 'PUT /payments'
/** In the addresses of all receivers: a claim that finds nothing holds none. */
const RECEIVER = 'http://127.0.0.1'

export const API_POINTS: readonly [Point, ...Point[]] = [
  { name: 'before a payment is written', at: 'DATABASE', fault: before('payments_insert') },
  { name: 'a payment committed, not yet answered', at: 'DATABASE', fault: after('payments_insert') },
  { name: 'before a notification is written', at: 'DATABASE', fault: before('rail_notifications_insert') },
  {
    name: 'a notification written, not yet answered',
    at: 'DATABASE',
    fault: after('rail_notifications_insert'),
  },
]

export const WORKER_POINTS: readonly [Point, ...Point[]] = [
  { name: 'a change written, not yet committed', at: 'DATABASE', fault: before('commit') },
  { name: 'a change committed, not yet heard of', at: 'DATABASE', fault: after('commit') },
  {
    name: 'a payout noted as submitted, not yet handed over',
    at: 'DATABASE',
    fault: after('payments_update_submitted'),
  },
  { name: 'a payment on its way to the bank', at: 'BANK', fault: before(HAND_OVER) },
  { name: 'a payment at the bank, its answer not yet heard', at: 'BANK', fault: after(HAND_OVER) },
  { name: 'callbacks claimed, not yet sent', at: 'DATABASE', fault: after('callbacks_claim_due', RECEIVER) },
  { name: 'a callback answered, not yet noted', at: 'DATABASE', fault: before('callbacks_update_attempts') },
  { name: 'a callback noted, not yet heard of', at: 'DATABASE', fault: after('callbacks_update_attempts') },
]

/** One after another from a place that chance chooses, so that each has its turn before one comes again. */
export function turns<Item>(items: readonly [Item, ...Item[]], random: Random): () => Item {
  let next = random.below(items.length)
  return () => {
    const item = items[next % items.length] ?? items[0]
    next += 1
    return item
  }
}
