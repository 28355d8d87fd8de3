import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { runDays, runLives } from './days.ts'
import { DAYS_KEPT } from './seeds.ts'

const DAYS = 1_000
const SEEDS = 2 ** 31

test('a thousand days on which anything may break: nothing is lost, nothing is doubled, and nothing is left undone', async () => {
  const seed = randomInt(SEEDS)
  const { breaches, days, payments, faults, crashes } = await runLives(DAYS, seed)
  process.stdout.write(`${days} days, ${payments} payments, ${faults} faults, ${crashes} ends of processes\n`)
  assert.deepEqual(breaches, [], `npm run simulate -- --runs 0 --seed ${seed}`)
  assert.ok(payments > DAYS && faults > DAYS && crashes > DAYS, 'there was enough to go wrong')
})

for (const { seed, days, found } of DAYS_KEPT)
  test(`days that once went wrong go right: ${found}`, async () => {
    assert.deepEqual((await runDays({ seed, days })).breaches, [])
  })
