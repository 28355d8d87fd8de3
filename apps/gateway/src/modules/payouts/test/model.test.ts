import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { needsDatabase, reaches, waitsForAmount } from '../model.ts'

const amount = parsePlainAmount
const NONE = { amountFrom: undefined, newBeneficiary: false, dailySumFrom: undefined }

test('a threshold is reached by itself and by more', () => {
  const table = [
    ['99.99', '100', false],
    ['100', '100', true],
    ['100.01', '100', true],
    ['9', '10', false],
    ['0.000000000000000001', '0.000000000000000001', true],
  ] as const
  for (const [given, threshold, expected] of table)
    assert.equal(reaches(amount(given), amount(threshold)), expected, `${given} of ${threshold}`)
  assert.equal(reaches(amount('1000000'), undefined), false)
})

test('an amount waits where there is a rule with a threshold that it reaches', () => {
  assert.equal(waitsForAmount(undefined, amount('1')), false)
  assert.equal(waitsForAmount(NONE, amount('1')), false)
  assert.equal(waitsForAmount({ ...NONE, amountFrom: amount('1') }, amount('1')), true)
})

test('a rule about the amount alone needs no database', () => {
  assert.equal(needsDatabase({ ...NONE, amountFrom: amount('1') }), false)
  assert.equal(needsDatabase({ ...NONE, newBeneficiary: true }), true)
  assert.equal(needsDatabase({ ...NONE, dailySumFrom: amount('1') }), true)
})
