import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type CycleRule,
  DAY_MS,
  dueOf,
  endAfter,
  lastEndUntil,
  overdue,
  parseCycle,
  printCycle,
} from '../schedule.ts'

const at = (text: string): number => Date.parse(text)
const day = (ms: number): string => new Date(ms).toISOString()
const rule = (text: string): CycleRule => {
  const parsed = parseCycle(text)
  assert.ok(parsed !== undefined, text)
  return parsed
}

const RULES = ['daily', 't+0', 't+2', 't+60', 'weekly:mon', 'weekly:thu', 'weekly:sun', 'monthly']
const anyRule = fc.constantFrom(...RULES).map(rule)
const anyMoment = fc.integer({ min: at('1999-12-30'), max: at('2101-01-02') })

test('cycles are read in any case and printed as they are read', () => {
  for (const text of RULES) assert.equal(printCycle(rule(text.toUpperCase())), text)
})

for (const text of ['', 't+', 't+61', 't-1', 'weekly', 'weekly:monday', 'yearly', 't+1.5', ' daily']) {
  test(`${JSON.stringify(text)} is no cycle`, () => assert.equal(parseCycle(text), undefined))
}

test('T+N takes up to two digits and no more than 60 days, a week any of its days', () => {
  assert.deepEqual(parseCycle('t+60'), { cycle: 'T_PLUS', days: 60 })
  assert.deepEqual(parseCycle('T+07'), { cycle: 'T_PLUS', days: 7 })
  for (const text of ['t+007', 'xt+2', 't+2x', 'tt+2', '+2']) assert.equal(parseCycle(text), undefined, text)
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  for (const [index, name] of days.entries()) {
    assert.deepEqual(parseCycle(`weekly:${name}`), { cycle: 'WEEKLY', weekday: index + 1 })
    assert.equal(printCycle({ cycle: 'WEEKLY', weekday: index + 1 }), `weekly:${name}`)
    // 2026-11-16 was a Monday.
    const ms = at('2026-11-16') + index * DAY_MS
    assert.equal(lastEndUntil({ cycle: 'WEEKLY', weekday: index + 1 }, ms), ms)
  }
})

test('only T+N waits after the end of a period', () => {
  const endMs = at('2026-11-20')
  for (const text of ['daily', 'weekly:fri', 'monthly', 't+0'])
    assert.equal(dueOf(rule(text), endMs), endMs, text)
  assert.equal(dueOf(rule('t+3'), endMs), endMs + 3 * DAY_MS)
})

test('no more periods are given than asked for, and the next of them is then named', () => {
  const asked = { afterMs: at('2026-11-01'), nowMs: at('2026-11-10'), endsMax: 2 }
  const { endsMs, nextDueMs } = overdue(rule('daily'), asked)
  assert.deepEqual([...endsMs, nextDueMs].map(day), [
    '2026-11-02T00:00:00.000Z',
    '2026-11-03T00:00:00.000Z',
    '2026-11-04T00:00:00.000Z',
  ])
})

test('a moment lies between the end before it and the end after it', () => {
  fc.assert(
    fc.property(anyRule, anyMoment, (each, ms) => {
      const [last, next] = [lastEndUntil(each, ms), endAfter(each, ms)]
      assert.ok(last <= ms && ms < next)
      assert.equal(lastEndUntil(each, next), next)
      assert.equal(lastEndUntil(each, next - 1), last)
      assert.equal(next % DAY_MS, 0)
    }),
  )
})

test('weeks end on their day and months on their first', () => {
  assert.equal(day(endAfter(rule('weekly:mon'), at('2026-11-18T15:00Z'))), '2026-11-23T00:00:00.000Z')
  assert.equal(day(endAfter(rule('weekly:mon'), at('2026-11-23T00:00Z'))), '2026-11-30T00:00:00.000Z')
  assert.equal(day(lastEndUntil(rule('weekly:sun'), at('2026-11-21T23:59Z'))), '2026-11-15T00:00:00.000Z')
  assert.equal(day(endAfter(rule('monthly'), at('2026-12-31T23:59Z'))), '2027-01-01T00:00:00.000Z')
  assert.equal(day(lastEndUntil(rule('monthly'), at('2028-02-29T12:00Z'))), '2028-02-01T00:00:00.000Z')
})

test('T+N is due so many days after the end of its day', () => {
  assert.equal(day(dueOf(rule('t+2'), at('2026-11-20'))), '2026-11-22T00:00:00.000Z')
  const afterMs = at('2026-11-17')
  const asked = (now: string) => overdue(rule('t+2'), { afterMs, nowMs: at(now), endsMax: 10 })
  assert.deepEqual(asked('2026-11-19T23:59Z').endsMs, [])
  assert.deepEqual(asked('2026-11-21').endsMs.map(day), [
    '2026-11-18T00:00:00.000Z',
    '2026-11-19T00:00:00.000Z',
  ])
  assert.equal(day(asked('2026-11-21').nextDueMs), '2026-11-22T00:00:00.000Z')
})

test('after a long absence the periods come one after the other, none left out, a limited number at a time', () => {
  fc.assert(
    fc.property(anyRule, anyMoment, fc.integer({ min: 0, max: 400 * DAY_MS }), (each, afterMs, away) => {
      const nowMs = afterMs + away
      const ends: number[] = []
      let from = afterMs
      for (;;) {
        const { endsMs, nextDueMs } = overdue(each, { afterMs: from, nowMs, endsMax: 7 })
        assert.equal(nextDueMs <= nowMs, endsMs.length === 7 && nextDueMs <= nowMs)
        ends.push(...endsMs)
        const last = endsMs.at(-1)
        if (last === undefined || nextDueMs > nowMs) break
        from = last
      }
      assert.deepEqual(ends, overdue(each, { afterMs, nowMs, endsMax: 1_000 }).endsMs)
      assert.ok(ends.every((end) => dueOf(each, end) <= nowMs && end > afterMs))
    }),
  )
})
