import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressKey } from '../src/addresses.ts'
import { createLimiter } from '../src/limits.ts'

/** A limiter and its clock. */
function limiterAt(allowance: { perSecond: number; atOnce: number }, keysMax?: number) {
  const clock = { nowMs: 1_000_000 }
  return { clock, limiter: createLimiter(allowance, () => clock.nowMs, keysMax) }
}

test('so many are let in at once, then as many as the rate says, and each key by itself', () => {
  const { clock, limiter } = limiterAt({ perSecond: 2, atOnce: 3 })
  for (let count = 0; count < 3; count += 1) assert.equal(limiter.admit('a'), 0)
  assert.equal(limiter.admit('a'), 500)
  assert.equal(limiter.admit('b'), 0)
  clock.nowMs += 250
  assert.equal(limiter.admit('a'), 250)
  clock.nowMs += 250
  assert.equal(limiter.admit('a'), 0)
  assert.equal(limiter.admit('a'), 500)
})

test('a clock that is set back lets nobody in, and keeps nobody out for longer', () => {
  const { clock, limiter } = limiterAt({ perSecond: 1, atOnce: 1 })
  assert.equal(limiter.admit('a'), 0)
  clock.nowMs -= 3_600_000
  assert.equal(limiter.admit('a'), 1000)
  clock.nowMs += 1000
  assert.equal(limiter.admit('a'), 0)
})

test('however many come, only so many are remembered: the ones that came last', () => {
  const { limiter } = limiterAt({ perSecond: 1, atOnce: 1 }, 10)
  for (let count = 0; count < 1000; count += 1) limiter.admit(`guest ${count}`)
  assert.equal(limiter.size, 10)
  assert.notEqual(limiter.admit('guest 999'), 0)
  assert.equal(limiter.admit('guest 5'), 0)
})

test('in no span of time are more let in than at once and by the rate', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 }),
      (perSecond, atOnce, pauses) => {
        const { clock, limiter } = limiterAt({ perSecond, atOnce })
        const startMs = clock.nowMs
        let admitted = 0
        for (const pause of pauses) {
          clock.nowMs += pause
          if (limiter.admit('a') === 0) admitted += 1
          const seconds = (clock.nowMs - startMs) / 1000
          assert.ok(admitted <= atOnce + seconds * perSecond + 1e-6)
        }
      },
    ),
  )
})

test('an address counts as such, an IPv6 network as one, and nonsense as one as well', () => {
  const keys: readonly (readonly [string, string])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['2001:db8:1::192.0.2.7', '2001:db8:1:0'],
    ['1:2:3:4:5:6:7::', '1:2:3:4'],
    ['<script>', 'unknown'],
    ['', 'unknown'],
  ]
  for (const [address, key] of keys) assert.equal(addressKey(address), key, address)
})
