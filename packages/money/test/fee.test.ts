import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Big } from 'big.js'
import fc from 'fast-check'
import type { FeeQuestion } from '../src/index.ts'
import {
  compareAmounts,
  computeFee,
  fractionDigits,
  isNegative,
  roundHalfUp,
  toMinorUnits,
  ZERO,
} from '../src/index.ts'
import { amounts, must, unsignedAmounts } from './arbitraries.ts'

interface Example {
  readonly gross: string
  readonly fixed?: string
  readonly percentage?: string
  readonly minimum?: string
  readonly maximum?: string
  readonly minorUnits?: number
  readonly fee: string
}

const EXAMPLES: readonly Example[] = [
  { gross: '100', percentage: '1.5', fee: '1.5' },
  { gross: '100', fixed: '0.25', percentage: '1.5', fee: '1.75' },
  { gross: '0.01', fixed: '0.25', fee: '0.25' },
  { gross: '100.33', percentage: '1.5', fee: '1.5' },
  { gross: '100.34', percentage: '1.5', fee: '1.51' },
  { gross: '1', percentage: '0.5', fee: '0.01' },
  { gross: '1', percentage: '0.49', fee: '0' },
  { gross: '10050', percentage: '1', minorUnits: 0, fee: '101' },
  { gross: '10049', percentage: '1', minorUnits: 0, fee: '100' },
  { gross: '1.005', percentage: '10', minorUnits: 3, fee: '0.101' },
  { gross: '1', percentage: '0.0000000000000001', minorUnits: 18, fee: '0.000000000000000001' },
  { gross: '1', percentage: '1', minimum: '0.5', fee: '0.5' },
  { gross: '100000', percentage: '1', maximum: '20', fee: '20' },
  { gross: '5', percentage: '1', minimum: '3', maximum: '2', fee: '2' },
  { gross: '100', fixed: '-2', percentage: '1', fee: '0' },
  { gross: '-100', percentage: '1', fee: '0' },
  { gross: '0', percentage: '1', fee: '0' },
  { gross: '100', percentage: '100', fee: '100' },
  { gross: '1', minimum: '0.005', fee: '0.01' },
]

test('The fee of each example is the one computed by hand', () => {
  for (const example of EXAMPLES) {
    assert.equal(computeFee(questionOf(example)), example.fee, JSON.stringify(example))
  }
})

function questionOf(example: Example): FeeQuestion {
  const { gross, fixed = '0', percentage = '0', minorUnits = 2, minimum, maximum } = example
  const rule = {
    fixed: must(fixed),
    percentage: must(percentage),
    ...(minimum === undefined ? {} : { minimum: must(minimum) }),
    ...(maximum === undefined ? {} : { maximum: must(maximum) }),
  }
  return { gross: must(gross), rule, minorUnits }
}

/** Payments whose rule is written in the currency's own decimals, as an operator would write it. */
const questions: fc.Arbitrary<FeeQuestion> = fc
  .record({
    gross: amounts,
    fixed: amounts,
    percentage: fc.oneof(
      unsignedAmounts,
      fc.nat(100_00).map((hundredths) => must(`${hundredths}e-2`)),
    ),
    bounds: fc.record({ minimum: amounts, maximum: amounts }, { requiredKeys: [] }),
    minorUnits: fc.nat(18),
  })
  .map(({ gross, fixed, percentage, bounds, minorUnits }) => {
    const { minimum, maximum } = bounds
    const rule = {
      fixed: roundHalfUp(fixed, minorUnits),
      percentage,
      ...(minimum === undefined ? {} : { minimum: roundHalfUp(minimum, minorUnits) }),
      ...(maximum === undefined ? {} : { maximum: roundHalfUp(maximum, minorUnits) }),
    }
    return { gross, rule, minorUnits }
  })

/** Written after the words of the rule, in another order and with another library: round, raise, lower, floor. */
function feeByTheBook({ gross, rule, minorUnits }: FeeQuestion): string {
  const share = new Big(gross).times(rule.percentage).times('0.01')
  let fee = new Big(rule.fixed).plus(share).round(minorUnits, Big.roundHalfUp)
  if (rule.minimum !== undefined && fee.lt(rule.minimum)) fee = new Big(rule.minimum)
  if (rule.maximum !== undefined && fee.gt(rule.maximum)) fee = new Big(rule.maximum)
  return fee.gt(0) ? fee.toFixed() : '0'
}

test('The fee is the one that an independent decimal library computes', () => {
  fc.assert(
    fc.property(questions, (question) => assert.equal(computeFee(question), feeByTheBook(question))),
    { numRuns: 500 },
  )
})

test('A fee is never negative and can always be paid in its currency, however fine its rule is', () => {
  fc.assert(
    fc.property(questions, amounts, (question, minimum) => {
      const fee = computeFee({ ...question, rule: { ...question.rule, minimum } })
      assert.ok(!isNegative(fee))
      assert.ok(fractionDigits(fee) <= question.minorUnits)
      assert.equal(typeof toMinorUnits(fee, question.minorUnits), 'bigint')
    }),
  )
})

test('A larger payment never costs less', () => {
  fc.assert(
    fc.property(questions, amounts, (question, gross) => {
      const other = { ...question, gross }
      const order = compareAmounts(question.gross, gross)
      const feeOrder = compareAmounts(computeFee(question), computeFee(other))
      assert.ok(feeOrder === 0 || feeOrder === order)
    }),
  )
})

test('Without a fixed part and a percentage nothing is charged', () => {
  fc.assert(
    fc.property(amounts, (gross) =>
      assert.equal(computeFee({ gross, rule: { fixed: ZERO, percentage: ZERO }, minorUnits: 2 }), ZERO),
    ),
  )
})
