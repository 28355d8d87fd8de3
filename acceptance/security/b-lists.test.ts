import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { startGateway } from './support/gateway.ts'
import { addMerchant, EVERYTHING, type Merchant, verdict } from './support/merchant.ts'

const gateway = await startGateway({ after })
const shop = await addMerchant(gateway, 'SHOP')
const rival = await addMerchant(gateway, 'RIVAL')

/** The balances as the answer writes them: no number is parsed. */
async function balancesOf(merchant: Merchant, query = ''): Promise<string> {
  const answer = await merchant.read(`/balances${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.text.replace(/,"updatedAt":"[^"]*"/g, '')
}

const currenciesOf = (text: string): readonly string[] =>
  JSON.parse(text).data.map((balance: { currencyCode: string }) => balance.currencyCode)

/** Receives payments and waits until they are booked. */
async function receive(
  merchant: Merchant,
  payments: readonly (readonly [amount: string, currencyCode: string])[],
): Promise<void> {
  const ids = payments.map((_, n) => `b-${merchant.merchantCode}-${n}-${performance.now().toFixed()}`)
  for (const [n, [amount, currencyCode]] of payments.entries()) {
    const paymentMethodCode = currencyCode === 'ETH' ? 'CRYPTO' : 'BANK_TRANSFER'
    const created = await merchant.create(ids[n] ?? '', {
      amount,
      currencyCode,
      paymentMethod: { paymentMethodCode, emailAddress: 'success@sandbox.test' },
    })
    assert.equal(created.status, 201, created.text)
  }
  for (const id of ids) {
    await waitUntil(
      async () => JSON.parse((await merchant.read(`/payins/${id}`)).text).process.status === 'SUCCESS',
      { timeoutMs: 60_000, what: `the success of ${id}` },
    )
  }
}

test('B1 balances, merchant information and lists are those of the token’s merchant alone', async () => {
  await receive(rival, [['123.45', 'USD']])
  assert.equal(await balancesOf(shop), '{"data":[]}')
  assert.deepEqual(currenciesOf(await balancesOf(rival)), ['USD'])
  for (const query of [
    '?merchantCode=RIVAL',
    '?sub=RIVAL',
    '?currencyCodes=USD',
    `?merchantId=${rival.merchantId}`,
  ]) {
    assert.equal(await balancesOf(shop, query), '{"data":[]}', query)
  }
  const spoofed = await gateway.call({
    method: 'GET',
    path: '/balances',
    token: await shop.token(EVERYTHING),
    headers: { 'X-Merchant-Code': 'RIVAL', 'X-Merchant-Id': rival.merchantId, 'X-Forwarded-User': 'RIVAL' },
  })
  assert.deepEqual(spoofed.body, { data: [] })
  const info = JSON.parse((await shop.read('/merchant-info?merchantCode=RIVAL')).text)
  assert.equal(info.merchantCode, 'SHOP')
  const rivalInfo = JSON.parse((await rival.read('/merchant-info')).text)
  assert.notDeepEqual(info.callbackPublicKeys, rivalInfo.callbackPublicKeys)
  await gateway.sql(`delete from merchant_methods where merchant_id = $1 and method_code <> 'PIX'`, [
    rival.merchantId,
  ])
  await waitUntil(async () => JSON.parse((await rival.read('/currencies')).text).data.length === 1, {
    timeoutMs: 60_000,
    what: 'the rival’s methods',
  })
  const methods = JSON.parse((await shop.read('/payment-methods')).text).data
  assert.ok(methods.length > 1, 'the shop lost its methods with the rival’s')
})

test('B2 of the currencies asked for, unknown ones are passed over and nothing is read that was not meant', async () => {
  await receive(shop, [
    ['25', 'EUR'],
    ['30', 'USD'],
  ])
  const table: readonly (readonly [query: string, expected: readonly string[]])[] = [
    ['', ['EUR', 'USD']],
    ['?currencyCodes=EUR', ['EUR']],
    ['?currencies=EUR', ['EUR']],
    ['?currencyCodes=EUR,USD', ['EUR', 'USD']],
    ['?currencyCodes=EUR&currencyCodes=USD', ['EUR', 'USD']],
    ['?currencyCodes=EUR,EUR,EUR', ['EUR']],
    ['?currencyCodes=eur', []],
    ['?currencyCodes=EUR,nonsense,%00,%2527,GBP', ['EUR']],
    ['?currencyCodes=GBP', []],
    ['?currencyCodes=*', []],
    ['?currencyCodes=EU%25', []],
    ['?currencyCodes=EUR%2CUSD', ['EUR', 'USD']],
    ['?currencyCodes={EUR}', []],
    ['?unknown=EUR', ['EUR', 'USD']],
    ['?currencyCodes=', ['EUR', 'USD']],
    ['?currencyCodes=,,', ['EUR', 'USD']],
    ['?currencyCodes=&currencies=EUR', ['EUR']],
    [`?currencyCodes=${Array.from({ length: 300 }, (_, n) => `X${n}`.padEnd(3, 'X')).join()},EUR`, ['EUR']],
    [`?${'currencyCodes=%00&'.repeat(300)}currencyCodes=EUR`, ['EUR']],
    [`?currencies=${'EUR,'.repeat(300)}`, ['EUR']],
  ]
  for (const [query, expected] of table) {
    const answer = await shop.read(`/balances${query}`)
    assert.equal(answer.status, 200, `${query}: ${answer.text}`)
    assert.deepEqual(currenciesOf(answer.text), expected, query)
  }
  const malformed = await shop.read('/balances?currencyCodes=EU%')
  assert.equal(verdict(malformed), '400 BODY_INVALID')
  const longUrl = await shop.read(`/balances?x=${'a'.repeat(9_000)}`)
  assert.equal(verdict(longUrl), '400 BODY_INVALID')
})

test('B3 a balance has all its digits and no others', async () => {
  const precise = await addMerchant(gateway, 'PRECISE')
  await gateway.sql(
    `insert into merchant_fees (merchant_id, direction, method_code, currency_code) values ($1, 'PAYIN', 'CRYPTO', 'ETH'), ($1, 'PAYIN', 'BANK_TRANSFER', 'EUR')`,
    [precise.merchantId],
  )
  await waitUntil(
    async () => {
      const options = await gateway.call({
        method: 'POST',
        path: '/payins/!availablePaymentOptions',
        token: await precise.token(EVERYTHING),
        rawBody: '{"money":{"amount":1,"currencyCode":"ETH"}}',
      })
      return JSON.parse(options.text).data[0].fee.amount === 0
    },
    { timeoutMs: 60_000, what: 'the fees' },
  )
  await receive(precise, [
    ['0.100000000000000001', 'ETH'],
    ['0.200000000000000000', 'ETH'],
    ['10.10', 'EUR'],
    ['20.20', 'EUR'],
    ['1e1', 'EUR'],
  ])
  const money = (amount: string, currencyCode: string): string =>
    `{"amount":${amount},"currencyCode":"${currencyCode}"}`
  const line = (amount: string, currencyCode: string): string =>
    `{"currencyCode":"${currencyCode}","balance":${money(amount, currencyCode)},"available":${money('0', currencyCode)},` +
    `"notSettled":${money(amount, currencyCode)},"reserved":${money('0', currencyCode)}}`
  assert.equal(
    await balancesOf(precise),
    `{"data":[${line('0.300000000000000001', 'ETH')},${line('40.3', 'EUR')}]}`,
  )
})

test('B4 a balance is the sum of its parts at any moment, and does not go back', async () => {
  const busy = await addMerchant(gateway, 'BUSY')
  const end = new AbortController()
  const load = receive(
    busy,
    Array.from({ length: 60 }, () => ['10', 'EUR'] as const),
  ).finally(() => {
    end.abort()
  })
  const seen: number[] = []
  while (!end.signal.aborted) {
    const [balance] = JSON.parse((await busy.read('/balances')).text).data
    if (balance === undefined) continue
    const { available, notSettled, reserved } = balance
    assert.equal(balance.balance.amount, available.amount + notSettled.amount + reserved.amount)
    seen.push(balance.balance.amount)
  }
  await load
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => a - b),
  )
  assert.ok(seen.length > 0)
})

test('B5 nothing of the API is kept by a cache or read by another site', async () => {
  const token = await shop.token(EVERYTHING)
  for (const path of [
    '/balances',
    '/merchant-info',
    '/currencies',
    '/segments',
    '/payment-operators',
    '/payment-methods',
    '/payins/none',
    '/nowhere',
  ]) {
    const answer = await gateway.call({
      method: 'GET',
      path,
      token,
      headers: { Origin: 'https://evil.test' },
    })
    assert.equal(answer.headers.get('cache-control'), 'no-store', path)
    assert.equal(answer.headers.get('etag'), null, path)
    assert.equal(answer.headers.get('access-control-allow-origin'), null, path)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path)
    assert.match(String(answer.headers.get('content-type')), /^application\/json/, path)
    assert.equal(answer.headers.get('server'), null)
    assert.equal(answer.headers.get('x-powered-by'), null)
  }
})

test('B6 metrics are not on the public port, and what is there without a token holds no figures', async () => {
  const token = await shop.token(EVERYTHING)
  for (const path of [
    '/metrics',
    '/metrics/',
    '/debug',
    '/debug/pprof',
    '/admin',
    '/internal',
    '/.env',
    '/server-status',
  ]) {
    const answer = await gateway.call({ method: 'GET', path, token })
    assert.equal(verdict(answer), '404 ROUTE_NOT_FOUND', path)
  }
  assert.deepEqual(await fetch(`${gateway.url}/livez`).then((answer) => answer.text()), '{"status":"ok"}')
  const ready = JSON.parse(await fetch(`${gateway.url}/readyz`).then((answer) => answer.text()))
  assert.deepEqual(new Set(Object.values(ready.checks)), new Set(['ok']))
  const metrics = await fetch(gateway.metricsUrl).then((answer) => answer.text())
  assert.match(metrics, /http_server_request_duration_seconds_count/)
  assert.doesNotMatch(metrics, /SHOP|RIVAL|BUSY|b-SHOP/)
})

test('B7 queries of every list: empty ones select all, NUL and nonsense are ignored or refused, and nothing fails', async () => {
  const hostile = ['', ',', '%00', 'EUR%00', '%F0%9F%92%B6', '%27%3B--', 'A'.repeat(1_000)]
  const wrong: string[] = []
  for (const list of [
    '/settlements',
    '/balances',
    '/customers',
    '/rate-lists',
    '/rate-lists/SANDBOX',
    '/currencies',
  ])
    for (const name of [
      'currencyCodes',
      'currencies',
      'statuses',
      'cursor',
      'limit',
      'dateFrom',
      'date',
      'x%00',
    ])
      for (const value of hostile) {
        const answer = await shop.read(`${list}?${name}=${value}`)
        const isMultiple = ['currencyCodes', 'currencies', 'statuses'].includes(name)
        if (answer.status === 200 || (answer.status === 400 && !isMultiple)) continue
        if (list === '/rate-lists/SANDBOX' && answer.status === 410) continue
        wrong.push(`${list}?${name}=${value}: ${verdict(answer)}`)
      }
  assert.deepEqual(wrong, [])
})

test('B8 another site’s page reads one payin with its PAYIN_INFO token, from the merchant’s origins, and nothing else', async () => {
  const ours = await addMerchant(gateway, 'BROWSED')
  const theirs = await addMerchant(gateway, 'BROWSED_TOO')
  const allow = (merchant: Merchant, origin: string) =>
    gateway.sql('update merchants set browser_origins = array[$2] where merchant_id = $1', [
      merchant.merchantId,
      origin,
    ])
  const [own, foreign] = ['https://shop.example', 'https://rival.example']
  await allow(ours, own)
  await allow(theirs, foreign)
  const id = 'b8-payin'
  assert.equal((await ours.create(id)).status, 201)
  const info = await ours.actionToken({ action: 'PAYIN_INFO', idPayment: id })
  const none = await ours.actionToken({ action: 'PAYIN_INFO', idPayment: 'b8-none' })
  const read = (token: string, origin: string, path = `/payins/${id}`) =>
    gateway.call({ method: 'GET', path, token, headers: { Origin: origin } })
  const sharedWith = ({ headers }: { readonly headers: Headers }): string | null =>
    headers.get('access-control-allow-origin')
  await waitUntil(async () => sharedWith(await read(info, own)) === own, {
    timeoutMs: 60_000,
    what: 'the origin to be known',
  })
  const answer = await read(info, own)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('vary'), 'origin')
  assert.equal(answer.headers.get('access-control-allow-credentials'), null)
  const missing = await read(none, own, '/payins/b8-none')
  assert.deepEqual([missing.status, sharedWith(missing)], [410, own])
  const forbidden = await read(info, own, '/payins/b8-none')
  assert.deepEqual([forbidden.status, sharedWith(forbidden)], [403, own])

  const create = await ours.actionToken({ action: 'PAYIN_CREATE', idPayment: id })
  const wider = [`GET /payins/${id}`, `GET /payins/${id}/accounts`]
  const nothing: readonly (readonly [what: string, answer: { readonly headers: Headers }])[] = [
    ['a token that may create', await read(create, own)],
    ['a general token', await read(await ours.token(EVERYTHING), own)],
    ['a token that may read more', await read(await ours.token(wider), own)],
    ['a pattern', await read(await ours.token([`GET /payins/${id}.*`]), own)],
    ['a payout’s token', await read(await ours.actionToken({ action: 'PAYOUT_INFO', idPayment: id }), own)],
    ['another path', await read(info, own, `/payins/${id}/accounts`)],
    ['a list', await read(await ours.token(['GET /balances']), own, '/balances')],
    ['another origin', await read(info, 'https://evil.test')],
    ['another merchant’s origin', await read(info, foreign)],
    ['another port', await read(info, `${own}:8443`)],
    ['null', await read(info, 'null')],
    ['a subdomain', await read(info, 'https://a.shop.example')],
    ['no token', await read('', own)],
    ['a broken token', await read(`${info}x`, own)],
  ]
  for (const [what, { headers }] of nothing) {
    assert.equal(headers.get('access-control-allow-origin'), null, what)
    assert.equal(headers.get('access-control-allow-credentials'), null, what)
  }

  const preflight = (origin: string, path: string, method = 'GET') =>
    fetch(`${gateway.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization,x-api-version',
      },
    })
  const asked = await preflight(own, `/payins/${id}`)
  assert.equal(asked.status, 204)
  assert.equal(sharedWith(asked), own)
  assert.equal(asked.headers.get('vary'), 'origin')
  assert.equal(asked.headers.get('access-control-allow-methods'), 'GET')
  assert.equal(asked.headers.get('access-control-allow-headers'), 'authorization, x-api-version')
  for (const refused of [
    await preflight('https://evil.test', `/payins/${id}`),
    await preflight('null', `/payins/${id}`),
    await preflight(own, `/payins/${id}`, 'POST'),
    await preflight(own, `/payins/${id}/accounts`),
    await preflight(own, '/balances'),
    await preflight(own, '/auth-tokens'),
  ]) {
    assert.equal(refused.status, 404, refused.url)
    assert.equal(sharedWith(refused), null, refused.url)
  }
})
