import { createRandom, type Random } from '../rig/random.ts'
import { createCell } from './model/cell.ts'
import type { Client } from './model/clients.ts'
import type { Costs } from './model/costs.ts'
import { closedMs, createDoor, type Door, type Failure } from './model/door.ts'
import { arrive, percentile } from './model/load.ts'
import { createTimeline, type Timeline } from './model/timeline.ts'

interface OutageOptions {
  readonly costs: Costs
  /** Payments that come to each cell. */
  readonly perSecond: number
  /** Undefined: nothing happens, to compare with. */
  readonly failure?: Failure
  readonly client: Client
  /** How many there are; the first one fails. */
  readonly cells?: number
  readonly seed: number
}

/** What merchants of a cell see. */
interface Seen {
  readonly refusedFirst: number
  /** Of those, by a repeat. */
  readonly acceptedWithinMinute: number
  /** Requests in the busiest second: payments and their repeats. */
  readonly requestsPerSecondMax: number
  /** Until it is accepted, of the payments of the two minutes from the failure on, from their first attempt on. */
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface OutageResult extends Seen {
  /** From the opening of the door until no more payments are under way than before; undefined when that takes too long. */
  readonly drainSeconds: number | undefined
  readonly others: readonly Seen[]
}

const SECOND_MS = 1_000
const CALM_MS = 60_000
const WINDOW_MS = 120_000
const MINUTE_MS = 60_000
const LAST_ONES_MS = 10_000
export const DRAIN_SECONDS_MAX = 120

/** Cells in one world, event by event. */
export function simulateOutage(options: OutageOptions): OutageResult {
  const { failure, cells = 1, seed } = options
  const timeline = createTimeline()
  const random = createRandom(seed)
  const site = openSite(timeline, random.fork(), options)
  const others = Array.from({ length: cells - 1 }, () => openSite(timeline, random.fork(), options))

  let before = 0
  while (timeline.nowMs() < CALM_MS) {
    timeline.runUntil(timeline.nowMs() + SECOND_MS)
    before = Math.max(before, site.underWay())
  }
  if (failure !== undefined) site.door.fail(failure)
  timeline.runUntil(CALM_MS + (failure === undefined ? 0 : closedMs(failure)))
  let seconds = 0
  while (site.underWay() > before && seconds < DRAIN_SECONDS_MAX) {
    seconds += 1
    timeline.runUntil(timeline.nowMs() + SECOND_MS)
  }
  const hasDrained = site.underWay() <= before
  // So that the last whose latency is looked at can be accepted, too.
  timeline.runUntil(Math.max(timeline.nowMs(), CALM_MS + WINDOW_MS + LAST_ONES_MS))
  return {
    ...site.seen(),
    drainSeconds: hasDrained ? seconds : undefined,
    others: others.map((other) => other.seen()),
  }
}

interface Site {
  readonly door: Door
  /** Not accepted yet, or accepted and not ended. */
  underWay(): number
  seen(): Seen
}

function openSite(
  timeline: Timeline,
  random: Random,
  { costs, perSecond, client }: Pick<OutageOptions, 'costs' | 'perSecond' | 'client'>,
): Site {
  const cell = createCell(timeline, { costs })
  const door = createDoor(timeline, cell)
  const requests: number[] = []
  const latencies: number[] = []
  let trying = 0
  let refusedFirst = 0
  let acceptedWithinMinute = 0

  function pay(): void {
    const dueMs = timeline.nowMs()
    let attempt = 1
    trying += 1
    const send = (): void => {
      const second = Math.floor(timeline.nowMs() / SECOND_MS)
      requests[second] = (requests[second] ?? 0) + 1
      door.create((answer) => {
        if (answer === 'ACCEPTED') {
          const ms = timeline.nowMs() - dueMs
          trying -= 1
          if (attempt > 1 && ms <= MINUTE_MS) acceptedWithinMinute += 1
          if (dueMs >= CALM_MS && dueMs < CALM_MS + WINDOW_MS) latencies.push(ms)
          return
        }
        if (attempt === 1) refusedFirst += 1
        if (attempt > client.retries) {
          trying -= 1
          return
        }
        timeline.after(client.pauseMs(attempt, answer), send)
        attempt += 1
      })
    }
    send()
  }

  arrive(timeline, random, { perSecond, act: pay })
  return {
    door,
    underWay: () => trying + cell.unfinished(),
    seen: () => ({
      refusedFirst,
      acceptedWithinMinute,
      requestsPerSecondMax: requests.reduce((most, count) => Math.max(most, count), 0),
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
    }),
  }
}
