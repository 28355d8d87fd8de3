import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseStat } from '../../rig/kernel.ts'
import { median, ratiosOf, spreadOf } from '../../rig/statistics.ts'
import { classOf, createHistogram, latenciesOf, middleOf } from '../load/histogram.ts'

test('a latency lies within 1.6 percent of the middle of its class', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (microseconds) => {
      const middle = middleOf(classOf(microseconds))
      assert.ok(Math.abs(middle - microseconds) <= microseconds * 0.016, `${microseconds} became ${middle}`)
    }),
  )
})

test('a longer latency is never in an earlier class', () => {
  const latency = fc.integer({ min: 0, max: 2 ** 31 - 1 })
  fc.assert(
    fc.property(latency, latency, (a, b) => {
      assert.equal(classOf(Math.min(a, b)) <= classOf(Math.max(a, b)), true)
    }),
  )
})

test('percentiles are those of the latencies that were added', () => {
  const histogram = createHistogram()
  for (let microseconds = 1; microseconds <= 1000; microseconds += 1) histogram.add(microseconds)
  const found = latenciesOf(histogram.counts())
  assert.ok(found !== undefined)
  const near = (actual: number, expected: number): void =>
    assert.ok(Math.abs(actual - expected) <= expected * 0.02, `${actual} is not about ${expected}`)
  near(found.p50, 0.5)
  near(found.p99, 0.99)
  near(found.p999, 0.999)
  near(found.max, 1)
})

test('counts of several histograms give the percentiles of all', () => {
  assert.deepEqual(
    latenciesOf([
      [10, 98],
      [50, 1],
      [10, 0],
      [20, 1],
    ]),
    { p50: 0.01, p99: 0.02, p999: 0.05, max: 0.05 },
  )
})

test('no latencies have no percentiles', () => assert.equal(latenciesOf([]), undefined))

test('the median is the number in the middle, or the mean of the two', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 2, 3]), 2.5)
  assert.equal(median([7]), 7)
  assert.throws(() => median([]), /no median/)
})

test('a ratio is taken round by round', () => {
  assert.deepEqual(ratiosOf([10, 30, 50], [5, 10]), [2, 3])
  assert.deepEqual(spreadOf(ratiosOf([10, 30, 90], [5, 10, 10])), { median: 3, min: 2, max: 9 })
})

test('processor time is read past a name with spaces and brackets', () => {
  const fields = '10 10 10 0 -1 4194304 100 0 0 0 7 5 300 20 20 0 1 0 1000 1000000 500'
  assert.deepEqual(parseStat(`4242 (post gres: (a) b) S ${fields}`), {
    parentPid: 10,
    own: 120_000,
    reapedChildren: 3_200_000,
  })
})
