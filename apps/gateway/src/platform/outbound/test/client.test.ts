import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createOutboundClient } from '../client.ts'
import { answering, LOOPBACK_OPEN, receiver, requestTo } from './receivers.ts'

const alone = (url: string) => ({ ...requestTo(url), mayReuse: false })

const client = createOutboundClient({ policy: LOOPBACK_OPEN })

const STATUSES = [
  200, 201, 202, 204, 206, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 502, 503,
  599,
]

test('every final status is reported as it came', async (t) => {
  for (const status of STATUSES) {
    const { url } = await receiver(t, answering(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`))
    const result = await client.post(requestTo(url))
    assert.equal(result.kind === 'answered' && result.status, status)
  }
})

const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const OK = 'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok'

for (const [name, interim] of Object.entries({ CONTINUE, HINTS, all: CONTINUE + HINTS + CONTINUE }))
  test(`interim answers that nobody asked for (${name}) are passed over, however they are cut`, async (t) => {
    const text = interim + OK
    const cuts = [0, 1, 11, 13, interim.length - 1, interim.length, interim.length + 1, interim.length + 14]
    const shop = await receiver(t, (socket) => {
      socket.setNoDelay(true)
      socket.on('data', () => {
        const cut = cuts.shift() ?? 0
        socket.write(text.slice(0, cut))
        setTimeout(() => socket.write(text.slice(cut)), 10)
      })
    })
    for (let time = cuts.length; time > 0; time -= 1) {
      const result = await client.post({ ...requestTo(shop.url), mayReuse: true })
      assert.ok(result.kind === 'answered', `${time}: ${result.kind === 'failed' ? result.message : ''}`)
      assert.deepEqual([result.status, result.bodyStart], [200, 'ok'])
    }
    assert.equal(shop.accepted(), 1)
  })

test('interim answers without end, without a final one, or to another protocol are a failure', async (t) => {
  const endless = await receiver(t, answering(CONTINUE.repeat(20_000)))
  const [only, switching] = await Promise.all([
    receiver(t, (socket) => void socket.on('data', () => socket.end(CONTINUE))),
    receiver(t, answering(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n${OK}`)),
  ])
  for (const { url } of [endless, only, switching])
    assert.equal((await client.post(requestTo(url))).kind, 'failed')
})

test('the request is one POST with the given headers and body, over a connection of its own', async (t) => {
  const shop = await receiver(t, answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
  const result = await client.post(alone(shop.url))
  assert.ok(result.kind === 'answered')
  assert.equal(result.bodyStart, 'ok')
  assert.ok(result.tookMs >= 0)
  const [head = '', body] = shop.received().split('\r\n\r\n')
  const [line, ...headers] = head.toLowerCase().split('\r\n')
  assert.equal(line, 'post /callback?a=1 http/1.1')
  assert.ok(headers.includes(`host: 127.0.0.1:${shop.port}`))
  assert.ok(headers.includes('connection: close'))
  assert.ok(headers.includes('content-length: 22'))
  assert.ok(headers.includes('content-type: application/json'))
  assert.ok(headers.includes('x-api-version: 2'))
  assert.ok(!headers.some((header) => header.startsWith('accept-encoding')))
  assert.equal(body, '{"idEntity":"order-1"}')
})

test('without the word that it may, no attempt uses the connection of another, even where the receiver would keep it', async (t) => {
  const shop = await receiver(t, (socket) =>
    socket.on('data', () =>
      socket.write('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n'),
    ),
  )
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const result = await client.post(alone(shop.url))
    assert.equal(result.kind, 'answered')
    assert.equal(shop.accepted(), attempt)
  }
  await until(() => shop.open() === 0)
})

test('a name is resolved once and the name, not the address, is what the receiver is asked for', async (t) => {
  const shop = await receiver(t, answering('HTTP/1.1 200 OK\r\n\r\n'))
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    return ['127.0.0.1']
  }
  const named = createOutboundClient({ policy: LOOPBACK_OPEN, resolve })
  const result = await named.post(requestTo(`http://shop.example.:${shop.port}/`))
  assert.equal(result.kind, 'answered')
  assert.deepEqual(asked, ['shop.example'])
  assert.match(shop.received(), new RegExp(`^host: shop\\.example\\.:${shop.port}\r$`, 'imu'))
})

test('the next address is tried when the first does not answer', async (t) => {
  const shop = await receiver(t, answering('HTTP/1.1 200 OK\r\n\r\n'))
  const policy = { ...LOOPBACK_OPEN, allowedCidrs: ['127.0.0.0/8', '::1/128'] }
  const named = createOutboundClient({ policy, resolve: async () => ['::1', '127.0.0.1'] })
  const result = await named.post(requestTo(`http://shop.example:${shop.port}/`))
  assert.equal(result.kind, 'answered')
})

test('a redirect is an answer and is not followed', async (t) => {
  const inside = await receiver(t, answering('HTTP/1.1 200 OK\r\n\r\n'))
  for (const status of [301, 302, 303, 307, 308]) {
    const head = `HTTP/1.1 ${status} Moved\r\nLocation: ${inside.url}\r\nContent-Length: 0\r\n\r\n`
    const shop = await receiver(t, answering(head))
    const result = await client.post(requestTo(shop.url))
    assert.equal(result.kind === 'answered' && result.status, status)
  }
  assert.equal(inside.accepted(), 0)
})

test('interim answers before the final one are passed over', async (t) => {
  const shop = await receiver(
    t,
    answering(`${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(3)}HTTP/1.1 200 OK\r\n\r\nfine`),
  )
  const result = await client.post(requestTo(shop.url))
  assert.ok(result.kind === 'answered')
  assert.deepEqual([result.status, result.bodyStart], [200, 'fine'])
})

test('content is not decompressed', async (t) => {
  const bomb = gzipSync('a'.repeat(1_000_000))
  const shop = await receiver(t, (socket) =>
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
      socket.end(bomb)
    }),
  )
  const result = await client.post(requestTo(shop.url))
  assert.ok(result.kind === 'answered')
  assert.ok(result.bodyStart.length <= bomb.length)
  assert.ok(!result.bodyStart.includes('aaaa'))
})

test('the start of the body is text that a database takes: no NUL, no half character, 4096 at most', async (t) => {
  const cases = [
    ['a\u0000b\u001bc\n', 'a\ufffdb\ufffdc\n'],
    [`${'a'.repeat(4095)}ö`, 'a'.repeat(4095)],
    ['b'.repeat(9000), 'b'.repeat(4096)],
  ] as const
  for (const [sent, kept] of cases) {
    const shop = await receiver(t, answering(`HTTP/1.1 500 X\r\n\r\n${sent}`))
    const result = await client.post(requestTo(shop.url))
    assert.equal(result.kind === 'answered' && result.bodyStart, kept)
  }
})

test('a body that breaks off changes nothing: the status line has decided', async (t) => {
  const shop = await receiver(t, (socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
      setTimeout(() => socket.resetAndDestroy(), 50)
    }),
  )
  const result = await client.post(requestTo(shop.url))
  assert.ok(result.kind === 'answered')
  assert.equal(result.status, 200)
})

test('closing cuts the attempts under way and refuses later ones', async (t) => {
  const shop = await receiver(t, () => {})
  const closing = createOutboundClient({ policy: LOOPBACK_OPEN })
  const attempts = [1, 2, 3].map(() => closing.post(requestTo(shop.url, 30_000)))
  await until(() => shop.open() === 3)
  await closing.close()
  for (const attempt of [...attempts, closing.post(requestTo(shop.url))]) {
    const result = await attempt
    assert.equal(result.kind === 'failed' && result.reason, 'other')
  }
  await until(() => shop.open() === 0)
  assert.equal(shop.accepted(), 3)
})

test('a deadline that is none is a mistake of the caller', async () => {
  for (const deadlineMs of [0, -1, Number.NaN, 60_001, Number.POSITIVE_INFINITY]) {
    await assert.rejects(client.post(requestTo('http://127.0.0.1:1/', deadlineMs)), /deadline/u)
  }
})

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !condition(); turn += 1) await new Promise((done) => setTimeout(done, 10))
  assert.ok(condition())
}
