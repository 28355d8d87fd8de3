import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IdConflictError } from '../src/index.ts'
import { startFake } from './fake-gateway.ts'

const money = (amount: string): string => `{"amount":${amount},"currencyCode":"EUR"}`
const SUMS = `"gross":${money('149.90')},"fees":${money('0.25')},"adjustments":${money('-25.5')},"net":${money('124.15')}`
const PROCESS = '"process":{"status":"SUCCESS","createdAt":"2026-11-21T10:15:30.123Z","isTest":true}'
const CYCLE = `{"idSettlement":"2026-11-20-EUR-7Q2M8K","kind":"CYCLE",${SUMS},"reference":"R",${PROCESS}}`
const REQUESTED = `{"idSettlement":"SET-1","kind":"REQUESTED",${SUMS},"reference":"R",${PROCESS}}`

test('settlements are listed by what is asked for, with exact sums below and above zero', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const query =
    'dateFrom=2026-11-01&dateTo=2026-11-30&currencyCodes=EUR%2CCZK&statuses=CREATED%2CSUCCESS&limit=10'
  const body = `{"data":[${CYCLE}],"nextCursor":"next"}`
  fake.replies.set(`GET /settlements?${query}`, { status: 200, body })
  fake.replies.set('GET /settlements', { status: 200, body: '{"data":[]}' })
  const { settlements } = fake.client(baseUrl)
  const page = await settlements.list({
    dateFrom: '2026-11-01',
    dateTo: '2026-11-30',
    currencyCodes: ['EUR', 'CZK'],
    statuses: ['CREATED', 'SUCCESS'],
    limit: 10,
  })
  const [first] = page.data
  assert.deepEqual(
    [first?.gross.amount, first?.adjustments.amount, first?.net.amount, page.nextCursor],
    ['149.90', '-25.5', '124.15', 'next'],
  )
  assert.deepEqual(await settlements.list(), { data: [] })
})

test('a settlement and its transactions are read, the rate of a conversion to its last digit', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { settlements } = fake.client(baseUrl)
  const conversion = `"conversion":{"sold":${money('1')},"bought":${money('25')},"rateListCode":"ECB","version":2,"currencyCodes":["CZK"],"side":"BUY","rate":25.000000000000000001}`
  const body = `${CYCLE.slice(0, -1)},${conversion}}`
  fake.replies.set('GET /settlements/S-1', { status: 200, body })
  const read = await settlements.read('S-1')
  assert.deepEqual([read.conversion?.rate, read.conversion?.version], ['25.000000000000000001', 2])
  const item = `{"type":"PAYIN","idEntity":"ORD-1","money":${money('149.90')},"fee":${money('0.25')},"net":${money('149.65')},"processedAt":"2026-11-20T10:15:30.123Z"}`
  const path = '/settlements/S-1/transactions?cursor=c'
  fake.replies.set(`GET ${path}`, { status: 200, body: `{"data":[${item}]}` })
  const { data, nextCursor } = await settlements.transactions('S-1', { cursor: 'c' })
  assert.deepEqual([data[0]?.net.amount, nextCursor], ['149.65', undefined])
})

test('money is asked for by amount or as everything in a currency', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { settlements } = fake.client(baseUrl)
  fake.replies.set('POST /settlements/SET-1', { status: 201, body: REQUESTED })
  const { created, settlement } = await settlements.request('SET-1', {
    money: { amount: '124.150', currencyCode: 'EUR' },
  })
  assert.deepEqual([created, settlement.idSettlement], [true, 'SET-1'])
  assert.equal(fake.seen.at(-1)?.body, '{"money":{"amount":124.150,"currencyCode":"EUR"}}')
  await settlements.request('SET-1', { currencyCode: 'EUR' })
  assert.equal(fake.seen.at(-1)?.body, '{"currencyCode":"EUR"}')
})

test('a request whose answer was lost finds its settlement, and another one under its id is a conflict', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { settlements } = fake.client(baseUrl)
  const duplicate = (how: string) => ({
    status: 409,
    body: JSON.stringify({ code: 'ENTITY_DUPLICATED', duplicate: how }),
  })
  fake.faults.push('lost')
  fake.replies.set('POST /settlements/SET-1', duplicate('IDENTICAL'))
  fake.replies.set('GET /settlements/SET-1', { status: 200, body: REQUESTED })
  const { created, settlement } = await settlements.request('SET-1', { currencyCode: 'EUR' })
  assert.deepEqual([created, settlement.process.status], [false, 'SUCCESS'])
  const [first, second] = fake.sent('/settlements/SET-1')
  assert.equal(first?.body, second?.body)
  fake.replies.set('POST /settlements/SET-1', duplicate('DIFFERENT'))
  await assert.rejects(settlements.request('SET-1', { currencyCode: 'CZK' }), IdConflictError)
})

test('an id that could change the path, and an amount that is none, are never sent', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { settlements } = fake.client(baseUrl)
  const money = { amount: '1,50', currencyCode: 'EUR' }
  await assert.rejects(settlements.request('SET-1', { money }), RangeError)
  for (const id of ['', 'a/b']) await assert.rejects(settlements.read(id), RangeError)
  assert.deepEqual(fake.seen, [])
})
