import type { Clock, Log } from '@tollgate/runtime'
import type { Database, Statement } from '../platform/database.ts'
import { databaseAddress } from '../platform/database-address.ts'
import { explain } from './explain.ts'

const ASK: Statement = { name: 'start_ask', text: 'select 1 as one' }
const WAIT_MS_MAX = 30_000
const PAUSE_MS = 500
const TELL_MS = 5_000

interface DatabaseWaitDeps {
  readonly db: Pick<Database, 'rows'>
  readonly url: string
  readonly log: Pick<Log, 'warn'>
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<unknown>
}

/**
 * Resolves when the database answers: it may be started together with us, or fail over just now. After 30 s, and at once
 * where waiting does not help, as with a wrong password, throws what the last try threw. The log says where it waits.
 */
export async function untilDatabaseAnswers({ db, url, log, clock, pause }: DatabaseWaitDeps): Promise<void> {
  const startedMs = clock.monotonicMs()
  let toldMs = Number.NEGATIVE_INFINITY
  for (;;) {
    try {
      await db.rows(ASK, [])
      return
    } catch (error) {
      const failure = explain(error)
      const nowMs = clock.monotonicMs()
      if (failure?.kind !== 'UNREACHABLE' || nowMs - startedMs >= WAIT_MS_MAX) throw error
      if (nowMs - toldMs >= TELL_MS) {
        toldMs = nowMs
        log.warn({ ...databaseAddress(url), reason: failure.message }, 'the start waits for the database')
      }
    }
    await pause(PAUSE_MS)
  }
}
