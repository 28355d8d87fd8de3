import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { createOutboundClient } from '../client.ts'
import type { Wire } from '../exchange.ts'
import { createKeptWires } from '../kept.ts'
import { answering, LOOPBACK_OPEN, receiver, requestTo } from './receivers.ts'

const OK = 'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n'

/** Answers every request of a connection with the same words. */
const keeping =
  (text: string) =>
  (socket: Socket): void =>
    void socket.on('data', () => socket.write(text))

const alone = (url: string) => ({ ...requestTo(url), mayReuse: false })

test('requests to one origin share a connection, one at a time, and only those that may', async (t) => {
  const client = createOutboundClient({ policy: LOOPBACK_OPEN })
  t.after(() => client.close())
  const shop = await receiver(t, keeping(OK))
  for (let time = 0; time < 5; time += 1)
    assert.equal((await client.post(requestTo(`${shop.url}&time=${time}`))).kind, 'answered')
  assert.equal(shop.accepted(), 1)
  assert.match(shop.received(), /^connection: keep-alive\r$/imu)
  const both = await Promise.all([client.post(requestTo(shop.url)), client.post(requestTo(shop.url))])
  assert.deepEqual(
    both.map(({ kind }) => kind),
    ['answered', 'answered'],
  )
  assert.equal(shop.accepted(), 2)
  assert.equal((await client.post(alone(shop.url))).kind, 'answered')
  assert.equal(shop.accepted(), 3)
})

test('a receiver that does not keep connections is called over a fresh one each time', async (t) => {
  const client = createOutboundClient({ policy: LOOPBACK_OPEN })
  t.after(() => client.close())
  const answers = [
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=1\r\nContent-Length: 0\r\n\r\n',
    // It stays open, and says nothing of it.
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  ]
  for (const answer of answers) {
    const shop = await receiver(t, keeping(answer))
    for (let time = 1; time <= 3; time += 1) {
      assert.equal((await client.post(requestTo(shop.url))).kind, 'answered')
      assert.equal(shop.accepted(), time)
    }
  }
})

test('C16 a header full of spaces costs no more than any other', async (t) => {
  const client = createOutboundClient({ policy: LOOPBACK_OPEN })
  t.after(() => client.close())
  const answer = `HTTP/1.1 200 OK\r\nConnection: a${' '.repeat(15_500)}b\r\nContent-Length: 0\r\n\r\n`
  const shop = await receiver(t, keeping(answer))
  const before = process.cpuUsage()
  for (let time = 1; time <= 20; time += 1)
    assert.equal((await client.post(requestTo(shop.url))).kind, 'answered')
  const { user } = process.cpuUsage(before)
  // By an expression that looks for spaces before a comma it was some seconds.
  assert.ok(user < 2_000_000, `${user} µs`)
})

test('a receiver that closes after each answer without a word loses no request', async (t) => {
  const client = createOutboundClient({ policy: LOOPBACK_OPEN })
  t.after(() => client.close())
  const shop = await receiver(t, answering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
  for (let time = 1; time <= 50; time += 1)
    assert.equal((await client.post(requestTo(shop.url))).kind, 'answered', `request ${time}`)
  assert.equal(shop.accepted(), 50)
})

test('a connection that the receiver closed is not used again', async (t) => {
  const client = createOutboundClient({ policy: LOOPBACK_OPEN })
  t.after(() => client.close())
  const shop = await receiver(t, (socket) => {
    socket.on('data', () => socket.write(OK, () => setTimeout(() => socket.end(), 20)))
  })
  assert.equal((await client.post(requestTo(shop.url))).kind, 'answered')
  await until(() => shop.open() === 0)
  assert.equal((await client.post(requestTo(shop.url))).kind, 'answered')
  assert.equal(shop.accepted(), 2)
})

test('a request is sent once, over a kept connection as well: what breaks off is a failure', async (t) => {
  const client = createOutboundClient({ policy: LOOPBACK_OPEN })
  t.after(() => client.close())
  for (const start of ['', 'HTTP/1.1 2']) {
    const shop = await receiver(t, (socket) => {
      socket.once('data', () => {
        socket.write(OK)
        socket.once('data', () => socket.write(start, () => socket.resetAndDestroy()))
      })
    })
    assert.equal((await client.post(requestTo(shop.url))).kind, 'answered')
    assert.equal((await client.post(requestTo(shop.url))).kind, 'failed')
    assert.equal(shop.accepted(), 1)
    assert.equal(shop.received().match(/POST \/callback/gu)?.length, 2)
    assert.equal((await client.post(requestTo(shop.url))).kind, 'answered')
    assert.equal(shop.accepted(), 2)
  }
})

test('what a receiver sends beyond its answer is no answer to the next request', async (t) => {
  const client = createOutboundClient({ policy: LOOPBACK_OPEN })
  t.after(() => client.close())
  const forged = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged'
  const honest = 'HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n'
  let connections = 0
  const shop = await receiver(t, (socket) => {
    connections += 1
    const first = connections === 1
    socket.on('data', () => socket.write(first ? `${OK}${forged}` : honest))
  })
  assert.equal((await client.post(requestTo(shop.url))).kind, 'answered')
  const next = await client.post(requestTo(shop.url))
  assert.equal(next.kind === 'answered' && next.status, 503)
  assert.equal(shop.accepted(), 2)
})

test('a body that is longer than what is read ends its connection', async (t) => {
  const client = createOutboundClient({ policy: LOOPBACK_OPEN })
  t.after(() => client.close())
  const body = 'x'.repeat(20_000)
  const shop = await receiver(
    t,
    keeping(`HTTP/1.1 500 No\r\nConnection: keep-alive\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  )
  for (let time = 1; time <= 2; time += 1) {
    const result = await client.post(requestTo(shop.url))
    assert.equal(result.kind === 'answered' && result.bodyStart.length, 4_096)
  }
  assert.equal(shop.accepted(), 2)
})

test('C2 a kept connection stays with the address that was judged; a name that leads inwards since then is refused', async (t) => {
  const outside = await receiver(t, keeping(OK))
  const inside = await receiver(t, answering(OK), { host: '127.0.0.2', port: outside.port })
  let address = '127.0.0.1'
  const client = createOutboundClient({ policy: LOOPBACK_OPEN, resolve: async () => [address] })
  t.after(() => client.close())
  const url = `http://shop.example:${outside.port}/`
  assert.equal((await client.post(requestTo(url))).kind, 'answered')
  address = '127.0.0.2'
  assert.equal((await client.post(requestTo(url))).kind, 'answered')
  assert.equal(outside.accepted(), 1)
  const fresh = await client.post(alone(url))
  assert.equal(fresh.kind === 'failed' && fresh.reason, 'blocked')
  assert.equal(inside.accepted(), 0)
})

test('closing the client closes what it kept', async (t) => {
  const client = createOutboundClient({ policy: LOOPBACK_OPEN })
  const shop = await receiver(t, keeping(OK))
  assert.equal((await client.post(requestTo(shop.url))).kind, 'answered')
  assert.equal(shop.open(), 1)
  await client.close()
  await until(() => shop.open() === 0)
})

test('there are at most 512 kept connections: the one that waited longest is closed, and none grows old', () => {
  let nowMs = 0
  const kept = createKeptWires(() => nowMs)
  const wires = Array.from({ length: 600 }, () => fakeWire())
  for (const [index, { wire }] of wires.entries()) kept.giveBack(`key ${index}`, { wire, openedAtMs: 0 })
  assert.equal(wires.filter(({ isDestroyed }) => isDestroyed()).length, 88)
  assert.equal(kept.take('key 87'), undefined)
  assert.equal(kept.take('key 88')?.wire, wires[88]?.wire)
  assert.equal(kept.take('key 88'), undefined, 'nobody else has it meanwhile')
  nowMs = 60_000
  assert.equal(kept.take('key 89'), undefined)
  assert.ok(wires[89]?.isDestroyed())
})

function fakeWire() {
  let isDestroyed = false
  const wire: Wire = {
    exchange: () => Promise.reject(new Error('nothing is sent here')),
    isOpen: () => !isDestroyed,
    onEnd: () => undefined,
    destroy() {
      isDestroyed = true
    },
  }
  return { wire, isDestroyed: () => isDestroyed }
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !condition(); turn += 1) await new Promise((done) => setTimeout(done, 10))
  assert.ok(condition())
}
