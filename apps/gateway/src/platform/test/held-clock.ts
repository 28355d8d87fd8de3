import type { Clock } from '@tollgate/runtime'

/** A clock that moves only when the test says so. */
export interface HeldClock extends Clock {
  advance(ms: number): void
}

const NOON_MS = Date.UTC(2026, 10, 21, 12)

export function heldClock(startMs: number = NOON_MS): HeldClock {
  let passedMs = 0
  return {
    nowMs: () => startMs + passedMs,
    monotonicMs: () => passedMs,
    advance(ms) {
      passedMs += ms
    },
  }
}
