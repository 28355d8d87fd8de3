import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decimalOf, roundedTo } from '../src/amounts.ts'

// Medusa's amounts come in many shapes, and none may become another amount on its way.

test('an amount is the same decimal text in each of the shapes that Medusa has', () => {
  const raw = { value: '149.90000000000000000', precision: 20 }
  const shapes = [149.9, '149.9', '149.90', '0149.9', raw, { raw }, { value: 149.9 }, '1.499e2', '14990e-2']
  for (const shape of shapes) assert.equal(decimalOf(shape), '149.9', JSON.stringify(shape))
  assert.equal(decimalOf(1e-7), '0.0000001')
  assert.equal(decimalOf(1e21), '1000000000000000000000')
  assert.equal(decimalOf('0.000000000000000001'), '0.000000000000000001')
  assert.equal(decimalOf(0), '0')
})

test('what is no amount of money is refused', () => {
  for (const wrong of [
    '',
    '-1',
    '1,50',
    'NaN',
    ' 1',
    '1e9999',
    Number.NaN,
    {},
    null,
    undefined,
    true,
    [],
    '.5',
  ])
    assert.throws(() => decimalOf(wrong), RangeError, JSON.stringify(wrong))
})

test('more decimals than the currency has are rounded half up', () => {
  assert.equal(roundedTo('33.333333', 2), '33.33')
  assert.equal(roundedTo('0.005', 2), '0.01')
  assert.equal(roundedTo('0.0049', 2), '0')
  assert.equal(roundedTo('99.995', 2), '100')
  assert.equal(roundedTo('1234.5', 0), '1235')
  assert.equal(roundedTo('149.9', 2), '149.9')
})

test('rounding is exact for amounts of any size', () => {
  const parts = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }))
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 18 }), ([units, scale], decimals) => {
      const text = units.toString().padStart(scale + 1, '0')
      const amount = decimalOf(`${text.slice(0, text.length - scale)}.${text.slice(text.length - scale)}`)
      const [whole = '', fraction = ''] = roundedTo(amount, decimals).split('.')
      assert.ok(fraction.length <= decimals)
      const rounded = BigInt(whole + fraction.padEnd(18, '0'))
      const step = 10n ** BigInt(18 - decimals)
      const exact = units * 10n ** BigInt(18 - scale)
      assert.equal(rounded, ((exact + (decimals < 18 ? step / 2n : 0n)) / step) * step)
    }),
  )
})
