import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { faultProxy, type MessageFault, type TestLife, waitUntil } from '../src/index.ts'

const PATIENCE = { timeoutMs: 5_000, what: 'the other side' }

/** A server that answers every message with itself in capitals, and what it has heard. */
async function echo(t: TestLife): Promise<{ url: string; heard: string[] }> {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('data', (bytes) => {
      heard.push(bytes.toString())
      socket.write(bytes.toString().toUpperCase())
    })
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  assert(typeof address === 'object' && address !== null)
  return { url: `postgres://someone@127.0.0.1:${address.port}/base?x=1`, heard }
}

/** A client that remembers what it hears and how its connection ends. */
function client(t: TestLife, port: number) {
  const socket = connect({ host: '127.0.0.1', port })
  const seen: { text: string; end: string | undefined } = { text: '', end: undefined }
  socket.on('data', (bytes) => {
    seen.text += bytes.toString()
  })
  socket.on('error', (error) => {
    seen.end = 'code' in error ? String(error.code) : error.message
  })
  socket.on('close', () => {
    seen.end ??= 'CLOSED'
  })
  t.after(() => {
    socket.destroy()
  })
  return { socket, seen }
}

test('what nobody spoils goes through, and the URL keeps everything but its address', async (t) => {
  const server = await echo(t)
  const proxy = await faultProxy(t, server.url)
  assert.equal(proxy.url, `postgres://someone@127.0.0.1:${proxy.port}/base?x=1`)
  const { socket, seen } = client(t, proxy.port)
  socket.write('hello')
  await waitUntil(() => seen.text === 'HELLO', PATIENCE)
  assert.equal(proxy.faults, 0)
})

const LOST: readonly { kind: MessageFault['kind']; heard: readonly string[] }[] = [
  { kind: 'REQUEST_LOST', heard: ['one'] },
  { kind: 'REPLY_LOST', heard: ['one', 'two, marked'] },
]
for (const { kind, heard } of LOST) {
  test(`${kind} resets the client, and the server has heard ${heard.length} of 2 messages`, async (t) => {
    const server = await echo(t)
    const proxy = await faultProxy(t, server.url)
    proxy.plan({ kind, marker: 'marked' })
    const { socket, seen } = client(t, proxy.port)
    socket.write('one')
    await waitUntil(() => seen.text === 'ONE', PATIENCE)
    socket.write('two, marked')
    await waitUntil(() => seen.end !== undefined, PATIENCE)
    assert.deepEqual(
      { ...seen, heard: server.heard, faults: proxy.faults },
      { text: 'ONE', end: 'ECONNRESET', heard, faults: 1 },
    )
  })
}

test('a fault happens as often as planned, and then no more', async (t) => {
  const server = await echo(t)
  const proxy = await faultProxy(t, server.url)
  proxy.plan({ kind: 'REQUEST_LOST', marker: 'x', times: 2 })
  for (const end of ['ECONNRESET', 'ECONNRESET']) {
    const { socket, seen } = client(t, proxy.port)
    socket.write('x')
    await waitUntil(() => seen.end === end, PATIENCE)
  }
  const { socket, seen } = client(t, proxy.port)
  socket.write('x')
  await waitUntil(() => seen.text === 'X', PATIENCE)
  assert.equal(proxy.faults, 2)
})

test('in a black hole the connection stays open and nothing comes', async (t) => {
  const server = await echo(t)
  const proxy = await faultProxy(t, server.url)
  proxy.plan({ kind: 'BLACK_HOLE', marker: 'x' })
  const lost = client(t, proxy.port)
  lost.socket.write('x')
  await waitUntil(() => proxy.faults === 1, PATIENCE)
  const other = client(t, proxy.port)
  other.socket.write('x')
  await waitUntil(() => other.seen.text === 'X', PATIENCE)
  assert.deepEqual(lost.seen, { text: '', end: undefined })
  assert.deepEqual(server.heard, ['x'])
})

test('new connections go where the proxy leads now, open ones stay', async (t) => {
  const [server, next] = [await echo(t), await echo(t)]
  const proxy = await faultProxy(t, server.url)
  const first = client(t, proxy.port)
  first.socket.write('a')
  await waitUntil(() => first.seen.text === 'A', PATIENCE)
  proxy.repoint(next.url)
  first.socket.write('b')
  const second = client(t, proxy.port)
  second.socket.write('c')
  await waitUntil(() => first.seen.text === 'AB' && second.seen.text === 'C', PATIENCE)
  assert.deepEqual([server.heard, next.heard], [['a', 'b'], ['c']])
})

test('connections are refused, cut and delayed on demand', async (t) => {
  const server = await echo(t)
  const proxy = await faultProxy(t, server.url)
  const first = client(t, proxy.port)
  first.socket.write('a')
  await waitUntil(() => first.seen.text === 'A', PATIENCE)
  proxy.cutAll()
  await waitUntil(() => first.seen.end === 'ECONNRESET', PATIENCE)
  proxy.refuse(true)
  const second = client(t, proxy.port)
  await waitUntil(() => second.seen.end === 'ECONNRESET', PATIENCE)
  proxy.refuse(false)
  proxy.delay(40)
  const third = client(t, proxy.port)
  const start = performance.now()
  third.socket.write('c')
  await waitUntil(() => third.seen.text === 'C', PATIENCE)
  assert(performance.now() - start >= 75, 'both directions are delayed')
})

test('only a reply that holds its marker is lost, and who planned it hears of it first', async (t) => {
  const server = await echo(t)
  const proxy = await faultProxy(t, server.url)
  const { socket, seen } = client(t, proxy.port)
  const ends: (string | undefined)[] = []
  proxy.plan({ kind: 'REPLY_LOST', marker: 'row', replyMarker: 'FULL', onFault: () => ends.push(seen.end) })
  socket.write('empty row')
  await waitUntil(() => seen.text === 'EMPTY ROW', PATIENCE)
  assert.equal(proxy.faults, 0)
  socket.write('full row')
  await waitUntil(() => seen.end !== undefined, PATIENCE)
  assert.equal(seen.text, 'EMPTY ROW')
  assert.deepEqual(ends, [undefined])
  assert.equal(proxy.faults, 1)
})
