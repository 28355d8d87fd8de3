import type { Cell } from './cell.ts'
import type { Answer } from './clients.ts'
import type { Timeline } from './timeline.ts'

/** What is away, and for how long until payments are accepted again. */
export interface Failure {
  readonly what: 'DATABASE' | 'API'
  readonly ms: number
}

/**
 * The router in front of a cell asks `/readyz` every 2 s, takes a server out after 3 failures and back after 2 successes: HAProxy's
 * defaults, which deploy/cells/haproxy.cfg leaves. The first of them comes 1 s late in the mean.
 */
export const OUT_AFTER_MS = 5_000
const BACK_AFTER_MS = 3_000

/** For how long the door is closed. A process that is away for a short time is never taken out. */
export function closedMs({ what, ms }: Failure): number {
  return what === 'DATABASE' && ms > OUT_AFTER_MS ? ms + BACK_AFTER_MS : ms
}

/** A cell as merchants see it. */
export interface Door {
  create(onAnswered: (answer: Answer) => void): void
  fail(failure: Failure): void
}

/** The router's own work is left out: what HAProxy costs was not measured. */
export function createDoor(timeline: Timeline, cell: Cell): Door {
  let isAway = false
  const setAway = (value: boolean): (() => void) => {
    return () => {
      isAway = value
    }
  }
  return {
    create(onAnswered) {
      if (isAway) onAnswered('AWAY')
      else cell.create((isAccepted) => onAnswered(isAccepted ? 'ACCEPTED' : 'REFUSED'))
    },
    fail(failure) {
      if (failure.what === 'DATABASE') {
        cell.loseDatabase()
        timeline.after(failure.ms, cell.findDatabase)
      }
      const outAfterMs = failure.what === 'DATABASE' ? OUT_AFTER_MS : 0
      if (failure.ms > outAfterMs) timeline.after(outAfterMs, setAway(true))
      timeline.after(closedMs(failure), setAway(false))
    },
  }
}
