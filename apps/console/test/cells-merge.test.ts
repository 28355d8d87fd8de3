import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentsIn, waitingIn } from '../src/assets/client/cells/answers.ts'
import { merged, type Told } from '../src/assets/client/cells/merge.ts'

// Lists of several cells in one, and how answers are read that come from another console.

interface Row {
  readonly createdAt: string
  readonly id: string
}
const row = (id: string, ms: number): Row => ({
  id,
  createdAt: new Date(Date.UTC(2026, 10, 21) + ms).toISOString(),
})
const told = (letter: string, rows: readonly Row[], isOpen = false): Told<Row> => ({ letter, rows, isOpen })
const idsOf = (cells: readonly Told<Row>[]): string =>
  merged(cells)
    .map((each) => each.row.id)
    .join(' ')

test('the newest come first, those of one moment by cell and then as the cell has them', () => {
  const a = told('A', [row('a1', 30), row('a2', 20), row('a3', 20)])
  const b = told('B', [row('b1', 20), row('b2', 10)])
  assert.equal(idsOf([b, told('C', []), a]), 'a1 a2 a3 b1 b2')
  assert.equal(idsOf([]), '')
})

test('nothing is shown that an older payment of a cell could still belong before', () => {
  const a = [row('a1', 30), row('a2', 20)]
  const b = [row('b1', 25), row('b2', 20), row('b3', 5)]
  // A may have more of that moment, which come before those of B.
  assert.equal(idsOf([told('A', a, true), told('B', b)]), 'a1 b1 a2')
  assert.equal(idsOf([told('A', a), told('B', b.slice(0, 2), true)]), 'a1 b1 a2 b2')
  assert.equal(idsOf([told('A', a, true), told('B', b.slice(0, 1), true)]), 'a1 b1')
  // A cell that is asked for the first time may have anything.
  assert.equal(idsOf([told('A', a), told('B', [], true)]), '')
  // One that is away is not waited for.
  assert.equal(idsOf([told('A', a), told('B', [])]), 'a1 a2')
})

/** A small generator, so that a failure can be repeated. */
function chanceOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}

test('page by page, with cells away and back, the list is what sorting everything gives', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const chance = chanceOf(seed)
    const stored = ['A', 'B', 'C'].slice(0, 1 + chance(3)).map((letter) => {
      const times = Array.from({ length: chance(12) }, () => chance(6)).toSorted((one, other) => other - one)
      return { letter, rows: times.map((ms, index) => row(`${letter}${index}`, ms)) }
    })
    const sorted = idsOf(stored.map(({ letter, rows }) => told(letter, rows)))
    const heard = new Map(stored.map(({ letter }) => [letter, 0]))
    for (let turn = 0; turn < 100; turn += 1) {
      const cells = stored.map(({ letter, rows }) => {
        const length = heard.get(letter) ?? 0
        const isAway = turn < 60 && chance(4) === 0
        return { ...told(letter, rows.slice(0, length), length < rows.length && !isAway), isAway }
      })
      const shown = merged(cells)
      const ids = shown.map((each) => each.row.id)
      // In order whatever is missing, and with nothing missing but what is away.
      assert.deepEqual(
        ids,
        sorted.split(' ').filter((id) => ids.includes(id)),
        `seed ${seed}`,
      )
      if (cells.every(({ isAway }) => !isAway)) assert.ok(sorted.startsWith(ids.join(' ')), `seed ${seed}`)
      const next = stored[chance(stored.length)]
      if (next !== undefined)
        heard.set(next.letter, Math.min(next.rows.length, (heard.get(next.letter) ?? 0) + 1 + chance(4)))
      if (turn === 99)
        assert.equal(
          ids.length,
          [...heard.values()].reduce((sum, each) => sum + each, 0),
        )
    }
  }
})

const PAYMENT = {
  kind: 'PAYIN',
  merchantCode: 'SHOP',
  idPayment: 'ORD-1',
  createdAt: '2026-11-21T10:15:28.001Z',
  amount: '149.90',
  currencyCode: 'EUR',
  tone: 'good',
  icon: 'check',
  status: 'Succeeded',
  kindWords: 'Payin',
  method: 'Bank transfer',
  reference: 'AK7',
  moment: '21 Nov 2026, 10:15:28',
  day: '21 Nov 10:15',
}

test('D69 an answer of another shape is none: numbers for texts, half letters, long, many, out of order, without an end', () => {
  assert.deepEqual(paymentsIn({ data: [PAYMENT], nextCursor: 'x' }), { data: [PAYMENT], nextCursor: 'x' })
  assert.deepEqual(paymentsIn({ data: [] }), { data: [], nextCursor: undefined })
  const { method: _method, ...lacking } = PAYMENT
  for (const wrong of [
    {},
    { data: {} },
    { data: 'x' },
    { data: [null] },
    { data: [[]] },
    { data: [lacking] },
    { data: [PAYMENT, 1] },
    { data: [{ ...PAYMENT, amount: 149.9 }] },
    { data: [{ ...PAYMENT, amount: { toString: 1 } }] },
    { data: [{ ...PAYMENT, merchantCode: '\ud800' }] },
    { data: [{ ...PAYMENT, reference: 'x'.repeat(1_001) }] },
    { data: [{ ...PAYMENT, createdAt: '9999' }] },
    { data: [PAYMENT, { ...PAYMENT, createdAt: '2026-11-21T10:15:28.002Z' }] },
    { data: Array.from({ length: 101 }, () => PAYMENT) },
    // It would be asked for ever.
    { data: [], nextCursor: 'x' },
    { data: [PAYMENT], nextCursor: 5 },
  ])
    assert.equal(paymentsIn(wrong), undefined, JSON.stringify(wrong).slice(0, 80))
  const waiting = { kind: 'REVIEWS', count: '3', says: '', age: '' }
  assert.deepEqual(waitingIn({ data: [waiting], health: 'WELL' }), { data: [waiting], health: 'WELL' })
  for (const wrong of [
    { data: [waiting] },
    { data: [{ ...waiting, count: 3 }], health: 'WELL' },
    { health: 'WELL' },
  ])
    assert.equal(waitingIn(wrong), undefined)
})
