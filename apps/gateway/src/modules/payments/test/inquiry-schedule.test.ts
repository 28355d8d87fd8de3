import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { INQUIRY_SCHEDULE, nextExpirySeconds, nextInquirySeconds } from '../progress/rail-talk.ts'

test('the distances grow: soon at first, then hourly, for three days, and then nobody is asked', () => {
  const asked: number[] = []
  let atSeconds = 0
  for (let answers = 1; answers < 200; answers += 1) {
    const next = nextInquirySeconds(INQUIRY_SCHEDULE, {
      answers,
      unknownSeconds: atSeconds,
      askAgainSeconds: 0,
    })
    if (next === undefined) break
    atSeconds += next
    asked.push(atSeconds)
  }
  assert.deepEqual(asked.slice(0, 7), [5, 20, 80, 380, 1280, 4880, 8480])
  assert.equal(asked.length, 5 + 72)
  assert.ok(atSeconds >= 259_200 && atSeconds < 259_200 + 3600)
})

test('the rail’s own wish is a lower bound, and no distance is ever shorter than the one before', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.double({ min: 0, max: 90_000, noNaN: true }),
      (answers, wish) => {
        const at = (n: number) =>
          nextInquirySeconds(INQUIRY_SCHEDULE, { answers: n, unknownSeconds: 0, askAgainSeconds: wish }) ?? 0
        assert.ok(at(answers) >= wish)
        assert.ok(at(answers + 1) >= at(answers))
      },
    ),
  )
})

test('patience ends at its last second, and the wish of the rail does not lengthen it', () => {
  const schedule = { distancesSeconds: [7, 11], lastDistanceSeconds: 13, patienceSeconds: 100 }
  const at = (answers: number, unknownSeconds: number, askAgainSeconds = 0) =>
    nextInquirySeconds(schedule, { answers, unknownSeconds, askAgainSeconds })
  assert.deepEqual([at(1, 0), at(2, 0), at(3, 0), at(300, 0)], [7, 11, 13, 13])
  assert.deepEqual([at(1, 99), at(1, 100), at(1, 101)], [7, undefined, undefined])
  assert.deepEqual([at(1, 99, 8), at(1, 99, 6), at(1, 100, 8)], [8, 7, undefined])
})

test('what may not expire yet is looked at again soon, then less often, and always within five minutes', () => {
  const overdueAt = [-60, 0, 10, 10.5, 60, 599, 600, 601, 259_200]
  assert.deepEqual(overdueAt.map(nextExpirySeconds), [5, 5, 5, 5.25, 30, 299.5, 300, 300, 300])
})
