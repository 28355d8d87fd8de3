import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { createRandom } from '../../rig/random.ts'
import { FAULT_KINDS } from '../kinds/index.ts'
import { API_POINTS, turns, WORKER_POINTS } from '../kinds/points.ts'
import { createFakedClock } from '../setup/faked-clocks.ts'
import { createNotes } from '../setup/notes.ts'

test('each kind has a name and a title of its own', () => {
  for (const field of ['name', 'title'] as const)
    assert.equal(new Set(FAULT_KINDS.map((kind) => kind[field])).size, FAULT_KINDS.length)
})

test('each point has a name of its own, and all have their turn before one comes again', () => {
  const points = [...API_POINTS, ...WORKER_POINTS]
  assert.equal(new Set(points.map(({ name }) => name)).size, points.length)
  for (const seed of [1, 2, 3]) {
    const next = turns(WORKER_POINTS, createRandom(seed))
    const round = WORKER_POINTS.map(() => next())
    assert.deepEqual(new Set(round), new Set(WORKER_POINTS))
    assert.equal(next(), round[0])
  }
})

test('notes count, keep the least, and hold what broke', () => {
  const notes = createNotes()
  notes.count('kills')
  notes.count('kills')
  notes.least('rate', 30)
  notes.least('rate', 20)
  notes.least('rate', 40)
  notes.broken({ invariant: 'ready', says: 'it is not' })
  assert.deepEqual(Object.fromEntries(notes.figures), { kills: 2, rate: 20 })
  assert.deepEqual(
    notes.findings.map(({ invariant }) => invariant),
    ['ready'],
  )
})

test('a faked clock says how far it is ahead, to whoever reads its file', () => {
  const clock = createFakedClock()
  const file = clock.environment['FAKETIME_TIMESTAMP_FILE'] ?? ''
  try {
    assert.equal(readFileSync(file, 'utf8'), '+0\n')
    clock.set(7_200)
    assert.equal(readFileSync(file, 'utf8'), '+7200\n')
    clock.set(-600)
    assert.equal(readFileSync(file, 'utf8'), '-600\n')
    assert.equal(statSync(dirname(file)).mode & 0o777, 0o755)
  } finally {
    clock.remove()
  }
  assert.equal(statSync(dirname(file), { throwIfNoEntry: false }), undefined)
})
