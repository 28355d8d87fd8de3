import type { WallClock } from '@tollgate/runtime'

/** One alarm per name. What has to happen is in the journal; these only wake the bank for it. */
export interface Timers {
  /** Replaces the alarm of the name. A moment that has passed is now. */
  set(name: string, atMs: number, act: () => void): void
  clear(name: string): void
  /** No alarm rings any more. */
  stop(): void
}

/** The longest that a timer of the runtime can wait. */
const WAIT_MS_MAX = 2_147_483_647

export function createTimers(clock: WallClock): Timers {
  const armed = new Map<string, NodeJS.Timeout>()
  const clear = (name: string): void => {
    clearTimeout(armed.get(name))
    armed.delete(name)
  }
  const set = (name: string, atMs: number, act: () => void): void => {
    clear(name)
    const leftMs = atMs - clock.nowMs()
    const ring = (): void => {
      // The runtime may wake a little early, and cannot wait for very long at once.
      if (clock.nowMs() < atMs) {
        set(name, atMs, act)
        return
      }
      armed.delete(name)
      act()
    }
    armed.set(name, setTimeout(ring, Math.min(Math.max(leftMs, 0), WAIT_MS_MAX)))
  }
  return {
    set,
    clear,
    stop() {
      for (const name of armed.keys()) clear(name)
    },
  }
}
