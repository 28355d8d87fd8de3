import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Command } from './commands.ts'
import { CALM_HISTORIES } from './histories.ts'
import { ownerOf, play } from './pair.ts'

const RUNS = 100
const SEED = 20_301

/** What merchant 1 was answered. */
async function answersIn(commands: readonly Command[]): Promise<readonly string[]> {
  const { answers, owners } = await play(commands, { seed: 1 })
  return answers.filter((_, index) => owners[index] === '1')
}

test('what one merchant does changes no answer of another', async () => {
  await fc.assert(
    // When something breaks, it matters who calls next.
    fc.asyncProperty(CALM_HISTORIES, async (commands) => {
      const alone = commands.filter((command) => (ownerOf(command) ?? '1') === '1')
      assert.deepEqual(await answersIn(alone), await answersIn(commands))
    }),
    { numRuns: RUNS, seed: SEED },
  )
})
