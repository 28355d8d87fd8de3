import type { ChainedTable } from './chained.ts'
import type { AuditedEntry, AuditedRow } from './walk-store.ts'

/** How findings name the rows and entries of a chain. */
export interface ChainWords {
  /** `transfer … of merchant 1 (PAYIN_SUCCESS of PAYIN order-1)`. */
  nameOf(row: AuditedRow): string
  /** The row that an entry names, as far as it is still there. */
  rowText(entry: AuditedEntry): string
  /** `entry 7, of transfer …`. */
  entryText(entry: AuditedEntry): string
}

export function wordsOf(table: Pick<ChainedTable, 'nameOf'>): ChainWords {
  const nameOf = ({ key, label }: AuditedRow): string => `${table.nameOf(key.id)} (${label})`
  const rowText = ({ key, row }: AuditedEntry): string =>
    row === undefined ? table.nameOf(key.id) : nameOf(row)
  return { nameOf, rowText, entryText: (entry) => `entry ${entry.entryNo}, of ${rowText(entry)}` }
}

/** `entry 7`, or `entries 7 to 9`. */
export const rangeText = (firstNo: number, lastNo: number): string =>
  firstNo === lastNo ? `entry ${firstNo}` : `entries ${firstNo} to ${lastNo}`
