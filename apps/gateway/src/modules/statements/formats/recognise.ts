import { declaredEncoding, decodeText, EncodingProblem, encodingByMark } from '../../../platform/encodings.ts'
import { FileProblem } from '../errors.ts'
import { readCamt } from './camt.ts'
import { readCsv } from './csv.ts'
import type { CsvMapping } from './csv-mapping.ts'
import { readMt940 } from './mt940.ts'
import { FILE_BYTES_MAX, type ParsedFile } from './parsed.ts'

const MIB = 1_048_576
/** Bookings of one file. */
const ENTRIES_MAX = 200_000
/** Statements of one file. */
const STATEMENTS_MAX = 5_000

/** What is known of a file besides its bytes. */
export interface ReadingHints {
  /** For CSV. */
  readonly mapping?: CsvMapping | undefined
  /** In which its letters are written, unless the file itself says so; see `decodeText`. */
  readonly encoding?: string | undefined
}

/**
 * Reads a file of a bank, whichever of the forms it has; CSV needs its mapping. Throws FileProblem, which says where in
 * the file it is wrong.
 */
export function readStatementFile(bytes: Uint8Array, { mapping, encoding }: ReadingHints = {}): ParsedFile {
  if (bytes.length === 0) throw new FileProblem('the file is empty.')
  if (bytes.length > FILE_BYTES_MAX)
    throw new FileProblem(`the file has more than ${FILE_BYTES_MAX / MIB} MiB. Take smaller periods.`)
  const warnings: string[] = []
  const onGuess = (): void => void warnings.push(GUESSED)
  const file = withItsLetters(() =>
    mapping === undefined
      ? readByContent(bytes, encoding, onGuess)
      : readCsv(decodeText(bytes, encodingByMark(bytes) ?? encoding ?? mapping.encoding, onGuess), mapping),
  )
  if (file.statements.length > STATEMENTS_MAX)
    throw new FileProblem(
      `the file has ${file.statements.length} statements, more than ${STATEMENTS_MAX}. Take smaller periods.`,
    )
  const entries = file.statements.reduce((count, statement) => count + statement.entries.length, 0)
  if (entries > ENTRIES_MAX)
    throw new FileProblem(`the file has ${entries} bookings, more than ${ENTRIES_MAX}. Take smaller periods.`)
  return { ...file, warnings: [...warnings, ...file.warnings] }
}

const GUESSED =
  'nothing says in which encoding the letters are written, and it is not UTF-8; they are read as windows-1252. If names look wrong, the bank can say which it is: give it as the encoding with the next file, such as cp850 or windows-1250.'

function readByContent(bytes: Uint8Array, encoding: string | undefined, onGuess: () => void): ParsedFile {
  const marked = encodingByMark(bytes)
  const start = decodeText(bytes.subarray(0, 4096), marked ?? 'latin1').trimStart()
  // What the file itself says of its letters is right: the bank's program has written both.
  if (start.startsWith('<'))
    return readCamt(decodeText(bytes, marked ?? declaredEncoding(start) ?? encoding, onGuess))
  const isMt940 = /(?:^|[\r\n}])[ \t]*:2[05]:/.test(start) || /^\{\d:/.test(start)
  if (isMt940) return readMt940(decodeText(bytes, marked ?? encoding, onGuess))
  throw new FileProblem(
    'it is neither XML (camt.053, camt.054) nor MT940 (a line that begins with ":20:"). A CSV file needs a mapping: --mapping <file>.',
    'line 1',
  )
}

function withItsLetters<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof EncodingProblem) throw new FileProblem(error.message)
    throw error
  }
}
