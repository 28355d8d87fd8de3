import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type Cell, csvLine } from '../platform/csv.ts'

/** How rows look in a file: a line of CSV each, or an object of JSON. */
export interface RowFile<Row> {
  readonly columns: readonly string[]
  /** In the order of the columns. */
  readonly cellsOf: (row: Row) => readonly Cell[]
  readonly jsonOf: (row: Row) => object
}

type Pages<Row> = AsyncIterable<readonly Row[]>
type RowFormat = keyof typeof TYPES

const TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
} as const

/** The text of a file, a piece for each page. */
export async function* writeRows<Row>(
  { columns, cellsOf, jsonOf }: RowFile<Row>,
  format: RowFormat,
  pages: Pages<Row>,
): AsyncIterable<string> {
  const lineOf =
    format === 'csv' ? (row: Row) => csvLine(cellsOf(row)) : (row: Row) => `${JSON.stringify(jsonOf(row))}\n`
  if (format === 'csv') yield csvLine(columns)
  for await (const rows of pages) if (rows.length > 0) yield rows.map(lineOf).join('')
}

/** Answers with a file to be saved, read as fast as it is taken. */
export function sendRows<Row>(
  reply: FastifyReply,
  {
    name,
    format,
    file,
    pages,
  }: {
    /** Of the file, without its ending. */
    readonly name: string
    readonly format: RowFormat
    readonly file: RowFile<Row>
    readonly pages: Pages<Row>
  },
): FastifyReply {
  return reply
    .type(TYPES[format])
    .header('content-disposition', `attachment; filename="${name}.${format}"`)
    .send(Readable.from(writeRows(file, format, pages)))
}
