/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { CellWaiting } from '../../../cell-words.ts'
import { type AskedCell, askCell, type Heard, waitingIn } from './answers.ts'
import { cellsOfPage, fill, find, ownPiece, pieceOf, problemNote, problemWords, put, say } from './parts.ts'

// What waits in each cell: a part of the page for each, filled when the cell answers.

type Waiting = Heard<NonNullable<ReturnType<typeof waitingIn>>>

const WAITING_MISSING = 'What waits there is missing here.'

function showWaiting(): void {
  const cells = cellsOfPage()
  const told = new Map<string, Waiting>()
  const ask = async (cell: AskedCell): Promise<void> => {
    const heard = await askCell(cell, '/cells/answer/waiting', waitingIn)
    told.set(cell.letter, heard)
    showCell(cell, heard, () => void ask(cell))
    if (told.size === cells.length) say(cells.map((each) => sentence(each, told.get(each.letter))).join(' '))
  }
  say('Asking all cells.')
  for (const cell of cells) void ask(cell)
}

function showCell(cell: AskedCell, heard: Waiting, again: () => void): void {
  const part = find(`[data-cell="${cell.letter}"]`)
  if (part === null) return
  const isInUse = part.contains(document.activeElement)
  if ('answer' in heard) {
    put('[data-health]', part, pieceOf(`health-${heard.answer.health}`))
    put('[data-body]', part, listOf(cell, heard.answer.data))
  } else {
    put('[data-health]', part, undefined)
    put('[data-body]', part, problemNote({ ...heard, cell, missing: WAITING_MISSING, again }))
  }
  // Who pressed "Try again" goes on from there.
  if (isInUse) (find('[data-body] :is(a:not([hidden]), button)', part) ?? find('a', part))?.focus()
}

/** Rows that this console knows by their kind: where they lead is not the other one's to say. */
function listOf({ origin }: AskedCell, data: readonly CellWaiting[]): HTMLElement {
  const rows = data.flatMap(({ kind, count, says, age }) => {
    const row = pieceOf(`waiting-${kind}`)
    if (row === undefined) return []
    fill(row, { count, says, age })
    const link = find('a', row)
    link?.setAttribute('href', origin + (link.getAttribute('href') ?? ''))
    return [row]
  })
  if (data.length === 0) return ownPiece('nothing')
  const list = document.createElement('ul')
  list.className = 'todo'
  list.append(...rows)
  return list
}

function sentence({ letter }: AskedCell, heard: Waiting | undefined): string {
  if (heard === undefined) return ''
  if ('problem' in heard) return problemWords(letter, heard.problem, heard.says)
  const { length } = heard.answer.data
  return length === 0 ? `Nothing waits in cell ${letter}.` : `Cell ${letter}: ${length} to look at.`
}

if (find('[data-cells="waiting"]') !== null) showWaiting()
