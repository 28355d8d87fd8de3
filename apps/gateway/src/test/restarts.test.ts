import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldClock } from '../platform/test/index.ts'
import { createRestarts } from '../programs/processes.ts'

test('a process that ends is started again soon, and later when ends come in a row', () => {
  const clock = heldClock()
  const restarts = createRestarts(clock, 2)
  assert.deepEqual(
    [restarts.afterEnd(), restarts.afterEnd(), restarts.afterEnd(), restarts.afterEnd()],
    [100, 200, 400, 800],
  )
})

test('five ends within a minute are enough, and what was a minute ago is over', () => {
  const clock = heldClock()
  const restarts = createRestarts(clock, 2)
  for (let end = 1; end <= 4; end += 1) assert.notEqual(restarts.afterEnd(), undefined)
  clock.advance(60_000)
  assert.equal(restarts.afterEnd(), 100)
  for (let end = 1; end <= 3; end += 1) assert.notEqual(restarts.afterEnd(), undefined)
  assert.equal(restarts.afterEnd(), undefined)
})

test('of many processes each may end once, and no pause is longer than five seconds', () => {
  const restarts = createRestarts(heldClock(), 64)
  const pausesMs = Array.from({ length: 64 }, () => restarts.afterEnd())
  assert.equal(Math.max(...pausesMs.map((pauseMs) => pauseMs ?? Number.POSITIVE_INFINITY)), 5_000)
  assert.equal(restarts.afterEnd(), undefined)
})
