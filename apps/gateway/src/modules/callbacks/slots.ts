import { createBoundedMap } from '@tollgate/runtime'
import type { Lane } from './model.ts'

/** How many attempts one worker process has under way at most. */
export interface CallbackLimits {
  /** At one receiver, that is one scheme, host and port. */
  readonly receiverMax: number
  /** At one that answered 200 within `quickWithinMs` the last time. */
  readonly quickReceiverMax: number
  readonly quickWithinMs: number
  /** Of one merchant, whatever its receivers. */
  readonly merchantMax: number
  readonly inAllMax: number
  /** At receivers that took longer than `slowAfterMs` the last time, all together. */
  readonly slowMax: number
  readonly slowAfterMs: number
}

export const CALLBACK_LIMITS: CallbackLimits = {
  receiverMax: 8,
  quickReceiverMax: 32,
  quickWithinMs: 500,
  merchantMax: 50,
  inAllMax: 400,
  slowMax: 100,
  slowAfterMs: 2_000,
}

/** How many slow receivers are remembered; the one that was slow longest ago is forgotten first. */
const SLOW_RECEIVERS_MAX = 1_000
/** The same for quick ones. Where there are more, each has little to do. */
const QUICK_RECEIVERS_MAX = 100

/** How a receiver answered. */
interface Answer {
  readonly tookMs: number
  readonly isOk: boolean
}

/** How many attempts of one merchant at one receiver the asking process has under way. */
export interface BusyLane extends Lane {
  readonly taken: number
}

/** The account of what a worker has under way. */
export interface Slots {
  freeForSlow(): number
  busyLanes(): readonly BusyLane[]
  slowReceivers(): readonly string[]
  quickReceivers(): readonly string[]
  /** Whether the receiver, unless it was slow the last time, and the merchant have a free slot. */
  hasRoomFor(lane: Lane): boolean
  take(attempt: Lane): void
  /** Without an answer of the receiver, for an attempt that was not made or went wrong here. */
  release(attempt: Lane, answer?: Answer): void
}

/** Opens an account with nothing under way. */
export function createSlots(limits: CallbackLimits): Slots {
  const underWay = new Set<Lane>()
  const slow = createMemory(SLOW_RECEIVERS_MAX)
  const quick = createMemory(QUICK_RECEIVERS_MAX)
  const atReceivers = new Map<string, number>()
  const ofMerchants = new Map<string, number>()

  const slowUnderWay = (): number =>
    underWay.values().reduce((sum, each) => sum + (slow.has(each.receiver) ? 1 : 0), 0)

  function count({ receiver, merchantId }: Lane, step: 1 | -1): void {
    add(atReceivers, receiver, step)
    add(ofMerchants, merchantId, step)
  }

  return {
    freeForSlow: () => Math.max(0, limits.slowMax - slowUnderWay()),
    busyLanes: () => lanesOf(underWay),
    slowReceivers: slow.list,
    quickReceivers: quick.list,
    hasRoomFor({ receiver, merchantId }) {
      const receiverMax = quick.has(receiver) ? limits.quickReceiverMax : limits.receiverMax
      return (
        !slow.has(receiver) &&
        (atReceivers.get(receiver) ?? 0) < receiverMax &&
        (ofMerchants.get(merchantId) ?? 0) < limits.merchantMax
      )
    },
    take(attempt) {
      underWay.add(attempt)
      count(attempt, 1)
    },
    release(attempt, answer) {
      if (underWay.delete(attempt)) count(attempt, -1)
      if (answer === undefined) return
      const { tookMs, isOk } = answer
      slow.note(attempt.receiver, tookMs >= limits.slowAfterMs)
      quick.note(attempt.receiver, isOk && tookMs <= limits.quickWithinMs)
    },
  }
}

/** Whose count is back at nothing is forgotten. */
function add(counts: Map<string, number>, name: string, step: 1 | -1): void {
  const sum = (counts.get(name) ?? 0) + step
  if (sum === 0) counts.delete(name)
  else counts.set(name, sum)
}

/** Of whom something was true the last time; beyond `max`, the one of whom it was true longest ago is forgotten. */
function createMemory(max: number) {
  const names = createBoundedMap<string, true>(max)
  return {
    has: names.has,
    list: (): readonly string[] => [...names.keys()],
    note(name: string, isTrue: boolean): void {
      if (isTrue) names.set(name, true)
      else names.delete(name)
    },
  }
}

function lanesOf(attempts: Iterable<Lane>): readonly BusyLane[] {
  const byLane = Map.groupBy(attempts, (attempt) => `${attempt.receiver} ${attempt.merchantId}`)
  return [...byLane.values()].flatMap((lane) => {
    const [first] = lane
    return first === undefined
      ? []
      : [{ receiver: first.receiver, merchantId: first.merchantId, taken: lane.length }]
  })
}
