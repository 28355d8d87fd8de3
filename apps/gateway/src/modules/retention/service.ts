import type { Database } from '../../platform/database.ts'
import { countDocumentsOver } from './document-store.ts'
import { RETENTION_CLASSES, type RetentionClass, type RetentionDays, type RetentionStatus } from './model.ts'
import { findCutoffUs, findHorizon, findOver } from './store.ts'

/** Retention for operators. */
export interface RetentionService {
  /** Every class. Counts all that is over, which takes the longer the more there is. */
  list(): Promise<readonly RetentionStatus[]>
}

export function createRetentionService(deps: {
  readonly db: Database
  readonly days: RetentionDays
  /** For how many days the bytes of documents are kept after their end; 0 is for ever. */
  readonly documentDays: number
}): RetentionService {
  return {
    list: () =>
      Promise.all([
        ...RETENTION_CLASSES.map((each) => statusOf(deps.db, each, deps.days[each])),
        statusOfDocuments(deps.db, deps.documentDays),
      ]),
  }
}

async function statusOfDocuments(db: Database, days: number): Promise<RetentionStatus> {
  return { class: 'DOCUMENTS', days, ...(await countDocumentsOver(db, days)), removedUntil: undefined }
}

async function statusOf(
  db: Database,
  retentionClass: RetentionClass,
  days: number,
): Promise<RetentionStatus> {
  const removedUntil = await findHorizon(db, retentionClass)
  const found =
    days === 0
      ? { over: 0, oldestAt: undefined }
      : await findOver(db, retentionClass, await findCutoffUs(db, days))
  return { class: retentionClass, days, ...found, removedUntil }
}
