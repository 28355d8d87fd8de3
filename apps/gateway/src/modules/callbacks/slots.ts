import type { BusyLane } from './claim-store.ts'
import type { ClaimedCallback } from './model.ts'

/** How many attempts one worker process has under way at most. */
export interface CallbackLimits {
  /** At one receiver, that is one scheme, host and port. */
  readonly receiverMax: number
  /** Of one merchant, whatever its receivers. */
  readonly merchantMax: number
  readonly inAllMax: number
  /** At receivers that took longer than `slowAfterMs` the last time, all together. */
  readonly slowMax: number
  readonly slowAfterMs: number
}

export const CALLBACK_LIMITS: CallbackLimits = {
  receiverMax: 8,
  merchantMax: 50,
  inAllMax: 200,
  slowMax: 100,
  slowAfterMs: 2_000,
}

/** How many slow receivers are remembered; the one that was slow longest ago is forgotten first. */
const SLOW_RECEIVERS_MAX = 1_000

/** The account of what a worker has under way. */
export interface Slots {
  freeForSlow(): number
  busyLanes(): readonly BusyLane[]
  slowReceivers(): readonly string[]
  take(callback: ClaimedCallback): void
  /** `tookMs` is the time that the receiver took. */
  release(callback: ClaimedCallback, tookMs: number): void
}

/** Opens an account with nothing under way. */
export function createSlots(limits: CallbackLimits): Slots {
  const underWay = new Set<ClaimedCallback>()
  const slow = new Set<string>()

  const slowUnderWay = (): number =>
    underWay.values().reduce((sum, each) => sum + (slow.has(each.receiver) ? 1 : 0), 0)

  function remember(receiver: string, tookMs: number): void {
    // Taken out and put back, so that the set is in the order of the last time.
    slow.delete(receiver)
    if (tookMs < limits.slowAfterMs) return
    slow.add(receiver)
    const [oldest] = slow
    if (slow.size > SLOW_RECEIVERS_MAX && oldest !== undefined) slow.delete(oldest)
  }

  return {
    freeForSlow: () => Math.max(0, limits.slowMax - slowUnderWay()),
    busyLanes: () => lanesOf(underWay),
    slowReceivers: () => [...slow],
    take: (callback) => underWay.add(callback),
    release(callback, tookMs) {
      underWay.delete(callback)
      remember(callback.receiver, tookMs)
    },
  }
}

function lanesOf(callbacks: Iterable<ClaimedCallback>): readonly BusyLane[] {
  const byLane = Map.groupBy(callbacks, (callback) => `${callback.receiver} ${callback.merchantId}`)
  return [...byLane.values()].flatMap((lane) => {
    const [first] = lane
    return first === undefined
      ? []
      : [{ receiver: first.receiver, merchantId: first.merchantId, taken: lane.length }]
  })
}
