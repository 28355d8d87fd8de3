import { documentThreads, ThreadEnded } from '../../../platform/threads/index.ts'
import { DocumentInvalid } from '../errors.ts'
import type { CatalogueDocument, ReadRow } from './read.ts'
import type { CataloguePiece, RowInPiece } from './reading-thread.ts'
import { SECTIONS, type Section } from './tables.ts'

const THREAD = new URL('reading-thread.ts', import.meta.url)

/**
 * Reads a document in a thread, with limits on time and memory. Throws {@link DocumentInvalid}, and Overloaded when too many
 * documents are being read.
 */
export async function readDocumentInThread(bytes: Uint8Array): Promise<CatalogueDocument> {
  const own = new Uint8Array(bytes)
  const order = { module: THREAD, order: { bytes: own }, handedOver: [own.buffer] }
  try {
    return gather(await documentThreads.run<CataloguePiece>(order))
  } catch (error) {
    if (error instanceof ThreadEnded && error.kind !== 'BROKEN')
      throw new DocumentInvalid([`line 1: Reading the document was stopped: ${error.message}.`])
    throw error
  }
}

function gather(pieces: readonly CataloguePiece[]): CatalogueDocument {
  const [head, ...others] = pieces
  if (head?.kind === 'FAULTS') throw new DocumentInvalid(head.faults)
  if (head?.kind !== 'REPLACED') throw new Error('the thread answered without a document')
  const rows = others.flatMap((piece) => (piece.kind === 'ROWS' ? piece.rows : []))
  return { rows: rows.map(withSection), replaced: head.replaced }
}

const withSection = ({ section, ...row }: RowInPiece): ReadRow => ({ ...row, section: sectionOf(section) })

function sectionOf(name: string): Section {
  const section = SECTIONS.find((each) => each.name === name)
  if (section === undefined) throw new Error(`no section ${name}`)
  return section
}
