import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDays } from './days.ts'
import { simulate } from './own-process.ts'
import { DAYS_KEPT } from './seeds.ts'

/** Ten times as many: many.long.test.ts. */
const DAYS = 100

test('days on which anything may break: nothing is lost, nothing is doubled, and nothing is left undone', async () => {
  const said = await simulate(['--runs', '0', '--days', String(DAYS)])
  process.stdout.write(said)
  const counts = /(\d+) simulated days .*: (\d+) payments, (\d+) faults, (\d+) ends of processes/.exec(said)
  assert.ok(
    counts?.slice(1).every((count) => Number(count) >= DAYS),
    'there was enough to go wrong',
  )
})

for (const { seed, days, found } of DAYS_KEPT)
  test(`days that once went wrong go right: ${found}`, async () => {
    assert.deepEqual((await runDays({ seed, days })).breaches, [])
  })
