import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOKEN_LENGTH_MAX } from '@tollgate/contract/words'
import fc from 'fast-check'
import { createMetrics } from '../../platform/metrics.ts'
import { addressKey, callerOf, canonicalPath, tooMany } from '../gate.ts'
import {
  ADDRESS_RATE_PER_SECOND,
  type Edge,
  edge,
  LIMIT_PER_SECOND,
  SHARED_PER_SECOND,
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
  '429 tokens of one payment share a limit for creates and lists, and not for reads; the shop’s own is untouched',
  async ({ app, clock, metrics }) => {
    app.post('/things/!list', async () => 'options')
    app.post('/things/:id', async () => 'made')
    app.get('/things/:id', async () => 'here')
    app.get('/list', async () => 'list')
    app.post('/things/:id/!list', { config: { isShared: true } }, async () => 'options')
    const ask = (name: string, method: 'GET' | 'POST', url: string) =>
      app.inject({ method, url, headers: { ...VERSION, authorization: `Bearer a.b.${name}` } })
    const SHARED = [
      ['POST', '/things/!list'],
      ['POST', '/things/x'],
      ['GET', '/list'],
      ['POST', '/things/x/!list'],
    ] as const
    for (const [method, url] of SHARED) {
      clock.advance(1_000)
      const statuses: number[] = []
      for (let token = 0; token <= SHARED_PER_SECOND; token += 1)
        statuses.push((await ask(`pay-${token}`, method, url)).statusCode)
      assert.deepEqual(statuses, [...Array.from({ length: SHARED_PER_SECOND }, () => 200), 429], url)
      const refused = await ask('pay-new', method, url)
      assert.equal(refused.headers['ratelimit-policy'], `"customers";q=${SHARED_PER_SECOND};w=1`)
      assert.equal(refused.headers['retry-after'], '1')
      assert.equal((await ask('pay-0', 'GET', '/things/x')).statusCode, 200)
      assert.equal((await ask('all', method, url)).statusCode, 200)
    }
    assert.deepEqual(
      (await metrics.rateLimited.get()).values.map(({ labels, value }) => [labels, value]),
      [[{ bucket: 'customers' }, 2 * SHARED.length]],
    )
  },
)

testWithBothLimiters(
  '429 what a token’s own limit refuses uses up nothing that its neighbours share',
  async ({ app }) => {
    app.get('/list', async () => 'list')
    const ask = async (name: string): Promise<number> =>
      (await app.inject({ url: '/list', headers: { ...VERSION, authorization: `Bearer a.b.${name}` } }))
        .statusCode
    for (let request = 0; request < 20; request += 1) await ask('pay-greedy')
    assert.equal(await ask('pay-patient'), 200)
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

test('the canonical path of a template without parameters is the template, whatever is handed in', () => {
  assert.equal(canonicalPath('/payins/:idPayin', null), '/payins/:idPayin')
  assert.equal(canonicalPath('/payins/:idPayin', undefined), '/payins/:idPayin')
  assert.equal(canonicalPath('/payins/!about', { about: 'x' }), '/payins/!about')
  assert.equal(canonicalPath('/payins/:idPayin', { idPayin: '~!\x7f\x20é' }), '/payins/~!???')
})

test('a token is one word of three parts after the word Bearer, in any case, and not too long', async (t) => {
  const { app, clock } = edge(t)
  app.get('/things', async () => 'here')
  const ask = async (authorization: string): Promise<string> => {
    clock.advance(1_000)
    const answer = await app.inject({ url: '/things', headers: { ...VERSION, authorization } })
    return answer.statusCode === 200 ? 'here' : answer.json().code
  }
  for (const good of ['bearer a.b.all', 'BEARER   a.b.all', 'Bearer a.b.all  ', 'Bearer a_-9.b.all'])
    assert.equal(await ask(good), 'here', good)
  for (const missing of [' ', 'Bearerx a.b.all', 'xBearer a.b.all', 'a.b.all', 'Basic Bearer a.b.all'])
    assert.equal(await ask(missing), 'TOKEN_MISSING', missing)
  for (const invalid of [
    'Bearer a.b.all.c',
    'Bearer a.b.all x',
    'Bearer .b.all',
    'Bearer a..all',
    'Bearer a.b.',
  ])
    assert.equal(await ask(invalid), 'TOKEN_INVALID', invalid)
  const head = 'x'.repeat(TOKEN_LENGTH_MAX - '.b.all'.length)
  assert.equal(await ask(`Bearer ${head}.b.all`), 'here')
  assert.equal(await ask(`Bearer x${head}.b.all`), 'TOKEN_INVALID')
})

test('a token that is judged later counts like one that is judged at once', async (t) => {
  const { app, clock } = edge(t)
  app.get('/things', async () => 'here')
  const ask = async (scope: string): Promise<number> => {
    const headers = { ...VERSION, authorization: `Bearer a.b.${scope}` }
    return (await app.inject({ url: '/things', headers })).statusCode
  }
  for (const kind of ['', 'slow-']) {
    clock.advance(1_000)
    for (let left = LIMIT_PER_SECOND; left > 0; left -= 1) assert.equal(await ask(`${kind}all`), 200)
    assert.equal(await ask(`${kind}all`), 429)
    clock.advance(1_000)
    assert.equal(await ask(`${kind}${Buffer.from('GET /others').toString('base64url')}`), 403)
    for (let left = ADDRESS_RATE_PER_SECOND; left > 0; left -= 1) assert.equal(await ask(`${kind}bad`), 401)
    assert.equal(await ask(`${kind}bad`), 429)
  }
})

testWithBothLimiters(
  'only what is not authenticated counts against the address: a merchant that is closed does not',
  async ({ app, metrics }) => {
    app.get('/things', async () => 'here')
    const ask = async (scope: string): Promise<string> => {
      const headers = { ...VERSION, authorization: `Bearer a.b.${scope}` }
      return (await app.inject({ url: '/things', headers })).json().code
    }
    for (let request = 0; request <= ADDRESS_RATE_PER_SECOND; request += 1)
      assert.equal(await ask('closed'), 'MERCHANT_UNAVAILABLE')
    for (let request = 0; request < ADDRESS_RATE_PER_SECOND; request += 1)
      assert.equal(await ask('bad'), 'TOKEN_INVALID')
    assert.equal(await ask('bad'), 'RATE_LIMIT_EXCEEDED')
    const { values } = await metrics.rateLimited.get()
    assert.deepEqual(
      values.map(({ labels, value }) => [labels, value]),
      [[{ bucket: 'address' }, 1]],
    )
  },
)

test('a token that has ended is taken for as long as the route gives it grace', async (t) => {
  const { app } = edge(t)
  app.get('/things', async () => 'here')
  app.get('/short', { config: { graceSeconds: 59 } }, async () => 'here')
  app.get('/long', { config: { graceSeconds: 60 } }, async () => 'here')
  const headers = { ...VERSION, authorization: 'Bearer a.b.late' }
  const statuses = await Promise.all(
    ['/things', '/short', '/long'].map(async (url) => (await app.inject({ url, headers })).statusCode),
  )
  assert.deepEqual(statuses, [401, 401, 200])
})

test('a route that stands for a public operation is permitted as that operation is', async (t) => {
  const { app } = edge(t)
  const actsAs = { method: 'POST', url: '/payins/:idPayin/!pay' }
  app.get('/pages/:idPayin', { config: { actsAs } }, async (request) => callerOf(request).merchantCode)
  const ask = async (operation: string) =>
    app.inject({ url: '/pages/A', headers: { ...VERSION, authorization: tokenFor(operation) } })
  assert.equal((await ask('POST /payins/A/!pay')).body, 'SHOP')
  assert.equal((await ask('GET /pages/A')).statusCode, 403)
  assert.equal((await ask('GET /payins/A/!pay')).statusCode, 403)
})

testWithBothLimiters(
  'institutions have a share of the rate beside that of addresses, and need no version',
  async ({ app, drain }) => {
    app.post('/rails', { config: { access: 'institution' } }, async () => 'here')
    app.get('/document', { config: { access: 'open' } }, async () => 'here')
    const ask = async (method: 'GET' | 'POST', url: string): Promise<number> =>
      (await app.inject({ method, url })).statusCode
    for (let request = 0; request < ADDRESS_RATE_PER_SECOND; request += 1)
      assert.equal(await ask('POST', '/rails'), 200)
    assert.equal(await ask('POST', '/rails'), 429)
    assert.equal(await ask('GET', '/document'), 200)
    drain()
    assert.equal(await ask('POST', '/rails'), 500)
    assert.equal(await ask('GET', '/document'), 200)
  },
)

test('the routes of the payment page are there for who has its key, and then ask for a token as well', async (t) => {
  const statuses = async (checkoutKey: string | undefined, given: string | undefined): Promise<number> => {
    const { app } = edge(t, checkoutKey === undefined ? {} : { checkoutKey })
    app.get('/page', { config: { access: 'checkout' } }, async () => 'here')
    const headers = { ...VERSION, ...TOKEN, ...(given !== undefined && { 'tollgate-checkout-key': given }) }
    return (await app.inject({ url: '/page', headers })).statusCode
  }
  assert.equal(await statuses('secret', 'secret'), 200)
  for (const given of [undefined, '', 'secres', 'secret!', 'secre'])
    assert.equal(await statuses('secret', given), 404, given)
  assert.equal(await statuses(undefined, undefined), 404)
  assert.equal(await statuses(undefined, 'secret'), 404)
  const { app } = edge(t, { checkoutKey: 'secret' })
  app.get('/page', { config: { access: 'checkout' } }, async () => 'here')
  const answer = await app.inject({
    url: '/page',
    headers: { ...VERSION, 'tollgate-checkout-key': 'secret' },
  })
  assert.equal(answer.statusCode, 401)
})

test('who comes back waits for whole seconds, one at least', () => {
  const metrics = createMetrics()
  const waits = [0, 1, 1_000, 1_001, 2_500].map(
    (waitMs) => tooMany(metrics, 'address', waitMs).details.retryAfterSeconds,
  )
  assert.deepEqual(waits, [1, 1, 1, 2, 3])
})

test('a route without a token has no caller, and says so', async (t) => {
  const { app } = edge(t)
  let said: unknown
  app.get('/health', { config: { access: 'probe' } }, async (request) => {
    try {
      return callerOf(request)
    } catch (error) {
      said = error
      throw error
    }
  })
  assert.equal((await app.inject({ url: '/health' })).statusCode, 500)
  assert.match(String(said), /no caller on \/health/)
})

test('the question of the payment page whether its key is known is in no line of the log; a refused token is', async (t) => {
  const checkoutKey = 'k'.repeat(32)
  const { app, lines } = edge(t, { checkoutKey })
  app.post('/checkout/:id', { config: { access: 'checkout' } }, async () => 'here')
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await app.inject({ method: 'POST', url: '/checkout/x', headers: { ...VERSION, ...headers } })).statusCode
  const known = { 'tollgate-checkout-key': checkoutKey }
  assert.equal(await ask(known), 401)
  assert.deepEqual(lines, [])
  assert.equal(await ask({}), 404)
  assert.equal(await ask({ ...known, authorization: 'Bearer a.b.bad' }), 401)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).code),
    ['ROUTE_NOT_FOUND', 'TOKEN_INVALID'],
  )
})
