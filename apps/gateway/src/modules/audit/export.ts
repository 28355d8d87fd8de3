import type { RowFile } from '../../http/row-files.ts'
import type { AuditAct } from './model.ts'
import { presentAct } from './present.ts'

const COLUMNS = [
  ...(['number', 'happenedAt', 'kind', 'operatorCode', 'operatorName', 'means', 'meansId'] as const),
  ...(['program', 'databaseUser', 'act', 'says', 'merchantCode', 'subject', 'reason'] as const),
  ...(['outcome', 'status', 'path', 'requestId', 'changeCount', 'changes', 'entryNo', 'chainHash'] as const),
] as const

/** How acts are written into a file. */
export const ACT_FILE: RowFile<AuditAct> = {
  columns: COLUMNS,
  cellsOf(act) {
    const shown = presentAct(act)
    const values = { ...shown, changes: shown.changes.length === 0 ? '' : JSON.stringify(shown.changes) }
    return COLUMNS.map((name) => String(values[name] ?? ''))
  },
  jsonOf: presentAct,
}
