import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gate } from '../../platform/test/index.ts'
import { healthRoutes } from '../operations.ts'
import { edge } from './http.ts'

test('ready when every check is well; otherwise 500 says which is not', async (t) => {
  const { app } = edge(t)
  const state: { problem?: string } = {}
  healthRoutes(app, [
    { name: 'database', run: async () => state.problem },
    {
      name: 'other',
      run: async () => {
        if (state.problem !== undefined) throw new Error('details that nobody may see')
        return undefined
      },
    },
  ])
  const well = await app.inject({ url: '/readyz' })
  assert.equal(well.statusCode, 200)
  assert.deepEqual(well.json(), { status: 'ok', checks: { database: 'ok', other: 'ok' } })
  state.problem = 'away'
  const ill = await app.inject({ url: '/readyz' })
  assert.equal(ill.statusCode, 500)
  assert.deepEqual(ill.json(), { status: 'not ready', checks: { database: 'away', other: 'failed' } })
  assert.equal((await app.inject({ url: '/livez' })).statusCode, 200)
})

test('probes that come at once share one run of the checks', async (t) => {
  const { app } = edge(t)
  const checks = gate<undefined>()
  let runs = 0
  healthRoutes(app, [
    {
      name: 'database',
      run: () => {
        runs += 1
        return checks.promise
      },
    },
  ])
  const answers = Promise.all(Array.from({ length: 20 }, () => app.inject({ url: '/readyz' })))
  setTimeout(() => checks.open(undefined), 50)
  assert.ok((await answers).every((answer) => answer.statusCode === 200))
  assert.equal(runs, 1)
})

test('a check that does not answer makes the process not ready, in time', async (t) => {
  const { app } = edge(t)
  healthRoutes(app, [{ name: 'database', run: () => new Promise(() => undefined) }])
  const answer = await app.inject({ url: '/readyz' })
  assert.equal(answer.statusCode, 500)
  assert.deepEqual(answer.json().checks, { database: 'did not answer in time' })
})
