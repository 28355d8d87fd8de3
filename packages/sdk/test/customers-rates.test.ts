import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConvertRequest, IdConflictError, TollgateError } from '../src/index.ts'
import { startFake } from './fake-gateway.ts'

const DATA = { name: 'Jana Novak', emailAddress: 'jana@example.com' }
const RECORD = { idCustomer: 'C-1', ...DATA, status: 'ACTIVE', createdAt: '2026-05-04T08:00:12.345Z' }
const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) })

test('a customer is created once, and found by a repeat of the same request', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { customers } = fake.client(baseUrl)
  fake.faults.push('lost')
  const { created, customer } = await customers.create('C-1', DATA)
  assert.deepEqual([created, customer.idCustomer, customer.name], [false, 'C-1', 'Jana Novak'])
  assert.equal((await customers.create('C-2', DATA)).created, true)
  await assert.rejects(customers.create('C-1', { ...DATA, name: 'Jan Novak' }), IdConflictError)
})

test('a change sends null for what is removed and nothing for what stays', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  fake.replies.set('PATCH /customers/C-1', json(RECORD))
  const change = { emailAddress: 'jana@example.org', phone: null, name: undefined }
  assert.equal((await fake.client(baseUrl).customers.update('C-1', change)).name, 'Jana Novak')
  assert.equal(fake.seen.at(-1)?.body, '{"emailAddress":"jana@example.org","phone":null}')
})

test('blocking, unblocking and erasing go to their own addresses, and survive a lost answer', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { customers } = fake.client(baseUrl)
  fake.replies.set('POST /customers/C-1/!block', json({ ...RECORD, status: 'BLOCKED' }))
  fake.replies.set('POST /customers/C-1/!unblock', json(RECORD))
  fake.replies.set('POST /customers/C-1/!erase', { status: 204 })
  assert.equal((await customers.block('C-1')).status, 'BLOCKED')
  assert.equal((await customers.unblock('C-1')).status, 'ACTIVE')
  fake.faults.push('lost')
  await customers.erase('C-1')
  assert.equal(fake.sent('/customers/C-1/!erase').length, 2)
  for (const { headers, body } of fake.seen.filter(({ path }) => path.includes('!')))
    assert.deepEqual([headers['content-type'], body], [undefined, ''])
})

test('lists come in parts: the cursor of one asks for the next', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { customers } = fake.client(baseUrl)
  fake.replies.set('GET /customers', json({ data: [RECORD], nextCursor: 'a+b/c=' }))
  fake.replies.set('GET /customers?cursor=a%2Bb%2Fc%3D&limit=10', json({ data: [] }))
  const first = await customers.list()
  assert.deepEqual([first.data[0]?.idCustomer, first.nextCursor], ['C-1', 'a+b/c='])
  const last = await customers.list({ cursor: first.nextCursor, limit: 10 })
  assert.deepEqual(last, { data: [] })
  const payment =
    '{"kind":"PAYOUT","id":"OUT-1","status":"SUCCESS","money":{"amount":0.10,"currencyCode":"EUR"}}'
  const reply = { status: 200, body: `{"data":[${payment}],"nextCursor":"n"}` }
  fake.replies.set('GET /customers/C-1/payments?limit=1', reply)
  const payments = await customers.payments('C-1', { limit: 1 })
  assert.deepEqual([payments.data[0]?.money.amount, payments.nextCursor], ['0.10', 'n'])
})

test('an id that could change the path, and a body that is none of ours, are refused', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { customers, rateLists } = fake.client(baseUrl)
  for (const id of ['', 'a/b', '../customers']) await assert.rejects(customers.erase(id), RangeError)
  for (const code of ['', 'ecb', 'A/B']) await assert.rejects(rateLists.read(code), RangeError)
  assert.deepEqual(fake.seen, [])
  fake.replies.set('GET /customers', json({ data: [{ id: 'C-1' }] }))
  await assert.rejects(customers.list(), { code: 'ANSWER_UNEXPECTED' })
})

const HEAD = '"code":"ECB","name":"European Central Bank","baseCurrencyCode":"EUR"'
const DATES =
  '"version":2,"validFrom":"2026-11-20T00:00:00.000Z","publishedAt":"2026-11-20T00:00:00.000Z","ageSeconds":9,"isStale":false'
const RATES =
  '"rates":[{"currencyCode":"USD","quotation":"INDIRECT","unit":100,"buy":1.0810,"sell":1.079,"mid":1.080000000000000001}]'

test('a sheet keeps every digit of its prices, and counts stay numbers', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const sheet = { status: 200, body: `{${HEAD},${DATES},"source":"ECB",${RATES}}` }
  fake.replies.set('GET /rate-lists/ECB?date=2026-11-20&version=2', sheet)
  const read = await fake.client(baseUrl).rateLists.read('ECB', { date: '2026-11-20', version: 2 })
  const [usd] = read.rates
  assert.deepEqual([usd?.buy, usd?.sell, usd?.mid], ['1.0810', '1.079', '1.080000000000000001'])
  assert.deepEqual([usd?.unit, read.version, read.ageSeconds], [100, 2, 9])
})

test('lists are read with and without a sheet in force', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const bare = `{"code":"OWN","name":"Own","baseCurrencyCode":"EUR","currencyCodes":["EUR"]}`
  fake.replies.set('GET /rate-lists', { status: 200, body: `{"data":[{${HEAD},${DATES}},${bare}]}` })
  const [ecb, own] = await fake.client(baseUrl).rateLists.list()
  assert.deepEqual([ecb?.version, own?.version], [2, undefined])
})

test('a conversion sends the exact amount and gives the exact rate', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { rateLists } = fake.client(baseUrl)
  const money = { amount: '149.90', currencyCode: 'EUR' }
  const body = `{"money":{"amount":149.9,"currencyCode":"EUR"},"converted":{"amount":161.89,"currencyCode":"USD"},"side":"BUY","rate":1.080000000000000001,"rateListCode":"ECB",${DATES},${RATES}}`
  const path = '/rate-lists/ECB/!convert'
  fake.replies.set(`POST ${path}?date=2026-11-20`, { status: 200, body })
  const request: ConvertRequest = { money, targetCurrencyCode: 'USD', side: 'BUY' }
  const conversion = await rateLists.convert('ECB', { ...request, date: '2026-11-20' })
  assert.deepEqual([conversion.rate, conversion.converted.amount], ['1.080000000000000001', '161.89'])
  assert.equal(
    fake.seen.at(-1)?.body,
    '{"money":{"amount":149.90,"currencyCode":"EUR"},"targetCurrencyCode":"USD","side":"BUY"}',
  )
  await assert.rejects(
    rateLists.convert('ECB', { ...request, money: { ...money, amount: '1,5' } }),
    RangeError,
  )
  fake.replies.set(`POST ${path}`, json([{ code: 'RATE_NOT_AVAILABLE', message: 'None.' }], 406))
  await assert.rejects(rateLists.convert('ECB', request), TollgateError)
})
