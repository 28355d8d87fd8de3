import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CellPage,
  isOver,
  type Places,
  pageOf,
  placesAtStart,
  printCursor,
  readCursor,
  searchFrom,
} from '../cells/payments.ts'
import type { FoundPayment } from '../found-payments.ts'

const FILTERS = { createdFrom: '2026-11-21T00:00:00Z' }
const LETTERS = ['A', 'B', 'C']

/** A payment of a millisecond of the day. */
const payment = (idPayment: string, ms: number): FoundPayment => ({
  merchantCode: 'SHOP',
  kind: 'PAYIN',
  idPayment,
  status: 'SUCCESS',
  processorStatus: 'CONFIRMED',
  money: { amount: 149.9, currencyCode: 'EUR' },
  paymentMethodCode: 'BANK_TRANSFER',
  reference: idPayment,
  createdAt: new Date(Date.parse(FILTERS.createdFrom) + ms).toISOString(),
})

/** What a gateway answers that has these, the newest first. */
function answer(stored: readonly FoundPayment[], { query, upTo }: ReturnType<typeof searchFrom>): CellPage {
  const { createdTo } = query
  const found = stored.filter(({ createdAt }) => createdTo === undefined || createdAt < createdTo)
  return { data: found.slice(0, upTo), ...(found.length > upTo && { nextCursor: 'more' }) }
}

interface Asked {
  readonly stored: ReadonlyMap<string, readonly FoundPayment[]>
  readonly limit: number
  readonly away?: readonly string[]
}

/** A page as the command makes it; the places go through a cursor. */
function nextPage(places: Places, { stored, limit, away = [] }: Asked): ReturnType<typeof pageOf> {
  const asked = [...stored].filter(([cell]) => places.get(cell) !== 'END' && !away.includes(cell))
  const heard = new Map(
    asked.map(([cell, rows]) => [cell, answer(rows, searchFrom(places.get(cell), limit))]),
  )
  const page = pageOf(places, { heard, limit })
  const cursor = printCursor(page.places, { filters: FILTERS })
  return { ...page, places: readCursor(cursor, { filters: FILTERS, letters: [...stored.keys()] }) }
}

function all(asked: Asked, awayOn: (page: number) => readonly string[] = () => []): readonly string[] {
  const shown: string[] = []
  let places = placesAtStart([...asked.stored.keys()])
  for (let page = 0; !isOver(places); page += 1) {
    const { rows, places: next } = nextPage(places, { ...asked, away: awayOn(page) })
    assert.ok(rows.length <= asked.limit)
    shown.push(...rows.map(({ cell, idPayment }) => `${cell} ${idPayment}`))
    places = next
  }
  return shown
}

test('payments of all cells come newest first, those of one moment by cell, and each once', () => {
  const stored = new Map([
    ['A', [payment('a3', 30), payment('a2', 20), payment('a1', 20)]],
    ['B', [payment('b2', 20), payment('b1', 10)]],
    ['C', []],
  ])
  for (const limit of [1, 2, 3, 5, 9])
    assert.deepEqual(all({ stored, limit }), ['A a3', 'A a2', 'A a1', 'B b2', 'B b1'])
})

test('many payments of one millisecond fall into many pages', () => {
  const same = (cell: string) => Array.from({ length: 7 }, (_, index) => payment(`${cell}${index}`, 5))
  const stored = new Map(LETTERS.map((cell) => [cell, same(cell)]))
  const shown = all({ stored, limit: 2 })
  assert.equal(shown.length, 21)
  assert.equal(new Set(shown).size, 21)
})

test('of a cell that is away for a page or for all but the last, every payment still comes once', () => {
  const stored = new Map(
    LETTERS.map((cell, offset) => [
      cell,
      Array.from({ length: 20 }, (_, index) => payment(`${cell}${index}`, 100 - 3 * index + offset)),
    ]),
  )
  for (const limit of [1, 4, 7])
    for (const awayOn of [
      (page: number) => (page === 0 ? ['B'] : []),
      (page: number) => (page % 3 === 0 ? ['A', 'C'] : []),
      (page: number) => (page < 70 ? ['C'] : []),
      (page: number) => (page < 3 ? LETTERS : []),
    ]) {
      const shown = all({ stored, limit }, awayOn)
      assert.deepEqual(
        shown.toSorted(),
        [...stored].flatMap(([cell, rows]) => rows.map((row) => `${cell} ${row.idPayment}`)).toSorted(),
      )
    }
})

test('payments that come in, and those that leave the filter, move nothing', () => {
  const before = [payment('a4', 40), payment('a3', 30), payment('a2', 30), payment('a1', 10)]
  const first = nextPage(placesAtStart(['A']), { stored: new Map([['A', before]]), limit: 2 })
  const now = [payment('a5', 50), payment('a2', 30), payment('a1', 10)]
  const second = nextPage(first.places, { stored: new Map([['A', now]]), limit: 2 })
  assert.deepEqual(
    second.rows.map(({ idPayment }) => idPayment),
    ['a2', 'a1'],
  )
  assert.ok(isOver(second.places))
})

test('a cursor is refused that is none, of other cells, or of other filters', () => {
  const places = nextPage(placesAtStart(LETTERS), {
    stored: new Map(LETTERS.map((cell) => [cell, [payment(`${cell}2`, 2), payment(`${cell}1`, 1)]])),
    limit: 2,
  }).places
  const cursor = printCursor(places, { filters: FILTERS })
  assert.deepEqual(readCursor(cursor, { filters: FILTERS, letters: LETTERS }), places)
  const refused = (text: string, says: RegExp, letters = LETTERS, filters: object = FILTERS): void =>
    assert.throws(() => readCursor(text, { filters, letters }), says)
  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const filters = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  for (const text of ['', 'x', cursor.slice(0, -9), encoded(null), encoded([]), encoded({ filters: 'x' })])
    refused(text, /--cursor takes what/)
  for (const place of [
    'MIDDLE',
    7,
    [],
    ['yesterday'],
    ['2026-13-21T00:00:00.000Z'],
    [FILTERS.createdFrom],
    ['2026-11-21T00:00:00.000Z', 7],
  ])
    refused(encoded({ ...filters, cells: { A: place, B: 'END', C: 'START' } }), /--cursor takes what/)
  refused(cursor, /is of the cells A, B, C, and now there are A, B: begin again/, ['A', 'B'])
  refused(cursor, /is of the cells A, B, C, and now there are A, B, C, D/, ['A', 'B', 'C', 'D'])
  refused(cursor, /is of a search with other filters/, LETTERS, { createdFrom: '2026-11-22T00:00:00Z' })
})
