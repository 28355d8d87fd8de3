import { documentThreads, ThreadEnded } from '../../../platform/threads/index.ts'
import { FileProblem } from '../errors.ts'
import { FILE_BYTES_MAX, type ParsedFile, type ParsedStatement } from './parsed.ts'
import type { ReadEntry, ReadOrder, ReadPart, ReadPiece } from './reading-thread.ts'

/** A statement with entries that are known again. */
export interface ReadStatement extends Omit<ParsedStatement, 'entries'> {
  readonly entries: readonly ReadEntry[]
}

/** A file as it was understood, and what follows from it alone. */
export interface ReadFile {
  readonly file: Omit<ParsedFile, 'statements'> & { readonly statements: readonly ReadStatement[] }
  /** What does not agree within it, a sentence each. */
  readonly differences: readonly string[]
  /** SHA-256 of its bytes. */
  readonly contentHash: Buffer
}

const THREAD = new URL('reading-thread.ts', import.meta.url)
const MIB = 1_048_576

/**
 * Reads a file in a thread, with limits on time and memory: whatever is in it, the process goes on serving meanwhile. Throws
 * FileProblem, and Overloaded when too many files are being read.
 */
export async function readInThread({ bytes, mapping, encoding }: ReadOrder): Promise<ReadFile> {
  if (bytes.length > FILE_BYTES_MAX)
    throw new FileProblem(`the file has more than ${FILE_BYTES_MAX / MIB} MiB. Take smaller periods.`)
  const own = new Uint8Array(bytes)
  const order: ReadOrder = { bytes: own, mapping, encoding }
  const isHeavy = bytes.length > MIB
  try {
    return gather(
      await documentThreads.run<ReadPiece>({ module: THREAD, order, handedOver: [own.buffer], isHeavy }),
    )
  } catch (error) {
    if (error instanceof ThreadEnded && error.kind !== 'BROKEN')
      throw new FileProblem(`reading the file was stopped: ${error.message}. Take smaller periods.`)
    throw error
  }
}

function gather(pieces: readonly ReadPiece[]): ReadFile {
  const [head, ...others] = pieces
  if (head?.kind === 'PROBLEM') throw new FileProblem(head.message)
  if (head?.kind !== 'FILE') throw new Error('the thread answered without a file')
  const entries = entriesOf(others)
  const statements = head.file.statements.map((statement, index) => ({
    ...statement,
    entries: entries.get(index) ?? [],
  }))
  return {
    file: { ...head.file, statements },
    differences: head.differences,
    contentHash: Buffer.from(head.contentHash),
  }
}

/** The entries of each statement, by its place in the file. */
function entriesOf(pieces: readonly ReadPiece[]): ReadonlyMap<number, readonly ReadEntry[]> {
  const entries = new Map<number, ReadEntry[]>()
  let last: ReadPart[] = []
  for (const piece of pieces) {
    if (piece.kind === 'PARTS') last.push(...piece.parts)
    if (piece.kind !== 'ENTRIES') continue
    const own = entries.get(piece.statement) ?? []
    entries.set(piece.statement, own)
    own.push(...piece.entries)
    const entry = own.pop()
    if (entry === undefined) continue
    // What comes next may be more of its parts.
    last = [...entry.parts]
    own.push({ ...entry, parts: last })
  }
  return entries
}
