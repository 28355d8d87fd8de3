import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { endUnread } from '../src/index.ts'

const UNREAD_MS = 100
const LARGE = Buffer.alloc(8 * 1024 * 1024)

async function serve(t: TestContext, answer: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    response.on('timeout', endUnread)
    answer(request, response)
  })
  server.timeout = UNREAD_MS
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { server, port: address.port }
}

test('G21 a connection that does not read its answers is ended, also where it has asked for several at once', async (t) => {
  const { server, port } = await serve(t, (_request, response) => void response.end(LARGE))
  const socket = connect({ port, host: '127.0.0.1' })
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  const [served] = await Promise.all([once(server, 'connection'), once(socket, 'connect')])
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(8))
  await once(served[0], 'close')
})

test('a connection that was kept for another request ends when none comes', async (t) => {
  const { server, port } = await serve(t, (_request, response) => void response.end('at once'))
  server.keepAliveTimeout = UNREAD_MS / 2
  const served = once(server, 'connection')
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'keep-alive' } })
  assert.equal(await answer.text(), 'at once')
  await once((await served)[0], 'close')
})

test('who reads slowly gets all of it, and who waits for an answer that takes longer is left alone', async (t) => {
  const { port } = await serve(t, (request, response) => {
    if (request.url === '/large') response.end(LARGE)
    else setTimeout(() => response.end('at last'), 3 * UNREAD_MS)
  })
  const patient = await fetch(`http://127.0.0.1:${port}/`)
  assert.equal(await patient.text(), 'at last')
  const { body } = await fetch(`http://127.0.0.1:${port}/large`)
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes % 16 === 0) await sleep(1)
  }
  assert.equal(bytes, LARGE.length)
})
