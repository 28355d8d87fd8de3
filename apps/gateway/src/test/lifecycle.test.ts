import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopInTime } from '../programs/lifecycle.ts'

const AT_ONCE = { TOLLGATE_DRAIN_SECONDS: 0 }

test('a stop that takes too long is given up and says what it waited for', async () => {
  const gateway = { stop: () => new Promise<void>(() => undefined), stopsWaitingFor: () => ['workers'] }
  await assert.rejects(stopInTime(gateway, AT_ONCE, 0.01), /did not stop within .* waits for: workers\.$/)
})

test('a stop that ends in time is not heard of, and one that fails says why', async () => {
  const named = { stopsWaitingFor: () => [] }
  await stopInTime({ stop: async () => undefined, ...named }, AT_ONCE)
  const broken = { stop: () => Promise.reject(new Error('a part could not be closed')), ...named }
  await assert.rejects(stopInTime(broken, AT_ONCE), /a part could not be closed/)
})
