import type { Log, WallClock } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import { createPeriodic } from '../../platform/periodic.ts'
import { PayoutFileProblem } from './errors.ts'
import { dueTurn, type FileSchedule, isSince, SCHEDULE_ACTOR, type Turn } from './schedule.ts'
import type { PayoutFileService } from './service.ts'
import { findLatestFileAt } from './store.ts'

interface ScheduledDeps {
  readonly db: Database
  readonly files: Pick<PayoutFileService, 'create'>
  readonly schedule: FileSchedule
  readonly clock: WallClock
  readonly log: Log
  /** From one look at the clock to the next; 20 s unless a test is in a hurry. */
  readonly pollMs?: number
}

/** Makes files of payouts by a schedule. Any number may run: a payment is in one file, whoever makes it. */
export interface ScheduledFiles {
  start(): void
  /** Begins nothing else, and resolves when what is under way is done. */
  stop(): Promise<void>
}

const POLL_MS = 20_000

export function createScheduledFiles(deps: ScheduledDeps): ScheduledFiles {
  const { schedule, clock } = deps
  /** What this process has seen to, by currency. */
  const made = new Map<string, string>()
  const periodic = createPeriodic({
    pauseMs: deps.pollMs ?? POLL_MS,
    async work() {
      for (const currencyCode of schedule.times.keys()) {
        const turn = dueTurn(schedule, currencyCode, clock.nowMs())
        if (turn === undefined || made.get(currencyCode) === turn.at) continue
        await makeTurn(deps, currencyCode, turn)
        made.set(currencyCode, turn.at)
      }
      return false
    },
    onFault: (error) =>
      deps.log.error({ err: error }, 'files of payouts could not be made by the schedule; it is tried again'),
  })
  return { start: () => periodic.start(), stop: () => periodic.stop() }
}

/** Another process may have seen to it, also one that has been restarted since. */
async function makeTurn(
  { db, files, schedule, log }: ScheduledDeps,
  currencyCode: string,
  turn: Turn,
): Promise<void> {
  const latestAt = await findLatestFileAt(db, currencyCode)
  if (latestAt !== undefined && isSince(schedule, turn, latestAt)) return
  try {
    const run = await files.create({
      currencyCode,
      actor: SCHEDULE_ACTOR,
      ...(turn.isInstantOnly && { speed: 'INSTANT' }),
    })
    const fileIds = run.files.map(({ fileId }) => fileId)
    log.info({ currencyCode, turn: turn.at, fileIds }, 'files of payouts were made by the schedule')
    for (const { idPayment, why } of run.leftOut)
      log.warn({ currencyCode, idPayment, why }, 'a payout was left out of the files of the schedule')
  } catch (error) {
    // Another try would end the same way: the catalogue has to change first.
    if (!(error instanceof PayoutFileProblem)) throw error
    log.error({ err: error, currencyCode, turn: turn.at }, 'the schedule could make no file of payouts')
  }
}
