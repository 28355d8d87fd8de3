import type { CsvMapping } from '../formats/csv-mapping.ts'

/** A file as a bank writes it, and what it says. */
export interface Dialect {
  readonly bank: string
  readonly peculiarity: string
  readonly file: string
  /** How the characters of `file` become bytes; UTF-8 unless it says latin1: one byte each. */
  readonly bytes?: 'latin1'
  readonly encoding?: string
  readonly mapping?: CsvMapping
  /** Movement, day, bank's reference, other party, its account, end-to-end id, first text; empty where there is none. */
  readonly entries: readonly (readonly string[])[]
  readonly accounts?: readonly string[]
  /** Variable, specific and constant symbol of the first entry. */
  readonly symbols?: readonly string[]
  readonly warnings?: readonly RegExp[]
}
