import { readCamt } from './camt.ts'
import { readCsv } from './csv.ts'
import type { CsvMapping } from './csv-mapping.ts'
import { FileProblem } from './errors.ts'
import { readMt940 } from './mt940.ts'
import { FILE_BYTES_MAX, type ParsedFile } from './parsed.ts'

const MIB = 1_048_576
/** Bookings of one file. */
const ENTRIES_MAX = 200_000

/**
 * Reads a file of a bank, whichever of the forms it has; CSV needs its mapping. Throws FileProblem, which says where in
 * the file it is wrong.
 */
export function readStatementFile(bytes: Uint8Array, mapping?: CsvMapping): ParsedFile {
  if (bytes.length === 0) throw new FileProblem('the file is empty.')
  if (bytes.length > FILE_BYTES_MAX)
    throw new FileProblem(`the file has more than ${FILE_BYTES_MAX / MIB} MiB. Take smaller periods.`)
  const file =
    mapping === undefined ? readByContent(bytes) : readCsv(decode(bytes, mapping.encoding), mapping)
  const entries = file.statements.reduce((count, statement) => count + statement.entries.length, 0)
  if (entries > ENTRIES_MAX)
    throw new FileProblem(`the file has ${entries} bookings, more than ${ENTRIES_MAX}. Take smaller periods.`)
  return file
}

function readByContent(bytes: Uint8Array): ParsedFile {
  const start = decode(bytes.subarray(0, 4096), encodingByMark(bytes) ?? 'latin1').trimStart()
  if (start.startsWith('<')) return readCamt(decode(bytes, encodingByMark(bytes) ?? declaredIn(start)))
  const isMt940 = /(?:^|[\r\n}])\s*:20:/.test(start) || /^\{\d:/.test(start)
  if (isMt940) return readMt940(decode(bytes, encodingByMark(bytes)))
  throw new FileProblem(
    'it is neither XML (camt.053, camt.054) nor MT940 (a line that begins with ":20:"). A CSV file needs a mapping: --mapping <file>.',
    'line 1',
  )
}

/** By the mark at the beginning. */
function encodingByMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function declaredIn(start: string): string | undefined {
  return /^<\?xml[^>]*\sencoding=["']([A-Za-z0-9._-]{1,40})["']/.exec(start)?.[1]
}

/** The text in the encoding; without one in UTF-8 if it is that, else in the Latin letters of Windows. Without its mark. */
function decode(bytes: Uint8Array, encoding?: string): string {
  if (encoding !== undefined) return decodeAs(bytes, encoding)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function decodeAs(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    const why = error instanceof RangeError ? 'which is not known' : 'but it is not'
    throw new FileProblem(`the file should be in ${encoding}, ${why}.`)
  }
}
