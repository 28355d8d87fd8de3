import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { freePort, waitUntil } from '@tollgate/testkit'
import { startProgram } from '../support/process.ts'
import { exchange } from './support/wire.ts'

// The page's own server. Behind it is no gateway, only a port that says of every payment that it is not there: what strangers
// send never gets further, or need not.

const START_TIMEOUT_MS = 60_000
const behind = createServer((_request, response) => response.writeHead(410).end('{"code":"NONE"}'))
await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve))
const behindAt = behind.address()
assert.ok(typeof behindAt === 'object' && behindAt !== null)
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const page = startProgram(['apps/gateway/bin/tollgate.mjs', 'checkout'], {
  CHECKOUT_PORT: String(port),
  CHECKOUT_API_URL: `http://127.0.0.1:${behindAt.port}`,
  CHECKOUT_SECRET: randomBytes(32).toString('base64'),
  // So that the tests can come from many addresses.
  CHECKOUT_TRUST_PROXY: 'loopback',
})
after(async () => {
  page.kill('SIGTERM')
  assert.equal(await page.end, 0)
  behind.close()
})
const isOpen = (): boolean => page.stderr().includes('is open') || page.ended() !== undefined
await waitUntil(isOpen, { timeoutMs: START_TIMEOUT_MS, what: 'the page to be open' })

interface Sent {
  readonly method?: string
  readonly body?: string | URLSearchParams
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Somebody at a payment of their own, whose token no gateway has seen yet. */
interface Stranger {
  readonly place: string
  ask(path: string, more?: Sent): Promise<Response>
}

async function stranger(address: string): Promise<Stranger> {
  const idPayin = randomUUID()
  const claims = { sub: 'SHOP', exp: 4_000_000_000, operations: [`GET /payins/${idPayin}`] }
  const token = `a.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.b`
  const callbackUrl = 'https://shop.example/callbacks'
  const returnUrl = 'https://shop.example/thanks'
  const order = {
    merchantCode: 'SHOP',
    idPayin,
    token,
    amount: '10',
    currencyCode: 'EUR',
    callbackUrl,
    returnUrl,
  }
  const headers = { 'x-forwarded-for': address }
  const link = `${url}/?${new URLSearchParams(order).toString()}`
  const arrival = await fetch(link, { headers, redirect: 'manual' })
  assert.equal(arrival.status, 303)
  const cookie = arrival.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const { pathname: place } = new URL(arrival.headers.get('location') ?? '', url)
  return {
    place,
    ask: (path, { headers: more, ...rest } = {}) =>
      fetch(url + path, { redirect: 'manual', ...rest, headers: { ...headers, cookie, ...more } }),
  }
}

/** A screen of ours, with everything that keeps others out of it. */
async function expectScreen(response: Response, status: number, heading: RegExp): Promise<string> {
  const html = await response.text()
  assert.equal(response.status, status, html)
  assert.match(/<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1] ?? html, heading)
  assert.match(
    response.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; script-src 'self'; /,
  )
  assert.equal(response.headers.get('x-frame-options'), 'DENY')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  return html
}

const LIMITED = /^Please wait a moment$/
const REFUSED = /^This form was not sent from our page$/

const ROUNDS_MAX = 10

test('H14: an address that hammers is told to wait, others are served', async () => {
  const [loud, quiet] = [await stranger('192.0.2.1'), await stranger('192.0.2.2')]
  let one: Awaited<ReturnType<typeof loud.ask>> | undefined
  // On a busy machine so many are answered so slowly that none is too much.
  for (let round = 0; one === undefined && round < ROUNDS_MAX; round += 1) {
    const answers = await Promise.all(Array.from({ length: 600 }, () => loud.ask('/nowhere')))
    one = answers.find(({ status }) => status === 429)
  }
  assert.ok(one, 'some are refused')
  assert.match(one.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  await expectScreen(one, 429, LIMITED)
  assert.equal((await quiet.ask('/nowhere')).status, 404)
})

test('H14: whoever hammers at a payment is told to wait, in words and for the script, and keeps nobody else out', async () => {
  const loud = await stranger('192.0.2.3')
  const form = { method: 'POST', body: new URLSearchParams({ a: 'b' }) }
  const [asked, posted] = await Promise.all([
    Promise.all(Array.from({ length: 120 }, () => loud.ask(`${loud.place}/state`))),
    Promise.all(Array.from({ length: 120 }, () => loud.ask(`${loud.place}/pay`, form))),
  ])
  const [script, screen] = [asked, posted].map((answers) => answers.find(({ status }) => status === 429))
  assert.ok(script && screen, 'some of each are refused')
  assert.match(script.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.match(await script.text(), /^\{"state":"BUSY","now":"[^"]+Z"\}$/)
  const html = await expectScreen(screen, 429, LIMITED)
  assert.ok(html.includes(`href="${loud.place}`), 'the way on is the payment, not what was sent')
  const other = await loud.ask(loud.place, { headers: { 'x-forwarded-for': '192.0.2.4' } })
  assert.equal(other.status, 503)
})

test('H14: a payment has so many streams, and who gets none is told when to ask again', async () => {
  const { ask, place } = await stranger('192.0.2.5')
  const leave = new AbortController()
  const streams = await Promise.all(
    Array.from({ length: 22 }, () => ask(`${place}/events`, { signal: leave.signal })),
  )
  const statuses = streams.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 200), 503, 503])
  const refused = streams.find(({ status }) => status === 503)
  assert.equal(refused?.headers.get('retry-after'), '15')
  leave.abort()
  const hasRoom = async (): Promise<boolean> => {
    const again = new AbortController()
    const { status } = await ask(`${place}/events`, { signal: again.signal })
    again.abort()
    return status === 200
  }
  await waitUntil(hasRoom, { timeoutMs: 60_000, what: 'room for a stream' })
})

test('H14: what is no form of ours is refused before it is read, with a screen', async () => {
  const { ask, place } = await stranger('192.0.2.6')
  const path = `${place}/pay`
  const form = 'application/x-www-form-urlencoded'
  const send = (type: string, body: string): Promise<Response> =>
    ask(path, { method: 'POST', body, headers: { 'content-type': type } })
  await expectScreen(await send(form, `a=${'x'.repeat(16_384)}`), 413, REFUSED)
  for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', 'a/b', ';'])
    await expectScreen(await send(type, '{}'), 415, REFUSED)
  await expectScreen(await send(form, 'formToken=x'), 403, REFUSED)
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    await expectScreen(await ask(place, { method }), 404, /^Page not found$/)
  for (const at of ['/', place, '/status']) assert.equal((await ask(at, { method: 'HEAD' })).status, 404)
})

test('H14: bytes that are no request, or too much of one, are answered once and the connection closed', async () => {
  const head = 'Host: page\r\nConnection: close\r\n'
  const flood = Array.from({ length: 2000 }, (_, index) => `X-${index}: ${'y'.repeat(60)}\r\n`).join('')
  const chunks = `4000\r\n${'x'.repeat(0x4000)}\r\n1\r\nx\r\n0\r\n\r\n`
  const post = `POST /p/${'a'.repeat(22)}/pay HTTP/1.1\r\n${head}Content-Type: application/x-www-form-urlencoded\r\n`
  const cases: readonly (readonly [string, string, number])[] = [
    ['many headers', `GET / HTTP/1.1\r\n${head}${flood}\r\n`, 431],
    ['a long address', `GET /?x=${'y'.repeat(70_000)} HTTP/1.1\r\n${head}\r\n`, 431],
    ['a long cookie', `GET / HTTP/1.1\r\n${head}Cookie: a=${'y'.repeat(70_000)}\r\n\r\n`, 431],
    ['a body in pieces', `${post}Transfer-Encoding: chunked\r\n\r\n${chunks}`, 413],
    ['a body that is announced', `${post}Content-Length: 999999\r\n\r\nx`, 413],
    ['no body where one is announced', `${post}Content-Length: x\r\n\r\n`, 400],
    ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 400],
    ['length and pieces', `${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['an unknown method', `PAY / HTTP/1.1\r\n${head}\r\n`, 400],
    ['TRACE', `TRACE / HTTP/1.1\r\n${head}\r\n`, 404],
    ['another server', `GET http://evil.example/ HTTP/1.1\r\n${head}\r\n`, 404],
    ['a broken path', `GET /p/%zz HTTP/1.1\r\n${head}\r\n`, 404],
    ['a path upwards', `GET /assets/../../package.json HTTP/1.1\r\n${head}\r\n`, 404],
    ['noise', '\u0016\u0003\u0001\u0002', 400],
  ]
  for (const [name, bytes, status] of cases) {
    const answer = await exchange(port, bytes)
    assert.deepEqual(answer.statuses, [status], `${name}: ${answer.text.slice(0, 300)}`)
    assert.ok(answer.closed, name)
    assert.match(answer.text, /\r\ncontent-security-policy: default-src 'none'/, name)
    assert.doesNotMatch(answer.text, /y{60}|evil|at .*\.ts/, name)
  }
  assert.deepEqual((await exchange(port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).statuses, [400])
  const tunnel = await exchange(port, `CONNECT evil.example:443 HTTP/1.1\r\n${head}\r\n`)
  assert.equal(tunnel.text, '')
  assert.ok(tunnel.closed)
})

test('H14: after all that the page is there, and its log holds nothing that was sent', async () => {
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  const lines = page.stderr().trimEnd().split('\n').slice(1)
  for (const line of lines) {
    assert.match(line, /^\{"level":"(?:info|warn)"/)
    assert.doesNotMatch(line, /evil|yyyy|SHOP|shop\.example|192\.0\.2/)
  }
})
