import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Big } from 'big.js'
import fc from 'fast-check'
import {
  addAmounts,
  compareAmounts,
  fractionDigits,
  fromMinorUnits,
  isAmount,
  isNegative,
  isPositive,
  isZero,
  MINOR_UNITS_MAX,
  negateAmount,
  roundHalfUp,
  subtractAmounts,
  sumAmounts,
  toMinorUnits,
  ZERO,
} from '../src/index.ts'
import { amounts, must } from './arbitraries.ts'

const minorUnitsOfAny = fc.nat(MINOR_UNITS_MAX)

test('Addition is commutative and associative, zero is neutral, and every amount has an inverse', () => {
  fc.assert(
    fc.property(amounts, amounts, amounts, (a, b, c) => {
      assert.equal(addAmounts(a, b), addAmounts(b, a))
      assert.equal(addAmounts(addAmounts(a, b), c), addAmounts(a, addAmounts(b, c)))
      assert.equal(addAmounts(a, ZERO), a)
      assert.equal(addAmounts(a, negateAmount(a)), ZERO)
      assert.equal(addAmounts(subtractAmounts(a, b), b), a)
    }),
  )
})

test('Sums and differences are those of an independent decimal library, in canonical form', () => {
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      assert.equal(addAmounts(a, b), new Big(a).plus(b).toFixed())
      assert.equal(subtractAmounts(a, b), new Big(a).minus(b).toFixed().replace(/^-0$/, '0'))
      assert.ok(isAmount(addAmounts(a, b)))
    }),
  )
})

test('What a double gets wrong is exact', () => {
  assert.equal(addAmounts(must('0.1'), must('0.2')), '0.3')
  assert.equal(addAmounts(must('9007199254740993'), must('1e-18')), '9007199254740993.000000000000000001')
  assert.equal(subtractAmounts(must('1'), must('0.9')), '0.1')
  assert.equal(subtractAmounts(must('10.5'), must('0.5')), '10')
})

test('A sum may have more digits than an amount from outside', () => {
  const most = must('9'.repeat(40))
  assert.equal(addAmounts(most, must('1')), `1${'0'.repeat(40)}`)
  assert.ok(isAmount(addAmounts(most, most)))
})

test('The sum of many is what adding one by one gives, and of none it is zero', () => {
  assert.equal(sumAmounts([]), ZERO)
  fc.assert(
    fc.property(fc.array(amounts), (list) => {
      assert.equal(sumAmounts(list), list.reduce(addAmounts, ZERO))
      assert.equal(sumAmounts(new Set(list)), sumAmounts([...new Set(list)]))
    }),
  )
})

test('Amounts are ordered by value, as an independent decimal library orders them', () => {
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      assert.equal(compareAmounts(a, b), new Big(a).cmp(b))
      assert.equal(compareAmounts(a, a), 0)
    }),
  )
  assert.equal(compareAmounts(must('10'), must('9')), 1)
  assert.equal(compareAmounts(must('-10'), must('-9')), -1)
  assert.equal(compareAmounts(must('1.1'), must('1.09')), 1)
})

test('An amount is exactly one of positive, negative and zero', () => {
  fc.assert(
    fc.property(amounts, (a) => {
      const order = compareAmounts(a, ZERO)
      assert.deepEqual([isNegative(a), isZero(a), isPositive(a)], [order === -1, order === 0, order === 1])
    }),
  )
  assert.ok(isZero(must('-0')))
  assert.equal(negateAmount(ZERO), '0')
  assert.equal(negateAmount(must('-0.5')), '0.5')
})

test('Fraction digits are those after the point', () => {
  const table = { '0': 0, '10': 0, '1.005': 3, '-0.5': 1, '10.0': 0, '1e-18': 18 }
  for (const [source, digits] of Object.entries(table)) assert.equal(fractionDigits(must(source)), digits)
})

test('Minor units turn back into the same amount', () => {
  fc.assert(
    fc.property(amounts, minorUnitsOfAny, (a, minorUnits) => {
      if (fractionDigits(a) > minorUnits) assert.throws(() => toMinorUnits(a, minorUnits), RangeError)
      else assert.equal(fromMinorUnits(toMinorUnits(a, minorUnits), minorUnits), a)
    }),
  )
  fc.assert(
    fc.property(fc.bigInt(), minorUnitsOfAny, (units, minorUnits) => {
      assert.equal(toMinorUnits(fromMinorUnits(units, minorUnits), minorUnits), units)
    }),
  )
})

test('Minor units follow the decimals of the currency', () => {
  assert.equal(toMinorUnits(must('10.5'), 2), 1050n)
  assert.equal(toMinorUnits(must('-0.01'), 2), -1n)
  assert.equal(toMinorUnits(must('500'), 0), 500n)
  assert.equal(toMinorUnits(must('1.000000000000000001'), 18), 1000000000000000001n)
  assert.equal(fromMinorUnits(-5n, 3), '-0.005')
  assert.equal(fromMinorUnits(0n, 2), '0')
  assert.throws(() => toMinorUnits(must('0.5'), 0), /has more than 0 decimals/)
})

test('A number of decimals that no currency has is refused', () => {
  for (const minorUnits of [-1, 1.5, MINOR_UNITS_MAX + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => toMinorUnits(ZERO, minorUnits), RangeError)
    assert.throws(() => fromMinorUnits(1n, minorUnits), RangeError)
    assert.throws(() => roundHalfUp(ZERO, minorUnits), RangeError)
  }
})

test('A half rounds away from zero', () => {
  const table = [
    ['1.005', 2, '1.01'],
    ['-1.005', 2, '-1.01'],
    ['1.00499999999999999999', 2, '1'],
    ['0.5', 0, '1'],
    ['-0.5', 0, '-1'],
    ['0.4', 0, '0'],
    ['-0.4', 0, '0'],
    ['2.5', 0, '3'],
    ['99.995', 2, '100'],
    ['1.0005', 3, '1.001'],
    ['7', 2, '7'],
    ['1.000000000000000001', 18, '1.000000000000000001'],
  ] as const
  for (const [source, minorUnits, rounded] of table) {
    assert.equal(roundHalfUp(must(source), minorUnits), rounded, source)
  }
})

test('Rounding is that of an independent decimal library, and rounding again changes nothing', () => {
  fc.assert(
    fc.property(amounts, fc.nat(20), (a, minorUnits) => {
      const rounded = roundHalfUp(a, minorUnits)
      const expected = new Big(a).round(minorUnits, Big.roundHalfUp).toFixed()
      assert.equal(rounded, expected.replace(/^-0$/, '0'))
      assert.equal(roundHalfUp(rounded, minorUnits), rounded)
      assert.equal(roundHalfUp(negateAmount(a), minorUnits), negateAmount(rounded))
    }),
  )
})
