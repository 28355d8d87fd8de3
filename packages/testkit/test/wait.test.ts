import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort, waitUntil } from '../src/index.ts'

test('waiting asks again until the answer is true', async () => {
  let asked = 0
  await waitUntil(() => ++asked === 3, { timeoutMs: 5_000, what: 'the third question' })
  assert.equal(asked, 3)
})

test('waiting in vain says what was awaited and for how long', async () => {
  await assert.rejects(
    waitUntil(async () => false, { timeoutMs: 30, what: 'a miracle' }),
    /^Error: waited 30 ms for a miracle$/,
  )
})

test('a free port can be listened on', async () => {
  const port = await freePort()
  const server = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  await new Promise((resolve) => server.close(resolve))
})
