import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createGateway, type RawResponse } from '@tollgate/sdk'
import { setRateLimit, testDatabase } from '@tollgate/testkit'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess } from './support/expectations.ts'
import { readDescription, startGateway, untilRateLimitIs } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS, addMerchant } from './support/merchant.ts'
import { NOWHERE, newId, payinBody, readPayin } from './support/payins.ts'

// The routes that are there for the hosted page alone. They are in no description, so the answers are held against what
// the public operations of the same name promise.

const PAGE_URL = 'http://localhost:9/p/place/back'
const SHOP_URL = 'http://shop.localhost/thanks'

/** By what follows the payin's id; a body that is right. */
const BODIES = {
  '': { ...payinBody({ returnUrl: SHOP_URL }), pageUrl: PAGE_URL },
  '/!judgeAddresses': { callbackUrl: NOWHERE, returnUrl: SHOP_URL },
  '/!setExternalReference': { externalReference: 'AB-1' },
  '/!trigger': { outcome: 'paid' },
} as const
type Action = keyof typeof BODIES
const ACTIONS: readonly Action[] = ['', '/!judgeAddresses', '/!setExternalReference', '/!trigger']

const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const gateway = await startGateway({ after }, { databaseUrl: door.url })
const demo = gateway.demo()
const token = await demo.token(...ALL_OPERATIONS)
const shop = await addMerchant(gateway, 'SHOP')
const { stdout } = await gateway.cli('checkout', '--settings', '--json')
const key = textAt(JSON.parse(stdout), 'CHECKOUT_SERVICE_KEY')
const wire = createGateway({ baseUrl: gateway.url, merchantCode: 'DEMO', retries: 0 })

interface Asked {
  readonly id?: string
  readonly body?: unknown
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string | null>>
}

/** Asks as the page would; what is given is asked in its stead. */
function ask(action: Action, asked: Asked = {}): Promise<RawResponse> {
  const { id = newId(), body = BODIES[action], headers } = asked
  const bearer = 'token' in asked ? asked.token : token
  return wire.request({
    method: 'POST',
    path: `/checkout/payins/${id}${action}`,
    body,
    headers: { 'Tollgate-Checkout-Key': key, ...headers },
    ...(bearer !== undefined && { token: bearer }),
  })
}

/** A payin that the page made; its id. */
async function created(body: unknown = BODIES['']): Promise<string> {
  const id = newId()
  expectSuccess(await ask('', { id, body }), 201)
  return id
}

test('a create of the page is a payin like any other, which returns to the shop and not to the page', async () => {
  const id = newId()
  const body = { ...payinBody({ method: 'ONLINE_BANKING', operator: 'BANKA_VLTAVA', returnUrl: SHOP_URL }) }
  const response = await ask('', { id, body: { ...body, pageUrl: PAGE_URL } })
  assert.equal(textAt(expectSuccess(response, 201), 'paymentMethodResponse', 'idPayin'), id)
  const payin = await readPayin(gateway, token, id)
  assert.equal(textAt(payin, 'paymentMethodResponse', 'returnUrl'), SHOP_URL)
  assert.ok(!JSON.stringify(payin).includes(PAGE_URL))
})

test('a create of the page says 409 when the payin is there, whoever made it', async () => {
  const id = await created()
  expectError(await ask('', { id }), 409, 'ENTITY_DUPLICATED')
  const other = newId()
  await gateway.send({ method: 'POST', path: `/payins/${other}`, token, body: payinBody() })
  expectError(await ask('', { id: other }), 409, 'ENTITY_DUPLICATED')
})

test('a create of the page says 406 for what its public operation says 406 for', async () => {
  const method = { ...payinBody({ method: 'ONLINE_BANKING', currencyCode: 'INR' }), pageUrl: PAGE_URL }
  const response = await ask('', { body: method })
  assert.equal(response.status, 406, response.text)
  const amount = await ask('', { body: { ...payinBody({ amount: '0.01' }), pageUrl: PAGE_URL } })
  expectError(amount, 406, 'AMOUNT_BELOW_MINIMUM')
})

test('a create of the page needs the page’s address, a web address, and says 400 without', async () => {
  expectError(await ask('', { body: payinBody() }), 400, 'ATTRIBUTE_REQUIRED')
  for (const pageUrl of ['', 'javascript:alert(1)', 'x'.repeat(3000), 7]) {
    const { status, text } = await ask('', { body: { ...payinBody(), pageUrl } })
    assert.equal(status, 400, text)
    assert.match(text, /"pageUrl"/)
  }
})

test('addresses are judged before there is a payin: 204, 400 for what is none, 406 for another’s', async () => {
  expectSuccess(await ask('/!judgeAddresses'), 204)
  for (const body of [{}, { callbackUrl: NOWHERE }, { callbackUrl: 'ftp://a', returnUrl: SHOP_URL }]) {
    const { status, text } = await ask('/!judgeAddresses', { body })
    assert.equal(status, 400, text)
  }
  await gateway.cli('merchants', 'set-origins', 'SHOP', 'http://shop.localhost')
  const strictToken = await shop.token(...ALL_OPERATIONS)
  const shops = { callbackUrl: 'http://shop.localhost/callbacks', returnUrl: SHOP_URL }
  const judge = (body: unknown): Promise<RawResponse> => ask('/!judgeAddresses', { token: strictToken, body })
  expectSuccess(await judge(shops), 204)
  expectError(await judge({ ...shops, callbackUrl: NOWHERE }), 406, 'CALLBACK_URL_NOT_ALLOWED')
  expectError(await judge({ ...shops, returnUrl: 'http://evil.localhost/' }), 406, 'RETURN_URL_NOT_ALLOWED')
})

test('a reference is stored like the public operation stores it: 204, 400, and 410 without a payin', async () => {
  const id = await created({
    ...payinBody({ method: 'OFFLINE_TRANSFER', account: { accountName: 'Ada' } }),
    pageUrl: PAGE_URL,
  })
  expectSuccess(await ask('/!setExternalReference', { id }), 204)
  assert.equal(textAt(await readPayin(gateway, token, id), 'externalReference'), 'AB-1')
  expectError(await ask('/!setExternalReference', { id, body: {} }), 400, 'ATTRIBUTE_REQUIRED')
  expectError(await ask('/!setExternalReference'), 410, 'ENTITY_NOT_FOUND')
})

test('the test panel’s outcomes: 204, 400 for one that is none, and 410 without a payin', async () => {
  const id = await created()
  expectSuccess(await ask('/!trigger', { id }), 204)
  assert.equal(textAt(await readPayin(gateway, token, id), 'process', 'status'), 'SUCCESS')
  expectError(await ask('/!trigger', { id, body: { outcome: 'rich' } }), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await ask('/!trigger', { id, body: {} }), 400, 'ATTRIBUTE_REQUIRED')
  expectError(await ask('/!trigger'), 410, 'ENTITY_NOT_FOUND')
})

test('each of them says 400 for an id that is none, and for a body that is none', async () => {
  for (const action of ACTIONS) {
    expectError(await ask(action, { id: 'x'.repeat(300) }), 400, 'ATTRIBUTE_VALUE_INVALID')
    expectError(await ask(action, { body: [] }), 400, 'BODY_INVALID')
  }
})

test('each of them says 401 without a token, and with one that is none', async () => {
  for (const action of ACTIONS) {
    expectError(await ask(action, { token: undefined }), 401, 'TOKEN_MISSING')
    expectError(await ask(action, { token: 'a.b.c' }), 401, 'TOKEN_INVALID')
  }
})

test('each of them says 403 to a token that may not create this payin', async () => {
  const id = newId()
  const reading = await demo.token('GET /payins/.*', 'POST /payins/!availablePaymentOptions')
  const others = await demo.tokenFor({ action: 'PAYIN_CREATE', idPayment: newId() })
  const own = await demo.tokenFor({ action: 'PAYIN_CREATE', idPayment: id })
  for (const action of ACTIONS) {
    for (const bearer of [reading, others])
      expectError(await ask(action, { id, token: bearer }), 403, 'OPERATION_NOT_PERMITTED')
    const { status, text } = await ask(action, { id, token: own })
    assert.notEqual(status, 403, text)
  }
})

test('each of them says 404 without the page’s key, before anything else is looked at', async () => {
  const wrong = ['', key.slice(1), `${key}0`, key.toUpperCase(), key.replace(/^./, 'g')]
  for (const action of ACTIONS) {
    for (const given of [null, ...wrong]) {
      const headers = { 'Tollgate-Checkout-Key': given }
      expectError(await ask(action, { headers }), 404, 'ROUTE_NOT_FOUND')
      expectError(await ask(action, { headers, token: undefined, body: [] }), 404, 'ROUTE_NOT_FOUND')
    }
    for (const version of [null, '1', '3'])
      expectError(
        await ask(action, { headers: { 'X-API-Version': version } }),
        404,
        'API_VERSION_UNSUPPORTED',
      )
  }
})

test('each of them says 429 in the bucket of its caller', async () => {
  const slowToken = await shop.token(...ALL_OPERATIONS)
  await setRateLimit(door.url, 'SHOP', 1)
  await untilRateLimitIs(gateway, shop, 1)
  for (const action of ACTIONS)
    expectOneLimited(await Promise.all([1, 2, 3].map(() => ask(action, { token: slowToken }))))
})

test('none of them is in the public description, nor does its key open anything else', async () => {
  const description = await readDescription(gateway)
  assert.ok(!JSON.stringify(description).toLowerCase().includes('checkout-key'))
  assert.deepEqual(
    Object.keys(Object(at(description, 'paths'))).filter((path) => path.startsWith('/checkout')),
    [],
  )
  assert.ok(listAt(description, 'servers').length > 0)
  const headers = { 'Tollgate-Checkout-Key': key }
  expectError(await wire.request({ method: 'GET', path: '/balances', headers }), 401, 'TOKEN_MISSING')
})

test('each of them says 500 while the database is away', async () => {
  const id = await created()
  await door.shut()
  for (const action of ACTIONS.filter((each) => each !== '/!judgeAddresses'))
    expectError(await ask(action, { id }), 500, 'SYSTEM')
  // Nobody needs the database for it, as long as what is known of the merchant is fresh.
  const { status, text } = await ask('/!judgeAddresses')
  assert.ok(status === 204 || status === 500, text)
})
