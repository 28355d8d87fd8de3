import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { createOutboundClient } from '../client.ts'
import {
  answering,
  dripping,
  flooding,
  LOOPBACK_OPEN,
  listen,
  portOf,
  receiver,
  requestTo,
} from './receivers.ts'

const client = createOutboundClient({ policy: LOOPBACK_OPEN })
const HANGING_MS = 300
// Far above what is expected and far below what a hang would take.
const PATIENCE_MS = 8_000

const HANGS: Readonly<Record<string, (socket: Socket) => void>> = {
  'never answers': () => {},
  'drips the status line': dripping('H', ''),
  'drips headers': dripping('HTTP/1.1 200 OK\r\n', 'X: y\r\n'),
  'drips one endless header': dripping('HTTP/1.1 200 OK\r\nX: ', 'y'),
  'drips an endless reason': dripping('HTTP/1.1 200 ', 'OK'),
  'sends interim answers for ever': dripping('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
  'sends 102 for ever': dripping('', 'HTTP/1.1 102 Processing\r\n\r\n'),
  'sends a status without the end of its line': dripping('HTTP/1.1 200', ''),
  'sends empty lines for ever': dripping('', '\r\n'),
}

for (const [name, behaviour] of Object.entries(HANGS)) {
  test(`C4 a receiver that ${name} ends the attempt at the deadline`, async (t) => {
    const shop = await receiver(t, behaviour)
    const result = await client.post(requestTo(shop.url, HANGING_MS))
    assert.ok(result.kind === 'failed')
    assert.equal(result.reason, 'timeout')
    assert.ok(result.tookMs >= HANGING_MS - 5 && result.tookMs < PATIENCE_MS, `${result.tookMs} ms`)
  })
}

test('a receiver that accepts and never reads ends the attempt at the deadline', async (t) => {
  const shop = await receiver(t, (socket) => socket.pause())
  const result = await client.post(requestTo(shop.url, HANGING_MS))
  assert.equal(result.kind === 'failed' && result.reason, 'timeout')
})

const FLOODS: Readonly<Record<string, (socket: Socket) => void>> = {
  '80 KB of headers': flooding('HTTP/1.1 200 OK\r\n', `X: ${'y'.repeat(8_000)}\r\n`),
  'one header of 80 KB': answering(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(80_000)}\r\n\r\n`),
  'an endless reason': flooding('HTTP/1.1 200 ', 'OK'.repeat(8_000)),
  'interim answers as fast as it can': flooding(
    '',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(500),
  ),
}

for (const [name, behaviour] of Object.entries(FLOODS)) {
  test(`C4 a receiver that sends ${name} is cut off before the deadline`, async (t) => {
    const shop = await receiver(t, behaviour)
    const result = await client.post(requestTo(shop.url, PATIENCE_MS))
    assert.ok(result.kind === 'failed')
    assert.equal(result.reason, 'protocol')
    assert.ok(result.tookMs < PATIENCE_MS)
  })
}

test('headers just below 16 KiB are read', async (t) => {
  const shop = await receiver(t, answering(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(16_000)}\r\n\r\n`))
  const result = await client.post(requestTo(shop.url))
  assert.equal(result.kind === 'answered' && result.status, 200)
})

const ENDLESS_BODIES: Readonly<Record<string, (socket: Socket) => void>> = {
  'hangs in the body': dripping('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n', ''),
  'drips the body': dripping('HTTP/1.1 200 OK\r\n\r\n', 'x'),
  'drips chunks': dripping('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
  'drips a chunk extension': dripping('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'x'),
  'sends a body without end': flooding('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536)),
  'sends chunks without end': flooding(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    `1000\r\n${'x'.repeat(4096)}\r\n`,
  ),
}

for (const [name, behaviour] of Object.entries(ENDLESS_BODIES)) {
  test(`C4 a receiver that answers and then ${name} has answered`, async (t) => {
    let writtenBytes = 0
    const shop = await receiver(t, (socket) => {
      socket.on('close', () => {
        writtenBytes = socket.bytesWritten
      })
      behaviour(socket)
    })
    const result = await client.post(requestTo(shop.url, 30_000))
    assert.ok(result.kind === 'answered')
    assert.equal(result.status, 200)
    assert.ok(result.bodyStart.length <= 4096)
    assert.ok(result.tookMs < PATIENCE_MS, `${result.tookMs} ms`)
    await until(() => shop.open() === 0)
    assert.ok(writtenBytes < 32 * 1024 * 1024, `${writtenBytes} bytes`)
  })
}

test('the deadline also ends the reading of a body, and the answer counts', async (t) => {
  const shop = await receiver(t, dripping('HTTP/1.1 200 OK\r\n\r\n', 'x'))
  const result = await client.post(requestTo(shop.url, HANGING_MS))
  assert.ok(result.kind === 'answered')
  assert.equal(result.status, 200)
})

const FAILURES: readonly (readonly [string, string, (socket: Socket) => void])[] = [
  ['closes at once', 'reset', (socket) => socket.end()],
  ['resets at once', 'reset', (socket) => socket.resetAndDestroy()],
  ['closes after the request', 'reset', answering('')],
  ['resets after the request', 'reset', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ['closes within the headers', 'reset', answering('HTTP/1.1 200 OK\r\nX: ')],
  ['greets as SSH', 'protocol', answering('SSH-2.0-OpenSSH_9.9\r\n')],
  ['answers in HTTP/0.9', 'protocol', answering('<html>200 OK</html>')],
  ['answers with a status of two digits', 'protocol', answering('HTTP/1.1 20 OK\r\n\r\n')],
  ['answers with bytes of another protocol', 'protocol', answering('\u0015\u0003\u0001\u0000\u0002\u0002F')],
  [
    'gives two lengths',
    'protocol',
    answering('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
  ],
  [
    'switches protocols unasked',
    'protocol',
    answering('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  ],
  ['asks to continue what is complete, and ends', 'reset', answering('HTTP/1.1 100 Continue\r\n\r\n')],
]

for (const [name, reason, behaviour] of FAILURES) {
  test(`C4 a receiver that ${name} is a failure of the class ${reason}`, async (t) => {
    const shop = await receiver(t, behaviour)
    const result = await client.post(requestTo(shop.url, PATIENCE_MS))
    assert.ok(result.kind === 'failed')
    assert.equal(result.reason, reason, result.message)
    assert.ok(!result.message.includes('127.0.0.1'))
    assert.equal(shop.accepted(), 1)
  })
}

test('a port on which nobody listens refuses', async () => {
  const server = createServer()
  await listen(server, '127.0.0.1', 0)
  const port = portOf(server)
  await new Promise((done) => server.close(done))
  const result = await client.post(requestTo(`http://127.0.0.1:${port}/`))
  assert.equal(result.kind === 'failed' && result.reason, 'refused')
})

test('a name that does not resolve, resolves to nothing or resolves never', async () => {
  const cases = [
    ['dns', () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))],
    ['dns', async () => []],
    ['blocked', async () => ['nonsense']],
    ['timeout', () => new Promise<never>(() => {})],
  ] as const
  for (const [reason, resolve] of cases) {
    const named = createOutboundClient({ policy: LOOPBACK_OPEN, resolve })
    const result = await named.post(requestTo('http://shop.example/', HANGING_MS))
    assert.equal(result.kind === 'failed' && result.reason, reason)
  }
})

test('C4 over five hundred hostile attempts leave no socket, no timer and no memory behind', async (t) => {
  const behaviours = [...Object.values(HANGS), ...Object.values(FLOODS), ...Object.values(ENDLESS_BODIES)]
  const shops = await Promise.all(behaviours.map((behaviour) => receiver(t, behaviour)))
  const attack = (shop: { readonly url: string }) => client.post(requestTo(shop.url, 60))
  await Promise.all(shops.map(attack))
  await until(() => shops.every((shop) => shop.open() === 0))
  const before = { rss: process.memoryUsage().rss, resources: resources() }
  for (let round = 0; round < 27; round += 1) await Promise.all(shops.map(attack))
  await until(() => shops.every((shop) => shop.open() === 0))
  await until(() => resources() <= before.resources)
  const grownBytes = process.memoryUsage().rss - before.rss
  assert.ok(grownBytes < 100 * 1024 * 1024, `${grownBytes} bytes`)
})

/** Sockets and timers that keep the process alive. */
function resources(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCPSocket|TCPConnect|GetAddr|Timeout/u.test(name))
    .length
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 3_000 && !condition(); turn += 1)
    await new Promise((done) => setTimeout(done, 10))
  assert.ok(condition())
}
