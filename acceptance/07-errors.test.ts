import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawRequest } from '@tollgate/sdk'
import { requireEmailAddress, setRateLimit, testDatabase, waitUntil } from '@tollgate/testkit'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectSuccess, rejectionItem } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, textAt } from './support/json.ts'
import { ALL_OPERATIONS, addLiveMerchant, addMerchant, createMerchant } from './support/merchant.ts'
import { type ProtectedOperation, requestTo } from './support/operations.ts'
import {
  createPayin,
  createRequest,
  newId,
  payinBody,
  payinWithStatus,
  readPayin,
  type Wanted,
} from './support/payins.ts'

// Specification section 7: each code is made to happen, the order in which faults are found, and a lost database.

/** After this long without its database a gateway lets nobody in: it could not know who was shut out meanwhile. */
const BLIND_SECONDS = 30
const RECOVERY_TIMEOUT_MS = 60_000
const CHANGE_TIMEOUT_MS = 60_000

// The gateway that loses its database, from now until the last tests of this file.
const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const blind = await startGateway({ after }, { databaseUrl: door.url })
const blindDemo = blind.demo()
const blindToken = await blindDemo.token(...ALL_OPERATIONS)
const kept = newId()
await createPayin(blind, blindToken, { id: kept })
await door.shut()
const shutAtMs = performance.now()

const gateway = await startGateway({ after })
const { databaseUrl = '' } = gateway
const demo = gateway.demo()
const token = await demo.token(...ALL_OPERATIONS)
const closed = await addMerchant(gateway, 'CLOSED')
await gateway.cli('merchants', 'disable', 'CLOSED')

// A gateway for real money, with one merchant.
const live = await startGateway(
  { after },
  {
    settings: {
      TOLLGATE_ENVIRONMENT: 'live',
      TOLLGATE_PUBLIC_API_URL: 'https://pay.example',
      TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://checkout.example',
    },
  },
)
const liveToken = await (await addLiveMerchant(live, 'SHOP')).token('POST /payins/.*')
const createLive = (wanted: Wanted) => live.send(createRequest(liveToken, newId(), wanted))

const tokenRequest = demo.tokenRequest({ operations: ['GET /segments'] })
const create = (wanted: Wanted) => gateway.send(createRequest(token, newId(), wanted))
const post = (request: Partial<RawRequest>) =>
  gateway.send({ method: 'POST', path: `/payins/${newId()}`, token, ...request })
const optionsFor = (body: unknown) => post({ path: '/payins/!availablePaymentOptions', body })
const money = (amount: string, currencyCode: string) => ({ money: { amount, currencyCode } })

const customersToken = demo.token('POST /customers/.*')

/** A new customer of the demo merchant; its id. */
async function addCustomer(): Promise<string> {
  const idCustomer = newId()
  expectSuccess(await post({ path: `/customers/${idCustomer}`, token: await customersToken, body: {} }), 201)
  return idCustomer
}

/** Creates a payin that names the customer. */
const createFor = (idCustomer: string) => post({ body: { ...payinBody(), customer: { idCustomer } } })

/** How to meet each code, and the status it comes with. */
const CODES = {
  ATTRIBUTE_REQUIRED: async () => expectError(await optionsFor({}), 400, 'ATTRIBUTE_REQUIRED'),
  ATTRIBUTE_INVALID: async () => expectError(await optionsFor({ money: 5 }), 400, 'ATTRIBUTE_INVALID'),
  ATTRIBUTE_VALUE_INVALID: async () =>
    expectError(await optionsFor(money('1', 'x')), 400, 'ATTRIBUTE_VALUE_INVALID'),
  BODY_INVALID: async () => expectError(await post({ rawBody: '{' }), 400, 'BODY_INVALID'),
  INVALID_REF_NUM: async () => {
    const id = newId()
    await createPayin(gateway, token, { id })
    const path = `/payins/${id}/!setExternalReference`
    expectError(await post({ path, body: { externalReference: 'R-1' } }), 400, 'INVALID_REF_NUM')
  },
  ENTITY_EXPIRED: async () => {
    const id = newId()
    const account = { accountName: 'Ada Lovelace' }
    await createPayin(gateway, token, {
      id,
      method: 'OFFLINE_TRANSFER',
      account,
      email: 'cancelled@sandbox.test',
    })
    await payinWithStatus(gateway, token, { id, status: 'CANCELLED' })
    const path = `/payins/${id}/!setExternalReference`
    expectError(await post({ path, body: { externalReference: 'R-1' } }), 400, 'ENTITY_EXPIRED')
  },
  PAYIN_NOT_CANCELLABLE: async () => {
    const id = newId()
    await createPayin(gateway, token, { id, email: 'success@sandbox.test' })
    await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
    expectError(await post({ path: `/payins/${id}/!cancel` }), 409, 'PAYIN_NOT_CANCELLABLE')
  },
  TOKEN_MISSING: async () =>
    expectError(await gateway.send(requestTo('GET /segments', undefined)), 401, 'TOKEN_MISSING'),
  TOKEN_INVALID: async () =>
    expectError(await gateway.send(requestTo('GET /segments', `${token}A`)), 401, 'TOKEN_INVALID'),
  TOKEN_EXPIRED: async () => {
    const key = await demo.tokenFor({ operations: ['GET /segments'], validitySecs: 3 })
    const request = requestTo('GET /segments', key)
    const isRefused = async (): Promise<boolean> => (await gateway.send(request)).status === 401
    await waitUntil(isRefused, { timeoutMs: 60_000, what: 'the token to expire' })
    expectError(await gateway.send(request), 401, 'TOKEN_EXPIRED')
  },
  CREDENTIALS_INVALID: async () =>
    expectError(await gateway.send({ ...tokenRequest, headers: {} }), 401, 'CREDENTIALS_INVALID'),
  SIGNATURE_INVALID: async () => {
    const headers = { 'X-SIGNATURE': 'AAAA' }
    expectError(await gateway.send({ ...tokenRequest, headers }), 401, 'SIGNATURE_INVALID')
  },
  OPERATION_NOT_PERMITTED: async () => {
    const key = await demo.token('GET /segments')
    expectError(await gateway.send(requestTo('GET /balances', key)), 403, 'OPERATION_NOT_PERMITTED')
  },
  MONEY_NOT_PERMITTED: async () => {
    const key = await demo.tokenFor({ operations: ['POST /payins/.*'], ...money('10', 'EUR') })
    expectError(await gateway.send(createRequest(key, newId())), 403, 'MONEY_NOT_PERMITTED')
  },
  MERCHANT_UNAVAILABLE: async () => {
    const response = await gateway.send(closed.tokenRequest({ operations: ['GET /segments'] }))
    expectError(response, 403, 'MERCHANT_UNAVAILABLE')
  },
  API_VERSION_UNSUPPORTED: async () => {
    const response = await post({ headers: { 'X-API-Version': '3' } })
    expectError(response, 404, 'API_VERSION_UNSUPPORTED')
    assert.deepEqual(at(response.body, 'supportedVersions'), [2])
  },
  ROUTE_NOT_FOUND: async () => expectError(await post({ path: '/nothing' }), 404, 'ROUTE_NOT_FOUND'),
  ENTITY_DUPLICATED: async () => {
    const id = newId()
    await createPayin(gateway, token, { id })
    expectError(await gateway.send(createRequest(token, id)), 409, 'ENTITY_DUPLICATED')
  },
  ENTITY_NOT_FOUND: async () =>
    expectError(
      await gateway.send(requestTo('GET /payins/{idPayin}', token, newId())),
      410,
      'ENTITY_NOT_FOUND',
    ),
  RATE_LIMIT_EXCEEDED: async () => {
    const eager = await addMerchant(gateway, 'EAGER')
    const requests = Array.from({ length: 40 }, () =>
      gateway.send(eager.tokenRequest({ operations: ['GET /a'] })),
    )
    const refused = (await Promise.all(requests)).find((response) => response.status === 429)
    assert.ok(refused)
    expectError(refused, 429, 'RATE_LIMIT_EXCEEDED')
  },
  SYSTEM: async () => expectError(await blind.send(requestTo('GET /balances', blindToken)), 500, 'SYSTEM'),
  NO_OPTION_AVAILABLE: async () =>
    expectError(await optionsFor(money('99999999', 'JPY')), 406, 'NO_OPTION_AVAILABLE'),
  PAYMENT_METHOD_NOT_AVAILABLE: async () =>
    expectError(await create({ method: 'CHEQUE' }), 406, 'PAYMENT_METHOD_NOT_AVAILABLE'),
  PAYMENT_OPERATOR_NOT_AVAILABLE: async () => {
    for (const operator of [undefined, 'HOSHIZORA_BANK', 'NO_BANK']) {
      const response = await create({ method: 'ONLINE_BANKING', ...(operator && { operator }) })
      expectError(response, 406, 'PAYMENT_OPERATOR_NOT_AVAILABLE')
    }
  },
  AMOUNT_BELOW_MINIMUM: async () => {
    const response = await create({ amount: '0.99' })
    expectError(response, 406, 'AMOUNT_BELOW_MINIMUM')
    const { min, currencyCode } = Object(at(rejectionItem(response, 'AMOUNT_BELOW_MINIMUM'), 'limit'))
    assert.deepEqual([min, currencyCode], ['1', 'EUR'])
  },
  AMOUNT_ABOVE_MAXIMUM: async () => {
    expectError(await create({ amount: '100000.01' }), 406, 'AMOUNT_ABOVE_MAXIMUM')
    expectError(await create({ amount: '10001', segmentCode: 'NEW' }), 406, 'AMOUNT_ABOVE_MAXIMUM')
  },
  AMOUNT_PRECISION_INVALID: async () => {
    for (const [amount, currencyCode] of [
      ['10.5', 'JPY'],
      ['1.001', 'EUR'],
      ['1.0001', 'KWD'],
    ] as const) {
      expectError(await create({ amount, currencyCode }), 406, 'AMOUNT_PRECISION_INVALID')
    }
  },
  CURRENCY_NOT_SUPPORTED: async () => {
    expectError(await create({ currencyCode: 'XXX' }), 406, 'CURRENCY_NOT_SUPPORTED')
    expectError(await create({ currencyCode: 'BTC' }), 406, 'CURRENCY_NOT_SUPPORTED')
  },
  SEGMENT_NOT_SUPPORTED: async () =>
    expectError(await create({ segmentCode: 'NOBODY' }), 406, 'SEGMENT_NOT_SUPPORTED'),
  CHANNEL_UNAVAILABLE: async () => {
    const response = await create({ method: 'ONLINE_BANKING', operator: 'NEVERMORE_BANK' })
    expectError(response, 406, 'CHANNEL_UNAVAILABLE')
    assert.equal(at(rejectionItem(response, 'CHANNEL_UNAVAILABLE'), 'paymentOperatorCode'), 'NEVERMORE_BANK')
  },
  CHANNEL_LIMIT: async () => {
    await gateway.cli('merchants', 'set-limit', 'DEMO', 'UPI', '--currency', 'INR', '--daily-count', '3')
    const wanted = { method: 'UPI', currencyCode: 'INR' }
    const isUsedUp = async (): Promise<boolean> => (await create(wanted)).status === 406
    await waitUntil(isUsedUp, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the daily limit' })
    expectError(await create(wanted), 406, 'CHANNEL_LIMIT')
  },
  ACCOUNT_REQUIRED: async () =>
    expectError(await create({ method: 'OFFLINE_TRANSFER' }), 406, 'ACCOUNT_REQUIRED'),
  ACCOUNT_INVALID: async () => {
    for (const accountNumber of ['DE89370400440532013001', '%%%']) {
      expectError(await create({ account: { accountNumber } }), 406, 'ACCOUNT_INVALID')
    }
  },
  EMAIL_REQUIRED: async () => {
    await requireEmailAddress(databaseUrl, 'PIX')
    const wanted = { method: 'PIX', currencyCode: 'BRL' }
    const isRequired = async (): Promise<boolean> => (await create(wanted)).status === 406
    await waitUntil(isRequired, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the address to be required' })
    expectError(await create(wanted), 406, 'EMAIL_REQUIRED')
  },
  CALLBACK_URL_NOT_ALLOWED: async () => {
    for (const callbackUrl of [
      'http://shop.example/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/latest',
      'https://10.0.0.1/',
      'https://localhost/',
      'https://shop.example:22/',
    ]) {
      expectError(await createLive({ callbackUrl }), 406, 'CALLBACK_URL_NOT_ALLOWED')
    }
  },
  RETURN_URL_NOT_ALLOWED: async () => {
    expectError(await createLive({ returnUrl: 'http://shop.example/' }), 406, 'RETURN_URL_NOT_ALLOWED')
  },
  SANDBOX_ADDRESS_NOT_ALLOWED: async () => {
    expectError(await createLive({ email: 'success@sandbox.test' }), 406, 'SANDBOX_ADDRESS_NOT_ALLOWED')
  },
  RATE_NOT_AVAILABLE: async () => {
    const key = await demo.token('GET /rate-lists/.*')
    const response = await gateway.send({
      method: 'GET',
      path: '/rate-lists/SANDBOX?date=2000-01-01',
      token: key,
    })
    expectError(response, 406, 'RATE_NOT_AVAILABLE')
  },
  CUSTOMER_NOT_FOUND: async () => {
    expectError(await createFor('NOBODY'), 406, 'CUSTOMER_NOT_FOUND')
  },
  CUSTOMER_BLOCKED: async () => {
    const idCustomer = await addCustomer()
    await gateway.cli('customers', 'block', 'DEMO', idCustomer)
    expectError(await createFor(idCustomer), 406, 'CUSTOMER_BLOCKED')
  },
  CUSTOMER_HAS_OPEN_PAYMENTS: async () => {
    const idCustomer = await addCustomer()
    expectSuccess(await createFor(idCustomer), 201)
    const path = `/customers/${idCustomer}/!erase`
    const response = await post({ path, token: await customersToken })
    expectError(response, 406, 'CUSTOMER_HAS_OPEN_PAYMENTS')
  },
  SETTLEMENT_ACCOUNT_MISSING: async () => {
    const key = await demo.token('POST /settlements/.*')
    const response = await post({ path: `/settlements/${newId()}`, token: key, body: money('5', 'GBP') })
    expectError(response, 406, 'SETTLEMENT_ACCOUNT_MISSING')
  },
  ACCOUNT_DATA_NOT_AVAILABLE: async () => {
    const id = newId()
    await createPayin(gateway, token, { id })
    const response = await gateway.send(requestTo('GET /payins/{idPayin}/accounts', token, id))
    expectError(response, 406, 'ACCOUNT_DATA_NOT_AVAILABLE')
  },
} as const

for (const [code, meet] of Object.entries(CODES)) test(`${code} happens`, meet)

/** Codes whose tests need more than a request: money to send, or operators. */
const MET_ELSEWHERE: Readonly<Record<string, string>> = {
  BALANCE_INSUFFICIENT: '04-3-outgoing-payments.test.ts',
  BENEFICIARY_BLOCKED: '04-3-outgoing-payments.test.ts',
  APPROVAL_NOT_OPEN: 'payout-approvals.test.ts',
  APPROVAL_CONTENT_CHANGED: 'payout-approvals.test.ts',
  APPROVAL_REPEATED: 'payout-approvals.test.ts',
  REVIEW_NOT_OPEN: 'reviews.test.ts',
  STATEMENT_LINE_NOT_OPEN: 'statements.test.ts',
  REVIEW_REPEATED: 'reviews.test.ts',
  APPROVAL_OWN_REQUEST: 'payout-approvals.test.ts',
  CONFIRMATION_CHANGED: 'security/s-two-people.test.ts',
  CONFIRMATION_FAILED: 'security/s-two-people.test.ts',
  CONFIRMATION_NOT_OPEN: 'security/s-two-people.test.ts',
  CONFIRMATION_OTHER_PERSON: 'security/s-two-people.test.ts',
  REFUND_ACCOUNT_DIFFERENT: 'refunds.test.ts',
  REFUND_ACCOUNT_REQUIRED: 'refunds.test.ts',
  REFUND_AMOUNT_EXCEEDED: 'refunds.test.ts',
  REFUND_CURRENCY_DIFFERENT: 'refunds.test.ts',
  REFUND_NOT_POSSIBLE: 'refunds.test.ts',
  HOLD_NOT_OPEN: 'security/s-switches.test.ts',
  PAYOUTS_STOPPED: 'security/s-restore.test.ts',
  PAYOUT_ID_LOST: 'security/s-restore.test.ts',
  HOLD_OWN: 'security/s-switches.test.ts',
  OUTCOME_NOT_POSSIBLE: 'security/s-operator-money.test.ts',
  CLOCK_NOT_MOVABLE: 'security/s-clocks.test.ts',
  STATE_CONFLICT: 'security/s-operator-rooms.test.ts',
  IDENTITY_INVALID: 'security/s-oidc.test.ts',
  PASSKEY_INVALID: 'security/s-passkeys.test.ts',
  STEP_UP_REQUIRED: 'security/s-passkeys.test.ts',
}

test('every code that has a page is met here, or where it says', () => {
  const pages = readdirSync(new URL('../docs/errors/', import.meta.url))
  const documented = pages.flatMap((page) => /^([A-Z_]+)[.]md$/.exec(page)?.[1] ?? [])
  const met = [...Object.keys(CODES), ...Object.keys(MET_ELSEWHERE)]
  assert.deepEqual(met.toSorted(), documented.filter((code) => code !== 'README').toSorted())
  for (const [code, file] of Object.entries(MET_ELSEWHERE)) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    assert.ok(text.includes(`'${code}'`), `${file} meets ${code}`)
  }
})

test('of the pages of codes, two say that the id was already accepted', () => {
  const folder = new URL('../docs/errors/', import.meta.url)
  const pages = readdirSync(folder).filter(
    (page) =>
      page !== 'README.md' &&
      readFileSync(new URL(page, folder), 'utf8').includes(': the id was already accepted.'),
  )
  assert.deepEqual(pages.toSorted(), ['ENTITY_DUPLICATED.md', 'PAYOUT_ID_LOST.md'])
})

// What cannot be read at all

test('a body that cannot be read is a 400 that says so', async () => {
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  const bodies: readonly (string | Uint8Array)[] = [
    '',
    '{"a":1',
    '{"a":1}{}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":01}',
    '{"a":1,"a":1}',
    '{"__proto__":{"a":1},"a":"\\ud800"}',
    deep,
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    JSON.stringify({ a: 'x'.repeat(70_000) }),
  ]
  for (const rawBody of bodies) {
    const response = await post({ rawBody, headers: { 'Content-Type': 'application/json' } })
    assert.equal(response.status, 400, `${String(rawBody).slice(0, 40)}: ${response.text}`)
  }
  expectError(await post({ rawBody: '[]' }), 400, 'BODY_INVALID')
  expectError(await post({ rawBody: 'null' }), 400, 'BODY_INVALID')
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
    expectError(await post({ rawBody: '{}', headers: { 'Content-Type': type } }), 400, 'BODY_INVALID')
  }
  const packed = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
  expectError(await post({ rawBody: '{}', headers: packed }), 400, 'BODY_INVALID')
})

// The order in which faults are found

test('the version goes before the token, and the token before what it permits', async () => {
  const request = requestTo('GET /balances', undefined)
  expectError(
    await gateway.send({ ...request, headers: { 'X-API-Version': null } }),
    404,
    'API_VERSION_UNSUPPORTED',
  )
  expectError(await gateway.send({ ...request, token: 'a.b.c' }), 401, 'TOKEN_INVALID')
  const key = await demo.token('GET /segments')
  expectError(await gateway.send({ ...request, token: key }), 403, 'OPERATION_NOT_PERMITTED')
})

test('permission goes before syntax, and syntax before the money of the token', async () => {
  const key = await demo.token('GET /segments')
  const broken = { method: 'POST', path: '/payins/a.b', body: {} }
  expectError(await gateway.send({ ...broken, token: key }), 403, 'OPERATION_NOT_PERMITTED')
  const bound = await demo.tokenFor({ operations: ['POST /payins/.*'], ...money('10', 'EUR') })
  expectError(await gateway.send({ ...broken, token: bound }), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('the money of the token goes before existence, and existence before business', async () => {
  const id = newId()
  await createPayin(gateway, token, { id })
  const bound = await demo.tokenFor({ operations: ['POST /payins/.*'], ...money('10', 'EUR') })
  expectError(await gateway.send(createRequest(bound, id)), 403, 'MONEY_NOT_PERMITTED')
  expectError(
    await gateway.send(createRequest(bound, newId(), { method: 'CHEQUE' })),
    403,
    'MONEY_NOT_PERMITTED',
  )
  const unfit = await gateway.send(createRequest(token, id, { method: 'CHEQUE', currencyCode: 'XXX' }))
  expectError(unfit, 409, 'ENTITY_DUPLICATED')
})

test('the rate goes before permission', async () => {
  const slow = await addMerchant(gateway, 'SLOW')
  const key = await slow.token('GET /segments')
  await setRateLimit(databaseUrl, 'SLOW', 1)
  const isRefused = async (): Promise<boolean> =>
    (await gateway.send(requestTo('GET /balances', key))).status === 429
  await waitUntil(isRefused, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'a 429 before the 403' })
})

// A lost database

async function expectSystemError(operation: ProtectedOperation): Promise<void> {
  await untilBlind()
  const response = await blind.send(requestTo(operation, blindToken, kept))
  expectError(response, 500, 'SYSTEM')
  assert.doesNotMatch(response.text, /ECONNREFUSED|postgres|select |at .*[.]ts/i)
}

const untilBlind = (): Promise<void> =>
  sleep(Math.max(0, shutAtMs + (BLIND_SECONDS + 2) * 1000 - performance.now()))

test('without its database a gateway says 500 to payments at once, and when to come again', async () => {
  expectError(await blind.send(requestTo('GET /payins/{idPayin}', blindToken, kept)), 500, 'SYSTEM')
  expectError(await blind.send(createRequest(blindToken, newId())), 500, 'SYSTEM')
})

// A merchant that the gateway has not met: it cannot be known now.
const newcomer = createMerchant(blind, { code: 'NEWCOMER', privateKey: blindDemo.privateKey })
test('POST /auth-tokens → 500 the database is away', async () => {
  expectError(await blind.send(newcomer.tokenRequest({ operations: ['GET /segments'] })), 500, 'SYSTEM')
})
test('POST /auth-tokens-by-action → 500 the database is away', async () => {
  const request = newcomer.tokenRequest({ action: 'PAYIN_INFO', idPayment: kept })
  expectError(await blind.send(request), 500, 'SYSTEM')
})
test('POST /payins/!availablePaymentOptions → 500 the database is away', () =>
  expectSystemError('POST /payins/!availablePaymentOptions'))
test('POST /payins/{idPayin} → 500 the database is away', () => expectSystemError('POST /payins/{idPayin}'))
test('GET /payins/{idPayin} → 500 the database is away', () => expectSystemError('GET /payins/{idPayin}'))
test('POST /payins/{idPayin}/!cancel → 500 the database is away', () =>
  expectSystemError('POST /payins/{idPayin}/!cancel'))
test('POST /payins/{idPayin}/refunds/{idRefund} → 500 the database is away', () =>
  expectSystemError('POST /payins/{idPayin}/refunds/{idRefund}'))
test('GET /payins/{idPayin}/refunds → 500 the database is away', () =>
  expectSystemError('GET /payins/{idPayin}/refunds'))
test('GET /payins/{idPayin}/refunds/{idRefund} → 500 the database is away', () =>
  expectSystemError('GET /payins/{idPayin}/refunds/{idRefund}'))
test('POST /payins/{idPayin}/!setExternalReference → 500 the database is away', () =>
  expectSystemError('POST /payins/{idPayin}/!setExternalReference'))
test('GET /payins/{idPayin}/accounts → 500 the database is away', () =>
  expectSystemError('GET /payins/{idPayin}/accounts'))
test('GET /balances → 500 the database is away', () => expectSystemError('GET /balances'))
test('GET /merchant-info → 500 the database is away', () => expectSystemError('GET /merchant-info'))
test('GET /currencies → 500 the database is away', () => expectSystemError('GET /currencies'))
test('GET /segments → 500 the database is away', () => expectSystemError('GET /segments'))
test('GET /payment-operators → 500 the database is away', () => expectSystemError('GET /payment-operators'))
test('GET /payment-methods → 500 the database is away', () => expectSystemError('GET /payment-methods'))

test('once the database is back, the same gateway goes on and nothing is lost', async () => {
  const pid = blind.process().pid
  const alive = await blind.send({ method: 'GET', path: '/livez' })
  assert.equal(alive.status, 200)
  const notReady = await blind.send({ method: 'GET', path: '/readyz' })
  assert.equal(notReady.status, 500)
  assert.equal(textAt(notReady.body, 'status'), 'not ready')
  await door.open()
  const isBack = async (): Promise<boolean> =>
    (await blind.send(requestTo('GET /balances', blindToken))).status === 200
  await waitUntil(isBack, { timeoutMs: RECOVERY_TIMEOUT_MS, what: 'the gateway to go on' })
  assert.equal(at(await readPayin(blind, blindToken, kept), 'process', 'status'), 'CREATED')
  const id = newId()
  await createPayin(blind, blindToken, { id, email: 'success@sandbox.test' })
  await payinWithStatus(blind, blindToken, { id, status: 'SUCCESS' })
  expectSuccess(await blind.send({ method: 'GET', path: '/readyz' }), 200)
  assert.equal(blind.process().pid, pid)
})
