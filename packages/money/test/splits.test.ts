import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Amount, FeeRule } from '../src/index.ts'
import { computeFee, fromMinorUnits, toMinorUnits } from '../src/index.ts'

// What a merchant can gain by splitting a payment into smaller ones, in smallest units of the currency.
//
// A share is rounded to the nearest unit, so a part's fee is less than half a unit too small, and the whole's at most half a
// unit too large. Over n parts the gain is below (n + 1) / 2 units: at most n / 2, rounded down. A fixed part is paid by
// every part, so that one unit of it takes back more than rounding can give. A minimum only ever raises the fees of parts,
// and a maximum that the whole reaches is reached by a part as well, or by none.

const RUNS = 3_000
const PARTS_MAX = 60

/** A rule as an operator may set it: nothing negative, at most 100 percent, in the decimals of the currency. */
interface UnitRule {
  readonly fixed: bigint
  /** Millionths of a percent, at most 100 percent. */
  readonly percentage: bigint
  readonly minimum?: bigint | undefined
  readonly maximum?: bigint | undefined
}

const small = fc.bigInt({ min: 0n, max: 300n })
const percentage = fc.oneof(
  fc.constantFrom(0n, 490_000n, 500_000n, 1_000_000n, 33_333_333n, 100_000_000n),
  fc.bigInt({ min: 0n, max: 5_000_000n }),
)
const rules: fc.Arbitrary<UnitRule> = fc.record({
  fixed: fc.oneof(fc.constant(0n), small),
  percentage,
  minimum: fc.option(small, { nil: undefined }),
  maximum: fc.option(small, { nil: undefined }),
})

/** Parts of a payment: many equal ones, as somebody would choose them who wants to gain, or any. */
const parts: fc.Arbitrary<readonly bigint[]> = fc.oneof(
  fc
    .tuple(fc.bigInt({ min: 1n, max: 400n }), fc.integer({ min: 1, max: PARTS_MAX }))
    .map(([part, count]) => Array.from({ length: count }, () => part)),
  fc.array(fc.oneof(fc.bigInt({ min: 1n, max: 400n }), fc.bigInt({ min: 1n, max: 10n ** 20n })), {
    minLength: 1,
    maxLength: PARTS_MAX,
  }),
)
const minorUnits = fc.constantFrom(0, 2, 18)

interface Question {
  readonly rule: UnitRule
  readonly minorUnits: number
}

function feeOf(gross: bigint, { rule, minorUnits: decimals }: Question): bigint {
  const amountOf = (units: bigint): Amount => fromMinorUnits(units, decimals)
  const written: FeeRule = {
    fixed: amountOf(rule.fixed),
    percentage: fromMinorUnits(rule.percentage, 6),
    ...(rule.minimum !== undefined && { minimum: amountOf(rule.minimum) }),
    ...(rule.maximum !== undefined && { maximum: amountOf(rule.maximum) }),
  }
  return toMinorUnits(computeFee({ gross: amountOf(gross), rule: written, minorUnits: decimals }), decimals)
}

const sum = (all: readonly bigint[]): bigint => all.reduce((total, each) => total + each, 0n)

/** How much less the parts cost than the whole. */
const gainOf = (all: readonly bigint[], fee: (gross: bigint) => bigint): bigint =>
  fee(sum(all)) - sum(all.map(fee))

test('splitting a payment into n parts gains at most n / 2 smallest units, whatever the rule', () => {
  fc.assert(
    fc.property(rules, minorUnits, parts, (rule, decimals, all) => {
      const question = { rule, minorUnits: decimals }
      const most = BigInt(Math.floor(all.length / 2))
      assert(gainOf(all, (gross) => feeOf(gross, question)) <= most)
    }),
    { numRuns: RUNS },
  )
})

test('that is reached by a mere percentage: parts whose share is just below half a unit cost nothing', () => {
  const question = { rule: { fixed: 0n, percentage: 490_000n }, minorUnits: 2 }
  assert.equal(feeOf(1_00n, question), 0n)
  assert.equal(feeOf(4_00n, question), 2n)
  for (const count of [2, 3, 4, 10, 50]) {
    const all = Array.from({ length: count }, () => 1_00n)
    assert.equal(
      gainOf(all, (gross) => feeOf(gross, question)),
      BigInt(Math.floor(count / 2)),
    )
  }
})

test('a minimum does not end it: parts above the minimum are rounded like any others', () => {
  const question = { rule: { fixed: 0n, percentage: 1_000_000n, minimum: 1n }, minorUnits: 2 }
  const all = Array.from({ length: 10 }, () => 1_49n)
  assert.equal(feeOf(1_49n, question), 1n)
  assert.equal(
    gainOf(all, (gross) => feeOf(gross, question)),
    5n,
  )
})

test('two or three parts gain at most one smallest unit', () => {
  fc.assert(
    fc.property(rules, minorUnits, parts, (rule, decimals, all) => {
      const question = { rule, minorUnits: decimals }
      assert(gainOf(all.slice(0, 3), (gross) => feeOf(gross, question)) <= 1n)
    }),
    { numRuns: RUNS },
  )
})

test('with a fixed part of one smallest unit or more, splitting never gains anything', () => {
  const withFixed = rules.map((rule) => ({ ...rule, fixed: rule.fixed + 1n }))
  fc.assert(
    fc.property(withFixed, minorUnits, parts, (rule, decimals, all) => {
      const question = { rule, minorUnits: decimals }
      assert(gainOf(all, (gross) => feeOf(gross, question)) <= 0n)
    }),
    { numRuns: RUNS },
  )
})

test('where every part pays the minimum, splitting never gains anything', () => {
  fc.assert(
    fc.property(rules, minorUnits, parts, (rule, decimals, all) => {
      const withMinimum = (minimum: bigint): Question => ({
        rule: { ...rule, minimum, maximum: undefined },
        minorUnits: decimals,
      })
      const [largest = 1n] = all.toSorted((a, b) => (a < b ? 1 : -1))
      const question = withMinimum(feeOf(largest, withMinimum(0n)) + 1n)
      assert(gainOf(all, (gross) => feeOf(gross, question)) <= 0n)
    }),
    { numRuns: RUNS },
  )
})

test('no single fee is further from its exact price than half a smallest unit', () => {
  const gross = fc.bigInt({ min: 1n, max: 10n ** 20n })
  fc.assert(
    fc.property(percentage, small, minorUnits, gross, (percent, fixed, decimals, units) => {
      const fee = feeOf(units, { rule: { fixed, percentage: percent }, minorUnits: decimals })
      const hundredMillion = 100_000_000n
      const twiceOff = 2n * ((fee - fixed) * hundredMillion - units * percent)
      assert(twiceOff > -hundredMillion && twiceOff <= hundredMillion)
    }),
    { numRuns: RUNS },
  )
})
