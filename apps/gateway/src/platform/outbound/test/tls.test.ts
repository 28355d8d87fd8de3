import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createServer, type TLSSocket } from 'node:tls'
import { createOutboundClient } from '../client.ts'
import { selfSigned } from './certificate.ts'
import { answering, LOOPBACK_OPEN, listen, portOf, receiver, requestTo } from './receivers.ts'

const NAME = 'shop.example'
const OURS = selfSigned(NAME)
const resolve = async () => ['127.0.0.1']

interface SecureReceiver {
  readonly port: number
  readonly seen: { servername: string | false; alpn: string | false | null; requests: number }
}

test('C4 a certificate that nobody vouches for is a failure, and the request is not sent', async (t) => {
  const shop = await secureReceiver(t)
  const client = createOutboundClient({ policy: LOOPBACK_OPEN, resolve })
  const result = await client.post(requestTo(`https://${NAME}:${shop.port}/`))
  assert.ok(result.kind === 'failed')
  assert.equal(result.reason, 'tls')
  assert.match(result.message, /SELF_SIGNED/u)
  assert.equal(shop.seen.requests, 0)
})

test('a trusted certificate for the name is accepted, and the receiver is asked by name', async (t) => {
  const shop = await secureReceiver(t)
  const client = createOutboundClient({ policy: LOOPBACK_OPEN, resolve, trustedCertificates: [OURS.cert] })
  for (const host of [NAME, `${NAME}.`]) {
    const result = await client.post(requestTo(`https://${host}:${shop.port}/`))
    assert.ok(result.kind === 'answered', host)
    assert.deepEqual([result.status, result.bodyStart], [200, 'secure'])
    assert.deepEqual([shop.seen.servername, shop.seen.alpn], [NAME, 'http/1.1'])
  }
})

test('a trusted certificate for another name or for a name instead of an address is a failure', async (t) => {
  const shop = await secureReceiver(t)
  const client = createOutboundClient({ policy: LOOPBACK_OPEN, resolve, trustedCertificates: [OURS.cert] })
  for (const host of ['other.example', `www.${NAME}`, '127.0.0.1']) {
    const result = await client.post(requestTo(`https://${host}:${shop.port}/`))
    assert.equal(result.kind === 'failed' && result.reason, 'tls', host)
  }
  assert.equal(shop.seen.requests, 0)
})

test('the environment cannot switch the verification off', async (t) => {
  const shop = await secureReceiver(t)
  const variable = 'NODE_TLS_REJECT_UNAUTHORIZED'
  const before = process.env[variable]
  process.env[variable] = '0'
  t.after(() => {
    if (before === undefined) Reflect.deleteProperty(process.env, variable)
    else process.env[variable] = before
  })
  const client = createOutboundClient({ policy: LOOPBACK_OPEN, resolve })
  const result = await client.post(requestTo(`https://${NAME}:${shop.port}/`))
  assert.equal(result.kind === 'failed' && result.reason, 'tls')
})

test('a receiver that speaks plain HTTP on an https port is a failure of TLS', async (t) => {
  const shop = await receiver(t, answering('HTTP/1.1 200 OK\r\n\r\n'))
  const client = createOutboundClient({ policy: LOOPBACK_OPEN, resolve })
  const result = await client.post(requestTo(`https://${NAME}:${shop.port}/`))
  assert.equal(result.kind === 'failed' && result.reason, 'tls')
})

test('C4 a handshake that stalls ends at the deadline, one that is cut is a reset', async (t) => {
  const client = createOutboundClient({ policy: LOOPBACK_OPEN, resolve })
  const stalling = await receiver(t, () => {})
  const stalled = await client.post(requestTo(`https://${NAME}:${stalling.port}/`, 300))
  assert.equal(stalled.kind === 'failed' && stalled.reason, 'timeout')
  const cutting = await receiver(t, answering(''))
  const cut = await client.post(requestTo(`https://${NAME}:${cutting.port}/`))
  assert.equal(cut.kind === 'failed' && cut.reason, 'reset')
})

test('an endless body over TLS has answered and is cut', async (t) => {
  const shop = await secureReceiver(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const pour = () => {
      while (!socket.destroyed && socket.write('x'.repeat(65_536))) {
        // Until the socket's buffer is full.
      }
    }
    socket.on('drain', pour)
    pour()
  })
  const client = createOutboundClient({ policy: LOOPBACK_OPEN, resolve, trustedCertificates: [OURS.cert] })
  const result = await client.post(requestTo(`https://${NAME}:${shop.port}/`))
  assert.ok(result.kind === 'answered')
  assert.equal(result.bodyStart, 'x'.repeat(4096))
})

async function secureReceiver(
  t: TestContext,
  answer: (socket: TLSSocket) => void = (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nsecure'),
): Promise<SecureReceiver> {
  const seen: SecureReceiver['seen'] = { servername: false, alpn: null, requests: 0 }
  const sockets = new Set<TLSSocket>()
  const options = { key: OURS.key, cert: OURS.cert, ALPNProtocols: ['h2', 'http/1.1'] }
  const server = createServer(options, (socket) => {
    sockets.add(socket)
    seen.servername = socket.servername ?? false
    seen.alpn = socket.alpnProtocol
    socket.on('error', () => {})
    socket.once('data', () => {
      seen.requests += 1
      answer(socket)
    })
  })
  server.on('tlsClientError', () => {})
  await listen(server, '127.0.0.1', 0)
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: portOf(server), seen }
}
