import type { Database } from '../../platform/database.ts'
import {
  type ExpiringData,
  RETENTION_CLASSES,
  type RetentionClass,
  type RetentionDays,
  type RetentionStatus,
} from './model.ts'
import { findCutoffUs, findHorizon } from './store.ts'

/** Retention for operators. */
export interface RetentionService {
  /** Every class. Counts all that is over, which takes the longer the more there is. */
  list(): Promise<readonly RetentionStatus[]>
}

export function createRetentionService(deps: {
  readonly db: Database
  readonly expiring: ExpiringData
  readonly days: RetentionDays
  /** For how many days the bytes of documents are kept after their end; 0 is for ever. */
  readonly documentDays: number
}): RetentionService {
  return {
    list: () =>
      Promise.all([
        ...RETENTION_CLASSES.map((each) =>
          statusOf(deps.db, deps.expiring.rows, { retentionClass: each, days: deps.days[each] }),
        ),
        statusOfDocuments(deps.db, deps.expiring.documents, deps.documentDays),
      ]),
  }
}

async function statusOfDocuments(
  db: Database,
  documents: ExpiringData['documents'],
  days: number,
): Promise<RetentionStatus> {
  const found = await Promise.all(documents.map((each) => each.findOver(db, days)))
  const [oldestAt] = found.flatMap((each) => each.oldestAt ?? []).sort((a, b) => a.getTime() - b.getTime())
  const over = found.reduce((sum, each) => sum + each.over, 0)
  return { class: 'DOCUMENTS', days, over, oldestAt, removedUntil: undefined }
}

async function statusOf(
  db: Database,
  rows: ExpiringData['rows'],
  { retentionClass, days }: { readonly retentionClass: RetentionClass; readonly days: number },
): Promise<RetentionStatus> {
  const removedUntil = await findHorizon(db, retentionClass)
  const found =
    days === 0
      ? { over: 0, oldestAt: undefined }
      : await rows[retentionClass].findOver(db, await findCutoffUs(db, days))
  return { class: retentionClass, days, ...found, removedUntil }
}
