import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createGateway } from '@tollgate/sdk'
import { differenceOf, sumOf } from './support/decimal.ts'
import { expectError, expectSuccess } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'

// Specification 4.4.

const gateway = await startGateway({ after })
const demo = gateway.demo()
const token = await demo.token(...ALL_OPERATIONS)

const balances = (query = '') => gateway.send({ method: 'GET', path: `/balances${query}`, token })

async function codesOf(query: string): Promise<readonly string[]> {
  const body = expectSuccess(await balances(query), 200)
  return listAt(body, 'data').map((balance) => textAt(balance, 'currencyCode'))
}

/** A payin that succeeded; the amount that it leaves for the merchant. */
async function earn(wanted: { amount: string; currencyCode: string; method: string }): Promise<string> {
  const id = newId()
  await createPayin(gateway, token, { id, ...wanted, email: 'success@sandbox.test' })
  const detail = await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  return differenceOf(wanted.amount, textAt(detail, 'fee', 'amount'))
}

test('a merchant without money has no balances', async () => {
  assert.deepEqual(await codesOf(''), [])
})

test('GET /balances → 200 what was earned, less the fees, not settled yet', async () => {
  const earned = [
    await earn({ amount: '149.9', currencyCode: 'EUR', method: 'BANK_TRANSFER' }),
    await earn({ amount: '50.01', currencyCode: 'EUR', method: 'BANK_TRANSFER' }),
  ]
  await earn({ amount: '2500', currencyCode: 'CZK', method: 'BANK_TRANSFER' })
  const body = expectSuccess(await balances(), 200)
  const euros = itemWith(listAt(body, 'data'), 'currencyCode', 'EUR')
  assert.equal(textAt(euros, 'balance', 'amount'), sumOf(earned))
  assert.equal(textAt(euros, 'notSettled', 'amount'), sumOf(earned))
  assert.equal(textAt(euros, 'available', 'amount'), '0')
  assert.equal(textAt(euros, 'reserved', 'amount'), '0')
  for (const part of ['balance', 'available', 'notSettled', 'reserved']) {
    assert.equal(at(euros, part, 'currencyCode'), 'EUR')
  }
})

test('a payin that did not succeed leaves no money', async () => {
  const before = await balances('?currencyCodes=EUR')
  const id = newId()
  await createPayin(gateway, token, { id, email: 'declined@sandbox.test' })
  await payinWithStatus(gateway, token, { id, status: 'FAILED' })
  assert.equal((await balances('?currencyCodes=EUR')).text, before.text)
})

test('currencies can be chosen; unknown ones and those without an account are ignored', async () => {
  assert.deepEqual((await codesOf('')).toSorted(), ['CZK', 'EUR'])
  assert.deepEqual(await codesOf('?currencyCodes=EUR'), ['EUR'])
  assert.deepEqual((await codesOf('?currencyCodes=CZK,EUR')).toSorted(), ['CZK', 'EUR'])
  assert.deepEqual((await codesOf('?currencyCodes=CZK&currencyCodes=EUR')).toSorted(), ['CZK', 'EUR'])
  assert.deepEqual(await codesOf('?currencyCodes=JPY,XXX,,%00,euro,EUR,EUR'), ['EUR'])
  assert.deepEqual(await codesOf('?currencyCodes=JPY'), [])
  assert.deepEqual(await codesOf('?currencyCodes=nonsense'), [])
  assert.deepEqual(await codesOf('?currencies=CZK'), ['CZK'])
  assert.deepEqual((await codesOf('?currencies=CZK&currencyCodes=EUR')).toSorted(), ['CZK', 'EUR'])
  for (const nothing of ['?currencyCodes=', '?currencyCodes=,,', '?currencies=&currencyCodes='])
    assert.deepEqual((await codesOf(nothing)).toSorted(), ['CZK', 'EUR'], nothing)
})

test('eighteen decimals survive in the books', async () => {
  const amount = '1.000000000000000001'
  const left = await earn({ amount, currencyCode: 'ETH', method: 'CRYPTO' })
  const answer = await balances('?currencyCodes=ETH')
  const ether = itemWith(listAt(answer.body, 'data'), 'currencyCode', 'ETH')
  assert.equal(textAt(ether, 'balance', 'amount'), left)
  assert.ok(answer.text.includes(`"amount":${left}`))
  assert.match(left, /1$/, 'the last digit is still there')
})

test('the SDK reads the balances', async () => {
  const client = createGateway({ baseUrl: gateway.url, merchantCode: demo.code, privateKey: demo.privateKey })
  const [balance] = await client.balances(['EUR'])
  assert.equal(balance?.balance.amount, balance?.notSettled.amount)
})

test('GET /balances → 400 the address is longer than it may be', async () => {
  expectError(await balances(`?currencyCodes=${'EUR,'.repeat(2_500)}`), 400, 'BODY_INVALID')
})
