import type { FoundPaymentListSchema, Printed } from '@tollgate/contract'
import { askOwn, type Heard, type Question } from '../cells/ask.ts'
import { type Cell, requireCells } from '../cells/file.ts'
import {
  type CellPage,
  isOver,
  pageOf,
  placesAtStart,
  printCursor,
  readCursor,
  searchFrom,
} from '../cells/payments.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { PAYMENT_COLUMNS, paymentQuery, paymentRow } from '../found-payments.ts'
import type { Report, Shell } from '../shell.ts'
import * as pen from '../text.ts'

interface Wish {
  readonly limit: number
  readonly cursor?: string
}

/** What a cell has, or that it does not know of whom it is asked. */
type Found = Heard<CellPage> | { readonly unknown: string }

/** `tollgate cells payments` */
export async function cellPayments(shell: Shell, options: Wish): Promise<Report> {
  const { limit, cursor } = options
  const cells = requireCells(await shell.config())
  const query = paymentQuery(options)
  const search = { filters: query, letters: cells.map(({ cell }) => cell) }
  const places = cursor === undefined ? placesAtStart(search.letters) : readCursor(cursor, search)
  const asked = cells.filter(({ cell }) => places.get(cell) !== 'END')
  const found = await Promise.all(
    asked.map(async (cell) => {
      const { query: from, upTo } = searchFrom(places.get(cell.cell), limit)
      const wish = { query: { ...query, ...from, withoutCells: othersOf(cell, search.letters) }, upTo }
      return [cell.cell, await searchIn(shell, cell, wish)] as const
    }),
  )
  const unknown = found.flatMap(([, said]) => ('unknown' in said ? [said.unknown] : []))
  if (unknown.length === cells.length) throw new CommandFailure('NOT_FOUND', NOWHERE, unknown)
  const away = found.flatMap(([cell, said]) => ('away' in said ? [{ cell, reason: said.away }] : []))
  const heard = new Map(found.flatMap(([cell, said]) => ('away' in said ? [] : [[cell, pageIn(said)]])))
  const page = pageOf(places, { heard, limit })
  const nextCursor = isOver(page.places) ? undefined : printCursor(page.places, search)
  return {
    json: { data: page.rows, ...(nextCursor !== undefined && { nextCursor }), away },
    text: pen.table(
      ['CELL', ...PAYMENT_COLUMNS],
      page.rows.map((row) => [row.cell, ...paymentRow(row, pen)]),
      'No payment matches.',
    ),
    notes: [
      ...away.map(({ cell, reason }) => `Cell ${cell} is away, and its payments are missing here: ${reason}`),
      ...(away.length > 0 ? [CATCHES_UP] : []),
      ...(nextCursor === undefined ? [] : [`Next page: the same command with --cursor ${nextCursor}`]),
    ],
    exitCode: away.length > 0 ? EXIT_CODES.FAULT : EXIT_CODES.OK,
  }
}

/** A cell that was split, and the one that came of it, both have the payments of before: those of a merchant are listed where it is. */
function othersOf({ cell }: Cell, letters: readonly string[]): string | undefined {
  const others = letters.filter((letter) => letter !== cell)
  return others.length === 0 ? undefined : others.join(',')
}

const CATCHES_UP =
  'Payments of a cell that is away follow on the first page after it is back, also those newer than the ones above.'
const NOWHERE = 'No cell knows this merchant.'

/** A merchant is in one cell: to the others it is unknown. */
async function searchIn(
  shell: Shell,
  cell: Cell,
  wish: Pick<Question<unknown>, 'query' | 'upTo'>,
): Promise<Found> {
  const question: Question<Printed<typeof FoundPaymentListSchema>> = {
    permission: 'payouts.read',
    path: '/operator/payments',
    ...wish,
  }
  try {
    return await askOwn(shell, cell, question)
  } catch (error) {
    if (error instanceof CommandFailure && error.kind === 'NOT_FOUND') return { unknown: error.message }
    throw error
  }
}

const pageIn = (said: Exclude<Found, { readonly away: string }>): CellPage =>
  'answer' in said ? said.answer : { data: [] }
