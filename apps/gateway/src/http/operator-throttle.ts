import { type Clock, createBoundedMap } from '@tollgate/runtime'

/** Counts failures by address, to slow down who guesses. */
export interface FailureThrottle {
  /** Counts one more. Returns the milliseconds to wait when there were too many in the last minute; 0 otherwise. */
  fail(address: string): number
}

export const FAILURES_PER_MINUTE_MAX = 10
const WINDOW_MS = 60_000
/** Who sends from more addresses than this pushes the oldest out, and has nothing from it: keys have 256 bits. */
const ADDRESSES_MAX = 10_000

/** The newest failures of each address, at most as many as there may be in a window. */
export function createFailureThrottle(clock: Clock): FailureThrottle {
  const failures = createBoundedMap<string, readonly number[]>(ADDRESSES_MAX)
  return {
    fail(address) {
      const nowMs = clock.monotonicMs()
      const recent = (failures.get(address) ?? []).filter((atMs) => nowMs - atMs < WINDOW_MS)
      const [oldest] = recent
      if (oldest !== undefined && recent.length >= FAILURES_PER_MINUTE_MAX) return oldest + WINDOW_MS - nowMs
      failures.set(address, [...recent, nowMs])
      return 0
    },
  }
}
