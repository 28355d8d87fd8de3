import { setTimeout as sleep } from 'node:timers/promises'

interface PeriodicOptions {
  /** From the end of one round to the start of the next, in milliseconds. */
  readonly pauseMs: number
  /** The least time from the start of one round to the start of the next: wakes that come close together share a round. */
  readonly gatherMs?: number | undefined
  /**
   * One round; true when there is more to do at once, without the pause; a number when the pause is to be so many
   * milliseconds. The signal is aborted when a stop is asked for: a long round looks at it between its steps.
   */
  readonly work: (signal: AbortSignal) => Promise<boolean | number>
  /** Is told of a round that failed; the next one comes after the pause. Must not throw. */
  readonly onFault: (error: unknown) => void
}

/** Work that is done again and again, one round at a time. */
export interface Periodic {
  /** Begins the first round at once. A second start throws; after a stop nothing begins any more. */
  start(): void
  /** Cuts the pause short. During a round it calls for another one without a pause, so that no wake is lost. */
  wake(): void
  /** Begins no other round, and resolves when the one under way is done; not to be awaited by the work itself. */
  stop(): Promise<void>
  /** Aborted by `stop`. */
  readonly signal: AbortSignal
}

/** Repeats the work from `start` to `stop`. A round that fails is reported, and does not end the rounds. */
export function createPeriodic({ pauseMs, gatherMs = 0, work, onFault }: PeriodicOptions): Periodic {
  const stopping = new AbortController()
  let pause = createPause()
  let rounds: Promise<void> | undefined

  /** Gives the pause after it. */
  async function round(): Promise<number> {
    try {
      const next = await work(stopping.signal)
      return typeof next === 'number' ? next : next ? 0 : pauseMs
    } catch (error) {
      onFault(error)
      return pauseMs
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Before the round, not after it: what wakes us during the round may have come too late for it.
      pause = createPause()
      const gathered = gatherMs > 0 ? sleep(gatherMs) : undefined
      const restMs = await round()
      if (restMs > 0) await pause.last(restMs)
      await gathered
    }
  }

  return {
    start() {
      if (rounds !== undefined) throw new Error('periodic work was started twice')
      rounds = run()
    },
    wake: () => pause.cut(),
    async stop() {
      stopping.abort()
      pause.cut()
      await rounds
    },
    signal: stopping.signal,
  }
}

interface Pause {
  /** Resolves when so many milliseconds are over, or when the pause is cut short, be it before or meanwhile. */
  last(ms: number): Promise<void>
  cut(): void
}

/** Cut for every payment of a busy gateway, so it costs next to nothing: aborting a signal makes an error with a stack trace each time. */
function createPause(): Pause {
  let isCut = false
  let end = (): void => undefined
  return {
    last: (ms) =>
      new Promise((resolve) => {
        if (isCut) return resolve()
        const timer = setTimeout(resolve, ms)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    cut() {
      isCut = true
      end()
    },
  }
}
