import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { after, test } from 'node:test'
import { signBody, stringifyLossless } from '@tollgate/sdk'
import { waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess, violatedFields } from './support/expectations.ts'
import { RATE_UNLIMITED, startGateway, untilRateLimitIs } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS, addMerchant, createMerchant, newKeyPair, signedRequest } from './support/merchant.ts'
import { PROTECTED_OPERATIONS, type ProtectedOperation, requestTo } from './support/operations.ts'
import { createPayin, createRequest, newId } from './support/payins.ts'

// Specification section 5, and the operations of 4.6.

const gateway = await startGateway({ after })
const demo = gateway.demo()
const other = await addMerchant(gateway, 'OTHER')
await gateway.cli('merchants', 'enable-method', 'OTHER', 'all')
await gateway.cli('merchants', 'set-rate-limit', 'OTHER', String(RATE_UNLIMITED))
await untilRateLimitIs(gateway, other, RATE_UNLIMITED)
const closed = await addMerchant(gateway, 'CLOSED')
const closedToken = await closed.token(...ALL_OPERATIONS)
await gateway.cli('merchants', 'disable', 'CLOSED')
const token = await demo.token(...ALL_OPERATIONS)

const CHANGE_TIMEOUT_MS = 60_000
const COST_MS_MAX = 2_000
const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** A part of a JWT: 0 is the header, 1 the claims. */
function partOf(jwt: string, index: 0 | 1): unknown {
  return JSON.parse(Buffer.from(jwt.split('.')[index] ?? '', 'base64url').toString())
}

const read = (key: string, path: string) => gateway.send({ method: 'GET', path, token: key })

async function expectPermitted(key: string, path: string): Promise<void> {
  const { status } = await read(key, path)
  assert.ok(status === 200 || status === 410, `${path}: ${status}`)
}

async function expectForbidden(key: string, path: string): Promise<void> {
  expectError(await read(key, path), 403, 'OPERATION_NOT_PERMITTED')
}

const untilRefused = (key: string): Promise<void> =>
  waitUntil(async () => (await read(key, '/segments')).status === 401, {
    timeoutMs: CHANGE_TIMEOUT_MS,
    what: 'the token to be refused',
  })

// 4.6

test('POST /auth-tokens → 200 a signed JWT with the claims that were asked for', async () => {
  const operations = ['POST /payins/.*', 'GET /payins/.*']
  const body = { operations, validitySecs: 120, timestamp: nowSeconds() }
  const response = await gateway.send(demo.tokenRequest(body))
  const claims = partOf(textAt(expectSuccess(response, 200), 'token'), 1)
  assert.deepEqual(at(claims, 'operations'), operations)
  assert.equal(at(claims, 'sub'), 'DEMO')
  assert.equal(at(claims, 'iat'), body.timestamp)
  assert.equal(at(claims, 'exp'), body.timestamp + 120)
  assert.ok(textAt(claims, 'jti').length >= 16)
})

test('POST /auth-tokens-by-action → 200 a token for one payment', async () => {
  const expected = {
    PAYIN_CREATE: ['POST /payins/!availablePaymentOptions', 'POST /payins/ORD-1_a', 'GET /payins/ORD-1_a'],
    PAYIN_INFO: ['GET /payins/ORD-1_a'],
    PAYIN_REFUND: [
      'POST /payins/ORD-1_a/refunds/.*',
      'GET /payins/ORD-1_a/refunds',
      'GET /payins/ORD-1_a/refunds/.*',
      'GET /payins/ORD-1_a',
    ],
    PAYIN_CANCEL: ['POST /payins/ORD-1_a/!cancel', 'GET /payins/ORD-1_a'],
    PAYOUT_CREATE: [
      'POST /payouts/!availablePaymentOptions',
      'POST /payouts/ORD-1_a',
      'GET /payouts/ORD-1_a',
    ],
    PAYOUT_INFO: ['GET /payouts/ORD-1_a'],
    TOPUP_CREATE: ['POST /topups/!availablePaymentOptions', 'POST /topups/ORD-1_a', 'GET /topups/ORD-1_a'],
    TOPUP_INFO: ['GET /topups/ORD-1_a'],
  }
  for (const [action, operations] of Object.entries(expected)) {
    const response = await gateway.send(demo.tokenRequest({ action, idPayment: 'ORD-1_a' }))
    const claims = partOf(textAt(expectSuccess(response, 200), 'token'), 1)
    assert.deepEqual(listAt(claims, 'operations').toSorted(), operations.toSorted())
  }
})

test('a token by action does what the action says, and nothing for another payment', async () => {
  const id = newId()
  const key = await demo.tokenFor({ action: 'PAYIN_CREATE', idPayment: id })
  expectSuccess(await gateway.send(requestTo('POST /payins/!availablePaymentOptions', key)), 200)
  await createPayin(gateway, key, { id })
  await expectPermitted(key, `/payins/${id}`)
  await expectForbidden(key, `/payins/${id}x`)
  await expectForbidden(key, `/payins/${id}/accounts`)
  await expectForbidden(key, '/balances')
  expectError(await gateway.send(createRequest(key, newId())), 403, 'OPERATION_NOT_PERMITTED')
  const info = await demo.tokenFor({ action: 'PAYIN_INFO', idPayment: id })
  await expectPermitted(info, `/payins/${id}`)
  expectError(await gateway.send(createRequest(info, id)), 403, 'OPERATION_NOT_PERMITTED')
  const options = requestTo('POST /payins/!availablePaymentOptions', info)
  expectError(await gateway.send(options), 403, 'OPERATION_NOT_PERMITTED')
})

test('POST /auth-tokens → 400 operations or validity that cannot be', async () => {
  const wrong = [
    { operations: ['payins'] },
    { operations: ['GET payins'] },
    { operations: ['FETCH /payins/.*'] },
    { operations: ['GET /payins/('] },
    { operations: ['GET /payins/a{2,3}'] },
    { operations: ['GET /payins/(?=a).*'] },
    { operations: ['GET /payins/(a)\\1'] },
    { operations: [`GET /${'a'.repeat(300)}`] },
    { operations: Array.from({ length: 51 }, (_, n) => `GET /payins/${n}`) },
    { operations: ['GET /segments'], validitySecs: 0 },
    { operations: ['GET /segments'], validitySecs: -1 },
    { operations: ['GET /segments'], validitySecs: 86_401 },
  ]
  for (const body of wrong) {
    expectError(await gateway.send(demo.tokenRequest(body)), 400, 'ATTRIBUTE_VALUE_INVALID')
  }
  for (const body of [
    { operations: 'GET /segments' },
    { operations: ['GET /segments'], validitySecs: 1.5 },
  ]) {
    expectError(await gateway.send(demo.tokenRequest(body)), 400, 'ATTRIBUTE_INVALID')
  }
  for (const body of [{}, { operations: [] }]) {
    const missing = await gateway.send(demo.tokenRequest(body))
    expectError(missing, 400, 'ATTRIBUTE_REQUIRED')
    assert.deepEqual(violatedFields(missing), ['operations'])
  }
})

test('POST /auth-tokens-by-action → 400 an action, id or validity that cannot be', async () => {
  const idPayment = 'ORD-1'
  const wrong = [
    { action: 'PAYIN_DELETE', idPayment },
    { action: 'PAYIN_INFO', idPayment: 'a.b' },
    { action: 'PAYIN_INFO', idPayment: 'x'.repeat(251) },
    { action: 'PAYIN_CREATE', idPayment, validitySecs: 86_401 },
    { action: 'PAYIN_INFO', idPayment, validitySecs: 2_592_001 },
    { action: 'PAYOUT_INFO', idPayment, validitySecs: 86_401 },
    { action: 'TOPUP_INFO', idPayment, validitySecs: 86_401 },
  ]
  for (const body of wrong) {
    expectError(await gateway.send(demo.tokenRequest(body)), 400, 'ATTRIBUTE_VALUE_INVALID')
  }
  expectError(await gateway.send(demo.tokenRequest({ action: 'PAYIN_INFO' })), 400, 'ATTRIBUTE_REQUIRED')
})

test('the longest validity is given as asked for, and an hour when nothing is asked for', async () => {
  const lifeOf = async (body: Record<string, unknown>): Promise<number> => {
    const claims = partOf(await demo.tokenFor(body), 1)
    return Number(at(claims, 'exp')) - Number(at(claims, 'iat'))
  }
  assert.equal(await lifeOf({ operations: ['GET /segments'], validitySecs: 86_400 }), 86_400)
  const info = { action: 'PAYIN_INFO', idPayment: 'ORD-1' }
  assert.equal(await lifeOf({ ...info, validitySecs: 2_592_000 }), 2_592_000)
  assert.equal(await lifeOf({ ...info, validitySecs: undefined }), 3600)
})

test('POST /auth-tokens → 401 an unknown merchant and a wrong credential look the same', async () => {
  const stranger = createMerchant(gateway, { code: 'STRANGER', privateKey: demo.privateKey })
  const impostor = createMerchant(gateway, { code: 'DEMO', privateKey: newKeyPair().privateKey })
  const body = { operations: ['GET /segments'] }
  const answers = await Promise.all(
    [stranger, impostor].map((merchant) => gateway.send(merchant.tokenRequest(body))),
  )
  for (const answer of answers) expectError(answer, 401, 'SIGNATURE_INVALID')
  assert.equal(new Set(answers.map((answer) => textAt(answer.body, 'message'))).size, 1)
  const bySecret = (merchantCode: string) =>
    gateway.send({ method: 'POST', path: '/auth-tokens', body: { ...body, merchantCode, secret: 'wrong' } })
  const refused = [await bySecret('DEMO'), await bySecret('STRANGER')]
  for (const answer of refused) expectError(answer, 401, 'CREDENTIALS_INVALID')
  assert.equal(new Set(refused.map((answer) => textAt(answer.body, 'message'))).size, 1)
  const nothing = { ...body, merchantCode: 'DEMO' }
  expectError(
    await gateway.send({ method: 'POST', path: '/auth-tokens', body: nothing }),
    401,
    'CREDENTIALS_INVALID',
  )
})

test('POST /auth-tokens-by-action → 401 the signature belongs to another body', async () => {
  const request = demo.tokenRequest({ action: 'PAYIN_INFO', idPayment: 'ORD-1' })
  const rawBody = String(request.rawBody).replace('ORD-1', 'ORD-2')
  expectError(await gateway.send({ ...request, rawBody }), 401, 'SIGNATURE_INVALID')
  const headers = { 'X-SIGNATURE': `${request.headers?.['X-SIGNATURE'] ?? ''}=` }
  expectError(await gateway.send({ ...request, headers }), 401, 'SIGNATURE_INVALID')
})

test('POST /auth-tokens → 403 the merchant is disabled', async () => {
  const response = await gateway.send(closed.tokenRequest({ operations: ['GET /segments'] }))
  expectError(response, 403, 'MERCHANT_UNAVAILABLE')
})

test('POST /auth-tokens-by-action → 403 the merchant is disabled', async () => {
  const response = await gateway.send(closed.tokenRequest({ action: 'PAYIN_INFO', idPayment: 'ORD-1' }))
  expectError(response, 403, 'MERCHANT_UNAVAILABLE')
})

test('a token of a merchant who was disabled opens nothing', async () => {
  expectError(await read(closedToken, '/segments'), 403, 'MERCHANT_UNAVAILABLE')
})

// 5.1

test('the signature may be made over the minified body whatever the body looks like', async () => {
  const body = {
    merchantCode: 'DEMO',
    operations: ['GET /segments'],
    timestamp: nowSeconds(),
    note: 'a "quoted" \\ text with  spaces and é',
  }
  const compact = stringifyLossless(body)
  const pretty = JSON.stringify(body, null, 2)
  const send = async (rawBody: string, signed: string) =>
    gateway.send({
      method: 'POST',
      path: '/auth-tokens',
      rawBody,
      headers: { 'X-SIGNATURE': await signBody(signed, demo.privateKey) },
    })
  const first = expectSuccess(await send(compact, compact), 200)
  assert.deepEqual(expectSuccess(await send(pretty, compact), 200), first)
  assert.deepEqual(expectSuccess(await send(pretty.replaceAll('\n', '\r\n\t'), compact), 200), first)
})

test('a body with a member twice is refused, whatever is signed', async () => {
  const rawBody = `{"merchantCode":"DEMO","operations":["GET /segments"],"operations":["GET /.*"],"timestamp":${nowSeconds()}}`
  const headers = { 'X-SIGNATURE': await signBody(rawBody, demo.privateKey) }
  expectError(
    await gateway.send({ method: 'POST', path: '/auth-tokens', rawBody, headers }),
    400,
    'BODY_INVALID',
  )
})

test('the timestamp may be seconds or milliseconds, at most 300 seconds away, and is required', async () => {
  const send = (timestamp: number | undefined) =>
    gateway.send(demo.tokenRequest({ operations: ['GET /segments'], timestamp }))
  for (const apart of [-290, 0, 290]) expectSuccess(await send(nowSeconds() + apart), 200)
  expectSuccess(await send(Date.now() - 290_000), 200)
  for (const apart of [-310, 310]) {
    expectError(await send(nowSeconds() + apart), 401, 'SIGNATURE_INVALID')
    expectError(await send(Date.now() + apart * 1000), 401, 'SIGNATURE_INVALID')
  }
  const missing = await send(undefined)
  expectError(missing, 400, 'ATTRIBUTE_REQUIRED')
  assert.deepEqual(violatedFields(missing), ['timestamp'])
})

test('a repeat of a signed request gives the same token, also after a restart', async () => {
  const request = demo.tokenRequest({ operations: ['GET /segments'], validitySecs: 300 })
  const first = textAt(expectSuccess(await gateway.send(request), 200), 'token')
  assert.equal(textAt((await gateway.send(request)).body, 'token'), first)
  await gateway.stop()
  await gateway.start()
  // A gateway that has just started on a busy machine may not know its answer in time.
  const again = async (): Promise<boolean> => {
    const { status, body } = await gateway.send(request)
    if (status === 200) assert.equal(textAt(body, 'token'), first)
    return status === 200
  }
  await waitUntil(again, { timeoutMs: 60_000, what: 'a token after the restart' })
  expectSuccess(await read(first, '/segments'), 200)
})

test('different requests of one second give different tokens', async () => {
  const timestamp = nowSeconds()
  const tokens = await Promise.all(
    ['ORD-1', 'ORD-2', 'ORD-3'].map((idPayment) =>
      demo.tokenFor({ action: 'PAYIN_INFO', idPayment, timestamp }),
    ),
  )
  assert.equal(new Set(tokens.map((each) => textAt(partOf(each, 1), 'jti'))).size, 3)
})

test('the deprecated secret works, says that it is deprecated, and must hold beside a signature', async () => {
  const body = { merchantCode: 'DEMO', operations: ['GET /segments'], secret: demo.secret }
  const response = await gateway.send({ method: 'POST', path: '/auth-tokens', body })
  expectSuccess(response, 200)
  assert.ok(response.headers.has('deprecation'))
  const both = { ...body, timestamp: nowSeconds() }
  expectSuccess(await gateway.send(signedRequest('/auth-tokens', both, demo.privateKey)), 200)
  const wrong = { ...both, secret: 'sec_wrong' }
  expectError(
    await gateway.send(signedRequest('/auth-tokens', wrong, demo.privateKey)),
    401,
    'CREDENTIALS_INVALID',
  )
  const forged = signedRequest('/auth-tokens', both, newKeyPair().privateKey)
  expectError(await gateway.send(forged), 401, 'SIGNATURE_INVALID')
})

test('a key that is registered signs at once, and one that is removed signs no more', async () => {
  const rotating = await addMerchant(gateway, 'ROTATING')
  const { stdout } = await gateway.cli('merchants', 'show', 'ROTATING', '--json')
  const keyId = /key_[0-9A-Z]+/.exec(stdout)?.[0] ?? ''
  await rotating.token('GET /segments')
  await gateway.cli('merchants', 'remove-key', 'ROTATING', keyId)
  const isRefused = async (): Promise<boolean> =>
    (await gateway.send(rotating.tokenRequest({ operations: ['GET /segments'] }))).status === 401
  await waitUntil(isRefused, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the removed key to be refused' })
})

// 5.2

test('the published keys verify a token', async () => {
  const jwt = await demo.token('GET /segments')
  const [head = '', claims = '', signature = ''] = jwt.split('.')
  const header = partOf(jwt, 0)
  assert.equal(at(header, 'alg'), 'EdDSA')
  const jwks = await gateway.send({ method: 'GET', path: '/.well-known/jwks.json' })
  const jwk = itemWith(listAt(jwks.body, 'keys'), 'kid', textAt(header, 'kid'))
  assert.equal(at(jwk, 'd'), undefined)
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: textAt(jwk, 'kty'), crv: textAt(jwk, 'crv'), x: textAt(jwk, 'x') },
  })
  const signed = Buffer.from(`${head}.${claims}`)
  assert.ok(verify(null, signed, key, Buffer.from(signature, 'base64url')))
})

test('a token that was altered, or signed by something else, is refused', async () => {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const payload = partOf(token, 1)
  const wider = encoded(Object.assign({}, payload, { operations: ['GET /.*', 'POST /.*'] }))
  const wrong = [
    `${head}.${wider}.${signature}`,
    `${head}.${claims}.${'A'.repeat(86)}`,
    `${encoded({ alg: 'none', typ: 'JWT' })}.${claims}.`,
    `${encoded({ alg: 'none', typ: 'JWT' })}.${claims}.AAAA`,
    `${encoded({ alg: 'HS256', typ: 'JWT', kid: at(partOf(token, 0), 'kid') })}.${claims}.${signature}`,
    `${encoded({ alg: 'EdDSA', typ: 'JWT', kid: 'unknown' })}.${claims}.${signature}`,
    `${head}.${claims}`,
    'nonsense',
    'a.b.c',
  ]
  for (const key of wrong) expectError(await read(key, '/segments'), 401, 'TOKEN_INVALID')
})

test('a token that has expired is refused', async () => {
  const key = await demo.tokenFor({ operations: ['GET /segments'], validitySecs: 3 })
  await untilRefused(key)
  expectError(await read(key, '/segments'), 401, 'TOKEN_EXPIRED')
})

test('a token is read from the Authorization header alone', async () => {
  const without = { method: 'GET', path: '/segments' }
  const wrong = [
    { ...without, path: `/segments?token=${token}&access_token=${token}` },
    { ...without, headers: { Authorization: `Basic ${token}` } },
    { ...without, headers: { Authorization: token } },
    { ...without, headers: { Cookie: `token=${token}` } },
  ]
  for (const request of wrong) expectError(await gateway.send(request), 401, 'TOKEN_MISSING')
  expectSuccess(await gateway.send({ ...without, headers: { Authorization: `bearer ${token}` } }), 200)
})

test('an operation is matched in full, by method and path, and its dot-star crosses slashes', async () => {
  const all = await demo.token('GET /payins/.*')
  await expectPermitted(all, '/payins/ORD-1')
  await expectPermitted(all, '/payins/ORD-1/accounts')
  await expectPermitted(all, '/payins/ORD-1?query=is-not-looked-at')
  await expectForbidden(all, '/balances')
  expectError(await gateway.send(createRequest(all, newId())), 403, 'OPERATION_NOT_PERMITTED')
  const one = await demo.token('GET /payins/ORD-1')
  await expectPermitted(one, '/payins/ORD-1')
  await expectPermitted(one, '/payins/%4FRD-1')
  await expectForbidden(one, '/payins/ORD-12')
  await expectForbidden(one, '/payins/xORD-1')
  await expectForbidden(one, '/payins/ORD-1/accounts')
  const pattern = await demo.token('GET /payins/(ORD|INV)-[0-9]+')
  await expectPermitted(pattern, '/payins/INV-77')
  await expectForbidden(pattern, '/payins/INV-')
  await expectForbidden(pattern, '/payins/INV-7a')
  const alternatives = await demo.token('GET /segments|/balances')
  await expectPermitted(alternatives, '/balances')
  await expectForbidden(alternatives, '/payment-methods')
})

test('a hostile pattern costs no more than another', async () => {
  const startedMs = performance.now()
  const key = await demo.token('GET /payins/(a+)+', 'GET /payins/(a|a)*', 'GET /payins/(.*a)*x')
  for (const id of ['a'.repeat(249), `${'a'.repeat(249)}b`, 'a'.repeat(40) + '-'.repeat(40)]) {
    const { status } = await read(key, `/payins/${id}`)
    assert.equal(status, /^a+$/.test(id) ? 410 : 403)
  }
  assert.ok(performance.now() - startedMs < COST_MS_MAX)
})

test('a token with money permits exactly that money', async () => {
  const key = await demo.tokenFor({
    operations: ['POST /payins/.*', 'GET /payins/.*'],
    money: { amount: '10.00', currencyCode: 'EUR' },
  })
  const id = newId()
  await createPayin(gateway, key, { id, amount: '10' })
  for (const wanted of [{ amount: '10.01' }, { amount: '10', currencyCode: 'USD' }]) {
    expectError(await gateway.send(createRequest(key, newId(), wanted)), 403, 'MONEY_NOT_PERMITTED')
    expectError(await gateway.send(createRequest(key, id, wanted)), 403, 'MONEY_NOT_PERMITTED')
  }
  const options = (amount: string) =>
    gateway.send({
      method: 'POST',
      path: '/payins/!availablePaymentOptions',
      token: key,
      body: { money: { amount, currencyCode: 'EUR' } },
    })
  expectSuccess(await options('10.0'), 200)
  expectError(await options('9.99'), 403, 'MONEY_NOT_PERMITTED')
  const precise = await demo.tokenFor({
    action: 'PAYIN_CREATE',
    idPayment: id,
    money: { amount: '1.000000000000000001', currencyCode: 'ETH' },
  })
  const wanted = { method: 'CRYPTO', currencyCode: 'ETH', amount: '1.000000000000000002' }
  expectError(await gateway.send(createRequest(precise, id, wanted)), 403, 'MONEY_NOT_PERMITTED')
})

test('a token of one merchant opens nothing of another', async () => {
  const id = newId()
  await createPayin(gateway, token, { id })
  const key = await other.token(...ALL_OPERATIONS)
  expectError(await read(key, `/payins/${id}`), 410, 'ENTITY_NOT_FOUND')
  assert.equal(at((await read(key, '/merchant-info')).body, 'merchantCode'), 'OTHER')
})

test('a new key is published at once and does not sign yet', async () => {
  const { stdout } = await gateway.cli('keys', 'rotate', '--json')
  const kid = textAt(JSON.parse(stdout), 'kid')
  const published = async (): Promise<Awaited<ReturnType<typeof gateway.send>>> =>
    gateway.send({ method: 'GET', path: '/.well-known/jwks.json' })
  await waitUntil(async () => JSON.stringify((await published()).body).includes(kid), {
    timeoutMs: CHANGE_TIMEOUT_MS,
    what: 'the new key among the published ones',
  })
  assert.equal((await published()).headers.get('cache-control'), 'public, max-age=60')
  const token = await demo.tokenFor({ operations: ['GET /segments'], validitySecs: 598 })
  assert.notEqual(textAt(partOf(token, 0), 'kid'), kid)
})

test('keys rotate without a restart, and the tokens of the key before stay good', async () => {
  const before = await demo.token('GET /segments')
  await gateway.cli('keys', 'rotate', '--now')
  const kidOf = (jwt: string): string => textAt(partOf(jwt, 0), 'kid')
  let renewed = before
  const isRotated = async (): Promise<boolean> => {
    renewed = await demo.tokenFor({ operations: ['GET /segments'], validitySecs: 599 })
    return kidOf(renewed) !== kidOf(before)
  }
  await waitUntil(isRotated, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'tokens of the new key' })
  expectSuccess(await read(before, '/segments'), 200)
  expectSuccess(await read(renewed, '/segments'), 200)
  const jwks = await gateway.send({ method: 'GET', path: '/.well-known/jwks.json' })
  for (const jwt of [before, renewed]) itemWith(listAt(jwks.body, 'keys'), 'kid', kidOf(jwt))
})

test('one token can be revoked, within 5 seconds and alone', async () => {
  const [revoked, kept] = [
    // A lifetime of its own: nobody else shall ask for this very token within the same second.
    await demo.tokenFor({ operations: ['GET /segments'], validitySecs: 599 }),
    await demo.token('GET /segments', 'GET /balances'),
  ]
  expectSuccess(await read(revoked, '/segments'), 200)
  await gateway.cli('token', 'revoke', revoked)
  await untilRefused(revoked)
  expectError(await read(revoked, '/segments'), 401, 'TOKEN_INVALID')
  expectSuccess(await read(kept, '/segments'), 200)
})

test('all tokens of a merchant can be revoked, within 5 seconds, and new ones work', async () => {
  const held = await Promise.all([
    other.token('GET /segments'),
    other.tokenFor({ operations: ['GET /segments'], validitySecs: 86_400 }),
    other.tokenFor({ operations: ['GET /segments'], timestamp: nowSeconds() - 100 }),
  ])
  for (const key of held) expectSuccess(await read(key, '/segments'), 200)
  await gateway.cli('merchants', 'revoke-tokens', 'OTHER')
  for (const key of held) await untilRefused(key)
  // What was signed in the second of the revocation, or before, opens nothing.
  const isNewAccepted = async (): Promise<boolean> => {
    const request = other.tokenRequest({ operations: ['GET /segments'] })
    const { status, body } = await gateway.send(request)
    return status === 200 && (await read(textAt(body, 'token'), '/segments')).status === 200
  }
  await waitUntil(isNewAccepted, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'a new token to work' })
  expectSuccess(await read(token, '/segments'), 200)
})

test('revoking all tokens of a merchant reaches those that were signed ahead of time, too', async () => {
  const ahead = await other.tokenFor({ operations: ['GET /segments'], timestamp: nowSeconds() + 100 })
  expectSuccess(await read(ahead, '/segments'), 200)
  await gateway.cli('merchants', 'revoke-tokens', 'OTHER')
  await untilRefused(ahead)
})

// 401 and 403 of every operation

async function expectTokenNeeded(operation: ProtectedOperation): Promise<void> {
  expectError(await gateway.send(requestTo(operation, undefined)), 401, 'TOKEN_MISSING')
  expectError(await gateway.send(requestTo(operation, 'a.b.c')), 401, 'TOKEN_INVALID')
}

async function expectPermissionNeeded(operation: ProtectedOperation): Promise<void> {
  const [method = ''] = operation.split(' ')
  const rest = PROTECTED_OPERATIONS.filter((each) => each !== operation && each.startsWith(method))
  const key = await demo.token(
    'GET /nothing',
    ...rest.map((each) => each.replace('{idPayin}', 'ORD-1').replace('{idRefund}', 'R-1')),
  )
  expectError(await gateway.send(requestTo(operation, key)), 403, 'OPERATION_NOT_PERMITTED')
}

test('POST /payins/!availablePaymentOptions → 401 the token is missing or wrong', () =>
  expectTokenNeeded('POST /payins/!availablePaymentOptions'))
test('POST /payins/{idPayin} → 401 the token is missing or wrong', () =>
  expectTokenNeeded('POST /payins/{idPayin}'))
test('GET /payins/{idPayin} → 401 the token is missing or wrong', () =>
  expectTokenNeeded('GET /payins/{idPayin}'))
test('POST /payins/{idPayin}/!cancel → 401 the token is missing or wrong', () =>
  expectTokenNeeded('POST /payins/{idPayin}/!cancel'))
test('POST /payins/{idPayin}/refunds/{idRefund} → 401 the token is missing or wrong', () =>
  expectTokenNeeded('POST /payins/{idPayin}/refunds/{idRefund}'))
test('GET /payins/{idPayin}/refunds → 401 the token is missing or wrong', () =>
  expectTokenNeeded('GET /payins/{idPayin}/refunds'))
test('GET /payins/{idPayin}/refunds/{idRefund} → 401 the token is missing or wrong', () =>
  expectTokenNeeded('GET /payins/{idPayin}/refunds/{idRefund}'))
test('POST /payins/{idPayin}/!setExternalReference → 401 the token is missing or wrong', () =>
  expectTokenNeeded('POST /payins/{idPayin}/!setExternalReference'))
test('GET /payins/{idPayin}/accounts → 401 the token is missing or wrong', () =>
  expectTokenNeeded('GET /payins/{idPayin}/accounts'))
test('GET /balances → 401 the token is missing or wrong', () => expectTokenNeeded('GET /balances'))
test('GET /merchant-info → 401 the token is missing or wrong', () => expectTokenNeeded('GET /merchant-info'))
test('GET /currencies → 401 the token is missing or wrong', () => expectTokenNeeded('GET /currencies'))
test('GET /segments → 401 the token is missing or wrong', () => expectTokenNeeded('GET /segments'))
test('GET /payment-operators → 401 the token is missing or wrong', () =>
  expectTokenNeeded('GET /payment-operators'))
test('GET /payment-methods → 401 the token is missing or wrong', () =>
  expectTokenNeeded('GET /payment-methods'))

test('POST /payins/!availablePaymentOptions → 403 the token is for something else', () =>
  expectPermissionNeeded('POST /payins/!availablePaymentOptions'))
test('POST /payins/{idPayin} → 403 the token is for something else', () =>
  expectPermissionNeeded('POST /payins/{idPayin}'))
test('GET /payins/{idPayin} → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /payins/{idPayin}'))
test('POST /payins/{idPayin}/!cancel → 403 the token is for something else', () =>
  expectPermissionNeeded('POST /payins/{idPayin}/!cancel'))
test('POST /payins/{idPayin}/refunds/{idRefund} → 403 the token is for something else', () =>
  expectPermissionNeeded('POST /payins/{idPayin}/refunds/{idRefund}'))
test('GET /payins/{idPayin}/refunds → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /payins/{idPayin}/refunds'))
test('GET /payins/{idPayin}/refunds/{idRefund} → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /payins/{idPayin}/refunds/{idRefund}'))
test('POST /payins/{idPayin}/!setExternalReference → 403 the token is for something else', () =>
  expectPermissionNeeded('POST /payins/{idPayin}/!setExternalReference'))
test('GET /payins/{idPayin}/accounts → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /payins/{idPayin}/accounts'))
test('GET /balances → 403 the token is for something else', () => expectPermissionNeeded('GET /balances'))
test('GET /merchant-info → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /merchant-info'))
test('GET /currencies → 403 the token is for something else', () => expectPermissionNeeded('GET /currencies'))
test('GET /segments → 403 the token is for something else', () => expectPermissionNeeded('GET /segments'))
test('GET /payment-operators → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /payment-operators'))
test('GET /payment-methods → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /payment-methods'))
