import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { headOf, headsOf, type KeptLine, lineAfter, readKept, verdictOf } from '../cells/heads.ts'

const FILE = 'heads.jsonl'
const hashOf = (text: string): string => hash('sha256', text)
const head = (entryNo: number, text = String(entryNo)): string => `${entryNo}:${hashOf(text)}`
const day = (number: number): string => `2026-11-0${number}T06:00:00.000Z`

/** The heads of A and B on one day after another; undefined while a cell is away. */
function fileOf(days: readonly (readonly [string | undefined, string | undefined])[]): {
  readonly text: string
  readonly lines: readonly KeptLine[]
} {
  let text = ''
  const lines: KeptLine[] = []
  for (const [a, b] of days) {
    const now = {
      keptAt: day(lines.length + 1),
      heads: new Map([
        ['A', a],
        ['B', b],
      ]),
    }
    const next = lineAfter(lines.at(-1), now)
    lines.push(next.kept)
    text += next.text
  }
  return { text, lines }
}

const KEPT = fileOf([
  [head(3), head(5)],
  [head(4), undefined],
  [head(4), head(9)],
])

test('lines are read as they were written, and each hash can be found by a person with sha256sum', () => {
  assert.deepEqual(readKept(KEPT.text, FILE), KEPT.lines)
  assert.deepEqual(readKept('', FILE), [])
  const [first = ''] = KEPT.text.split('\n')
  assert.equal(
    headOf(KEPT.lines[0] ?? { line: 0, hash: '' }),
    `1:${hashOf(first.replace(/,"hash":"\w+"/, ''))}`,
  )
  assert.match(
    first,
    /^\{"line":1,"keptAt":"[^"]+","heads":\{"A":"3:\w+","B":"5:\w+"\},"away":\[\],"before":"0{64}",/,
  )
})

test('the last kept head of a cell that is away stands, and is no head that was seen then', () => {
  const [, second] = KEPT.lines
  assert.deepEqual([second?.heads.get('B'), second?.away], [head(5), ['B']])
  assert.deepEqual(
    headsOf(KEPT.lines, 'B').map(({ entryNo, keptAt }) => [entryNo, keptAt]),
    [
      [5, day(1)],
      [9, day(3)],
    ],
  )
  // A never moved on, and had its head for the last time on the third day.
  assert.deepEqual(headsOf(KEPT.lines, 'A').at(-1)?.keptAt, day(3))
  const { lines } = fileOf([[head(1), undefined]])
  assert.deepEqual([...(lines[0]?.heads.keys() ?? [])], ['A'])
})

test('whatever is done to the file is seen', () => {
  const [one = '', two = '', three = ''] = KEPT.text.split('\n')
  const refused = (lines: readonly string[], says: RegExp): void =>
    assert.throws(() => readKept(lines.map((line) => `${line}\n`).join(''), FILE), says)
  refused([one, two.replace('"4:', '"7:'), three], /^CommandFailure: Line 2 of heads.jsonl was changed/)
  refused([one, two.replace('02T06', '02T07')], /Line 2 of \S+ was changed/)
  refused([one, three], /Line 2 of \S+ does not follow the one before/)
  refused([two, three], /Line 1 of \S+ does not follow/)
  refused([one, one], /Line 2 of \S+ does not follow/)
  refused([one, three, two], /Line 2 of \S+ does not follow/)
  refused([one, '', two], /Line 2 of \S+ is not a line of kept heads/)
  refused(['{"cells":[]}'], /Line 1 of \S+ is not a line/)
  assert.throws(() => readKept(KEPT.text.slice(0, -1), FILE), /Line 3 of \S+ is cut off/)
  assert.throws(() => readKept(KEPT.text.slice(0, -20), FILE), /Line 3 of \S+ is cut off/)
  // A line whose hash was made anew breaks the next one.
  const forged = fileOf([[head(3), head(6)]]).text.trimEnd()
  refused([forged, two], /Line 2 of \S+ does not follow/)
})

test('a journal has every head, or was rewritten since a time, or ends too early', () => {
  const heads = headsOf(
    fileOf([
      [head(0, ''), undefined],
      [head(3), undefined],
      [head(6), undefined],
      [head(8, 'rewritten'), undefined],
    ]).lines,
    'A',
  )
  const today = (...entries: readonly (readonly [number, string | undefined])[]) =>
    verdictOf(heads, new Map(entries.map(([entryNo, text]) => [entryNo, text && hashOf(text)])))
  assert.deepEqual(today([3, '3'], [6, '6'], [8, 'rewritten']), { state: 'UNCHANGED' })
  assert.deepEqual(today([3, '3'], [6, 'x'], [8, 'rewritten']), {
    state: 'REWRITTEN',
    since: day(3),
    entryNo: 6,
  })
  assert.deepEqual(today([3, 'x'], [6, 'x']), { state: 'REWRITTEN', since: day(4), entryNo: 3 })
  assert.deepEqual(today([3, '3'], [6, '6']), { state: 'SHORTER', since: day(4), entryNo: 8 })
})
