import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { startGateway } from './support/gateway.ts'
import { hostileDocuments } from './support/hostile-json.ts'
import { addMerchant, codesOf, createBody, demoSecret, EVERYTHING, verdict } from './support/merchant.ts'
import { exchange, request } from './support/wire.ts'

const gateway = await startGateway({ after })
const shop = await addMerchant(gateway, 'SHOP')
const token = await shop.token(EVERYTHING)

test('G1 only the version 2 as such is a version, and it is looked at before anything else', async () => {
  const versions = [
    undefined,
    '',
    '0',
    '1',
    '3',
    '2.82',
    '2.0',
    '02',
    '+2',
    '2,2',
    '2;q=1',
    '0x2',
    'v2',
    '２',
    '2\r\nX-API-Version: 2',
    '2\r\nX-API-Version: 3',
  ]
  const requests = [
    `POST /auth-tokens`,
    `GET /balances`,
    `POST /payins/!availablePaymentOptions`,
    `GET /payins/g1`,
  ]
  for (const line of requests) {
    for (const version of versions) {
      for (const bearer of [token, 'a.b.c', undefined]) {
        const lines = [
          `${line} HTTP/1.1`,
          'Host: a',
          'Connection: close',
          ...(version === undefined ? [] : [`X-API-Version: ${version}`]),
          ...(bearer === undefined ? [] : [`Authorization: Bearer ${bearer}`]),
        ]
        const answer = await exchange(gateway.port, `${lines.join('\r\n')}\r\n\r\n`)
        assert.deepEqual(answer.statuses, [404], `${line} with version ${String(version)}`)
        assert.match(answer.text, /"code":"API_VERSION_UNSUPPORTED".*"supportedVersions":\[2\]/)
      }
    }
  }
})

test('G3 large, compressed and deep bodies are 400, and the memory stays bounded', async () => {
  const good = createBody()
  const before = await gateway.metric('process_resident_memory_bytes')
  const huge = Buffer.from(`{"x":"${'a'.repeat(10 * 1024 * 1024)}"}`)
  for (let i = 0; i < 10; i += 1) {
    const head = `POST /payins/g3 HTTP/1.1\r\nHost: a\r\nX-API-Version: 2\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
    const sized = await exchange(
      gateway.port,
      Buffer.concat([
        Buffer.from(`${head}Content-Length: ${huge.length}\r\n\r\n`),
        huge.subarray(0, 1 << 17),
      ]),
    )
    assert.deepEqual(sized.statuses, [400])
    assert.match(sized.text, /BODY_INVALID/)
    const chunk = `${huge.length.toString(16)}\r\n`
    const chunked = await exchange(
      gateway.port,
      Buffer.concat([
        Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`),
        huge.subarray(0, 1 << 17),
      ]),
    )
    assert.deepEqual(chunked.statuses, [400])
  }
  for (const encoding of ['gzip', 'deflate', 'br', 'identity', 'gzip, gzip']) {
    const answer = await gateway.call({
      method: 'POST',
      path: '/payins/g3',
      token,
      rawBody: encoding === 'gzip' ? gzipSync(good) : Buffer.from(good),
      headers: { 'Content-Encoding': encoding },
    })
    assert.equal(verdict(answer), '400 BODY_INVALID', encoding)
  }
  const bomb = await gateway.call({
    method: 'POST',
    path: '/payins/g3',
    token,
    rawBody: gzipSync(Buffer.alloc(20 * 1024 * 1024, ' ')),
    headers: { 'Content-Encoding': 'gzip' },
  })
  assert.equal(verdict(bomb), '400 BODY_INVALID')
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'text/json',
  ]
  for (const type of [...types, 'application/jsonp', null]) {
    const answer = await gateway.call({
      method: 'POST',
      path: '/payins/g3',
      token,
      rawBody: Buffer.from(good),
      headers: { 'Content-Type': type },
    })
    assert.equal(verdict(answer), '400 BODY_INVALID', String(type))
  }
  const growth = (await gateway.metric('process_resident_memory_bytes')) - before
  assert.ok(growth < 64 * 1024 * 1024, `the process grew by ${growth} bytes`)
  assert.equal(verdict(await shop.read('/payins/g3')), '410 ENTITY_NOT_FOUND')
})

test('G4 no ambiguous JSON document is read by any endpoint, and none leaves anything behind', async () => {
  const secret = demoSecret(gateway)
  const tokenRequest = JSON.stringify({
    merchantCode: 'DEMO',
    operations: ['GET /payins/.*'],
    secret,
  })
  const targets = [
    { path: '/auth-tokens', good: tokenRequest, id: undefined },
    { path: '/payins/g4', good: createBody(), id: 'g4' },
  ]
  for (const { path, good } of targets) {
    const documents = hostileDocuments(good)
    assert.ok(documents.length >= 60)
    for (const { name, bytes } of documents) {
      const answer = await gateway.call({ method: 'POST', path, token, rawBody: bytes })
      assert.equal(answer.status, 400, `${path}: ${name}: ${answer.text}`)
      assert.match(answer.text, /"code":"(BODY_INVALID|ATTRIBUTE_[A-Z_]+)"/)
    }
  }
  const without = await gateway.call({
    method: 'POST',
    path: '/auth-tokens',
    body: { merchantCode: 'DEMO', operations: ['GET /payins/.*'] },
  })
  assert.equal(verdict(without), '401 CREDENTIALS_INVALID')
  assert.equal(verdict(await shop.read('/payins/g4')), '410 ENTITY_NOT_FOUND')
  assert.equal((await shop.create('g4')).status, 201)
})

test('G5 a path that is not the plain one of a route never gets to what the route does', async () => {
  assert.equal((await shop.create('g5')).status, 201)
  const onlyG5 = await shop.token(['GET /payins/g5', 'POST /payins/g5', 'GET /never'])
  const long = 'a'.repeat(251)
  const idRoute = [
    'a%2Fb',
    'a%252Fb',
    'a;x=1',
    'a%3Bx',
    'a%00',
    'a%0d%0aX-Y:z',
    'g5%20',
    '%20g5',
    'g5%09',
    'a.b',
    '%2e%2e',
    '..',
    '.',
    '*',
    "a'b",
    'a"b',
    'a|b',
    'a\\b',
    'a%5Cb',
    'a@b',
    'a%c3%a9',
    '%e2%80%aeg5',
    '%d0%b0',
    '%ef%bc%8e',
    '!other',
    '%21other',
    '!availablePaymentOption',
    long,
    '$',
    '%24',
    'g5:',
    'g5,g5',
  ].map((id) => `GET /payins/${id}`)
  const nowhere = [
    '/payins',
    '/payins/',
    '/payins//g5',
    '//payins/g5',
    '/payins/g5/',
    '/payins/g5//accounts',
    '/Payins/g5',
    '/PAYINS/g5',
    '/payins/g5/Accounts',
    '/payins/x/../g5',
    '/./payins/g5',
    '/payins/./g5',
    '/payins%2Fg5',
    '/payins/g5/accounts/',
    '/payins/g5/accounts%2F',
    '/;/payins/g5',
    '/payins;/g5',
    '/v2/payins/g5',
    'http://evil.test/payins/g5',
    'https://gateway.test/payins/g5',
    'payins/g5',
    '*',
    '/-',
  ].map((path) => `GET ${path}`)
  const broken = [
    'GET /payins/%ff',
    'GET /payins/%',
    'GET /payins/%zz',
    'GET /payins/%c3',
    'GET /payins/%ed%a0%80',
  ]

  for (const line of idRoute) {
    const answer = await exchange(gateway.port, request(line, { token }))
    assert.ok(
      answer.statuses.length === 1 && [400, 403].includes(Number(answer.statuses[0])),
      `${line}: ${answer.text}`,
    )
    assert.match(answer.text, /ATTRIBUTE_VALUE_INVALID|OPERATION_NOT_PERMITTED|BODY_INVALID/)
    const narrow = await exchange(gateway.port, request(line, { token: onlyG5 }))
    assert.ok([400, 403].includes(Number(narrow.statuses[0])), `${line} with a narrow token: ${narrow.text}`)
  }
  for (const line of [...nowhere, ...broken]) {
    const answer = await exchange(gateway.port, request(line, { token }))
    assert.ok(
      answer.statuses.length === 1 && [400, 404].includes(Number(answer.statuses[0])),
      `${line}: ${answer.text}`,
    )
    assert.doesNotMatch(answer.text, /API_VERSION_UNSUPPORTED|createdAt/)
  }
  for (const line of ['POST /payins/a%2Fb', 'POST /payins/', `POST /payins/${long}`, 'POST /payins/a%00']) {
    const answer = await exchange(gateway.port, request(line, { token, body: createBody() }))
    assert.ok([400, 403, 404].includes(Number(answer.statuses[0])), `${line}: ${answer.text}`)
  }
  const [row] = await gateway.sql(
    'select count(*)::integer as payments from payments where id_payment not in ($1, $2)',
    ['g4', 'g5'],
  )
  assert.equal(row?.['payments'], 0)
})

test('G5 an encoded path is the route that it decodes to, for the permission as well', async () => {
  const forG5 = await shop.token(['GET /payins/g5', 'POST /payins/!availablePaymentOptions', 'GET /never'])
  const body = JSON.stringify({ money: { amount: 25, currencyCode: 'EUR' } })
  const encoded = await exchange(gateway.port, request('GET /%70ayins/%675', { token: forG5 }))
  assert.deepEqual(encoded.statuses, [200])
  const options = await exchange(
    gateway.port,
    request('POST /payins/%21availablePaymentOptions', { token: forG5, body }),
  )
  assert.deepEqual(options.statuses, [200])
  const forOther = await shop.token(['GET /payins/%675', 'POST /payins/%21availablePaymentOptions'])
  for (const line of ['GET /payins/%675', 'GET /payins/g5']) {
    assert.deepEqual((await exchange(gateway.port, request(line, { token: forOther }))).statuses, [403], line)
  }
})

test('G6 no other method and no header that names one gets to a route', async () => {
  const paths = [
    '/payins/g5',
    '/payins/!availablePaymentOptions',
    '/balances',
    '/auth-tokens',
    '/payins/g5/accounts',
  ]
  for (const path of paths) {
    for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'PROPFIND']) {
      const answer = await exchange(gateway.port, request(`${method} ${path}`, { token }))
      assert.deepEqual(answer.statuses, [404], `${method} ${path}: ${answer.text}`)
    }
    for (const method of ['BREW', 'get', 'GET\t', 'CONNECT']) {
      const answer = await exchange(gateway.port, request(`${method} ${path}`, { token }))
      assert.ok(
        answer.statuses.every((status) => status === 400 || status === 404),
        `${method} ${path}: ${answer.text}`,
      )
    }
  }
  const readOnly = await shop.token(['GET /payins/g6'])
  for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
    const post = await gateway.call({
      method: 'POST',
      path: '/payins/g6?_method=GET',
      token: readOnly,
      rawBody: createBody(),
      headers: { [name]: 'GET' },
    })
    assert.equal(verdict(post), '403 OPERATION_NOT_PERMITTED', name)
    const get = await gateway.call({
      method: 'GET',
      path: '/payins/g6?_method=POST',
      token: readOnly,
      headers: { [name]: 'POST' },
    })
    assert.equal(verdict(get), '410 ENTITY_NOT_FOUND', name)
  }
})

test('G7 what two readers could cut in two places is refused as a whole, and the connection closed', async () => {
  const inner = request('POST /payins/smuggled', { token, body: createBody() }).toString('latin1')
  const auth = `Host: a\r\nX-API-Version: 2\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
  const chunked = `0\r\n\r\n${inner}`
  const payloads = {
    'length and chunks': `POST /payins/g7 HTTP/1.1\r\n${auth}Content-Length: ${chunked.length}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
    'chunks and length': `POST /payins/g7 HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${chunked}`,
    'two lengths': `POST /payins/g7 HTTP/1.1\r\n${auth}Content-Length: 2\r\nContent-Length: ${inner.length}\r\n\r\n{}${inner}`,
    'a list of lengths': `POST /payins/g7 HTTP/1.1\r\n${auth}Content-Length: 2, 2\r\n\r\n{}${inner}`,
    'a length with a sign': `POST /payins/g7 HTTP/1.1\r\n${auth}Content-Length: +2\r\n\r\n{}${inner}`,
    'a negative length': `POST /payins/g7 HTTP/1.1\r\n${auth}Content-Length: -2\r\n\r\n{}${inner}`,
    'a hexadecimal length': `POST /payins/g7 HTTP/1.1\r\n${auth}Content-Length: 0x2\r\n\r\n{}${inner}`,
    'an unknown coding': `POST /payins/g7 HTTP/1.1\r\n${auth}Transfer-Encoding: xchunked\r\n\r\n${chunked}`,
    'a coding that hides': `POST /payins/g7 HTTP/1.1\r\n${auth}Transfer-Encoding:\x0bchunked\r\n\r\n${chunked}`,
    'chunked, then identity': `POST /payins/g7 HTTP/1.1\r\n${auth}Transfer-Encoding: chunked, identity\r\n\r\n${chunked}`,
    'a space before the colon': `POST /payins/g7 HTTP/1.1\r\n${auth}Content-Length : 2\r\n\r\n{}${inner}`,
    'a folded line': `POST /payins/g7 HTTP/1.1\r\n${auth}X-Fold: a\r\n Content-Length: 2\r\n\r\n${inner}`,
    'bare line feeds': `POST /payins/g7 HTTP/1.1\n${auth.replaceAll('\r', '')}Content-Length: 2\n\n{}${inner}`,
    'a bare carriage return': `POST /payins/g7 HTTP/1.1\r\n${auth}X-Cr: a\rContent-Length: 2\r\n\r\n{}${inner}`,
    'a NUL in a header': `POST /payins/g7 HTTP/1.1\r\n${auth}X-Nul: a\u0000b\r\nContent-Length: 2\r\n\r\n{}${inner}`,
    'a wrong chunk size': `POST /payins/g7 HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n${chunked}`,
    'an endless chunk size': `POST /payins/g7 HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\n{}\r\n${chunked}`,
    'HTTP/1.2 and nonsense': `POST /payins/g7 HTTP/9.9\r\n${auth}Content-Length: 2\r\n\r\n{}${inner}`,
  }
  for (const [name, payload] of Object.entries(payloads)) {
    const answer = await exchange(gateway.port, Buffer.from(payload, 'latin1'))
    assert.ok(answer.closed, `${name}: the connection stayed open: ${answer.text}`)
    assert.deepEqual(answer.statuses, [400], `${name}: ${answer.text}`)
  }
  assert.equal(verdict(await shop.read('/payins/smuggled')), '410 ENTITY_NOT_FOUND')
  assert.equal(verdict(await shop.read('/payins/g7')), '410 ENTITY_NOT_FOUND')
})

test('G8 a parameter that comes twice is read as one list, and never as a structure', async () => {
  for (const path of [
    '/balances?currencyCodes=EUR&currencyCodes=USD',
    '/balances?currencyCodes[]=EUR&currencyCodes[]=USD',
    '/balances?currencyCodes[a]=EUR',
    '/balances?__proto__=EUR&currencyCodes=EUR&__proto__[x]=1',
    '/balances?currencyCodes=EUR%2CUSD&currencyCodes=',
  ]) {
    const answer = await shop.read(path)
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    assert.deepEqual(answer.body, { data: [] })
  }
  assert.equal(
    (await gateway.call({ method: 'GET', path: `/balances?token=${token}&token=${token}` })).status,
    401,
  )
})

test('G13 SQL in any text is text', async () => {
  const payloads = [
    `' or '1'='1`,
    `'; drop table payments; --`,
    `' union select secret_hash from merchant_secrets --`,
    `'||pg_sleep(9)||'`,
    `1; select pg_sleep(9)`,
    `\\'; truncate balances; --`,
    `$1`,
    `%' escape '`,
    `{a,b}`,
    `"; rollback; --`,
    `E'\\x27'`,
    `null'`,
  ]
  const started = performance.now()
  for (const text of payloads) {
    const encoded = encodeURIComponent(text)
    const money = { amount: 25, currencyCode: 'EUR' }
    const base = {
      paymentRequested: { money },
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER' },
      callbackUrl: 'http://127.0.0.1:9/',
    }
    const requests = [
      { path: `/payins/${encoded}`, body: base },
      { path: '/payins/g13', body: { ...base, callbackUrl: text } },
      { path: '/payins/g13', body: { ...base, returnUrl: text } },
      { path: '/payins/g13', body: { ...base, paymentMethod: { paymentMethodCode: text } } },
      {
        path: '/payins/g13',
        body: { ...base, paymentMethod: { ...base.paymentMethod, paymentOperatorCode: text } },
      },
      {
        path: '/payins/g13',
        body: { ...base, paymentMethod: { ...base.paymentMethod, emailAddress: text } },
      },
      { path: '/payins/g13', body: { ...base, paymentRequested: { money, segmentCode: text } } },
      {
        path: '/payins/g13',
        body: { ...base, paymentRequested: { money: { ...money, currencyCode: text } } },
      },
      { path: '/payins/!availablePaymentOptions', body: { money, segmentCode: text } },
      { path: '/auth-tokens', body: { merchantCode: text, operations: EVERYTHING, secret: text } },
      { path: '/auth-tokens', body: { merchantCode: 'DEMO', operations: [text], secret: text } },
      {
        path: '/auth-tokens-by-action',
        body: { merchantCode: 'DEMO', action: text, idPayment: text, secret: text },
      },
      { path: '/payins/none/!setExternalReference', body: { externalReference: text } },
    ]
    for (const { path, body } of requests) {
      const answer = await gateway.call({ method: 'POST', path, token, rawBody: JSON.stringify(body) })
      assert.ok([400, 401, 403, 404, 406, 410].includes(answer.status), `${path} ${text}: ${answer.text}`)
      assert.doesNotMatch(answer.text, /syntax error|relation|pg_|SQLSTATE|at .*\.ts/)
    }
    const balances = await shop.read(`/balances?currencyCodes=${encoded}`)
    assert.deepEqual([balances.status, balances.body], [200, { data: [] }], text)
    assert.notEqual((await shop.read(`/payins/${encoded}`)).status, 200)
    const account = { accountName: text.slice(0, 140) }
    const stored = await shop.create(`g13-${payloads.indexOf(text)}`, {
      paymentMethod: { ...base.paymentMethod, account },
    })
    assert.equal(stored.status, 201, stored.text)
    const read = await shop.read(`/payins/g13-${payloads.indexOf(text)}/accounts`)
    assert.equal(JSON.parse(read.text).data[0].accountName, account.accountName)
  }
  assert.ok(performance.now() - started < 60_000, 'something slept inside the database')
  const [row] = await gateway.sql('select count(*)::integer as payments from payments')
  assert.ok(Number(row?.['payments']) >= payloads.length)
})

test('G9 whatever is sent, each line of the log is one JSON object and holds none of it', async () => {
  const planted = 'PLANTED7f3a'
  const forged = `{"level":"info","msg":"${planted} forged"}`
  const values = ['\n', '\r\n', '\x1b[2J', '\u2028', '\u009b31m', '\u202e'].map(
    (sign) => `${planted}${sign}${forged}`,
  )
  const secret = demoSecret(gateway)
  const tokens = [token]
  for (const value of values) {
    const encoded = encodeURIComponent(value)
    for (const path of [
      `/payins/${encoded}`,
      `/${encoded}`,
      `/balances?currencyCodes=${encoded}&token=${planted}`,
    ]) {
      await exchange(
        gateway.port,
        request(`GET ${path}`, { token, headers: [`User-Agent: ${planted}\x1b[2J`] }),
      )
    }
    await exchange(
      gateway.port,
      request(`GET /payins/g9`, { token, headers: [`X-Request-Id: ${planted}`, `Referer: ${encoded}`] }),
    )
    await exchange(gateway.port, Buffer.from(`GET /${planted} HTTP/1.1\r\nBad Header ${planted}: x\r\n\r\n`))
    for (const path of [
      '/payins/g9',
      '/auth-tokens',
      '/auth-tokens-by-action',
      '/payins/g9/!setExternalReference',
    ]) {
      const body = {
        merchantCode: value,
        secret: value,
        idPayment: value,
        operations: [value],
        externalReference: value,
        paymentMethod: { paymentMethodCode: value, emailAddress: value, account: { accountNumber: value } },
        callbackUrl: value,
      }
      await gateway.call({ method: 'POST', path, token, body, headers: { 'X-SIGNATURE': planted } })
    }
  }
  const account = { accountName: `${planted} Name`, accountNumber: `${planted}DE99` }
  const accepted = await shop.create('g9-payin', {
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', emailAddress: 'success@sandbox.test', account },
    callbackUrl: `http://127.0.0.1:9/callbacks?key=${planted}`,
    returnUrl: `http://shop.test/?session=${planted}`,
  })
  assert.equal(accepted.status, 201, accepted.text)
  const issued = await gateway.call({
    method: 'POST',
    path: '/auth-tokens',
    body: { merchantCode: 'DEMO', operations: EVERYTHING, secret },
  })
  tokens.push(String(JSON.parse(issued.text).token))
  await shop.read('/payins/g9-payin/accounts')
  await sleep(1_000)
  await gateway.stop()

  const log = gateway.logged()
  const lines = log.split('\n').filter((line) => line !== '')
  assert.ok(lines.length > 500, `${lines.length} lines`)
  for (const line of lines) {
    assert.match(line, /^\{.*\}$/)
    assert.equal(typeof JSON.parse(line).level, 'string', line)
    assert.ok(line.length < 8_192, 'a line is as long as its sender liked')
    assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029\u202e]/u)
  }
  assert.ok(!log.includes('?'), `a query string: ${lines.find((line) => line.includes('?')) ?? ''}`)
  for (const value of [
    planted,
    secret,
    'PRIVATE KEY',
    ...tokens,
    ...tokens.map((text) => text.split('.')[2] ?? '-'),
  ]) {
    assert.ok(!log.includes(value), `the log holds ${value.slice(0, 20)}`)
  }
  // The welcome on the terminal of a sandbox shows its owner the demo secret; nothing of what was sent is there.
  assert.ok(!gateway.written().includes(planted))
  assert.ok(codesOf(issued) !== '')
})
