import { setTimeout as sleep } from 'node:timers/promises'

interface PeriodicOptions {
  /** From the end of one round to the start of the next, in milliseconds. */
  readonly pauseMs: number
  /**
   * One round; true when there is more to do at once, without the pause. The signal is aborted when a stop is asked for:
   * a long round looks at it between its steps.
   */
  readonly work: (signal: AbortSignal) => Promise<boolean>
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
export function createPeriodic({ pauseMs, work, onFault }: PeriodicOptions): Periodic {
  const stopping = new AbortController()
  let waker = new AbortController()
  let rounds: Promise<void> | undefined

  async function round(): Promise<boolean> {
    try {
      return await work(stopping.signal)
    } catch (error) {
      onFault(error)
      return false
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Before the round, not after it: what wakes us during the round may have come too late for it.
      waker = new AbortController()
      const hasMore = await round()
      if (!hasMore) await sleep(pauseMs, undefined, { signal: waker.signal }).catch(() => undefined)
    }
  }

  return {
    start() {
      if (rounds !== undefined) throw new Error('periodic work was started twice')
      rounds = run()
    },
    wake: () => waker.abort(),
    async stop() {
      stopping.abort()
      waker.abort()
      await rounds
    },
    signal: stopping.signal,
  }
}
