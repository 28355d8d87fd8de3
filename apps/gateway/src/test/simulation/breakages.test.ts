import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BREAKAGES } from './breakages.ts'
import { playAgainstModel } from './rig.ts'

for (const { what, statements, commands, seenAs } of BREAKAGES)
  test(`it is noticed when ${what}`, async () => {
    await playAgainstModel(commands, { seed: 1 })
    await assert.rejects(playAgainstModel(commands, { seed: 1, statements }), seenAs)
  })
