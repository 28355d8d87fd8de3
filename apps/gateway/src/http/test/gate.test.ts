import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalPath } from '../authentication.ts'
import { addressKey } from '../gate.ts'
import {
  ADDRESS_RATE_PER_SECOND,
  type Edge,
  edge,
  LIMIT_PER_SECOND,
  TOKEN,
  tokenFor,
  VERSION,
} from './http.ts'

/** With a limiter that answers at once, and with one that has to ask others. */
function testWithBothLimiters(name: string, work: (opened: Edge) => Promise<void>): void {
  test(name, (t) => work(edge(t)))
  test(`${name}; with a shared limiter`, (t) => work(edge(t, { isShared: true })))
}

testWithBothLimiters('401 a token is missing, is no token, or is wrong', async ({ app }) => {
  app.get('/things', async () => 'here')
  const ask = async (headers: Record<string, string>): Promise<unknown[]> => {
    const answer = await app.inject({ url: '/things', headers: { ...VERSION, ...headers } })
    return [answer.statusCode, answer.json().code, answer.headers['www-authenticate']]
  }
  const missing = [401, 'TOKEN_MISSING', 'Bearer']
  const invalid = [401, 'TOKEN_INVALID', 'Bearer']
  assert.deepEqual(await ask({}), missing)
  assert.deepEqual(await ask({ authorization: 'Basic YTpi' }), missing)
  assert.deepEqual(await ask({ authorization: 'Bearer' }), invalid)
  assert.deepEqual(await ask({ authorization: 'Bearer a.b' }), invalid)
  assert.deepEqual(await ask({ authorization: `Bearer a.b.${'x'.repeat(14_000)}` }), invalid)
})

testWithBothLimiters(
  '403 the operation is not in the token: decided on the path that the route will work with',
  async ({ app, clock }) => {
    app.get('/things/:id', async () => 'here')
    const ask = async (operation: string, url: string): Promise<number> => {
      clock.advance(1_000)
      return (await app.inject({ url, headers: { ...VERSION, authorization: tokenFor(operation) } }))
        .statusCode
    }
    assert.equal(await ask('GET /things/a', '/things/a'), 200)
    assert.equal(await ask('GET /things/a', '/things/%61?x=1'), 200)
    assert.equal(await ask('GET /things/a', '/things/b'), 403)
    assert.equal(await ask('GET /things/%61', '/things/%61'), 403)
    assert.equal(await ask('POST /things/a', '/things/a'), 403)
  },
)

test('404 comes before 401: the version is wrong, or there is no such operation', async (t) => {
  const { app } = edge(t)
  app.get('/things', async () => 'here')
  for (const version of [undefined, '', '1', '3', '02', '+2', '2.82', '2, 2', '2;q=1', 'two']) {
    const headers = version === undefined ? {} : { 'x-api-version': version }
    const answer = await app.inject({ url: '/things', headers })
    assert.equal(answer.statusCode, 404, version)
    assert.equal(answer.json().code, 'API_VERSION_UNSUPPORTED')
    assert.deepEqual(answer.json().supportedVersions, [2])
  }
  for (const method of ['HEAD', 'POST', 'OPTIONS'] as const) {
    const answer = await app.inject({ method, url: '/things', headers: { ...VERSION, ...TOKEN } })
    assert.equal(answer.statusCode, 404, method)
  }
})

testWithBothLimiters(
  '429 with the headers that say when to come back; the next second is open again',
  async ({ app, clock }) => {
    app.get('/things', async () => 'here')
    const ask = () => app.inject({ url: '/things', headers: { ...VERSION, ...TOKEN } })
    for (let left = LIMIT_PER_SECOND - 1; left >= 0; left -= 1) {
      const answer = await ask()
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['ratelimit'], `"merchant";r=${left};t=1`)
      assert.equal(answer.headers['ratelimit-policy'], `"merchant";q=${LIMIT_PER_SECOND};w=1`)
    }
    const refused = await ask()
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal(refused.headers['ratelimit'], '"merchant";r=0;t=1')
    assert.equal(refused.json().code, 'RATE_LIMIT_EXCEEDED')
    clock.advance(1_000)
    assert.equal((await ask()).statusCode, 200)
  },
)

testWithBothLimiters(
  '429 wrong tokens use up the address, and good ones of the same address go on',
  async ({ app }) => {
    app.get('/things', async () => 'here')
    const ask = async (authorization: string): Promise<number> =>
      (await app.inject({ url: '/things', headers: { ...VERSION, authorization } })).statusCode
    const statuses = []
    for (let guess = 0; guess <= ADDRESS_RATE_PER_SECOND; guess += 1)
      statuses.push(await ask('Bearer a.b.bad'))
    assert.deepEqual(statuses, [...Array.from({ length: ADDRESS_RATE_PER_SECOND }, () => 401), 429])
    assert.equal(await ask('Bearer a.b.all'), 200)
  },
)

testWithBothLimiters(
  '429 documents and token endpoints count by address, health does not',
  async ({ app }) => {
    app.get('/document', { config: { access: 'open' } }, async () => 'here')
    app.post('/token', { config: { access: 'versioned' } }, async () => 'here')
    app.get('/health', { config: { access: 'probe' } }, async () => 'here')
    for (let request = 0; request < ADDRESS_RATE_PER_SECOND; request += 1)
      assert.equal((await app.inject({ url: '/document' })).statusCode, 200)
    assert.equal((await app.inject({ url: '/document' })).statusCode, 429)
    assert.equal((await app.inject({ method: 'POST', url: '/token', headers: VERSION })).statusCode, 429)
    assert.equal((await app.inject({ url: '/health' })).statusCode, 200)
  },
)

test('a forwarded address counts only when a trusted proxy says it', async (t) => {
  const statuses = async (trustProxy: readonly string[]): Promise<number[]> => {
    const { app } = edge(t, { trustProxy })
    app.get('/document', { config: { access: 'open' } }, async () => 'here')
    const answers: number[] = []
    for (let host = 1; host <= ADDRESS_RATE_PER_SECOND + 1; host += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${host}` }
      answers.push((await app.inject({ url: '/document', headers })).statusCode)
    }
    return answers
  }
  assert.equal((await statuses([])).at(-1), 429)
  assert.equal((await statuses(['127.0.0.1'])).at(-1), 200)
})

test('500 with Retry-After while the process stops; health answers on', async (t) => {
  const { app, drain } = edge(t)
  app.get('/things', async () => 'here')
  app.get('/health', { config: { access: 'probe' } }, async () => 'here')
  drain()
  const answer = await app.inject({ url: '/things', headers: { ...VERSION, ...TOKEN } })
  assert.equal(answer.statusCode, 500)
  assert.equal(answer.headers['retry-after'], '5')
  assert.equal(answer.headers['connection'], 'close')
  assert.equal((await app.inject({ url: '/health' })).statusCode, 200)
})

test('an IPv6 network of /64 is one address, however it is written', () => {
  const network = addressKey('2001:db8:1:2::1')
  for (const same of [
    '2001:db8:1:2::2',
    '2001:0db8:0001:0002:ffff::',
    '2001:DB8:1:2:3:4:5:6',
    '2001:db8:1:2::1%eth0',
  ])
    assert.equal(addressKey(same), network, same)
  assert.notEqual(addressKey('2001:db8:1:3::1'), network)
  assert.equal(addressKey('2001:db8::1'), addressKey('2001:db8::2'))
  assert.equal(addressKey('::ffff:203.0.113.7'), addressKey('203.0.113.7'))
  assert.notEqual(addressKey('203.0.113.7'), addressKey('203.0.113.8'))
  assert.equal(addressKey('unix:'), addressKey('whatever a proxy says'))
})

test('the canonical path is the template with its parameters, whatever they hold', () => {
  assert.equal(canonicalPath('/payins/:idPayin/accounts', { idPayin: 'a' }), '/payins/a/accounts')
  assert.equal(canonicalPath('/balances', {}), '/balances')
  assert.equal(canonicalPath('/a/:id/:idLonger', { id: ':idLonger', idLonger: '$&' }), '/a/:idLonger/$&')
  assert.equal(canonicalPath('/payins/:idPayin', { idPayin: 'a b\n' }), '/payins/a?b?')
  fc.assert(
    fc.property(fc.string(), (id) => {
      const path = canonicalPath('/payins/:idPayin', { idPayin: id })
      assert.match(path, /^\/payins\/[\x21-\x7e]*$/)
    }),
  )
})
