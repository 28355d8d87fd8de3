import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CALM_HISTORIES } from './commands.ts'
import { assertSame, play } from './pair.ts'
import { openPostgres } from './postgres.ts'
import { STATEMENTS } from './world.ts'

const SEQUENCES = 30
/** The same ones each time, so that they cost the same each time; `npm run simulate -- --postgres` draws others. */
const SEED = 20_301
/** Nothing is forged in these histories, and no institution asks for a watch. */
const NOT_SEEN = ['payments_insert_personal_data', 'payments_list_personal_data']

test('PostgreSQL answers every statement of a history as the memory does', async (t) => {
  const postgres = await openPostgres(t)
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(CALM_HISTORIES, fc.nat(), async (commands, seed) => {
      const memory = await play(commands, { seed })
      for (const { name } of memory.trace) seen.add(name)
      assertSame(memory, await play(commands, { seed, engine: await postgres.open() }))
    }),
    { numRuns: SEQUENCES, seed: SEED },
  )
  assert.deepEqual(
    Object.keys(STATEMENTS).filter((name) => !seen.has(name)),
    NOT_SEEN,
  )
})
