import type { Log } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import { createPeriodic } from '../../platform/periodic.ts'
import {
  type Institution,
  institutionOf,
  judgeHealth,
  type Results,
  textOfInstitution,
  WINDOW_SECONDS,
} from './model.ts'
import { addResults, deleteOldResults, listObservations, updateEnded, updateObserved } from './store.ts'

interface HealthWorkerDeps {
  readonly db: Database
  readonly log: Log
  /** How often results are written down and judged; 2 s unless a test is in a hurry. */
  readonly intervalMs?: number
}

/** A talk with a rail, and whether it led to an answer. */
type Talk = Parameters<typeof institutionOf>[0] & { readonly isAnswered: boolean }

/** Watches how talks with institutions go, and says which of them are slow or closed. */
export interface HealthWorker {
  /** Counts a talk, in memory: nothing waits for it. */
  note(talk: Talk): void
  start(): void
  /** Writes down what it has counted, and resolves when that is done. */
  stop(): Promise<void>
}

const INTERVAL_MS = 2_000
const RESULTS_KEPT_SECONDS = 3_600

interface Counted {
  readonly institution: Institution
  readonly results: Results
}

/** Any number of workers may run: they add up what they see, and the first one that judges is heard. */
export function createHealthWorker({ db, log, intervalMs = INTERVAL_MS }: HealthWorkerDeps): HealthWorker {
  let counted = new Map<string, Counted>()

  async function work(): Promise<boolean> {
    const taken = [...counted.values()]
    counted = new Map()
    await addResults(db, taken)
    await updateEnded(db)
    await judgeAll(db, log)
    await deleteOldResults(db, RESULTS_KEPT_SECONDS)
    return false
  }

  const onFault = (error: unknown): void =>
    log.warn({ err: error }, 'the health of institutions could not be judged')
  const periodic = createPeriodic({ pauseMs: intervalMs, work, onFault })

  return {
    note(talk) {
      const institution = institutionOf(talk)
      const key = textOfInstitution(institution)
      const { answered, unanswered } = counted.get(key)?.results ?? { answered: 0, unanswered: 0 }
      const results = talk.isAnswered
        ? { answered: answered + 1, unanswered }
        : { answered, unanswered: unanswered + 1 }
      counted.set(key, { institution, results })
    },
    start: () => periodic.start(),
    async stop() {
      await periodic.stop()
      if (counted.size > 0) await work().catch(onFault)
    },
  }
}

async function judgeAll(db: Database, log: Log): Promise<void> {
  for (const { institution, observed, sinceSeconds, results } of await listObservations(db, WINDOW_SECONDS)) {
    const judged = judgeHealth({ availability: observed, sinceSeconds }, results)
    if (judged === observed) continue
    if (await updateObserved(db, institution, { from: observed, to: judged }))
      log.warn({ ...institution, ...results, from: observed, to: judged }, 'an institution has changed')
  }
}
