import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort, type TestLife, testDatabase, waitUntil } from '@tollgate/testkit'
import { readConfig } from '../../config.ts'
import { environmentFor } from '../actions/checkout.ts'
import {
  type Environment,
  expectFailure,
  expectRefusal,
  run,
  runJson,
  start,
  temporaryFolder,
} from './support.ts'

const START_TIMEOUT_MS = 30_000
const KEYS = ['CHECKOUT_SECRET', 'CHECKOUT_SERVICE_KEY'] as const

/** A machine with the master key and the database, and nothing else that runs: nobody listens where the API would be. */
async function machine(t: TestLife): Promise<Environment & { readonly TOLLGATE_CHECKOUT_PORT: string }> {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'master.key'), randomBytes(32).toString('base64'), { mode: 0o600 })
  return {
    TOLLGATE_DATA_DIR: folder,
    TOLLGATE_DATABASE_URL: (await testDatabase(t)).url,
    TOLLGATE_API_PORT: String(await freePort()),
    TOLLGATE_CHECKOUT_PORT: String(await freePort()),
  }
}

async function startPage(t: TestLife, more: Environment = {}) {
  const environment = { ...(await machine(t)), ...more }
  const page = start(t, ['checkout'], environment)
  const isOpen = (): boolean => /the payment page is open/.test(page.stderr()) || page.child.exitCode !== null
  await waitUntil(isOpen, { timeoutMs: START_TIMEOUT_MS, what: 'the page to be open' })
  assert.equal(page.child.exitCode, null, page.stderr())
  const port = Number(environment.TOLLGATE_CHECKOUT_PORT)
  const apiPort = Number(environment['TOLLGATE_API_PORT'])
  return { page, port, apiPort, url: `http://127.0.0.1:${port}` }
}

/** What the page hears of a token while `work` goes on: that it is good, and the payment not there yet. Then nobody answers. */
async function whileSomebodyAnswers<Result>(apiPort: number, work: () => Promise<Result>): Promise<Result> {
  const behind = createHttpServer((_request, response) => response.writeHead(410).end('{"code":"NONE"}'))
  behind.listen(apiPort, '127.0.0.1')
  await once(behind, 'listening')
  try {
    return await work()
  } finally {
    behind.closeAllConnections()
    behind.close()
    await once(behind, 'close')
  }
}

/** A customer with a link: the place, and what proves that they may be there. */
async function enter(url: string): Promise<{ readonly place: string; readonly cookie: string }> {
  const claims = { sub: 'SHOP', exp: 4_000_000_000, operations: ['GET /payins/ORD-1'] }
  const query = new URLSearchParams({
    merchantCode: 'SHOP',
    idPayin: 'ORD-1',
    token: `a.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.b`,
    amount: '10',
    currencyCode: 'EUR',
    callbackUrl: 'https://shop.example/callbacks',
    returnUrl: 'https://shop.example/thanks',
  })
  const response = await fetch(`${url}/?${query.toString()}`, { redirect: 'manual' })
  assert.equal(response.status, 303)
  const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0])
  const { pathname } = new URL(response.headers.get('location') ?? '', url)
  return { place: pathname, cookie: cookie.join('; ') }
}

test('the page starts without a gateway, says so, and on SIGTERM finishes what is under way and ends with 0', async (t) => {
  const { page, port, apiPort, url } = await startPage(t)
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  const { place, cookie } = await whileSomebodyAnswers(apiPort, () => enter(url))
  const shown = await fetch(url + place, { headers: { cookie } })
  assert.equal(shown.status, 503)
  assert.match(await shown.text(), /<h1[^>]*>We cannot reach the payment service<\/h1>/)
  const stream = await fetch(`${url}${place}/events`, { headers: { cookie } })
  assert.equal(stream.status, 200)
  // As browsers do it, in case that somebody clicks.
  const unused = connect(port, '127.0.0.1')
  t.after(() => unused.destroy())
  const body = 'methodCode=CARD&formToken=x'
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  const head = [
    `POST ${place}/pay HTTP/1.1`,
    'Host: page',
    `Cookie: ${cookie}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await waitUntil(() => answer.startsWith('HTTP/1.1 100 '), {
    timeoutMs: START_TIMEOUT_MS,
    what: 'the request to have been read',
  })
  answer = ''
  socket.write(body.slice(0, 5))
  const closed = once(socket, 'close')
  const ended = page.stop()
  await stream.text()
  assert.equal(page.child.exitCode, null)
  const refused = async (): Promise<boolean> => {
    const isOpen = await fetch(`${url}/livez`).then(
      () => true,
      () => false,
    )
    return !isOpen
  }
  await waitUntil(refused, { timeoutMs: START_TIMEOUT_MS, what: 'nobody new to be let in' })
  socket.write(body.slice(5))
  await closed
  assert.match(answer, /^HTTP\/1\.1 403 /)
  assert.match(answer, /\r\nconnection: close\r\n/i)
  assert.equal(await ended, 0)
  const lines = page.stderr().trimEnd().split('\n')
  for (const line of lines) assert.match(line, /^\{"level":"(?:info|warn)","time":"[^"]+Z",.*"msg":"/)
  assert.ok(lines.some((line) => line.includes('the gateway does not answer')))
  assert.match(lines.at(-1) ?? '', /the payment page has stopped/)
  assert.equal(page.stdout(), '')
})

test('a port that is taken, and settings that are no good, are one line and exit code 2', async (t) => {
  const environment = await machine(t)
  const other = createServer().listen(Number(environment.TOLLGATE_CHECKOUT_PORT), '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const { TOLLGATE_CHECKOUT_PORT: port } = environment
  const cases: readonly (readonly [Environment, RegExp])[] = [
    [{}, new RegExp(`^Port ${port} is taken .*set another CHECKOUT_PORT`)],
    [{ CHECKOUT_PUBLIC_URL: 'pay.example' }, /^CHECKOUT_PUBLIC_URL must be an http/],
    [{ CHECKOUT_HOST: '192.0.2.1' }, /^CHECKOUT_HOST 192\.0\.2\.1 is not an address/],
    [{ TOLLGATE_DATA_DIR: temporaryFolder(t) }, /^CHECKOUT_SECRET is missing: set it to/],
  ]
  await Promise.all(
    cases.map(([more, says]) =>
      expectFailure(['checkout'], { ...environment, ...more }, { exitCode: 2, says }),
    ),
  )
})

test('wrong arguments are refused before anything starts', async (t) => {
  const environment = await machine(t)
  const none = { ...environment, TOLLGATE_CHECKOUT_PORT: '0' }
  await expectRefusal(['checkout'], none, {
    exitCode: 2,
    says: /^TOLLGATE_CHECKOUT_PORT is 0.* Set CHECKOUT_PORT/,
  })
  await expectRefusal(['checkout', 'now'], environment, { exitCode: 2, says: /There are|too many/i })
  await expectRefusal(['checkout', '--port', '1'], environment, { exitCode: 2, says: /no option --port/ })
  const mistyped = { ...environment, TOLLGATE_CHECKOUT_POTR: '1' }
  await expectRefusal(['checkout'], mistyped, {
    exitCode: 2,
    says: /TOLLGATE_CHECKOUT_POTR is not a setting/,
  })
  await expectRefusal(
    ['checkout'],
    { ...environment, TOLLGATE_DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    {
      exitCode: 8,
      says: /database\. Nothing listens .* Or set CHECKOUT_SECRET and CHECKOUT_SERVICE_KEY/,
    },
  )
  const keyless = { ...environment, TOLLGATE_DATA_DIR: temporaryFolder(t) }
  await expectRefusal(['checkout', '--settings'], keyless, { exitCode: 2, says: /There is no master key/ })
})

test('--settings writes what a page elsewhere needs: the same keys each time, from the same root key', async (t) => {
  const environment = { ...(await machine(t)), TOLLGATE_TRUST_PROXY: '10.0.0.0/8' }
  const settings = await runJson(['checkout', '--settings'], environment)
  const { stdout, stderr } = await run(['checkout', '--settings'], environment)
  assert.deepEqual(
    Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s, 2)),
    ),
    settings,
  )
  assert.match(stderr, /are secrets/)
  assert.ok(typeof settings === 'object' && settings !== null)
  assert.deepEqual(Object.keys(settings), [
    'CHECKOUT_HOST',
    'CHECKOUT_PORT',
    'CHECKOUT_METRICS_HOST',
    'CHECKOUT_PUBLIC_URL',
    'CHECKOUT_API_URL',
    'CHECKOUT_ENVIRONMENT',
    'CHECKOUT_TRUST_PROXY',
    ...KEYS,
  ])
})

test('the page is told nothing of the gateway but what it needs, and what is set for it wins', async (t) => {
  const folder = await machine(t)
  const given = {
    ...folder,
    PATH: '/bin',
    TOLLGATE_HOST: '::',
    CHECKOUT_PORT: '9000',
    CHECKOUT_SERVICE_KEY_FILE: '/run/secrets/key',
  }
  const config = readConfig(given)
  const environment = await environmentFor(
    { environment: given, config: () => Promise.resolve(config) },
    config,
  )
  assert.deepEqual(
    Object.keys(environment).filter((name) => name.startsWith('TOLLGATE_')),
    [],
  )
  assert.doesNotMatch(JSON.stringify(environment), /postgres:/)
  assert.equal(environment['PATH'], '/bin')
  assert.equal(environment['CHECKOUT_PORT'], '9000')
  assert.equal(environment['CHECKOUT_API_URL'], `http://[::1]:${folder['TOLLGATE_API_PORT'] ?? ''}`)
  assert.equal(environment['CHECKOUT_SERVICE_KEY'], undefined)
  assert.match(environment['CHECKOUT_SECRET'] ?? '', /^[\w+/]{43}=$/)
})
