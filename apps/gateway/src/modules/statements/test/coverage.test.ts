import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { coverageOf } from '../import/coverage.ts'
import type { Balances } from '../import/coverage-store.ts'

// A Wednesday to the Tuesday after; in between is a weekend.
const PERIOD = { firstDay: '2026-11-18', lastDay: '2026-11-24' }

type Draft = readonly [
  openingOn: string,
  openingAmount: string,
  closingOn: string,
  closingAmount: string,
  faults?: { readonly addsUp?: false; readonly isFinal?: false },
]

/** Days are those of November. */
const given = (drafts: readonly Draft[]): readonly Balances[] =>
  drafts.map(([openingOn, openingAmount, closingOn, closingAmount, faults], index) => ({
    statementId: String(index + 1),
    openingOn: `2026-11-${openingOn}`,
    openingAmount: parsePlainAmount(openingAmount),
    closingOn: `2026-11-${closingOn}`,
    closingAmount: parsePlainAmount(closingAmount),
    addsUp: true,
    isFinal: true,
    ...faults,
  }))

const judge = (...drafts: readonly Draft[]) => coverageOf(given(drafts), 'EUR', PERIOD)

test('one statement of the whole period has everything, and one of less says until when', () => {
  assert.deepEqual(judge(['17', '5', '24', '9']), {
    isComplete: true,
    statementIds: ['1'],
    untilDay: '2026-11-24',
  })
  assert.deepEqual(judge(['17', '5', '23', '9']), {
    isComplete: false,
    statementIds: ['1'],
    untilDay: '2026-11-23',
  })
  // The balance of the 18th may be that of its evening.
  assert.deepEqual(judge(['18', '5', '24', '9']), {
    isComplete: false,
    statementIds: [],
    untilDay: undefined,
  })
})

test('daily statements follow each other by their balances, whichever day a bank gives the opening one', () => {
  const isComplete = (...drafts: readonly Draft[]): boolean => judge(...drafts).isComplete
  const evening: readonly Draft[] = [
    ['17', '5', '18', '6'],
    ['18', '6', '20', '7'],
    ['20', '7', '23', '8'],
    ['23', '8', '24', '8'],
  ]
  assert.ok(isComplete(...evening))
  assert.ok(isComplete(...evening.toReversed()))
  const morning: readonly Draft[] = [
    ['17', '5', '17', '5'],
    ['18', '5', '18', '6'],
    ['19', '6', '19', '9'],
    ['20', '9', '20', '7'],
    ['23', '7', '23', '8'],
    ['24', '8', '24', '2'],
  ]
  assert.ok(isComplete(...morning))
  for (const days of [evening, morning])
    for (const missing of days.keys())
      assert.ok(!isComplete(...days.filter((_, index) => index !== missing)), `without ${missing + 1}`)
})

test('an account that is emptied every evening has equal balances: a missing day shows all the same', () => {
  const emptied = (...days: readonly (readonly [string, string])[]): boolean =>
    judge(...days.map(([from, to]): Draft => [from, '0', to, '0'])).isComplete
  assert.ok(emptied(['17', '18'], ['18', '19'], ['19', '20'], ['20', '23'], ['23', '24']))
  assert.ok(!emptied(['17', '18'], ['19', '20'], ['20', '23'], ['23', '24']))
  assert.ok(emptied(['17', '17'], ['18', '18'], ['19', '19'], ['20', '20'], ['23', '23'], ['24', '24']))
  assert.ok(!emptied(['17', '17'], ['18', '18'], ['20', '20'], ['23', '23'], ['24', '24']))
})

test('what does not add up, or is not final, proves nothing', () => {
  assert.equal(judge(['17', '5', '24', '9', { addsUp: false }]).untilDay, undefined)
  assert.equal(judge(['17', '5', '24', '9', { isFinal: false }]).untilDay, undefined)
  const pages = judge(['17', '5', '24', '7', { isFinal: false }], ['24', '7', '24', '9'])
  assert.ok(pages.isComplete)
  assert.ok(!judge(['17', '5', '23', '7'], ['23', '7', '24', '9', { addsUp: false }]).isComplete)
})
