import { csvLine } from '../../platform/csv.ts'
import type { AuditAct } from './model.ts'
import { presentAct } from './present.ts'

type Pages = AsyncIterable<readonly AuditAct[]>

const COLUMNS = [
  ...(['number', 'happenedAt', 'kind', 'operatorCode', 'operatorName', 'means', 'meansId'] as const),
  ...(['program', 'databaseUser', 'act', 'says', 'merchantCode', 'subject', 'reason'] as const),
  ...(['outcome', 'status', 'path', 'requestId', 'changeCount', 'changes', 'entryNo', 'chainHash'] as const),
] as const

function lineOf(act: AuditAct): string {
  const shown = presentAct(act)
  const values = { ...shown, changes: shown.changes.length === 0 ? '' : JSON.stringify(shown.changes) }
  return csvLine(COLUMNS.map((name) => String(values[name] ?? '')))
}

/** How acts are written into a file. */
export const EXPORT_FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    async *write(pages: Pages): AsyncIterable<string> {
      yield csvLine(COLUMNS)
      for await (const acts of pages) yield acts.map(lineOf).join('')
    },
  },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    async *write(pages: Pages): AsyncIterable<string> {
      for await (const acts of pages) yield acts.map((act) => `${JSON.stringify(presentAct(act))}\n`).join('')
    },
  },
} as const
