import { createHash } from 'node:crypto'
import { FileProblem } from '../errors.ts'
import { differencesIn } from './balances.ts'
import { identityOf } from './fingerprint.ts'
import type { ParsedEntry, ParsedFile, ParsedPart } from './parsed.ts'
import { type ReadingHints, readStatementFile } from './recognise.ts'

// Runs in a thread; see reading.ts.

/** A file to be read. */
export interface ReadOrder extends ReadingHints {
  readonly bytes: Uint8Array
}

/** What the thread tells: a problem; or the file without its entries, and then these, some at a time. */
export type ReadPiece =
  | { readonly kind: 'PROBLEM'; readonly message: string }
  | {
      readonly kind: 'FILE'
      readonly file: ParsedFile
      /** What does not agree within the file, a sentence each. */
      readonly differences: readonly string[]
      readonly contentHash: Uint8Array
    }
  | { readonly kind: 'ENTRIES'; readonly statement: number; readonly entries: readonly ReadEntry[] }
  /** Further parts of the last entry. */
  | { readonly kind: 'PARTS'; readonly parts: readonly ReadPart[] }

/** An entry with what makes it known again; see fingerprint.ts. */
export interface ReadEntry extends Omit<ParsedEntry, 'parts'> {
  readonly identity: string
  readonly parts: readonly ReadPart[]
}

/** Its details are one text, as they are sealed: they take a third of the memory, and nobody asks what is in them until then. */
export interface ReadPart extends Omit<ParsedPart, 'details'> {
  readonly details: string
}

/** So many are taken over in a few milliseconds. */
const PARTS_AT_ONCE = 200

/** Reads a file of a bank, and computes what needs nobody but the file. Its bytes are free once this has answered. */
export function work(order: ReadOrder): Iterable<ReadPiece> {
  const read = readOrProblem(order)
  if (typeof read === 'string') return [{ kind: 'PROBLEM', message: read }]
  return piecesOfFile(read, new Uint8Array(createHash('sha256').update(order.bytes).digest()))
}

function* piecesOfFile(read: ParsedFile, contentHash: Uint8Array): Iterable<ReadPiece> {
  yield {
    kind: 'FILE',
    file: { ...read, statements: read.statements.map((statement) => ({ ...statement, entries: [] })) },
    differences: differencesIn(read),
    contentHash,
  }
  for (const [statement, { entries }] of read.statements.entries()) yield* piecesOf(statement, entries)
}

function* piecesOf(statement: number, entries: readonly ParsedEntry[]): Iterable<ReadPiece> {
  let some: ReadEntry[] = []
  let parts = 0
  for (const entry of entries) {
    some.push({ ...entry, parts: partsOf(entry, 0), identity: identityOf(entry) })
    parts += entry.parts.length
    if (parts < PARTS_AT_ONCE) continue
    yield { kind: 'ENTRIES', statement, entries: some }
    for (let from = PARTS_AT_ONCE; from < entry.parts.length; from += PARTS_AT_ONCE)
      yield { kind: 'PARTS', parts: partsOf(entry, from) }
    some = []
    parts = 0
  }
  if (some.length > 0) yield { kind: 'ENTRIES', statement, entries: some }
}

const partsOf = ({ parts }: ParsedEntry, from: number): readonly ReadPart[] =>
  parts.slice(from, from + PARTS_AT_ONCE).map((part) => ({ ...part, details: JSON.stringify(part.details) }))

function readOrProblem({ bytes, mapping, encoding }: ReadOrder): ParsedFile | string {
  try {
    return readStatementFile(bytes, { mapping, encoding })
  } catch (error) {
    if (error instanceof FileProblem) return error.message
    throw error
  }
}
