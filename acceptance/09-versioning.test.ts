import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest } from '@tollgate/sdk'
import { callbackReceiver, freePort, testDatabase, waitUntil } from '@tollgate/testkit'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expectError, expectSuccess } from './support/expectations.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import {
  PROTECTED_OPERATIONS,
  type ProtectedOperation,
  requestTo,
  TOKEN_OPERATIONS,
  type TokenOperation,
  tokenRequestTo,
} from './support/operations.ts'
import { createPayin, newId, payinBody } from './support/payins.ts'
import { type Outcome, runProgram } from './support/process.ts'

// Specification section 9, and the settings with which a gateway does not start.

const gateway = await startGateway({ after })
const demo = gateway.demo()
const token = await demo.token(...ALL_OPERATIONS)

async function expectVersionNeeded(request: RawRequest): Promise<void> {
  for (const version of [null, '1', '3', '2.83', '']) {
    const headers = { ...request.headers, 'X-API-Version': version }
    const response = await gateway.send({ ...request, headers })
    expectError(response, 404, 'API_VERSION_UNSUPPORTED')
    assert.deepEqual(at(response.body, 'supportedVersions'), [2])
  }
}
const expectOperationVersioned = (operation: ProtectedOperation): Promise<void> =>
  expectVersionNeeded(requestTo(operation, token))
const expectTokensVersioned = (operation: TokenOperation): Promise<void> =>
  expectVersionNeeded(tokenRequestTo(operation, demo))

test('POST /auth-tokens → 404 the version is missing or not supported', () =>
  expectTokensVersioned('POST /auth-tokens'))
test('POST /auth-tokens-by-action → 404 the version is missing or not supported', () =>
  expectTokensVersioned('POST /auth-tokens-by-action'))
test('POST /payins/!availablePaymentOptions → 404 the version is missing or not supported', () =>
  expectOperationVersioned('POST /payins/!availablePaymentOptions'))
test('POST /payins/{idPayin} → 404 the version is missing or not supported', () =>
  expectOperationVersioned('POST /payins/{idPayin}'))
test('GET /payins/{idPayin} → 404 the version is missing or not supported', () =>
  expectOperationVersioned('GET /payins/{idPayin}'))
test('POST /payins/{idPayin}/!cancel → 404 the version is missing or not supported', () =>
  expectOperationVersioned('POST /payins/{idPayin}/!cancel'))
test('POST /payins/{idPayin}/refunds/{idRefund} → 404 the version is missing or not supported', () =>
  expectOperationVersioned('POST /payins/{idPayin}/refunds/{idRefund}'))
test('GET /payins/{idPayin}/refunds → 404 the version is missing or not supported', () =>
  expectOperationVersioned('GET /payins/{idPayin}/refunds'))
test('GET /payins/{idPayin}/refunds/{idRefund} → 404 the version is missing or not supported', () =>
  expectOperationVersioned('GET /payins/{idPayin}/refunds/{idRefund}'))
test('POST /payins/{idPayin}/!setExternalReference → 404 the version is missing or not supported', () =>
  expectOperationVersioned('POST /payins/{idPayin}/!setExternalReference'))
test('GET /payins/{idPayin}/accounts → 404 the version is missing or not supported', () =>
  expectOperationVersioned('GET /payins/{idPayin}/accounts'))
test('GET /balances → 404 the version is missing or not supported', () =>
  expectOperationVersioned('GET /balances'))
test('GET /merchant-info → 404 the version is missing or not supported', () =>
  expectOperationVersioned('GET /merchant-info'))
test('GET /currencies → 404 the version is missing or not supported', () =>
  expectOperationVersioned('GET /currencies'))
test('GET /segments → 404 the version is missing or not supported', () =>
  expectOperationVersioned('GET /segments'))
test('GET /payment-operators → 404 the version is missing or not supported', () =>
  expectOperationVersioned('GET /payment-operators'))
test('GET /payment-methods → 404 the version is missing or not supported', () =>
  expectOperationVersioned('GET /payment-methods'))

test('the description is of the interface version 2.83 and names every operation', async () => {
  const { body } = await gateway.send({ method: 'GET', path: '/openapi.json' })
  assert.match(String(at(body, 'openapi')), /^3[.]/)
  assert.equal(at(body, 'info', 'version'), '2.83')
  for (const operation of [...PROTECTED_OPERATIONS, ...TOKEN_OPERATIONS]) {
    const [method = '', path = ''] = operation.split(' ')
    assert.ok(at(body, 'paths', path, method.toLowerCase()) !== undefined, operation)
  }
})

test('the description takes and refuses the same bodies as the gateway', async () => {
  const document = (await gateway.send({ method: 'GET', path: '/openapi.json' })).body
  const ajv = new Ajv2020({ strict: false })
  const euro = (amount: number) => ({ money: { amount, currencyCode: 'EUR' } })
  const payin = { ...JSON.parse(JSON.stringify(payinBody())), paymentRequested: euro(149.9) }
  const topUp = { topUpRequested: euro(25), paymentMethod: { paymentMethodCode: 'BANK_TRANSFER' } }
  const action = { merchantCode: demo.code, secret: demo.secret, idPayment: 'ORD-1' }
  const table: readonly (readonly [path: string, body: unknown, isFine: boolean])[] = [
    ['/payins/{idPayin}', payin, true],
    ['/payins/{idPayin}', { ...payin, returnUrl: 'https://shop.example/#/x' }, true],
    ['/payins/{idPayin}', { ...payin, returnUrl: 'https://bücher.example' }, true],
    ['/payins/{idPayin}', { ...payin, returnUrl: 'https://user:secret@shop.example/' }, false],
    ['/payins/{idPayin}', { ...payin, callbackUrl: 'https://shop.example/#x' }, false],
    ['/payins/{idPayin}', { ...payin, callbackUrl: 'ftp://shop.example/' }, false],
    ['/payins/{idPayin}', { ...payin, callbackUrl: 'https://shop.example/a b' }, false],
    ['/payins/{idPayin}', { ...payin, callbackUrl: 'https:\\\\shop.example/' }, false],
    ['/payins/{idPayin}', { ...payin, paymentRequested: euro(0) }, false],
    ['/payins/{idPayin}', { ...payin, paymentRequested: euro(-1) }, false],
    ['/payins/!availablePaymentOptions', euro(1), true],
    ['/payins/!availablePaymentOptions', euro(0), false],
    ['/payins/{idPayin}/!setExternalReference', {}, false],
    ['/topups/{idTopUp}', topUp, true],
    ['/topups/{idTopUp}', { paymentRequested: euro(25), paymentMethod: topUp.paymentMethod }, true],
    ['/topups/{idTopUp}', { paymentMethod: topUp.paymentMethod }, false],
    ['/settlements/{idSettlement}', {}, false],
    ['/rate-lists/{code}/!convert', { ...euro(0), targetCurrencyCode: 'CZK', side: 'BUY' }, false],
    ['/auth-tokens', { merchantCode: demo.code, secret: demo.secret, operations: ['GET .*'] }, true],
    ['/auth-tokens', { merchantCode: demo.code, secret: demo.secret, operations: ['HEAD /x'] }, false],
    ['/auth-tokens-by-action', { ...action, action: 'PAYIN_CREATE', validitySecs: 86_400 }, true],
    ['/auth-tokens-by-action', { ...action, action: 'PAYIN_CREATE', validitySecs: 86_401 }, false],
    ['/auth-tokens-by-action', { ...action, action: 'PAYIN_INFO', validitySecs: 86_401 }, true],
    ['/auth-tokens-by-action', { ...action, action: 'PAYIN_INFO', validitySecs: 2_592_001 }, false],
  ]
  const key = await demo.token('GET .*', 'POST .*')
  for (const [path, body, isFine] of table) {
    const what = `${path} ${JSON.stringify(body)}`
    const schema = at(document, 'paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema')
    const described = ajv.validate({ ...Object(schema), components: at(document, 'components') }, body)
    assert.equal(described, isFine, `described: ${what}`)
    const url = path.replace('{code}', 'SANDBOX').replace(/\{\w+\}/, newId())
    const token = path.startsWith('/auth-tokens') ? undefined : key
    const answer = await gateway.send({ method: 'POST', path: url, ...(token && { token }), body })
    assert.equal(answer.status !== 400, isFine, `answered ${answer.status}: ${what}`)
  }
})

test('the description has the specification’s groups, and says how to receive a callback', async () => {
  const document = (await gateway.send({ method: 'GET', path: '/openapi.json' })).body
  const names = listAt(document, 'tags').map((tag) => at(tag, 'name'))
  for (const name of [
    'Auth',
    'Payments',
    'Settlements',
    'Incoming payments',
    'Outgoing payments',
    'Accounts',
  ])
    assert.ok(names.includes(name), name)
  const call = at(document, 'webhooks', 'statusChange', 'post')
  assert.deepEqual(Object.keys(Object(at(call, 'responses'))), ['200', '2XX', '3XX', '4XX', '5XX'])
  const described = listAt(call, 'parameters').map((each) => String(at(each, 'name')).toLowerCase())
  const receiver = await callbackReceiver({ after })
  const body = payinBody({ callbackUrl: receiver.url, email: 'success@sandbox.test' })
  await gateway.send({ method: 'POST', path: `/payins/${newId()}`, token, body })
  await waitUntil(() => receiver.requests.length > 0, { timeoutMs: 60_000, what: 'a callback' })
  const [received] = receiver.requests
  const usual = ['content-type', 'content-length', 'host', 'connection', 'accept-encoding', 'accept']
  const sent = Object.keys(received?.headers ?? {}).filter((name) => !usual.includes(name))
  assert.deepEqual(sent.toSorted(), described.toSorted())
})

test('a path or method that is no operation is a 404 of another kind', async () => {
  const wrong = [
    { method: 'GET', path: '/docs/' },
    { method: 'GET', path: '/nothing' },
    { method: 'GET', path: '/payins' },
    { method: 'GET', path: '/Segments' },
    { method: 'GET', path: '/segments/' },
    { method: 'GET', path: '/payins/ORD-1/nothing' },
    { method: 'DELETE', path: '/payins/ORD-1' },
    { method: 'PUT', path: '/payins/ORD-1' },
    { method: 'POST', path: '/segments' },
    { method: 'GET', path: '/auth-tokens' },
  ]
  for (const request of wrong) {
    expectError(await gateway.send({ ...request, token }), 404, 'ROUTE_NOT_FOUND')
    expectError(await gateway.send(request), 404, 'ROUTE_NOT_FOUND')
  }
})

test('unknown members and parameters are ignored, wherever they are', async () => {
  const id = newId()
  const body = {
    ...payinBody(),
    newThing: { deep: [1, null] },
    paymentRequested: { money: { amount: '5', currencyCode: 'EUR', newThing: 1 }, newThing: true },
  }
  const path = `/payins/${id}?newThing=1`
  const accepted = expectSuccess(await gateway.send({ method: 'POST', path, token, body }), 201)
  assert.deepEqual(at(accepted, 'paymentRequested'), { money: { amount: '5', currencyCode: 'EUR' } })
  expectSuccess(await gateway.send({ ...requestTo('GET /payins/{idPayin}', token, id), path }), 200)
  const asked = demo.tokenRequest({ operations: ['GET /segments'], newThing: 'x' })
  expectSuccess(await gateway.send(asked), 200)
})

test('the reference lists hold what may grow, each under data', async () => {
  for (const operation of PROTECTED_OPERATIONS.slice(-4)) {
    const { body } = await gateway.send(requestTo(operation, token))
    assert.ok(listAt(body, 'data').length > 0, operation)
  }
})

test('no answer may be kept or guessed at by a browser', async () => {
  for (const response of [
    await gateway.send(requestTo('GET /segments', token)),
    await createPayin(gateway, token, { id: newId() }),
    await gateway.send({ method: 'GET', path: '/nothing', token }),
  ]) {
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.ok(response.headers.has('x-request-id'))
    assert.equal(response.headers.get('x-powered-by'), null)
  }
})

// Starting

async function failedStart(settings: Readonly<Record<string, string>>): Promise<Outcome> {
  const dataDir = temporaryFolder()
  const outcome = await runProgram(['apps/gateway/src/main.ts'], {
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_API_PORT: String(await freePort()),
    TOLLGATE_OPERATOR_PORT: String(await freePort()),
    TOLLGATE_METRICS_PORT: String(await freePort()),
    TOLLGATE_SIMULATOR_PORT: '0',
    TOLLGATE_SHOP_PORT: '0',
    TOLLGATE_CONSOLE_PORT: '0',
    TOLLGATE_CHECKOUT_PORT: '0',
    ...settings,
  })
  rmSync(dataDir, { recursive: true, force: true })
  assert.equal(outcome.code, 2, outcome.stderr)
  assert.equal(outcome.stdout, '')
  assert.equal(outcome.stderr.trim().split('\n').length, 1, outcome.stderr)
  return outcome
}

const LIVE = {
  TOLLGATE_ENVIRONMENT: 'live',
  TOLLGATE_PUBLIC_API_URL: 'https://pay.example',
  TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://checkout.example',
}

test('live does not start with the defaults of the sandbox, and says which', async () => {
  const { databaseUrl: sandbox = '', dataDir } = gateway
  const bare = await failedStart({ TOLLGATE_ENVIRONMENT: 'live' })
  assert.match(bare.stderr, /TOLLGATE_PUBLIC_API_URL/)
  const open = await failedStart({ ...LIVE, TOLLGATE_CALLBACK_ALLOW_PRIVATE: 'true' })
  assert.match(open.stderr, /TOLLGATE_CALLBACK_ALLOW_PRIVATE/)
  const masterKey = join(dataDir, 'master.key')
  const used = await failedStart({
    ...LIVE,
    TOLLGATE_DATABASE_URL: sandbox,
    TOLLGATE_MASTER_KEY_FILE: masterKey,
  })
  assert.match(used.stderr, /DEMO/)
})

test('a port that is taken, a setting that is not one, and a value that cannot be stop the start', async () => {
  const port = new URL(gateway.url).port
  const taken = await failedStart({ TOLLGATE_API_PORT: port })
  assert.match(taken.stderr, new RegExp(`${port}.*TOLLGATE_API_PORT`))
  assert.match((await failedStart({ TOLLGATE_API_PROT: '1' })).stderr, /TOLLGATE_API_PROT/)
  assert.match((await failedStart({ TOLLGATE_API_PORT: 'x' })).stderr, /TOLLGATE_API_PORT/)
  assert.match((await failedStart({ TOLLGATE_ENVIRONMENT: 'test' })).stderr, /sandbox, live/)
})

test('a gateway that is asked to stop finishes what is under way', async (t) => {
  const leaving = await startGateway(t, { databaseUrl: (await testDatabase(t)).url })
  const key = await leaving.demo().token(...ALL_OPERATIONS)
  const ids = Array.from({ length: 20 }, () => newId())
  const answers = ids.map((id) => createPayin(leaving, key, { id }))
  await Promise.race(answers)
  await leaving.stop()
  const settled = await Promise.allSettled(answers)
  await leaving.start()
  for (const [index, { status }] of settled.entries()) {
    const read = await leaving.send(requestTo('GET /payins/{idPayin}', key, ids[index]))
    if (status === 'fulfilled') expectSuccess(read, 200)
  }
})
