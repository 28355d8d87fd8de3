import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { setRateLimit, testDatabase, waitUntil } from '@tollgate/testkit'
import { databaseDoor } from './support/database-door.ts'
import {
  expectError,
  expectOneLimited,
  expectSuccess,
  expectTokenNeeded,
  expectVersionNeeded,
  rejectionItem,
  violatedFields,
} from './support/expectations.ts'
import { startGateway, untilRateLimitIs } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { addMerchant } from './support/merchant.ts'
import { createPayin, createRequest, newId, payinWithStatus } from './support/payins.ts'

// Rate lists: which there are, what is in them, and what money is worth by them.

const CHANGE_TIMEOUT_MS = 60_000
const EVERYTHING = ['GET /rate-lists.*', 'POST /rate-lists/.*'] as const

const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const gateway = await startGateway({ after }, { databaseUrl: door.url })
const { databaseUrl = '' } = gateway
const demo = gateway.demo()
const token = await demo.token(...EVERYTHING)

/** Writes a file and has the operator import it. */
async function importFile(format: string, text: string, ...options: readonly string[]): Promise<void> {
  const file = join(gateway.dataDir, `rates.${format}`)
  writeFileSync(file, text)
  await gateway.cli('rates', 'import', 'HOUSE', file, '--format', format, ...options)
}

// HOUSE is quoted in EUR: one sheet of 10 November, one of 15 November, and both are old by now.
await gateway.cli('rates', 'create', 'HOUSE', '--name', 'House rates', '--base', 'EUR')
await gateway.cli('rates', 'create', 'EMPTY', '--name', 'No sheet yet', '--base', 'USD', '--never-stale')
await importFile(
  'csv',
  'currencyCode,unit,buy,sell,mid\nUSD,1,0.80,0.84,0.82\n',
  '--valid-from',
  '2025-11-10',
  '--published-at',
  '2025-11-10T08:00:00Z',
)
await importFile(
  'ecb',
  `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <Cube><Cube time='2025-11-15'><Cube currency='USD' rate='1.0810'/><Cube currency='JPY' rate='163.12'/></Cube></Cube>
</gesmes:Envelope>`,
)

const read = (path: string, bearer: string | undefined = token): Promise<RawResponse> =>
  gateway.send({ method: 'GET', path, token: bearer })

const conversion = (amount: string, from: string, to: string, side = 'MID') => ({
  money: { amount, currencyCode: from },
  targetCurrencyCode: to,
  side,
})

const convert = (code: string, body: unknown, query = ''): Promise<RawResponse> =>
  gateway.send({ method: 'POST', path: `/rate-lists/${code}/!convert${query}`, token, body })

const untilKnown = (code: string, body: unknown): Promise<void> =>
  waitUntil(async () => (await convert(code, body)).status === 200, {
    timeoutMs: CHANGE_TIMEOUT_MS,
    what: 'the gateway to know the sheet',
  })

await untilKnown('HOUSE', conversion('1', 'JPY', 'EUR'))

test('GET /rate-lists → 200 the lists with the age of their sheets', async () => {
  const lists = listAt(expectSuccess(await read('/rate-lists'), 200), 'data')
  assert.deepEqual(
    lists.map((list) => at(list, 'code')),
    ['EMPTY', 'HOUSE', 'SANDBOX'],
  )
  const house = itemWith(lists, 'code', 'HOUSE')
  assert.equal(at(house, 'isStale'), true)
  assert.equal(at(house, 'version'), 2)
  assert.deepEqual(at(house, 'currencyCodes'), ['EUR', 'JPY', 'USD'])
  assert.equal(at(itemWith(lists, 'code', 'SANDBOX'), 'isStale'), false)
  assert.equal(at(itemWith(lists, 'code', 'EMPTY'), 'validFrom'), undefined)
})

test('GET /rate-lists → 400 the address is too long', async () => {
  expectError(await read(`/rate-lists?${'x'.repeat(9000)}`), 400, 'BODY_INVALID')
})

test('GET /rate-lists/{code} → 200 the sheet in force, with the digits of its source', async () => {
  const sheet = expectSuccess(await read('/rate-lists/HOUSE'), 200)
  assert.deepEqual(
    [at(sheet, 'baseCurrencyCode'), at(sheet, 'source'), at(sheet, 'validFrom'), at(sheet, 'validTo')],
    ['EUR', 'ECB', '2025-11-15T00:00:00.000Z', undefined],
  )
  const usd = itemWith(listAt(sheet, 'rates'), 'currencyCode', 'USD')
  assert.deepEqual(
    [at(usd, 'quotation'), at(usd, 'unit'), at(usd, 'buy'), at(usd, 'sell'), at(usd, 'mid')],
    ['INDIRECT', 1, '1.081', '1.081', '1.081'],
  )
})

test('a sheet of the past can be read by its date and by its version', async () => {
  for (const query of ['?date=2025-11-12', '?date=2025-11-14T23:59:59Z', '?version=1']) {
    const sheet = expectSuccess(await read(`/rate-lists/HOUSE${query}`), 200)
    assert.deepEqual(
      [at(sheet, 'version'), at(sheet, 'validFrom'), at(sheet, 'validTo'), at(sheet, 'publishedAt')],
      [1, '2025-11-10T00:00:00.000Z', '2025-11-15T00:00:00.000Z', '2025-11-10T08:00:00.000Z'],
    )
  }
  const then = expectSuccess(await read('/rate-lists/HOUSE?date=2025-11-12T08:00:00Z'), 200)
  assert.deepEqual([at(then, 'ageSeconds'), at(then, 'isStale')], [172_800, false])
})

test('GET /rate-lists/{code} → 400 a date or a code that cannot be', async () => {
  for (const date of ['2025-02-30', 'yesterday', '2025-11-12T08:00:00%2B01:00', '']) {
    const response = await read(`/rate-lists/HOUSE?date=${date}`)
    expectError(response, 400, 'ATTRIBUTE_VALUE_INVALID')
    assert.deepEqual(violatedFields(response), ['date'])
  }
  expectError(await read('/rate-lists/HOUSE?version=0'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await read('/rate-lists/house'), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /rate-lists/{code} → 406 the list has no sheet for the date', async () => {
  for (const path of ['/HOUSE?date=2025-11-09', '/HOUSE?version=9', '/EMPTY'])
    expectError(await read(`/rate-lists${path}`), 406, 'RATE_NOT_AVAILABLE')
})

test('GET /rate-lists/{code} → 410 there is no such list', async () => {
  expectError(await read('/rate-lists/NOWHERE'), 410, 'ENTITY_NOT_FOUND')
})

test('POST /rate-lists/{code}/!convert → 200 exact, rounded once, with the sheet and rows it was made by', async () => {
  const body = expectSuccess(await convert('HOUSE', conversion('149.90', 'EUR', 'USD')), 200)
  assert.deepEqual(at(body, 'converted'), { amount: '162.04', currencyCode: 'USD' })
  assert.deepEqual(
    [at(body, 'rate'), at(body, 'rateListCode'), at(body, 'version'), at(body, 'isStale')],
    ['1.081', 'HOUSE', 2, true],
  )
  const cross = expectSuccess(await convert('HOUSE', conversion('100', 'USD', 'JPY')), 200)
  // 100 / 1.081 × 163.12 = 15089.73…
  assert.deepEqual(at(cross, 'converted'), { amount: '15090', currencyCode: 'JPY' })
  assert.deepEqual(
    listAt(cross, 'rates').map((rate) => at(rate, 'currencyCode')),
    ['USD', 'JPY'],
  )
})

test('the side decides by which price, and the date by which sheet', async () => {
  const worth = async (side: string): Promise<unknown> =>
    at(
      (await convert('HOUSE', conversion('100', 'USD', 'EUR', side), '?date=2025-11-12')).body,
      'converted',
      'amount',
    )
  assert.deepEqual([await worth('BUY'), await worth('MID'), await worth('SELL')], ['80', '82', '84'])
})

test('POST /rate-lists/{code}/!convert → 400 an amount, a side or a date that cannot be', async () => {
  for (const [body, field] of [
    [conversion('0', 'EUR', 'USD'), 'money.amount'],
    [conversion('1', 'EUR', 'USD', 'BOTH'), 'side'],
    [conversion('1', 'EUR', 'usd'), 'targetCurrencyCode'],
  ] as const) {
    const response = await convert('HOUSE', body)
    expectError(response, 400, 'ATTRIBUTE_VALUE_INVALID')
    assert.deepEqual(violatedFields(response), [field])
  }
  expectError(await convert('HOUSE', {}), 400, 'ATTRIBUTE_REQUIRED')
  const dated = await convert('HOUSE', conversion('1', 'EUR', 'USD'), '?date=2025-02-30')
  expectError(dated, 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('POST /rate-lists/{code}/!convert → 406 there is no rate, or no such money', async () => {
  const refused = async (body: unknown, code: string, list = 'HOUSE', query = ''): Promise<void> => {
    const response = await convert(list, body, query)
    expectError(response, 406, code)
    assert.ok(textAt(rejectionItem(response, code), 'message').length > 0)
  }
  await refused(conversion('1', 'EUR', 'KWD'), 'RATE_NOT_AVAILABLE')
  await refused(conversion('1', 'CZK', 'EUR'), 'RATE_NOT_AVAILABLE')
  await refused(conversion('1', 'USD', 'EUR'), 'RATE_NOT_AVAILABLE', 'EMPTY')
  await refused(conversion('1', 'USD', 'EUR'), 'RATE_NOT_AVAILABLE', 'HOUSE', '?date=2025-11-01')
  await refused(conversion('1', 'EUR', 'XXX'), 'CURRENCY_NOT_SUPPORTED')
  await refused(conversion('1.005', 'EUR', 'USD'), 'AMOUNT_PRECISION_INVALID')
})

test('POST /rate-lists/{code}/!convert → 410 there is no such list', async () => {
  expectError(await convert('NOWHERE', conversion('1', 'EUR', 'USD')), 410, 'ENTITY_NOT_FOUND')
  const dated = await convert('NOWHERE', conversion('1', 'EUR', 'USD'), '?date=2025-11-12')
  expectError(dated, 410, 'ENTITY_NOT_FOUND')
})

test('a rate set by the operator counts from then on, and a list out of use is gone', async () => {
  await gateway.cli('rates', 'create', 'SHORT', '--name', 'Short', '--base', 'EUR')
  await gateway.cli('rates', 'set', 'SHORT', 'BTC', '--buy', '80000', '--sell', '81000')
  const body = conversion('0.5', 'BTC', 'EUR', 'BUY')
  await untilKnown('SHORT', body)
  assert.equal(at((await convert('SHORT', body)).body, 'converted', 'amount'), '40000')
  assert.equal(at((await read('/rate-lists/SHORT')).body, 'isStale'), false)
  await gateway.cli('rates', 'disable', 'SHORT')
  expectError(await read('/rate-lists/SHORT'), 410, 'ENTITY_NOT_FOUND')
  const isGone = async (): Promise<boolean> => (await convert('SHORT', body)).status === 410
  await waitUntil(isGone, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the list to go' })
})

// Fees that are priced in another currency

test('a fee priced in another currency is converted when the payment is accepted, and the detail says how', async () => {
  const key = await demo.token('POST /payins/.*', 'GET /payins/.*')
  const setFee = (list: string) =>
    gateway.cli(
      'merchants',
      'set-fee',
      'DEMO',
      'BANK_TRANSFER',
      '--currency',
      'CZK',
      '--fixed',
      '0.25',
      '--priced-in',
      'EUR',
      '--rate-list',
      list,
    )
  const wanted = { amount: '1000', currencyCode: 'CZK', email: 'success@sandbox.test' }
  const options = async () =>
    gateway.send({
      method: 'POST',
      path: '/payins/!availablePaymentOptions',
      token: key,
      body: { money: { amount: wanted.amount, currencyCode: wanted.currencyCode } },
    })
  const previewOf = async (): Promise<unknown> => {
    const listed = listAt((await options()).body, 'data')
    const option = listed.find((each) => at(each, 'paymentMethodCode') === 'BANK_TRANSFER')
    return at(option, 'fee', 'amount')
  }
  await setFee('SANDBOX')
  // 100 CZK are bought at 3.95 EUR: 0.25 EUR cost 6.329… CZK.
  await waitUntil(async () => (await previewOf()) === '6.33', {
    timeoutMs: CHANGE_TIMEOUT_MS,
    what: 'the new fee',
  })
  const id = newId()
  await createPayin(gateway, key, { id, ...wanted })
  const detail = await payinWithStatus(gateway, key, { id, status: 'SUCCESS' })
  assert.deepEqual(at(detail, 'fee'), { amount: '6.33', currencyCode: 'CZK' })
  assert.deepEqual(at(detail, 'feeConversion'), {
    rateListCode: 'SANDBOX',
    version: 1,
    currencyCode: 'CZK',
    side: 'SELL',
    rate: '25.3164556962025316',
    priced: { amount: '0.25', currencyCode: 'EUR' },
  })
  // The list HOUSE has no row for the currency, and its sheet is old.
  await setFee('HOUSE')
  await waitUntil(async () => (await previewOf()) === undefined, {
    timeoutMs: CHANGE_TIMEOUT_MS,
    what: 'the fee to go',
  })
  const refused = await gateway.send(createRequest(key, newId(), wanted))
  expectError(refused, 406, 'RATE_NOT_AVAILABLE')
  assert.equal(at(rejectionItem(refused, 'RATE_NOT_AVAILABLE'), 'paymentMethodCode'), 'BANK_TRANSFER')
})

// What every operation has in common

const OPERATIONS = {
  list: { method: 'GET', path: '/rate-lists' },
  read: { method: 'GET', path: '/rate-lists/HOUSE' },
  convert: { method: 'POST', path: '/rate-lists/HOUSE/!convert', body: conversion('1', 'EUR', 'USD') },
} as const satisfies Readonly<Record<string, RawRequest>>

test('GET /rate-lists → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, OPERATIONS.list))
test('GET /rate-lists/{code} → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, OPERATIONS.read))
test('POST /rate-lists/{code}/!convert → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, OPERATIONS.convert))

async function expectPermissionNeeded(request: RawRequest): Promise<void> {
  const others = Object.values(OPERATIONS).filter((each) => each.path !== request.path)
  const key = await demo.token(...others.map(({ method, path }) => `${method} ${path}`))
  expectError(await gateway.send({ ...request, token: key }), 403, 'OPERATION_NOT_PERMITTED')
}
test('GET /rate-lists → 403 the token is for something else', () => expectPermissionNeeded(OPERATIONS.list))
test('GET /rate-lists/{code} → 403 the token is for something else', () =>
  expectPermissionNeeded(OPERATIONS.read))
test('POST /rate-lists/{code}/!convert → 403 the token is for something else', () =>
  expectPermissionNeeded(OPERATIONS.convert))

test('GET /rate-lists → 404 the version is missing or not supported', () =>
  expectVersionNeeded(gateway.send, { ...OPERATIONS.list, token }))
test('GET /rate-lists/{code} → 404 the version is missing or not supported', () =>
  expectVersionNeeded(gateway.send, { ...OPERATIONS.read, token }))
test('POST /rate-lists/{code}/!convert → 404 the version is missing or not supported', () =>
  expectVersionNeeded(gateway.send, { ...OPERATIONS.convert, token }))

const slow = await addMerchant(gateway, 'SLOW')
const slowToken = await slow.token(...EVERYTHING)
await setRateLimit(databaseUrl, 'SLOW', 1)
await untilRateLimitIs(gateway, slow, 1)

async function expectLimited(request: RawRequest): Promise<void> {
  expectOneLimited(await Promise.all([1, 2, 3].map(() => gateway.send({ ...request, token: slowToken }))))
}
test('GET /rate-lists → 429 more requests than the limit', () => expectLimited(OPERATIONS.list))
test('GET /rate-lists/{code} → 429 more requests than the limit', () => expectLimited(OPERATIONS.read))
test('POST /rate-lists/{code}/!convert → 429 more requests than the limit', () =>
  expectLimited(OPERATIONS.convert))

// The last tests of this file: the database goes away. What is in memory goes on for a while.

async function expectSystemError(request: RawRequest): Promise<void> {
  await door.shut()
  expectError(await gateway.send({ ...request, token }), 500, 'SYSTEM')
}
test('GET /rate-lists → 500 the database is away', () => expectSystemError(OPERATIONS.list))
test('GET /rate-lists/{code} → 500 the database is away', () => expectSystemError(OPERATIONS.read))
test('POST /rate-lists/{code}/!convert → 500 the database is away, and the rates are of a date', async () => {
  expectSuccess(await gateway.send({ ...OPERATIONS.convert, token }), 200)
  await expectSystemError({ ...OPERATIONS.convert, path: `${OPERATIONS.convert.path}?date=2025-11-12` })
})
