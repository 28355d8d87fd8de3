import assert from 'node:assert/strict'
import { test } from 'node:test'
import { executionDay, readBankDays } from '../bank-days.ts'

test('D21 a file never asks for money on a day on which TARGET is closed', () => {
  const days: readonly (readonly [string, string])[] = [
    ['2026-11-20', '2026-11-20'], // a Friday
    ['2026-11-21', '2026-11-23'],
    ['2026-11-22', '2026-11-23'],
    ['2026-12-24', '2026-12-24'],
    ['2026-12-25', '2026-12-28'], // Christmas before a weekend
    ['2027-01-01', '2027-01-04'],
    ['2024-03-29', '2024-04-02'], // Good Friday to Easter Monday
    ['2026-04-03', '2026-04-07'],
    ['2027-03-26', '2027-03-30'],
    ['2030-04-19', '2030-04-23'],
    ['2038-04-23', '2038-04-27'], // the latest Easter of the century
    ['2025-05-01', '2025-05-02'],
    ['2026-05-01', '2026-05-04'],
  ]
  for (const [made, asked] of days)
    assert.equal(executionDay(new Date(`${made}T23:59:59Z`), 'EUR'), asked, made)
})

test('D21 in other currencies a file asks for no weekend, and knows nothing of TARGET', () => {
  assert.equal(executionDay(new Date('2026-05-01T00:00:00Z'), 'CZK'), '2026-05-01')
  assert.equal(executionDay(new Date('2026-05-02T00:00:00Z'), 'CZK'), '2026-05-04')
})

test('from its cut-off time on, on the clocks of its zone, a file asks for the next day on which banks work', () => {
  const days = readBankDays('EUR=15:30,CZK=11:00', 'Europe/Prague')
  for (const [made, currencyCode, asked] of [
    // In winter they are an hour before UTC.
    ['2026-11-26T14:29:59Z', 'EUR', '2026-11-26'],
    ['2026-11-26T14:30:00Z', 'EUR', '2026-11-27'],
    ['2026-11-27T14:30:00Z', 'EUR', '2026-11-30'], // a Friday
    ['2026-12-24T14:30:00Z', 'EUR', '2026-12-28'],
    ['2026-11-26T10:00:00Z', 'CZK', '2026-11-27'],
    ['2026-11-26T10:00:00Z', 'USD', '2026-11-26'],
    // The next day has begun there.
    ['2026-11-26T23:30:00Z', 'EUR', '2026-11-27'],
    // Saturday, after the time of a day on which it does not count.
    ['2026-11-28T20:00:00Z', 'EUR', '2026-11-30'],
  ] as const)
    assert.equal(executionDay(new Date(made), currencyCode, days), asked, `${made} ${currencyCode}`)
})
