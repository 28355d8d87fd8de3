import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { heldClock } from '../../platform/test/index.ts'
import { createRateLimiter } from '../rate-limit.ts'

const WINDOW_MS = 1_000

/** Runs arrivals, given by the pauses between them; returns when each was admitted. */
function admittedTimes(pausesMs: readonly number[], limit: number): readonly number[] {
  const clock = heldClock()
  const limiter = createRateLimiter(clock)
  const times: number[] = []
  for (const pauseMs of pausesMs) {
    clock.advance(pauseMs)
    if (limiter.admit('shop', limit).admitted) times.push(clock.monotonicMs())
  }
  return times
}

/** The most that any window of 1000 ms holds: the fullest window begins at an admission. */
function fullestWindow(times: readonly number[]): number {
  return Math.max(
    0,
    ...times.map((from) => times.filter((time) => time >= from && time < from + WINDOW_MS).length),
  )
}

const pauses = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), fc.integer({ max: 1500, min: 0 })),
  {
    maxLength: 300,
  },
)

test('G10 no window of 1000 ms ever holds more than the limit', () => {
  fc.assert(
    fc.property(pauses, fc.integer({ min: 1, max: 40 }), (pausesMs, limit) => {
      assert.ok(fullestWindow(admittedTimes(pausesMs, limit)) <= limit)
    }),
  )
})

test('a request is admitted whenever fewer than the limit were admitted in the 1000 ms before it', () => {
  fc.assert(
    fc.property(pauses, fc.integer({ min: 1, max: 40 }), (pausesMs, limit) => {
      const expected: number[] = []
      let nowMs = 0
      for (const pauseMs of pausesMs) {
        nowMs += pauseMs
        if (expected.filter((time) => nowMs - time < WINDOW_MS).length < limit) expected.push(nowMs)
      }
      assert.deepEqual(admittedTimes(pausesMs, limit), expected)
    }),
  )
})

test('under saturation the whole limit is admitted each second', () => {
  const everyMs = Array.from({ length: 10_000 }, () => 1)
  assert.equal(admittedTimes(everyMs, 10).length, 100)
  assert.equal(admittedTimes(everyMs, 100).length, 1000)
})

test('a paced client just below the limit is never refused', () => {
  const pausesMs = Array.from({ length: 500 }, () => 100)
  assert.equal(admittedTimes(pausesMs, 10).length, 500)
})

test('a changed limit keeps what was admitted before', () => {
  fc.assert(
    fc.property(
      pauses,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      (pausesMs, before, after) => {
        const clock = heldClock()
        const limiter = createRateLimiter(clock)
        const times: number[] = []
        for (const [index, pauseMs] of pausesMs.entries()) {
          clock.advance(pauseMs)
          const limit = index < pausesMs.length / 2 ? before : after
          const recent = times.filter((time) => clock.monotonicMs() - time < WINDOW_MS).length
          const { admitted } = limiter.admit('shop', limit)
          assert.equal(admitted, recent < limit)
          if (admitted) times.push(clock.monotonicMs())
        }
      },
    ),
  )
})

test('buckets do not share their limit', () => {
  const limiter = createRateLimiter(heldClock())
  assert.equal(limiter.admit('a', 1).admitted, true)
  assert.equal(limiter.admit('a', 1).admitted, false)
  assert.equal(limiter.admit('b', 1).admitted, true)
})

test('`remaining` is what would be admitted now, `waitMs` when it makes sense to come back', () => {
  const clock = heldClock()
  const limiter = createRateLimiter(clock)
  assert.deepEqual(limiter.admit('shop', 2), { admitted: true, remaining: 1, waitMs: 0 })
  clock.advance(300)
  assert.deepEqual(limiter.admit('shop', 2), { admitted: true, remaining: 0, waitMs: 0 })
  clock.advance(300)
  assert.deepEqual(limiter.admit('shop', 2), { admitted: false, remaining: 0, waitMs: 400 })
  clock.advance(400)
  assert.deepEqual(limiter.admit('shop', 2), { admitted: true, remaining: 0, waitMs: 0 })
})

test('`remaining` counts the places that a small ring does not have yet', () => {
  const limiter = createRateLimiter(heldClock())
  const remaining = Array.from({ length: 60 }, () => limiter.admit('shop', 60).remaining)
  assert.deepEqual(
    remaining,
    Array.from({ length: 60 }, (_unused, index) => 59 - index),
  )
})

test('sweeping out quiet buckets changes no answer', () => {
  const clock = heldClock()
  const limiter = createRateLimiter(clock)
  let admitted = 0
  for (let request = 0; request < 25_000; request += 1) {
    limiter.admit(`passer-by ${request}`, 10)
    if (limiter.admit('shop', 10).admitted) admitted += 1
    clock.advance(0.1)
  }
  assert.equal(admitted, 30)
})
