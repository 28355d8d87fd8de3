import type { Clock } from '@tollgate/runtime'

const WINDOW_MS = 60_000
/** So many ends within the window are no accident. More processes than that may each have their own once. */
const ENDS_MAX = 5
const PAUSE_MS_MIN = 100
const PAUSE_MS_MAX = 5_000

/** Whether processes that ended are started again, and when. */
interface Restarts {
  /** Milliseconds until the process that has just ended is started again; undefined when it is time to give up. */
  afterEnd(): number | undefined
}

/** For so many processes: the more of them have ended within a minute, the longer the pause. */
export function createRestarts(clock: Pick<Clock, 'monotonicMs'>, processes: number): Restarts {
  let ends: readonly number[] = []
  return {
    afterEnd() {
      const nowMs = clock.monotonicMs()
      ends = [...ends.filter((endMs) => nowMs - endMs < WINDOW_MS), nowMs]
      if (ends.length >= Math.max(ENDS_MAX, processes + 1)) return undefined
      return Math.min(PAUSE_MS_MIN * 2 ** (ends.length - 1), PAUSE_MS_MAX)
    },
  }
}
