import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { after, test } from 'node:test'
import { createGateway } from '@tollgate/sdk'
import { expectError, expectSuccess } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS, addMerchant } from './support/merchant.ts'
import { type ProtectedOperation, requestTo } from './support/operations.ts'

// Specification 4.5.

const gateway = await startGateway({ after })
const demo = gateway.demo()
const token = await demo.token(...ALL_OPERATIONS)

const read = async (operation: ProtectedOperation): Promise<unknown> =>
  expectSuccess(await gateway.send(requestTo(operation, token)), 200)

/** None of these operations has input; what is left to be wrong is the request itself. */
async function expectUnreadable(operation: ProtectedOperation): Promise<void> {
  const request = requestTo(operation, token)
  const tooLong = await gateway.send({ ...request, path: `${request.path}?${'x'.repeat(9000)}` })
  expectError(tooLong, 400, 'BODY_INVALID')
}

test('GET /merchant-info → 200 the merchant of the token', async () => {
  const info = await read('GET /merchant-info')
  assert.equal(at(info, 'merchantCode'), 'DEMO')
  assert.equal(at(info, 'channelInfo', 'name'), 'Demo Shop')
  assert.equal(at(info, 'isTest'), true)
  const keys = listAt(info, 'callbackPublicKeys')
  assert.ok(keys.length > 0)
  for (const key of keys) {
    const x = Buffer.from(String(key).replace(/^whpk_/, ''), 'base64').toString('base64url')
    assert.equal(
      createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } }).asymmetricKeyType,
      'ed25519',
    )
  }
})

test('GET /merchant-info → 400 the address is too long', () => expectUnreadable('GET /merchant-info'))

test('GET /currencies → 200 the currencies with their decimals', async () => {
  const currencies = listAt(await read('GET /currencies'), 'data')
  const decimals = { EUR: 2, JPY: 0, KWD: 3, BTC: 8, ETH: 18 }
  for (const [code, minorUnits] of Object.entries(decimals)) {
    assert.equal(at(itemWith(currencies, 'code', code), 'minorUnits'), minorUnits)
  }
  assert.equal(at(itemWith(currencies, 'code', 'ETH'), 'type'), 'CRYPTO')
  assert.equal(at(itemWith(currencies, 'code', 'EUR'), 'type'), 'FIAT')
  assert.ok(listAt(itemWith(currencies, 'code', 'EUR'), 'operations').includes('PAYIN'))
})

test('GET /currencies → 400 the address is too long', () => expectUnreadable('GET /currencies'))

test('GET /segments → 200 the segments', async () => {
  const segments = listAt(await read('GET /segments'), 'data')
  assert.deepEqual(
    segments.map((segment) => at(segment, 'code')),
    ['NEW', 'TRUSTED', 'VIP'],
  )
  for (const segment of segments) assert.ok(textAt(segment, 'name').length > 0)
})

test('GET /segments → 400 the address is too long', () => expectUnreadable('GET /segments'))

test('GET /payment-operators → 200 banks and wallets, open and closed', async () => {
  const operators = listAt(await read('GET /payment-operators'), 'data')
  const open = itemWith(operators, 'code', 'SPARKASSE_ELBSTROM')
  assert.equal(at(open, 'type'), 'BANK')
  assert.equal(at(open, 'countryCode'), 'DE')
  assert.equal(at(open, 'availability', 'payin'), 'OPERATIONAL')
  const closed = itemWith(operators, 'code', 'NEVERMORE_BANK')
  assert.equal(at(closed, 'availability', 'payin'), 'CLOSED')
  assert.equal(at(itemWith(operators, 'code', 'OTTER_WALLET'), 'type'), 'WALLET')
})

test('GET /payment-operators → 400 the address is too long', () => expectUnreadable('GET /payment-operators'))

test('GET /payment-methods → 200 each with its flow, fields, limits and operators', async () => {
  const methods = listAt(await read('GET /payment-methods'), 'data')
  assert.deepEqual(
    methods.map((method) => at(method, 'paymentMethodCode')),
    ['BANK_TRANSFER', 'ONLINE_BANKING', 'WALLET', 'UPI', 'PIX', 'OFFLINE_TRANSFER', 'CRYPTO'],
  )
  const offline = itemWith(methods, 'paymentMethodCode', 'OFFLINE_TRANSFER')
  assert.equal(at(offline, 'flow'), 'REFERENCE')
  assert.equal(at(offline, 'externalReference'), 'REQUIRED')
  assert.equal(at(itemWith(listAt(offline, 'fields'), 'name', 'accountName'), 'required'), true)
  const limit = listAt(offline, 'limits').find(
    (each) => at(each, 'currencyCode') === 'EUR' && at(each, 'segmentCode') === undefined,
  )
  assert.equal(at(limit, 'minAmount'), '5')
  assert.equal(at(limit, 'maxAmount'), '10000')
})

test('GET /payment-methods → 400 the address is too long', () => expectUnreadable('GET /payment-methods'))

test('a malformed escape in an address is a 400, too', async () => {
  const response = await gateway.send({ method: 'GET', path: '/payins/%zz', token })
  expectError(response, 400, 'BODY_INVALID')
})

test('a merchant with one method sees its currencies only', async () => {
  const pix = await addMerchant(gateway, 'PIX_SHOP')
  await gateway.cli('merchants', 'enable-method', 'PIX_SHOP', 'PIX')
  const own = await pix.token(...ALL_OPERATIONS)
  const currencies = await gateway.send(requestTo('GET /currencies', own))
  assert.deepEqual(
    listAt(currencies.body, 'data').map((currency) => at(currency, 'code')),
    ['BRL'],
  )
  const methods = await gateway.send(requestTo('GET /payment-methods', own))
  assert.deepEqual(
    listAt(methods.body, 'data').map((method) => at(method, 'paymentMethodCode')),
    ['PIX'],
  )
})

test('the SDK reads the lists', async () => {
  const client = createGateway({ baseUrl: gateway.url, merchantCode: demo.code, privateKey: demo.privateKey })
  assert.equal((await client.merchantInfo()).merchantCode, 'DEMO')
  assert.ok((await client.currencies()).some((currency) => currency.code === 'CZK'))
  assert.ok((await client.segments()).some((segment) => segment.code === 'VIP'))
  assert.ok((await client.paymentOperators()).some((operator) => operator.code === 'LOTUS_PURSE'))
  const methods = await client.paymentMethods()
  assert.equal(methods.find((method) => method.paymentMethodCode === 'UPI')?.flow, 'QR')
})
