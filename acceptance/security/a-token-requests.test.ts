import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import fc from 'fast-check'
import { startGateway } from './support/gateway.ts'
import { addMerchant, createBody, demoSecret, EVERYTHING, verdict } from './support/merchant.ts'
import { askToken, claimsOf, nowSeconds, signatureOver, tokenOf } from './support/token-request.ts'

const gateway = await startGateway({ after })
const shop = await addMerchant(gateway, 'SHOP')
const stranger = await addMerchant(gateway, 'STRANGER')
const secret = demoSecret(gateway)

const bySecret = (members: Record<string, unknown>) =>
  askToken(gateway, {
    body: JSON.stringify({ merchantCode: 'DEMO', secret, operations: EVERYTHING, ...members }),
  })
const bySecretAndAction = (members: Record<string, unknown>) =>
  askToken(gateway, {
    path: '/auth-tokens-by-action',
    body: JSON.stringify({
      merchantCode: 'DEMO',
      secret,
      action: 'PAYIN_CREATE',
      idPayment: 'a',
      ...members,
    }),
  })
const get = async (path: string, token: string) => gateway.call({ method: 'GET', path, token })

/** A request that can be signed, as JSON text. */
const signable = (members: Record<string, unknown> = {}): string =>
  JSON.stringify({
    merchantCode: 'SHOP',
    operations: ['GET /payins/.*'],
    validitySecs: 600,
    timestamp: nowSeconds(),
    ...members,
  })
const bySignature = (body: string | Uint8Array, signed: string | Uint8Array = body) =>
  askToken(gateway, { body, signature: signatureOver(signed, shop.privateKey) })

await gateway.sql(`update merchants set rate_limit_per_second = 10000 where merchant_code = 'DEMO'`)

test('A1 pattern bombs are refused or cheap, and hold up nobody meanwhile', async () => {
  const bombs = [
    ['GET /payins/(a+)+'],
    ['GET /payins/(a|aa)*b'],
    [`GET /payins/${'a?'.repeat(90)}${'a'.repeat(90)}`],
    Array.from({ length: 50 }, () => 'GET /payins/(.*)(.*)(.*)(.*)x'),
    Array.from({ length: 50 }, (_, n) => `GET /payins/([a-z]*)*${n}([a-z]*)*`),
    [`GET /payins/${'(a*)*'.repeat(50)}b`],
    [`GET /payins/${'('.repeat(100)}a${')*'.repeat(90)}`],
    ['GET /payins/([a-z]{0,30}){0,30}'],
    ['GET /payins/a{0,1000}'],
    ['GET /payins/(?=a)b'],
    ['GET /payins/(?<=a)b'],
    ['GET /payins/(?i)a'],
    ['GET /payins/(a)\\1'],
    Array.from({ length: 10_000 }, (_, n) => `GET /payins/${n}`),
    [`GET /payins/${'a'.repeat(10_000)}`],
    ['GET /payins/('],
    ['GET /payins/[a'],
    ['GET /payins/\\'],
    ['get /payins/a'],
    ['OPTIONS /payins/a'],
    ['/payins/a'],
    ['GET payins/a'],
    ['GET  /payins/a'],
    ['GET /payins/a\nPOST /payouts/.*'],
    [''],
    [],
  ]
  const never = new Set(bombs.slice(7).map((operations) => JSON.stringify(operations)))
  let slowestMs = 0
  const end = new AbortController()
  const onlookers = (async () => {
    while (!end.signal.aborted) {
      const startedMs = performance.now()
      assert.equal((await fetch(`${gateway.url}/livez`)).status, 200)
      slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    }
  })()
  const paths = ['a'.repeat(250), `${'a'.repeat(249)}b`, `${'az'.repeat(124)}!`].map((id) => `/payins/${id}`)
  for (const operations of bombs) {
    const answer = await bySecret({ operations })
    assert.ok(answer.status === 200 || answer.status === 400, answer.text)
    if (never.has(JSON.stringify(operations))) assert.equal(answer.status, 400, JSON.stringify(operations))
    if (answer.status !== 200) continue
    for (const path of paths) {
      const read = await get(path, tokenOf(answer))
      assert.ok([400, 403, 410].includes(read.status), read.text)
    }
  }
  // What the engine does grows with the path, too: one that no id can have is not even looked at.
  const operations = Array.from({ length: 11 }, (_, n) => `GET /(.*a${'.'.repeat(240 - n)})`)
  const token = tokenOf(await bySecret({ operations }))
  const long = Array.from({ length: 10 }, () => get(`/payins/${'a'.repeat(7_900)}`, token))
  for (const { status } of await Promise.all(long)) assert.equal(status, 403)
  end.abort()
  await onlookers
  assert.ok(slowestMs < 1_500, `somebody else waited ${slowestMs} ms`)
})

test('A2 an operation covers the whole path and one method', async () => {
  const table: readonly (readonly [operation: string, path: string, allowed: boolean])[] = [
    ['GET /payins/1', '/payins/1', true],
    ['GET /payins/1', '/payins/123', false],
    ['GET /payins/1', '/payins/1/accounts', false],
    ['GET /payins/.', '/payins/12', false],
    ['GET /payins/a|/balances', '/balances', true],
    ['GET /payins/a|/balances', '/segments', false],
    ['GET /payins/a|POST /payouts/.*', '/payins/b', false],
    ['GET /payins/a|.*', '/segments', true],
    ['POST /payins/a', '/payins/a', false],
    ['GET /balances', '/balances?currencyCodes=EUR', true],
    ['GET ^/payins/a$', '/payins/a', true],
    ['GET ^/payins/a$', '/payins/ab', false],
  ]
  for (const [operation, path, allowed] of table) {
    const issued = await bySecret({ operations: [operation] })
    if (issued.status === 400) {
      assert.ok(!allowed, `${operation} was refused`)
      continue
    }
    const answer = await get(path, tokenOf(issued))
    const isAllowed = answer.status !== 403
    assert.equal(isAllowed, allowed && answer.status !== 404, `${operation} on ${path}: ${answer.text}`)
  }
  // An alternative cannot name another method: what follows the bar is a path, and a path has no space.
  assert.equal((await bySecret({ operations: ['GET /payins/a|POST /payins/.*'] })).status, 400)
  const both = tokenOf(await bySecret({ operations: ['GET /payins/a|/payins/.*'] }))
  const post = await gateway.call({ method: 'POST', path: '/payins/a2', token: both, rawBody: createBody() })
  assert.equal(verdict(post), '403 OPERATION_NOT_PERMITTED')
})

test('A3 an idPayment is an id and never a pattern', async () => {
  const ids = [
    '.*',
    'x|/payouts/.*',
    'a.b',
    'a/accounts',
    '',
    'a b',
    'ä',
    'a\u0000',
    '[a-z]',
    'a\\',
    'a'.repeat(251),
  ]
  for (const idPayment of ids) {
    for (const action of ['PAYIN_CREATE', 'PAYIN_INFO', 'PAYOUT_CREATE', 'TOPUP_INFO']) {
      const answer = await bySecretAndAction({ idPayment, action })
      assert.match(verdict(answer), /^400 ATTRIBUTE_/, `${action} ${idPayment}`)
    }
  }
  const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,30}$/)
  let runs = 0
  await fc.assert(
    fc.asyncProperty(id, id, async (first, second) => {
      runs += 1
      // Two payments that nobody has named before: each has ten requests a second of its own.
      const names = [`a${runs}-${first}`, `b${runs}-${second}`] as const
      for (const [mine, other, action] of [
        [names[0], names[1], 'PAYIN_CREATE'],
        [names[1], names[0], 'PAYIN_INFO'],
      ] as const) {
        const token = tokenOf(await bySecretAndAction({ idPayment: mine, action }))
        const permitted = [`GET /payins/${mine}`]
        if (action === 'PAYIN_CREATE')
          permitted.push(`POST /payins/${mine}`, 'POST /payins/!availablePaymentOptions')
        const attempts = [mine, other].flatMap((each) => [
          `GET /payins/${each}`,
          `POST /payins/${each}`,
          `GET /payins/${each}/accounts`,
          `POST /payins/${each}/!setExternalReference`,
        ])
        for (const attempt of [...attempts, 'POST /payins/!availablePaymentOptions', 'GET /balances']) {
          const [method = '', path = ''] = attempt.split(' ')
          const answer = await gateway.call({ method, path, token, ...(method === 'POST' && { body: [] }) })
          assert.notEqual(answer.status, 429)
          assert.equal(answer.status !== 403, permitted.includes(attempt), `${attempt}: ${answer.text}`)
        }
      }
    }),
    { numRuns: 15, seed: 20261121 },
  )
})

test('A4 no spelling of a path slips past a narrow token', async () => {
  const token = tokenOf(await bySecret({ operations: ['GET /payins/abc', 'GET /never'] }))
  assert.equal((await get('/payins/abc', token)).status, 410)
  assert.equal((await get('/payins/%61bc', token)).status, 410)
  const spellings = [
    '/payins/ABC',
    '/payins/abc%2e',
    '/payins/abc;a',
    '/payins//abc',
    '/payins/abc/',
    '/payins/abcd',
  ]
  for (const path of [
    ...spellings,
    '/payins/abc%20',
    '/payins/abc%2faccounts',
    '/payins/abc/accounts',
    '/payins/abc%00',
  ]) {
    const answer = await get(path, token)
    assert.ok([403, 404].includes(answer.status), `${path}: ${answer.text}`)
  }
})

test('A5 a general pattern crosses the slash, as the documentation says', async () => {
  const wide = tokenOf(await bySecret({ operations: ['GET /payins/.*'] }))
  assert.equal((await get('/payins/none/accounts', wide)).status, 410)
  assert.equal((await get('/balances', wide)).status, 403)
  const narrow = tokenOf(await bySecret({ operations: ['GET /payins/[^/]*'] }))
  assert.equal((await get('/payins/none', narrow)).status, 410)
  assert.equal((await get('/payins/none/accounts', narrow)).status, 403)
})

test('A11 a credential that was sent must hold, and none stands in for another', async () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  })
  const [key] = await gateway.sql(
    `select public_key_pem from merchant_keys join merchants using (merchant_id) where merchant_code = 'SHOP'`,
  )
  assert.match(String(key?.['public_key_pem']), /BEGIN PUBLIC KEY/)
  const demo = { merchantCode: 'DEMO', operations: EVERYTHING, timestamp: nowSeconds() }
  const withSecret = JSON.stringify({ ...demo, secret })
  const withWrongSecret = JSON.stringify({ ...demo, secret: `${secret}x` })
  const withoutSecret = JSON.stringify(demo)
  const wrong = String(other)
  const combinations: readonly (readonly [
    what: string,
    body: string,
    signature: string | undefined,
    expected: string,
  ])[] = [
    ['a right secret', withSecret, undefined, '200'],
    [
      'a right secret and a signature by a stranger',
      withSecret,
      signatureOver(withSecret, wrong),
      '401 SIGNATURE_INVALID',
    ],
    ['a right secret and an empty signature', withSecret, '', '401 SIGNATURE_INVALID'],
    [
      'a right secret and another merchant’s signature',
      withSecret,
      signatureOver(withSecret, shop.privateKey),
      '401 SIGNATURE_INVALID',
    ],
    ['a wrong secret', withWrongSecret, undefined, '401 CREDENTIALS_INVALID'],
    ['nothing', withoutSecret, undefined, '401 CREDENTIALS_INVALID'],
    ['a stranger’s signature', withoutSecret, signatureOver(withoutSecret, wrong), '401 SIGNATURE_INVALID'],
  ]
  for (const [what, body, signature, expected] of combinations) {
    const answer = await askToken(gateway, { body, ...(signature !== undefined && { signature }) })
    assert.equal(verdict(answer), expected, what)
  }
  const both = signable({ secret: 'not-a-secret-of-shop' })
  assert.equal(
    verdict(await bySignature(both)),
    '401 CREDENTIALS_INVALID',
    'a right signature and a wrong secret',
  )
  await gateway.sql(`update merchants set secret_enabled = false where merchant_code = 'DEMO'`)
  try {
    await waitUntil(async () => (await bySecret({})).status !== 200, {
      timeoutMs: 60_000,
      what: 'the switch',
    })
    assert.equal(
      verdict(await bySecret({})),
      '401 CREDENTIALS_INVALID',
      'a right secret where secrets are switched off',
    )
  } finally {
    await gateway.sql(`update merchants set secret_enabled = true where merchant_code = 'DEMO'`)
  }
  await waitUntil(async () => (await bySecret({})).status === 200, { timeoutMs: 60_000, what: 'the switch' })
})

test('A12 a secret is stored as a keyed hash, compared whole, and announced as deprecated', async () => {
  const rows = await gateway.sql(`select row_to_json(s)::text as row, secret_hash from merchant_secrets s`)
  assert.ok(rows.length > 0)
  for (const row of rows) {
    assert.ok(!String(row['row']).includes(secret))
    assert.equal(Buffer.from(row['secret_hash'] instanceof Uint8Array ? row['secret_hash'] : []).length, 32)
  }
  assert.ok(secret.length >= 43, 'a secret has at least 256 bits')
  assert.equal((await bySecret({})).headers.get('deprecation'), '@1767225600')
  assert.equal((await bySignature(signable())).headers.get('deprecation'), null)
  const variants = [
    secret.slice(0, -1),
    secret.slice(1),
    `${secret} `,
    secret.toUpperCase(),
    `${secret}\u0000`,
  ]
  for (const variant of [
    ...variants,
    '',
    'x'.repeat(513),
    'x'.repeat(4_000),
    null,
    1,
    [secret],
    { secret },
  ]) {
    const answer = await bySecret({ secret: variant })
    assert.ok([400, 401].includes(answer.status), JSON.stringify(variant))
    assert.ok(!answer.text.includes(secret.slice(4, -1)))
  }
})

test('A13 nobody learns whether a merchant exists', async () => {
  await gateway.sql(`update merchants set status = 'DISABLED' where merchant_code = 'STRANGER'`)
  const plain = (text: string): string =>
    text.replace(/"requestId":"[^"]*"/, '').replace(/"timestamp":"[^"]*"/, '')
  const answers = await Promise.all(
    ['NOBODY', 'DEMO', 'SHOP', 'STRANGER', 'demo', 'x'].map((merchantCode) =>
      bySecret({ merchantCode, secret: 'sec_wrong' }),
    ),
  )
  const bodies = new Set(answers.map((answer) => `${answer.status} ${plain(answer.text)}`))
  assert.equal(bodies.size, 1, [...bodies].join('\n'))
  const signed = await Promise.all(
    ['NOBODY', 'DEMO', 'SHOP', 'STRANGER'].map((merchantCode) => {
      const body = signable({ merchantCode })
      return askToken(gateway, { body, signature: signatureOver(`${body} `, shop.privateKey) })
    }),
  )
  const signedBodies = new Set(signed.map((answer) => `${answer.status} ${plain(answer.text)}`))
  assert.equal(signedBodies.size, 1, [...signedBodies].join('\n'))
  for (const answer of [...answers, ...signed]) {
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    assert.doesNotMatch(answer.text, /unknown merchant|no such merchant|disabled/i)
  }
  // Only who proves to be the merchant is told that it is disabled.
  const body = signable({ merchantCode: 'STRANGER' })
  const proven = await askToken(gateway, { body, signature: signatureOver(body, stranger.privateKey) })
  assert.equal(verdict(proven), '403 MERCHANT_UNAVAILABLE')
})

test('A15 validitySecs is an integer within its bounds, and exp follows from it exactly', async () => {
  for (const validitySecs of [0, -1, 1.5, '60', 1e18, 86_401, null, true, 2_592_000]) {
    assert.match(verdict(await bySecret({ validitySecs })), /^400 ATTRIBUTE_/, `operations, ${validitySecs}`)
  }
  for (const validitySecs of [0, -1, 1.5, '60', 1e18, 86_401, 2_592_001]) {
    const answer = await bySecretAndAction({ validitySecs })
    assert.match(verdict(answer), /^400 ATTRIBUTE_/, `PAYIN_CREATE, ${validitySecs}`)
  }
  for (const validitySecs of [0, '60', 2_592_001, 1e18]) {
    const answer = await bySecretAndAction({ validitySecs, action: 'PAYIN_INFO' })
    assert.match(verdict(answer), /^400 ATTRIBUTE_/, `PAYIN_INFO, ${validitySecs}`)
  }
  const lifeOf = (token: string): number => Number(claimsOf(token)['exp']) - Number(claimsOf(token)['iat'])
  for (const validitySecs of [1, 60, 86_400]) {
    assert.equal(lifeOf(tokenOf(await bySecret({ validitySecs }))), validitySecs)
    assert.equal(lifeOf(tokenOf(await bySecretAndAction({ validitySecs }))), validitySecs)
  }
  const longest = await bySecretAndAction({ validitySecs: 2_592_000, action: 'PAYIN_INFO' })
  assert.equal(lifeOf(tokenOf(longest)), 2_592_000)
  assert.equal(lifeOf(tokenOf(await bySecret({}))), 3_600)
})

test('A16 P10 a token’s money is that number in that currency, however it is written', async () => {
  const limited = (money: string) =>
    bySignature(
      `{"merchantCode":"SHOP","timestamp":${nowSeconds()},"operations":["POST /.*","GET /.*"],"money":${money}}`,
    )
  const token = tokenOf(await limited('{"amount":100,"currencyCode":"EUR"}'))
  const cases = [
    ['100', 'EUR', 201],
    ['100.00', 'EUR', 201],
    ['1e2', 'EUR', 201],
    ['1.0E+2', 'EUR', 201],
    ['100.01', 'EUR', 403],
    ['99.99', 'EUR', 403],
    ['1e3', 'EUR', 403],
    ['100.0000000000000000000001', 'EUR', 403],
    ['100', 'USD', 403],
  ] as const
  for (const [index, [amount, currencyCode, status]] of cases.entries()) {
    const body = createBody({ amount, currencyCode })
    const path = `/payins/a16-${index}`
    const answer = await gateway.call({ method: 'POST', path, token, rawBody: body })
    assert.equal(answer.status, status, `${amount} ${currencyCode}: ${answer.text}`)
    if (status === 403) assert.equal(verdict(answer), '403 MONEY_NOT_PERMITTED')
    assert.equal((await shop.read(path)).status, status === 201 ? 200 : 410)
    const options = await gateway.call({
      method: 'POST',
      path: '/payins/!availablePaymentOptions',
      token,
      rawBody: `{"money":{"amount":${amount},"currencyCode":"${currencyCode}"}}`,
    })
    assert.equal(options.status, status === 201 ? 200 : 403, options.text)
  }
  for (const written of ['100.0', '1e2', '100.000']) {
    const same = tokenOf(await limited(`{"amount":${written},"currencyCode":"EUR"}`))
    const answer = await gateway.call({
      method: 'POST',
      path: `/payins/a16-${written.length}${written.charAt(1)}`,
      token: same,
      rawBody: createBody({ amount: 100 }),
    })
    assert.equal(answer.status, 201, `${written}: ${answer.text}`)
  }
  const bad = [
    '{"amount":-1,"currencyCode":"EUR"}',
    '{"amount":0,"currencyCode":"EUR"}',
    '{"amount":"1","currencyCode":"EUR"}',
  ]
  for (const money of [
    ...bad,
    '{"amount":1,"currencyCode":"eur"}',
    '{"amount":1}',
    '{"currencyCode":"EUR"}',
    '[]',
    '1',
    'null',
  ]) {
    assert.match(verdict(await limited(money)), /^400 ATTRIBUTE_/, money)
  }
})

test('A17 an unknown action is refused, members of the other endpoint give nothing', async () => {
  const actions = [
    'payin_create',
    'PAYIN_DELETE',
    'PAYIN_CREATE ',
    '',
    '.*',
    null,
    1,
    ['PAYIN_CREATE'],
    'constructor',
  ]
  for (const action of [...actions, undefined]) {
    assert.match(verdict(await bySecretAndAction({ action })), /^400 ATTRIBUTE_/, String(action))
  }
  const mixed = tokenOf(
    await bySecretAndAction({ operations: EVERYTHING, sub: 'SHOP', exp: 9e9, iss: 'x', jti: 'mine' }),
  )
  const claims = claimsOf(mixed)
  assert.deepEqual(claims['operations'], [
    'POST /payins/!availablePaymentOptions',
    'POST /payins/a',
    'GET /payins/a',
  ])
  assert.equal(claims['sub'], 'DEMO')
  assert.notEqual(claims['jti'], 'mine')
  assert.equal(Number(claims['exp']) - Number(claims['iat']), 3_600)
  const narrow = tokenOf(
    await bySecret({ operations: ['GET /payins/a'], action: 'PAYIN_CREATE', idPayment: 'b' }),
  )
  assert.deepEqual(claimsOf(narrow)['operations'], ['GET /payins/a'])
})
