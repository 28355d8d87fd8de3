import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { callbackReceiver } from '../src/index.ts'

const PATIENCE_MS = 5_000

test('a request is remembered to the byte, with its time, method, path and headers', async (t) => {
  const receiver = await callbackReceiver(t)
  const before = performance.now()
  const body = Buffer.from([0x7b, 0xff, 0x7d])
  const response = await fetch(`${receiver.url}/paid?x=1`, {
    method: 'POST',
    headers: { 'X-Signature': 'abc' },
    body,
  })
  assert.equal(response.status, 200)
  const [received] = await receiver.waitForCount(1, PATIENCE_MS)
  assert.ok(received !== undefined)
  assert.equal(received.method, 'POST')
  assert.equal(received.path, '/paid?x=1')
  assert.equal(received.headers['x-signature'], 'abc')
  assert.deepEqual(received.bodyBytes, body)
  assert.ok(received.receivedAtMs >= before && received.receivedAtMs <= performance.now())
})

test('each request is answered by its number', async (t) => {
  const receiver = await callbackReceiver(t, { answer: (_, n) => (n < 3 ? 503 : 204) })
  const statuses: number[] = []
  for (let n = 1; n <= 4; n++)
    statuses.push((await fetch(receiver.url, { method: 'POST', body: '{}' })).status)
  assert.deepEqual(statuses, [503, 503, 204, 204])
})

test('a reply carries its headers and body and may come late', async (t) => {
  const receiver = await callbackReceiver(t, {
    answer: () => ({
      kind: 'reply',
      status: 418,
      headers: { 'retry-after': '7' },
      body: 'short',
      delayMs: 100,
    }),
  })
  const start = performance.now()
  const response = await fetch(receiver.url)
  assert.equal(response.status, 418)
  assert.equal(response.headers.get('retry-after'), '7')
  assert.equal(await response.text(), 'short')
  // Timers may fire up to a millisecond early.
  assert.ok(performance.now() - start >= 99)
})

test('a hanging receiver has the request and gives no answer', async (t) => {
  const receiver = await callbackReceiver(t, { answer: () => ({ kind: 'hang' }) })
  await assert.rejects(fetch(receiver.url, { signal: AbortSignal.timeout(200) }), { name: 'TimeoutError' })
  assert.equal(receiver.requests.length, 1)
})

test('a closing receiver cuts the connection', async (t) => {
  const receiver = await callbackReceiver(t, { answer: () => ({ kind: 'close' }) })
  await assert.rejects(fetch(receiver.url), TypeError)
  assert.equal(receiver.requests.length, 1)
})

test('a dripping receiver answers and never comes to an end', async (t) => {
  const receiver = await callbackReceiver(t, { answer: () => ({ kind: 'drip', intervalMs: 10 }) })
  const response = await fetch(receiver.url, { signal: AbortSignal.timeout(300) })
  assert.equal(response.status, 200)
  const body = response.body?.getReader() ?? assert.fail('there is no body')
  assert.equal((await body.read()).done, false)
  const toTheEnd = async (): Promise<void> => {
    while (!(await body.read()).done);
  }
  await assert.rejects(toTheEnd, { name: 'TimeoutError' })
})

test('a huge body has the size that was asked for', async (t) => {
  const receiver = await callbackReceiver(t, { answer: () => ({ kind: 'hugeBody', bytes: 3_000_001 }) })
  const response = await fetch(receiver.url)
  assert.equal((await response.arrayBuffer()).byteLength, 3_000_001)
})

test('a redirect names the other place', async (t) => {
  const receiver = await callbackReceiver(t, {
    answer: () => ({ kind: 'redirect', location: 'http://127.0.0.1:1/', status: 307 }),
  })
  const response = await fetch(receiver.url, { redirect: 'manual' })
  assert.equal(response.status, 307)
  assert.equal(response.headers.get('location'), 'http://127.0.0.1:1/')
})

test('waiting for more requests than come ends with both numbers', async (t) => {
  const receiver = await callbackReceiver(t)
  await fetch(receiver.url)
  await assert.rejects(receiver.waitForCount(2, 50), /waited 50 ms for 2 callbacks; 1 came/)
})

test('closing does not wait for those who hang', async (t) => {
  const receiver = await callbackReceiver(t, { answer: () => ({ kind: 'hang' }) })
  const cut = new Promise((resolve) => request(receiver.url).on('error', resolve).end())
  await receiver.waitForCount(1, PATIENCE_MS)
  await receiver.close()
  assert.ok((await cut) instanceof Error)
  await assert.rejects(fetch(receiver.url), TypeError)
})
