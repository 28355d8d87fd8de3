import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { freePort } from '@tollgate/testkit'
import { createLargeAnswerClient } from '../large-answers.ts'

const MEGABYTE = 1_048_576

async function open(t: TestContext, answer: (write: (text: string) => void, end: () => void) => void) {
  const server = createServer((_request, response) =>
    answer(
      (text) => response.write(text),
      () => response.end(),
    ),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = createLargeAnswerClient()
  t.after(async () => {
    await client.close()
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const ask = (more: { bytesMax?: number; deadlineMs?: number; signal?: AbortSignal; url?: string } = {}) =>
    client.ask({
      url: `http://127.0.0.1:${address.port}/secret`,
      body: '{}',
      bytesMax: 4 * MEGABYTE,
      deadlineMs: 60_000,
      signal: new AbortController().signal,
      ...more,
    })
  return ask
}

test('an answer of megabytes that comes in pieces is read whole', async (t) => {
  const piece = 'x'.repeat(MEGABYTE / 4)
  const ask = await open(t, (write, end) => {
    for (let count = 0; count < 12; count += 1) write(piece)
    // Later than a receiver of callbacks would be waited for.
    setTimeout(end, 1_200)
  })
  const answer = await ask()
  assert.equal(answer.kind === 'answered' && answer.text.length, 3 * MEGABYTE)
})

test('an answer that is larger than was asked for is said to be, and is not read to its end', async (t) => {
  const ask = await open(t, (write) => write('x'.repeat(2 * MEGABYTE)))
  assert.deepEqual(await ask({ bytesMax: MEGABYTE }), { kind: 'tooLarge' })
})

test('no answer in time, a cut and nobody there are failures whose words have no address in them', async (t) => {
  const ask = await open(t, () => undefined)
  const nobody = `http://127.0.0.1:${await freePort()}/secret`
  for (const [given, message] of [
    [{ deadlineMs: 50 }, 'it took too long'],
    [{ signal: AbortSignal.abort() }, 'AbortError'],
    [{ url: nobody }, 'ECONNREFUSED'],
  ] as const)
    assert.deepEqual(await ask(given), { kind: 'failed', message })
})
