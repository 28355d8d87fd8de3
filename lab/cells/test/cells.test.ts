import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../rig/random.ts'
import { calibrate, deviationOf, isWithin } from '../calibration.ts'
import { readFigures } from '../figures.ts'
import { PATIENT, SDK } from '../model/clients.ts'
import { costsOf } from '../model/costs.ts'
import type { Failure } from '../model/door.ts'
import { createProcessor, createThread } from '../model/processor.ts'
import { createTimeline } from '../model/timeline.ts'
import { countOutage } from '../month/counting.ts'
import { merchantShares, placeMerchants } from '../month/merchants.ts'
import { simulateMonth } from '../month/month.ts'
import { simulateOutage } from '../outage.ts'

const figures = readFigures()
const costs = costsOf(figures)
const leaderKilled: Failure = { what: 'DATABASE', ms: figures.leaderKilled.medianMs }

test('the model of one cell is as near to the measured figures as it says', () => {
  const comparisons = calibrate(figures, 1)
  const far = comparisons.filter((comparison) => !isWithin(comparison))
  assert.deepEqual(far, [])
  assert.equal(comparisons.filter(({ tolerance }) => tolerance !== undefined).length, 7)
  // What it does not reproduce is named; when it does some day, it shall be checked.
  for (const comparison of comparisons.filter(({ tolerance }) => tolerance === undefined))
    assert.ok(Math.abs(deviationOf(comparison)) > 0.1, comparison.name)
})

test('what is due happens in order, and what is due at once in the order of its planning', () => {
  const timeline = createTimeline()
  const seen: number[] = []
  const delays = [5, 3, 9, 3, 1, 7, 2, 8, 5]
  for (const [index, ms] of delays.entries()) timeline.after(ms, () => seen.push(ms * 10 + index))
  timeline.runUntil(8)
  const expected = delays.map((ms, index) => ms * 10 + index).toSorted((a, b) => a - b)
  assert.deepEqual(seen, expected.slice(0, -1))
  assert.equal(timeline.nowMs(), 8)
})

test('jobs share a core evenly, have one each where there are two, and a thread does one after the other', () => {
  const ended = (cores: number, isThread: boolean): readonly number[] => {
    const timeline = createTimeline()
    const processor = createProcessor(timeline, cores)
    const thread = createThread(processor)
    const times: number[] = []
    for (const workMs of [2, 4]) {
      const onDone = (): void => void times.push(timeline.nowMs())
      if (isThread) thread.run(() => workMs, onDone)
      else processor.run(workMs, onDone)
    }
    timeline.runUntil(100)
    assert.equal(processor.usedMs(), 6)
    return times
  }
  assert.deepEqual(ended(1, false), [4, 6])
  assert.deepEqual(ended(2, false), [2, 4])
  assert.deepEqual(ended(2, true), [2, 6])
})

test('the same seed gives the same outage; the cell beside it is unmoved by it', () => {
  const options = { costs, perSecond: 100, client: PATIENT, cells: 2, seed: 7 }
  const outage = simulateOutage({ ...options, failure: leaderKilled })
  assert.deepEqual(simulateOutage({ ...options, failure: leaderKilled }), outage)
  assert.notDeepEqual(simulateOutage({ ...options, failure: leaderKilled, seed: 8 }), outage)
  const calm = simulateOutage(options)
  assert.ok(outage.refusedFirst > 2_000)
  assert.equal(calm.refusedFirst, 0)
  const latencies = ({ others }: typeof calm): readonly (readonly number[])[] =>
    others.map(({ refusedFirst, p50Ms, p99Ms }) => [refusedFirst, p50Ms, p99Ms])
  assert.deepEqual(latencies(outage), latencies(calm))
})

test('counting gives what the model gives event by event, at the mean load of a day', () => {
  const perSecond = 480
  const failures: readonly Failure[] = [
    leaderKilled,
    { what: 'DATABASE', ms: figures.leaderAndStandbyKilled.maxMs },
    { what: 'API', ms: figures.apiKilled.medianMs },
  ]
  for (const failure of failures)
    for (const client of [SDK, PATIENT]) {
      const { refusedFirst, acceptedWithinMinute } = simulateOutage({
        costs,
        perSecond,
        failure,
        client,
        seed: 1,
      })
      const counted = countOutage(failure, client)
      const near = (simulated: number, expected: number): void =>
        assert.ok(
          Math.abs(simulated - expected) <= 0.05 * refusedFirst,
          `${client.name}, ${failure.ms} ms: ${simulated} simulated, ${expected} counted`,
        )
      near(refusedFirst, counted.refusedFirst * perSecond)
      near(acceptedWithinMinute, counted.acceptedWithinMinute * perSecond)
    }
})

test('by chance a cell gets more than its share; the largest first fill all alike, unless one merchant is larger', () => {
  const shares = merchantShares(10_000, 0.7)
  const loadsOf = (placement: 'HASH' | 'LARGEST_FIRST', cells: number): readonly number[] => [
    ...placeMerchants(shares, cells, { placement, random: createRandom(1) }).loads,
  ]
  for (const placement of ['HASH', 'LARGEST_FIRST'] as const) {
    const total = loadsOf(placement, 20).reduce((sum, load) => sum + load, 0)
    assert.ok(Math.abs(total - 1) < 1e-9)
  }
  assert.ok(Math.max(...loadsOf('LARGEST_FIRST', 20)) < 0.0501)
  assert.ok(Math.max(...loadsOf('HASH', 20)) > 0.055)
  assert.equal(Math.max(...loadsOf('LARGEST_FIRST', 200)), shares[0])
})

test('a month refuses what arithmetic says', () => {
  const cells = 200
  const month = simulateMonth({
    figures,
    client: PATIENT,
    cellsPerSecond: Array.from({ length: cells }, () => 800),
    merchantCells: Uint16Array.from({ length: cells }, (_, cell) => cell),
    failoversPerCell: 30,
    random: createRandom(1),
  })
  assert.ok(Math.abs(month.failovers - 30 * cells) < 300)
  // 3 s for the router; one of ten with the standby; in the mean as many payments as at the mean of the day.
  const seconds =
    0.9 * (figures.leaderKilled.medianMs / 1000 + 3) +
    0.1 * (figures.leaderAndStandbyKilled.medianMs / 1000 + 3)
  const expected = (30 * seconds) / (30 * 86_400)
  assert.ok(Math.abs(month.refusedFirst / expected - 1) < 0.03, `${month.refusedFirst}, not ${expected}`)
  assert.ok(month.worstMerchant < month.medianMerchant && month.medianMerchant < 1)
  assert.equal(month.notWithinMinute, 0)
})
