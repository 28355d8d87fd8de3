import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as dineroCurrencies from 'dinero.js/currencies'
import { CURRENCIES_ISO_4217, MINOR_UNITS_MAX } from '../src/index.ts'

// That library counts the fifths that these two are divided into in daily life; the standard lists two decimals.
const FIFTHS = ['MGA', 'MRU']

// Replaced by the euro on 1 January 2026, which that library does not know yet.
const WITHDRAWN_SINCE = ['BGN']

const theirs = new Map<string, number>(
  Object.values(dineroCurrencies).map(({ code, exponent }) => [code, exponent]),
)

test('The decimals of every currency are those of an independent table', () => {
  const compared = [...CURRENCIES_ISO_4217.values()].filter(
    ({ code }) => theirs.has(code) && !FIFTHS.includes(code),
  )
  assert.ok(compared.length >= 160)
  for (const { code, minorUnits } of compared) assert.equal(minorUnits, theirs.get(code), code)
})

test('Both tables have the same codes, but for what the standard withdrew since', () => {
  const expected = [...theirs.keys()].filter((code) => !WITHDRAWN_SINCE.includes(code))
  assert.deepEqual([...CURRENCIES_ISO_4217.keys()].sort(), expected.sort())
})

test('Currencies with unusual decimals have them', () => {
  const table = { EUR: 2, JPY: 0, KRW: 0, ISK: 0, KWD: 3, TND: 3, CLF: 4, UYW: 4, MGA: 2, MRU: 2 }
  for (const [code, minorUnits] of Object.entries(table)) {
    assert.equal(CURRENCIES_ISO_4217.get(code)?.minorUnits, minorUnits, code)
  }
})

test('Recent currencies are listed, and withdrawn ones, metals and test codes are not', () => {
  for (const code of ['XCG', 'ZWG', 'XAD', 'SLE', 'VED', 'STN'])
    assert.ok(CURRENCIES_ISO_4217.has(code), code)
  for (const code of ['HRK', 'BGN', 'ANG', 'ZWL', 'SLL', 'CUC', 'XAU', 'XDR', 'XTS', 'XXX', 'eur', 'BTC']) {
    assert.ok(!CURRENCIES_ISO_4217.has(code), code)
  }
})

test('Funds are marked as such', () => {
  const funds = [...CURRENCIES_ISO_4217.values()].filter(({ isFund }) => isFund).map(({ code }) => code)
  assert.deepEqual(funds, ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'XAD'])
})

test('Every row is well formed and stored under its own code', () => {
  for (const [key, { code, name, minorUnits }] of CURRENCIES_ISO_4217) {
    assert.equal(key, code)
    assert.match(code, /^[A-Z]{3}$/)
    assert.equal(name, name.trim())
    assert.notEqual(name, '')
    assert.ok(Number.isInteger(minorUnits) && minorUnits >= 0 && minorUnits <= MINOR_UNITS_MAX)
  }
})
