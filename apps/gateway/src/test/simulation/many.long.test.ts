import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulate } from './own-process.ts'

const DAYS = 1_000
const RUNS = 10_000

test('a thousand days on which anything may break: nothing is lost, nothing is doubled, and nothing is left undone', async () => {
  const said = await simulate(['--runs', '0', '--days', String(DAYS)])
  const counts = /(\d+) simulated days .*: (\d+) payments, (\d+) faults, (\d+) ends of processes/.exec(said)
  assert.ok(
    counts?.slice(1).every((count) => Number(count) >= DAYS),
    'there was enough to go wrong',
  )
})

test('ten thousand histories in whatever order: the gateway does what the model does', async () => {
  const said = await simulate(['--runs', String(RUNS), '--days', '0'])
  assert.match(said, new RegExp(`^${RUNS} histories went as the model says$`, 'm'))
})
