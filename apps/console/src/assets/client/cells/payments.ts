/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { CellPayment } from '../../../cell-words.ts'
import { type AskedCell, askCell, type Heard, type Problem, paymentsIn } from './answers.ts'
import { merged, type Placed } from './merge.ts'
import {
  cellsOfPage,
  fill,
  find,
  ownPiece,
  pieceOf,
  plainNote,
  problemNote,
  problemWords,
  put,
  say,
} from './parts.ts'

// Payments of all cells in one list. Each cell is asked page by page, and the list grows at its end. A cell that is away is left out,
// and its payments come in between once it is back.

const PAGE = 50
/** On one screen, and of each cell. */
const ROWS_MAX = 1_000
/** When the screen is loaded anew. */
const RELOADED_MAX = 500
/** After this, what the others said is shown without waiting any longer. */
const LATE_MS = 2_000

/** A cell and its payments so far. */
interface List {
  readonly cell: AskedCell
  readonly rows: CellPayment[]
  nextCursor?: string | undefined
  /** OPEN: it has older ones. LATE: it was asked, and is not waited for. WHOLE: nothing is left. STOPPED: there is a problem. */
  state: 'OPEN' | 'ASKED' | 'LATE' | 'WHOLE' | 'STOPPED'
  problem?: Problem | undefined
  says?: string | undefined
}

type Row = Placed<CellPayment>

const keyOf = ({ letter, row }: Row): string => [letter, row.kind, row.merchantCode, row.idPayment].join(' ')

const plural = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`

/** The filters of the address, as every console takes them. */
function filters(): URLSearchParams {
  const query = new URLSearchParams(location.search)
  query.delete('rows')
  return query
}

function listPayments(): void {
  const lists: readonly List[] = cellsOfPage().map((cell) => ({ cell, rows: [], state: 'OPEN' }))
  const table = openTable(lists)
  const given = Number(new URLSearchParams(location.search).get('rows'))
  let wanted = given > PAGE ? Math.min(given, RELOADED_MAX) : PAGE
  let shown: readonly Row[] = []

  const ask = async (list: List): Promise<void> => {
    list.state = 'ASKED'
    const late = setTimeout(() => {
      list.state = 'LATE'
      step()
    }, LATE_MS)
    const query = filters()
    if (list.nextCursor !== undefined) query.set('cursor', list.nextCursor)
    const heard = await askCell(list.cell, `/cells/answer/payments?${query.toString()}`, paymentsIn)
    clearTimeout(late)
    take(list, heard)
    step()
  }
  const askAgain = (list: List): void => {
    list.state = 'OPEN'
    step()
  }
  /** Asks for what is lacking, or shows what there is. */
  const step = (): void => {
    if (lists.some(({ state }) => state === 'ASKED')) return
    const certain = merged(
      lists.map(({ cell, rows, state }) => ({ letter: cell.letter, rows, isOpen: state === 'OPEN' })),
    )
    const lastAt = placeOf(shown.at(-1), certain)
    // What was shown stays, whatever comes in between.
    const isShort = certain.length < wanted || lastAt < shown.length - 1
    const lacking = lists.filter(
      (list) => list.state === 'OPEN' && rowsAfter(list, certain) < Math.max(1, wanted - certain.length),
    )
    if (isShort && lacking.length > 0) {
      for (const list of lacking) void ask(list)
      return
    }
    const next = certain.slice(0, Math.max(wanted, lastAt + 1))
    table.show(next)
    showProblems(lists, askAgain)
    showEnd(next, { shown, lists, hasMore: certain.length > next.length || lists.some(isOpen) })
    shown = next
  }
  find('[data-cells-older]')?.addEventListener('click', () => {
    wanted = shown.length + PAGE
    const query = filters()
    query.set('rows', String(wanted))
    history.replaceState(null, '', `?${query.toString()}`)
    for (const list of lists) if (list.state === 'STOPPED' && list.problem === 'AWAY') list.state = 'OPEN'
    step()
  })
  say('Asking all cells.')
  step()
}

const isOpen = ({ state }: List): boolean => state === 'OPEN'

/** Where a row is; -1 where it is not. */
const placeOf = (wanted: Row | undefined, rows: readonly Row[]): number =>
  wanted === undefined ? -1 : rows.findIndex((row) => keyOf(row) === keyOf(wanted))

const rowsAfter = ({ cell, rows }: List, certain: readonly Row[]): number =>
  rows.length - certain.filter(({ letter }) => letter === cell.letter).length

/** What a cell said, into its list. */
function take(list: List, heard: Heard<NonNullable<ReturnType<typeof paymentsIn>>>): void {
  const page = 'answer' in heard ? heard.answer : undefined
  list.problem = 'problem' in heard ? heard.problem : undefined
  list.says = 'problem' in heard ? heard.says : undefined
  if (page === undefined) {
    list.state = list.problem === 'UNKNOWN' ? 'WHOLE' : 'STOPPED'
    return
  }
  list.rows.push(...page.data)
  list.nextCursor = page.nextCursor
  list.state = page.nextCursor === undefined || list.rows.length >= ROWS_MAX ? 'WHOLE' : 'OPEN'
}

/** The table of the page, whose rows are never taken away. */
function openTable(lists: readonly List[]): { readonly show: (rows: readonly Row[]) => void } {
  const table = ownPiece('table')
  const body = find('tbody', table) ?? table
  const model = body.firstElementChild ?? body
  model.remove()
  const origins = new Map(lists.map(({ cell }) => [cell.letter, cell.origin]))
  const known = new Map<string, HTMLElement>()
  const elementOf = (row: Row): HTMLElement => {
    const element = known.get(keyOf(row)) ?? rowElement(model, row, origins.get(row.letter) ?? '')
    known.set(keyOf(row), element)
    return element
  }
  return {
    show(rows) {
      for (const [index, row] of rows.entries()) {
        const element = elementOf(row)
        const there = body.children[index] ?? null
        if (element !== there) body.insertBefore(element, there)
      }
      // Once it is there it stays: who reads it must not lose their place.
      if (!table.isConnected) put('[data-cells-list]', document, rows.length > 0 ? table : nothingFor(lists))
    },
  }
}

function nothingFor(lists: readonly List[]): HTMLElement | undefined {
  if (lists.some(({ state }) => state === 'LATE')) return undefined
  return pieceOf(lists.every(({ problem }) => problem === 'UNKNOWN') ? 'nowhere' : 'nothing')
}

function rowElement(model: Element, { letter, row }: Row, origin: string): HTMLElement {
  const clone = model.cloneNode(true)
  const element = clone instanceof HTMLElement ? clone : ownPiece('row')
  const sub = `Cell ${letter}, ${row.kindWords}, ${row.merchantCode}, ${row.day}`
  fill(element, { ...row, cell: letter, sub })
  const path = [row.kind, row.merchantCode, row.idPayment].map(encodeURIComponent).join('/')
  find('a', element)?.setAttribute('href', `${origin}/payments/${path}`)
  find('time', element)?.setAttribute('datetime', row.createdAt)
  const chip = pieceOf(`chip-${row.tone}-${row.icon}`) ?? ownPiece('chip')
  chip.append(row.status)
  put('[data-of="chip"]', element, chip)
  return element
}

const MISSING = 'Its payments are missing here.'
const TOO_MANY = 'has more payments than fit here, and its older ones are missing. Narrow the filters.'

/** What is wrong with which cell, and the way out. Who pressed "Try again" finds it where it was. */
function showProblems(lists: readonly List[], askAgain: (list: List) => void): void {
  const place = find('[data-cells-problems]')
  if (place === null) return
  const isInUse = place.contains(document.activeElement)
  const notes = lists.flatMap((list) => noteFor(list, () => askAgain(list)) ?? [])
  place.replaceChildren(...notes)
  if (isInUse) (find('button:not([hidden])', place) ?? find('.sheet'))?.focus()
}

function noteFor(list: List, again: () => void): HTMLElement | undefined {
  const { cell, problem, says, state, nextCursor } = list
  const words =
    state === 'LATE' ? 'has not answered yet.' : state === 'WHOLE' && nextCursor !== undefined ? TOO_MANY : ''
  if (words !== '') return plainNote(`Cell ${cell.letter} ${words}`)
  if (problem === undefined || problem === 'UNKNOWN') return undefined
  return problemNote({ cell, problem, says, missing: MISSING, again })
}

/** How many there are, what came in between, and whether there are older ones. */
function showEnd(
  next: readonly Row[],
  { shown, lists, hasMore }: { shown: readonly Row[]; lists: readonly List[]; hasMore: boolean },
): void {
  const isFull = hasMore && next.length >= ROWS_MAX
  const before = new Set(shown.map(keyOf))
  const between = next.slice(0, placeOf(shown.at(-1), next) + 1).filter((row) => !before.has(keyOf(row)))
  const added = lists.flatMap(({ cell: { letter } }) => {
    const count = between.filter((row) => row.letter === letter).length
    return count === 0 ? [] : [`${plural(count)} of cell ${letter} came in between.`]
  })
  const words = [
    next.length === 0 ? 'No payments.' : `${plural(next.length)}, the newest first.`,
    ...added,
    ...(isFull ? ['Narrow the filters to see older ones.'] : []),
  ]
  const count = find('[data-cells-count]')
  if (count !== null) count.textContent = next.length === 0 ? '' : words.join(' ')
  showOlder(hasMore && !isFull)
  const problems = lists.flatMap(({ cell, problem, says }) =>
    problem === undefined || problem === 'UNKNOWN' ? [] : [problemWords(cell.letter, problem, says)],
  )
  say([...words, ...problems].join(' '))
}

/** Who pressed the button the last time goes on in the table. */
function showOlder(isThere: boolean): void {
  const older = find('[data-cells-older]')
  if (older === null) return
  if (!isThere && older === document.activeElement) find('.sheet')?.focus()
  older.hidden = !isThere
}

if (find('[data-cells="payments"]') !== null) listPayments()
