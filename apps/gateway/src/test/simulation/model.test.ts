import { test } from 'node:test'
import fc from 'fast-check'
import { HISTORIES } from './histories.ts'
import { playAgainstModel } from './rig.ts'
import { HISTORIES_KEPT } from './seeds.ts'

const RUNS = 10_000

test('whatever is asked, told and broken in whatever order, the gateway does what the model does', async () => {
  await fc.assert(
    fc.asyncProperty(HISTORIES, fc.nat(), (commands, seed) => playAgainstModel(commands, { seed })),
    {
      numRuns: RUNS,
    },
  )
})

for (const { commands, found } of HISTORIES_KEPT)
  test(`a history that once went wrong goes right: ${found}`, () => playAgainstModel(commands, { seed: 1 }))
