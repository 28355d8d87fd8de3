import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { freePort, waitUntil } from '@tollgate/testkit'
import { createOutboundClient } from '../client.ts'
import { answering, LOOPBACK_OPEN, receiver } from './receivers.ts'

const client = createOutboundClient({ policy: LOOPBACK_OPEN })
const call = { headers: {}, deadlineMs: 2_000 } as const

test('GET, POST and PUT send what they are given, and the answer comes with its headers', async (t) => {
  for (const method of ['GET', 'POST', 'PUT'] as const) {
    const bank = await receiver(
      t,
      answering(
        'HTTP/1.1 201 Created\r\nX-Once: 1\r\nX-Twice: 1\r\nX-Twice: 2\r\nContent-Length: 2\r\n\r\nok',
      ),
    )
    const body = method === 'GET' ? {} : { body: '{"a":1}' }
    const answer = await client.call({ ...call, method, url: bank.url, ...body })
    assert.ok(answer.kind === 'answered')
    assert.deepEqual([answer.status, answer.bodyStart, answer.headers['x-once']], [201, 'ok', '1'])
    assert.equal(answer.headers['x-twice'], undefined)
    assert.ok(bank.received().startsWith(`${method} /callback?a=1 HTTP/1.1\r\n`))
    assert.equal(bank.received().split('\r\n\r\n')[1], method === 'GET' ? '' : '{"a":1}')
  }
})

test('the body is kept as far as was asked for', async (t) => {
  const long = 'x'.repeat(20_000)
  const bank = await receiver(t, answering(`HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n${long}`))
  const lengthOf = async (bodyBytesMax?: number): Promise<number> => {
    const limit = bodyBytesMax === undefined ? {} : { bodyBytesMax }
    const answer = await client.call({ ...call, method: 'GET', url: bank.url, ...limit })
    return answer.kind === 'answered' ? answer.bodyStart.length : -1
  }
  assert.deepEqual([await lengthOf(), await lengthOf(16_384), await lengthOf(65_536)], [4096, 16_384, 20_000])
  await assert.rejects(lengthOf(65_537), /bytes/)
})

test('a failed call tells whether anything of it may have arrived', async (t) => {
  const mayHaveArrived = async (url: string): Promise<boolean | undefined> => {
    const answer = await client.call({ ...call, method: 'PUT', url, body: '{}', deadlineMs: 300 })
    return answer.kind === 'failed' ? answer.mayHaveArrived : undefined
  }
  const silent = await receiver(t, () => undefined)
  const hangsUp = await receiver(t, (socket) => socket.once('data', () => socket.destroy()))
  assert.equal(await mayHaveArrived(`http://127.0.0.1:${await freePort()}/`), false, 'nobody listens')
  assert.equal(await mayHaveArrived('http://nowhere.invalid/'), false, 'no such name')
  assert.equal(await mayHaveArrived('ftp://127.0.0.1/'), false, 'not allowed')
  assert.equal(await mayHaveArrived(silent.url), true, 'no answer')
  assert.equal(await mayHaveArrived(hangsUp.url), true, 'the connection broke off')
})

test('a call is cut by its signal, before it begins and while it waits, and nothing listens to it afterwards', async (t) => {
  const silent = await receiver(t, () => undefined)
  const cutBy = (signal: AbortSignal) =>
    client.call({ ...call, method: 'PUT', url: silent.url, body: '{}', deadlineMs: 20_000, signal })
  const abort = new AbortController()
  const waiting = cutBy(abort.signal)
  await waitUntil(async () => silent.received() !== '', { timeoutMs: 10_000, what: 'the request' })
  abort.abort()
  for (const [attempt, mayHaveArrived] of [
    [waiting, true],
    [cutBy(abort.signal), false],
  ] as const) {
    const { tookMs, ...answer } = await attempt
    assert.ok(tookMs >= 0)
    assert.deepEqual(answer, {
      kind: 'failed',
      reason: 'other',
      message: 'The call was given up.',
      mayHaveArrived,
    })
  }
  assert.equal(getEventListeners(abort.signal, 'abort').length, 0)
  const unused = new AbortController()
  const bank = await receiver(t, answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
  assert.equal(
    (await client.call({ ...call, method: 'GET', url: bank.url, signal: unused.signal })).kind,
    'answered',
  )
  assert.equal(getEventListeners(unused.signal, 'abort').length, 0)
})

test('a client that closes says so, and a result tells nothing that only a call may know', async (t) => {
  const silent = await receiver(t, () => undefined)
  const closing = createOutboundClient({ policy: LOOPBACK_OPEN })
  const request = { ...call, url: silent.url, body: '{}' }
  const attempt = closing.post({ ...request, deadlineMs: 20_000 })
  await waitUntil(async () => silent.received() !== '', { timeoutMs: 10_000, what: 'the request' })
  await closing.close()
  const { tookMs: _tookMs, ...result } = await attempt
  assert.deepEqual(result, { kind: 'failed', reason: 'other', message: 'The gateway is shutting down.' })
  const bank = await receiver(t, answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
  const { tookMs: _took, ...answered } = await client.post({ ...request, url: bank.url })
  assert.deepEqual(answered, { kind: 'answered', status: 200, bodyStart: 'ok' })
  const blocked = await client.post({ ...request, url: 'ftp://127.0.0.1/' })
  assert.ok(blocked.kind === 'failed')
  assert.equal(blocked.message, 'The URL must start with http:// or https:// and a host.')
  const refused = await client.post({ ...request, url: 'http://10.0.0.1/' })
  assert.equal(
    refused.kind === 'failed' && refused.message,
    'The URL leads to an address that is not allowed.',
  )
})

test('the limits of a call are named when they are broken', async () => {
  const at = (given: { deadlineMs?: number; bodyBytesMax?: number }) =>
    client.call({ ...call, method: 'GET', url: 'ftp://127.0.0.1/', ...given })
  for (const deadlineMs of [0, -1, 60_001]) await assert.rejects(at({ deadlineMs }), /a deadline of -?\d+ ms/)
  for (const bodyBytesMax of [0, -1, 65_537])
    await assert.rejects(at({ bodyBytesMax }), /a body of -?\d+ bytes/)
  for (const given of [
    { deadlineMs: 60_000 },
    { deadlineMs: 1 },
    { bodyBytesMax: 1 },
    { bodyBytesMax: 65_536 },
  ])
    assert.equal((await at(given)).kind, 'failed')
})
