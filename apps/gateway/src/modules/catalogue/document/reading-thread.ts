import { DocumentInvalid } from '../errors.ts'
import { type CatalogueDocument, type ReadRow, readDocument } from './read.ts'
import type { SectionName } from './tables.ts'

// Runs in a thread; see reading.ts.

/** A row as it comes out of the thread: what a section knows to do cannot. */
export type RowInPiece = Omit<ReadRow, 'section'> & { readonly section: SectionName }

/** What the thread tells: the faults; or which lists are replaced, and then the rows, some at a time. */
export type CataloguePiece =
  | { readonly kind: 'FAULTS'; readonly faults: readonly string[] }
  | { readonly kind: 'REPLACED'; readonly replaced: ReadonlySet<string> }
  | { readonly kind: 'ROWS'; readonly rows: readonly RowInPiece[] }

/** So many are taken over in a few milliseconds. */
const ROWS_AT_ONCE = 500
/** More than any answer tells. */
const FAULTS_MAX = 100

/** Reads a catalogue document. */
export function* work({ bytes }: { readonly bytes: Uint8Array }): Iterable<CataloguePiece> {
  const read = readOrFaults(bytes)
  if (read instanceof DocumentInvalid) {
    yield { kind: 'FAULTS', faults: read.faults.slice(0, FAULTS_MAX) }
    return
  }
  const { rows, replaced } = read
  yield { kind: 'REPLACED', replaced }
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    yield { kind: 'ROWS', rows: rows.slice(from, from + ROWS_AT_ONCE).map(withNameOfSection) }
}

const withNameOfSection = ({ section, ...row }: ReadRow): RowInPiece => ({ ...row, section: section.name })

function readOrFaults(bytes: Uint8Array): CatalogueDocument | DocumentInvalid {
  try {
    return readDocument(bytes)
  } catch (error) {
    if (error instanceof DocumentInvalid) return error
    throw error
  }
}
