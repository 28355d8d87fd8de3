import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AVAILABILITIES, type Availability, institutionOf, judgeHealth } from '../model.ts'

const judged = (availability: Availability, sinceSeconds: number, answered: number, unanswered: number) =>
  judgeHealth({ availability, sinceSeconds }, { answered, unanswered })

test('one in five without an answer is slow, one in two is closed', () => {
  assert.equal(judged('OPERATIONAL', 0, 81, 19), 'OPERATIONAL')
  assert.equal(judged('OPERATIONAL', 0, 80, 20), 'DELAYED')
  assert.equal(judged('OPERATIONAL', 0, 51, 49), 'DELAYED')
  assert.equal(judged('OPERATIONAL', 0, 50, 50), 'CLOSED')
  assert.equal(judged('DELAYED', 0, 50, 50), 'CLOSED')
})

test('a few talks say nothing, however they went', () => {
  assert.equal(judged('OPERATIONAL', 1_000, 0, 19), 'OPERATIONAL')
  assert.equal(judged('OPERATIONAL', 1_000, 0, 20), 'CLOSED')
})

test('it takes fewer than one in ten to be well again, and a minute', () => {
  assert.equal(judged('DELAYED', 600, 85, 15), 'DELAYED')
  assert.equal(judged('DELAYED', 600, 90, 10), 'DELAYED')
  assert.equal(judged('DELAYED', 600, 91, 9), 'OPERATIONAL')
  assert.equal(judged('DELAYED', 59, 100, 0), 'DELAYED')
})

test('a closed one is tried again after a minute, and a quiet one is well after five', () => {
  assert.equal(judged('CLOSED', 59, 0, 0), 'CLOSED')
  assert.equal(judged('CLOSED', 60, 0, 0), 'DELAYED')
  assert.equal(judged('CLOSED', 60, 100, 0), 'DELAYED')
  assert.equal(judged('CLOSED', 600, 10, 10), 'CLOSED')
  assert.equal(judged('DELAYED', 299, 0, 0), 'DELAYED')
  assert.equal(judged('DELAYED', 300, 0, 0), 'OPERATIONAL')
})

test('nothing goes from closed to well in one step, and judging the same results again changes nothing at once', () => {
  const since = fc.double({ min: 0, max: 10_000, noNaN: true })
  const count = fc.integer({ min: 0, max: 10_000 })
  fc.assert(
    fc.property(fc.constantFrom(...AVAILABILITIES), since, count, count, (before, seconds, yes, no) => {
      const after = judged(before, seconds, yes, no)
      assert.ok(before !== 'CLOSED' || after !== 'OPERATIONAL')
      // A change throws the results away, so the next judgement has none of them, and no time has gone by.
      if (after !== before) assert.equal(judged(after, 0, 0, 0), after)
    }),
  )
})

test('a talk is with the operator, or with the rail where there is none; top-ups come in, settlements go out', () => {
  const talk = { rail: 'sandbox', operatorCode: undefined }
  assert.deepEqual(institutionOf({ ...talk, kind: 'TOPUP' }), {
    type: 'RAIL',
    code: 'sandbox',
    direction: 'PAYIN',
  })
  assert.deepEqual(institutionOf({ ...talk, operatorCode: 'BANK', kind: 'SETTLEMENT' }), {
    type: 'OPERATOR',
    code: 'BANK',
    direction: 'PAYOUT',
  })
})
