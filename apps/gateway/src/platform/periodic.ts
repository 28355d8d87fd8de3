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
  /** Is told of a round that failed, of the same fault again every ten seconds; the next round comes after the pause. Must not throw. */
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

/** While the database is away, a worker would otherwise write dozens of lines a second. */
const TOLD_AGAIN_MS = 10_000

/** Repeats the work from `start` to `stop`. A round that fails is reported, and does not end the rounds. */
export function createPeriodic({ pauseMs, gatherMs = 0, work, onFault }: PeriodicOptions): Periodic {
  const stopping = new AbortController()
  let pause = createPause()
  let rounds: Promise<void> | undefined
  const tell = tellSeldom(onFault, pauseMs)

  /** Gives the pause after it. */
  async function round(): Promise<number> {
    try {
      const next = await work(stopping.signal)
      tell.forget()
      return typeof next === 'number' ? next : next ? 0 : pauseMs
    } catch (error) {
      tell.fault(error)
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

/** Tells of a fault at once, and of the same one in the rounds after it when their pauses come to `TOLD_AGAIN_MS`. */
function tellSeldom(
  onFault: (error: unknown) => void,
  pauseMs: number,
): { fault(error: unknown): void; forget(): void } {
  let told: string | undefined
  let pausedMs = 0
  return {
    fault(error) {
      pausedMs += pauseMs
      if (String(error) === told && pausedMs < TOLD_AGAIN_MS) return
      told = String(error)
      pausedMs = 0
      onFault(error)
    },
    forget() {
      told = undefined
    },
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
