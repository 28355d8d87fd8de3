import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulate } from './own-process.ts'
import { playAgainstModel } from './rig.ts'
import { HISTORIES_KEPT } from './seeds.ts'

/** Ten times as many: many.long.test.ts. */
const RUNS = 1_000

test('whatever is asked, told and broken in whatever order, the gateway does what the model does', async () => {
  const said = await simulate(['--runs', String(RUNS), '--days', '0'])
  assert.match(said, new RegExp(`^${RUNS} histories went as the model says$`, 'm'))
})

for (const { commands, found, world = 1 } of HISTORIES_KEPT)
  test(`a history that once went wrong goes right: ${found}`, () =>
    playAgainstModel(commands, { seed: world }))
