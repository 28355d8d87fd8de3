import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMoment } from '../moments.ts'

const READ: readonly (readonly [text: string, moment: string])[] = [
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2026-11-20T14:05Z', '2026-11-20T14:05:00.000Z'],
  ['2026-11-20T14:05:06Z', '2026-11-20T14:05:06.000Z'],
  ['2026-11-20T14:05:06.5Z', '2026-11-20T14:05:06.500Z'],
  ['2026-11-20T14:05:06.123456Z', '2026-11-20T14:05:06.123Z'],
]
const REFUSED = [
  '',
  'yesterday',
  '1',
  '2026',
  '2026-11',
  '20.11.2026',
  ' 2026-11-20',
  '2026-11-20\n',
  // No day of the calendar, no time of a day.
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2026-02-30T00:00Z',
  '2026-11-20T24:00Z',
  '2026-11-20T12:60Z',
  // UTC alone, and it must say so.
  '2026-11-20T14:05:06',
  '2026-11-20T14:05:06+01:00',
  '2026-11-20 14:05:06Z',
  '2026-11-20T14Z',
]

for (const [text, moment] of READ)
  test(`${text} is ${moment}`, () => assert.equal(readMoment(text)?.toISOString(), moment))

test('anything else is no moment', () => {
  for (const text of REFUSED) assert.equal(readMoment(text), undefined, JSON.stringify(text))
})
