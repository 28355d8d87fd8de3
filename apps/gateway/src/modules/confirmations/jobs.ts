import type { Log } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import { createPeriodic } from '../../platform/periodic.ts'
import { updateExpired } from './store.ts'

interface ConfirmationWorkerDeps {
  readonly db: Database
  readonly log: Log
  /** Goes on with what a crash after a confirmation left: see `Performer.afterwards`. */
  readonly resume: () => Promise<void>
  /** From one round to the next; 15 s unless a test is in a hurry. */
  readonly pollMs?: number
}

/** Ends acts that have waited for too long, and goes on with what was confirmed. Any number may run. */
export interface ConfirmationWorker {
  start(): void
  /** Resolves when the round under way is done. */
  stop(): Promise<void>
}

const POLL_MS = 15_000
const EXPIRED_AT_ONCE_MAX = 100

export function createConfirmationWorker(deps: ConfirmationWorkerDeps): ConfirmationWorker {
  const periodic = createPeriodic({
    pauseMs: deps.pollMs ?? POLL_MS,
    work: async () => {
      const expired = await updateExpired(deps.db, EXPIRED_AT_ONCE_MAX)
      if (expired.length > 0)
        deps.log.warn({ confirmations: expired }, 'confirmations expired: nobody decided in time')
      await deps.resume()
      return expired.length === EXPIRED_AT_ONCE_MAX
    },
    onFault: (error) =>
      deps.log.warn({ err: error }, 'confirmations could not be looked at; it is tried again'),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}
