import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { createServer } from 'node:http'
import { test } from 'node:test'
import {
  createGateway,
  IdConflictError,
  type RateSide,
  redirectUrl,
  signBody,
  type TokenAction,
  TollgateError,
} from '../src/index.ts'
import { listening, MERCHANT_KEYS, startFake } from './fake-gateway.ts'

const ORDER = {
  money: { amount: '149.90', currencyCode: 'EUR' },
  paymentMethodCode: 'BANK_TRANSFER',
  emailAddress: 'success@sandbox.test',
  callbackUrl: 'https://shop.example/callbacks',
  returnUrl: 'https://shop.example/thanks',
}
const failure = (facts: object) => (error: unknown) => {
  assert.ok(error instanceof TollgateError)
  assert.partialDeepStrictEqual(Object.fromEntries(Object.entries(error)), facts)
  return true
}

test('a payin is created with a signed token and the exact digits of its amount', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { created, payin } = await fake.client(baseUrl).payins.create('ORD-1', ORDER)
  assert.equal(created, true)
  assert.equal(payin.paymentMethodResponse.idPayin, 'ORD-1')
  assert.deepEqual(payin.paymentRequested.money, ORDER.money)
  assert.match(fake.sent('/payins/ORD-1')[0]?.body ?? '', /"money":\{"amount":149\.90,"currencyCode":"EUR"\}/)
})

test('fetch is called on nothing, as Cloudflare Workers demand', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  async function detached(this: unknown, ...request: Parameters<typeof fetch>): Promise<Response> {
    if (this !== undefined && this !== globalThis) throw new TypeError('Illegal invocation')
    return fetch(...request)
  }
  const { created } = await fake.client(baseUrl, { fetch: detached }).payins.create('ORD-1', ORDER)
  assert.equal(created, true)
})

test('a signature is RSA with SHA-256 over the minified body, for texts and for bytes', async () => {
  const pretty = '{ "merchantCode": "Žižka \\" s" }'
  for (const body of [pretty, Buffer.from(pretty)]) {
    const signature = Buffer.from(await signBody(body, MERCHANT_KEYS.privateKey), 'base64')
    const minified = Buffer.from('{"merchantCode":"Žižka \\" s"}')
    assert.ok(verify('sha256', minified, MERCHANT_KEYS.publicKey, signature))
  }
})

test('after a 500 the same request is repeated and accepted', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  fake.faults.push({ status: 500 })
  const { created } = await fake.client(baseUrl).payins.create('ORD-2', ORDER)
  assert.equal(created, true)
  const [first, second] = fake.sent('/payins/ORD-2')
  assert.equal(first?.body, second?.body)
  assert.deepEqual(fake.slept, [250])
})

test('a create whose answer was lost finds the stored payment', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  fake.faults.push('lost')
  const result = await fake.client(baseUrl).payins.create('ORD-3', ORDER)
  assert.equal(result.created, false)
  assert.equal(result.payin.process.status, 'CREATED')
  assert.deepEqual(
    fake.seen.map(({ method }) => method),
    ['POST', 'POST', 'POST', 'GET'],
  )
})

test('an id that names a different payment is a conflict', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { payins } = fake.client(baseUrl)
  await payins.create('ORD-4', ORDER)
  const other = { ...ORDER, money: { amount: '150', currencyCode: 'EUR' } }
  await assert.rejects(payins.create('ORD-4', other), (error) => {
    assert.ok(error instanceof IdConflictError)
    assert.deepEqual([error.id, error.status, error.retryable], ['ORD-4', 409, false])
    return true
  })
  assert.equal(fake.sent('/payins/ORD-4').length, 2)
})

test('Retry-After decides the pause, up to a limit', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  fake.faults.push({ status: 429, retryAfter: '1' }, { status: 429, retryAfter: '86400' })
  await fake.client(baseUrl).payins.create('ORD-5', ORDER)
  assert.deepEqual(fake.slept, [1000, 10_000])
})

test('patience ends: the last error tells what happened', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  fake.faults.push({ status: 500 }, { status: 500 }, { status: 500 })
  await assert.rejects(
    fake.client(baseUrl).payins.create('ORD-6', ORDER),
    failure({
      status: 500,
      code: 'SYSTEM',
      requestId: 'req-1',
      docUrl: 'https://docs.example/SYSTEM',
      retryable: true,
    }),
  )
  assert.equal(fake.sent('/payins/ORD-6').length, 3)
  const dead = fake.client('http://127.0.0.1:9', {
    retries: 0,
    fetch: () => Promise.reject(new TypeError('refused')),
  })
  await assert.rejects(
    dead.payins.read('ORD-6'),
    failure({ status: 0, code: 'NETWORK_FAILED', retryable: true }),
  )
})

test('where nobody listens, the error names the host and the reason', async (t) => {
  const server = createServer()
  const baseUrl = await listening(t, server)
  server.close()
  const client = createGateway({ baseUrl, merchantCode: 'DEMO', secret: 'open sesame', retries: 0 })
  await assert.rejects(client.merchantInfo(), {
    message: `NETWORK_FAILED: no answer from ${new URL(baseUrl).host}: ECONNREFUSED`,
  })
})

test('a word that the gateway would refuse does not compile', () => {
  // @ts-expect-error There is no such action.
  const action: TokenAction = 'PAYIN'
  // @ts-expect-error There is no such side.
  const side: RateSide = 'ASK'
  assert.deepEqual([action, side], ['PAYIN', 'ASK'])
})

test('options that cannot be used are refused at once, by name', async () => {
  const client = (options: object) => () =>
    createGateway({ baseUrl: 'https://pay.example', merchantCode: 'DEMO', ...options })
  const refusals: readonly (readonly [object, RegExp])[] = [
    [{ retries: Number.NaN }, /^retries must be a whole number from 0/],
    [{ retries: -1 }, /^retries/],
    [{ timeoutMs: -1 }, /^timeoutMs must be a whole number from 1/],
    [{ timeoutMs: 0 }, /^timeoutMs/],
    [{ timeoutMs: Infinity }, /^timeoutMs/],
    [{ baseUrl: 'localhost:8080' }, /^baseUrl must be a URL with http or https/],
    [{ baseUrl: 'pay.example' }, /^baseUrl/],
    [{ privateKey: undefined }, /^privateKey is missing or empty: give your RSA private key in PEM/],
    [{ privateKey: '' }, /^privateKey is missing/],
    [{ secret: undefined }, /^secret is missing or empty: give the secret of your merchant/],
    [{ privateKey: '', secret: 'open sesame' }, /^privateKey/],
  ]
  for (const [options, message] of refusals)
    assert.throws(client(options), (error) => error instanceof TypeError && message.test(error.message))
})

test('an answer that does not come in time is a timeout', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  fake.handle = async () => {}
  const client = fake.client(baseUrl, { timeoutMs: 30, retries: 1 })
  await assert.rejects(client.merchantInfo(), failure({ status: 0, code: 'TIMEOUT' }))
  assert.equal(fake.slept.length, 1)
})

test('a refusal is not repeated and carries every reason', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const limit = '{"min":200.00,"max":5000,"currencyCode":"EUR"}'
  const item = `{"code":"AMOUNT_BELOW_MINIMUM","message":"Too little.","limit":${limit}}`
  fake.replies.set('POST /payins/!availablePaymentOptions', { status: 406, body: `[${item}]` })
  await assert.rejects(
    fake.client(baseUrl).payins.options(ORDER),
    failure({
      status: 406,
      code: 'AMOUNT_BELOW_MINIMUM',
      retryable: false,
      items: [{ limit: { min: '200.00', max: '5000' } }],
    }),
  )
  assert.equal(fake.sent('/payins/!availablePaymentOptions').length, 1)
})

test('an id that could change the path, and an amount that is none, are never sent', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { payins } = fake.client(baseUrl)
  for (const id of ['', '../balances', 'a/b', '!availablePaymentOptions', 'a'.repeat(251)])
    await assert.rejects(payins.read(id), RangeError)
  await assert.rejects(
    payins.create('ORD-7', { ...ORDER, money: { amount: '1,50', currencyCode: 'EUR' } }),
    RangeError,
  )
  assert.deepEqual(fake.seen, [])
})

test('calls share one token until 80 % of its life', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { payins } = fake.client(baseUrl)
  await Promise.all(['A', 'B', 'C'].map((id) => payins.create(id, ORDER)))
  fake.nowMs += 2_879_999
  await payins.read('A')
  assert.equal(fake.sent('/auth-tokens').length, 1)
  fake.nowMs += 1
  await payins.read('A')
  assert.equal(fake.sent('/auth-tokens').length, 2)
})

test('tokens are remembered by operations and money, and a failure is not remembered', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { tokens } = fake.client(baseUrl)
  const operations = ['GET /payins/.*']
  const ten = { operations, money: { amount: '10', currencyCode: 'EUR' } }
  const all = await Promise.all([tokens.cached({ operations }), tokens.cached(ten), tokens.cached(ten)])
  assert.equal(new Set(all).size, 2)
  const wrong = fake.client(baseUrl, { privateKey: undefined, secret: 'wrong' })
  for (const requests of [3, 4]) {
    await assert.rejects(
      wrong.tokens.cached({ operations }),
      failure({ status: 401, code: 'CREDENTIALS_INVALID' }),
    )
    assert.equal(fake.sent('/auth-tokens').length, requests)
  }
})

test('a token that the gateway no longer accepts is replaced once', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { payins } = fake.client(baseUrl)
  await payins.create('ORD-8', ORDER)
  fake.revokeTokens()
  assert.equal((await payins.read('ORD-8')).process.status, 'CREATED')
  fake.faults.push({ status: 401, code: 'TOKEN_INVALID' }, { status: 401, code: 'TOKEN_INVALID' })
  await assert.rejects(payins.read('ORD-8'), failure({ status: 401, code: 'TOKEN_INVALID' }))
})

test('without a private key the secret is the credential, and with neither nothing is sent', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const shop = fake.client(baseUrl, { privateKey: undefined, secret: 'open sesame' })
  const token = await shop.tokens.createByAction({ action: 'PAYIN_INFO', idPayment: 'ORD-9' })
  assert.match(token, /^token-/)
  const nobody = createGateway({ baseUrl, merchantCode: 'DEMO' })
  await assert.rejects(nobody.merchantInfo(), {
    name: 'TypeError',
    message: 'this call needs a token: give createGateway your privateKey (only `request` works without one)',
  })
  assert.equal(fake.seen.length, 1)
})

test('lists are unwrapped, and a body that is none of ours is an error', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const gateway = fake.client(baseUrl)
  const money = '{"amount":0.10,"currencyCode":"EUR"}'
  const balance = `{"currencyCode":"EUR","available":${money},"new":1}`
  fake.replies.set('GET /balances?currencyCodes=EUR%2CCZK', { status: 200, body: `{"data":[${balance}]}` })
  fake.replies.set('GET /segments', { status: 200, body: '<html>' })
  fake.replies.set('POST /payins/ORD-10/!setExternalReference', { status: 204 })
  const [first] = await gateway.balances(['EUR', 'CZK'])
  assert.equal(first?.available.amount, '0.10')
  await assert.rejects(gateway.segments(), failure({ code: 'ANSWER_UNEXPECTED', retryable: false }))
  await gateway.payins.setExternalReference('ORD-10', '316547829301')
  assert.equal(fake.seen.at(-1)?.body, '{"externalReference":"316547829301"}')
})

test('a raw request sends what it is given and answers with any status', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const client = fake.client(baseUrl)
  const plain = await client.request({ method: 'GET', path: '/balances', headers: { 'X-API-Version': null } })
  assert.equal(plain.status, 404)
  const raw = await client.request({
    method: 'POST',
    path: '/payins/X',
    rawBody: '{ "a" : 1 }',
    token: 'none',
  })
  assert.equal(raw.status, 401)
  assert.partialDeepStrictEqual(raw.body, { code: 'TOKEN_INVALID' })
  assert.equal(fake.seen.at(-1)?.body, '{ "a" : 1 }')
  assert.equal(fake.seen.at(-1)?.headers.authorization, 'Bearer none')
})

test('a redirect URL carries the parameters of the hosted page', () => {
  const options = {
    paymentAppUrl: 'https://pay.example/app?theme=dark',
    merchantCode: 'DEMO',
    idPayin: 'ORD-11',
    token: 'a.b-c',
    money: ORDER.money,
    callbackUrl: ORDER.callbackUrl,
    returnUrl: 'https://shop.example/thanks?a=1&b=2',
    paymentOperatorCode: undefined,
    allowCustomerDataChange: true,
    customerData: { emailAddress: 'jo+1@example.test' },
  }
  assert.deepEqual(Object.fromEntries(new URL(redirectUrl(options)).searchParams), {
    theme: 'dark',
    merchantCode: 'DEMO',
    idPayin: 'ORD-11',
    token: 'a.b-c',
    amount: '149.90',
    currencyCode: 'EUR',
    callbackUrl: ORDER.callbackUrl,
    returnUrl: 'https://shop.example/thanks?a=1&b=2',
    allowCustomerDataChange: 'true',
    emailAddress: 'jo+1@example.test',
  })
  assert.throws(() => redirectUrl({ ...options, customerData: { amount: '1' } }), RangeError)
})
