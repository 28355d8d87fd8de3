import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'

// What operators change by the operator API: everything has its trace, and nobody does more than their role.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const sql = (text: string, values?: readonly unknown[]) => runSql(databaseUrl, text, values)

async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

const keys = {
  auditor: await addOperator('olga', 'AUDITOR'),
  support: await addOperator('susi', 'SUPPORT'),
  finance: await addOperator('fred', 'FINANCE'),
} as const
type Role = keyof typeof keys

const get = (role: Role, path: string): Promise<RawResponse> =>
  gateway.sendToOperators({ method: 'GET', path: `/operator/${path}`, token: keys[role] })
const post = (role: Role, path: string, body?: unknown): Promise<RawResponse> =>
  gateway.sendToOperators({ method: 'POST', path: `/operator/${path}`, token: keys[role], body })
const upload = (role: Role, path: string, file: string): Promise<RawResponse> =>
  gateway.sendToOperators({
    ...{ method: 'POST', path: `/operator/${path}`, token: keys[role], rawBody: file },
    headers: { 'Content-Type': 'application/octet-stream' },
  })

/** What the operators asked for, the newest first. */
async function trace(query = ''): Promise<readonly unknown[]> {
  return listAt(expectSuccess(await get('auditor', `requests${query}`), 200), 'data')
}

test('S80 GET /operator/requests → 200, GET /operator/requests → 400, POST /operator/rate-lists → 409: who asked for which change and how it was answered; refused ones, too, and no query', async () => {
  const before = await trace('?limit=1')
  const list = { code: 'TRACE', name: 'Trace', baseCurrencyCode: 'EUR' }
  expectSuccess(await post('finance', 'rate-lists', list), 201)
  expectError(await post('finance', 'rate-lists', list), 409, 'STATE_CONFLICT')
  const csv = 'currencyCode,mid\nUSD,1.1\n'
  expectSuccess(await upload('finance', 'rate-lists/TRACE/sheets?format=CSV&validFrom=2025-11-20', csv), 200)
  const seen = await trace('?operatorCode=fred&limit=3')
  assert.deepEqual(
    seen.map((each) => [
      at(each, 'operatorCode'),
      at(each, 'operation'),
      at(each, 'path'),
      at(each, 'answeredStatus'),
    ]),
    [
      ['fred', 'importRateSheets', '/operator/rate-lists/TRACE/sheets', 200],
      ['fred', 'createRateList', '/operator/rate-lists', 409],
      ['fred', 'createRateList', '/operator/rate-lists', 201],
    ],
  )
  assert.equal(before.length, 0, 'reading leaves no trace')
  assert.deepEqual(await trace('?operatorCode=susi'), [])
  // Page by page, each once.
  const first = expectSuccess(await get('auditor', 'requests?limit=1'), 200)
  const second = expectSuccess(
    await get('auditor', `requests?limit=1&cursor=${textAt(first, 'nextCursor')}`),
    200,
  )
  assert.notDeepEqual(at(first, 'data'), at(second, 'data'))
  expectError(await get('auditor', 'requests?cursor=zzz'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await get('finance', 'requests'), 403, 'OPERATION_NOT_PERMITTED')
})

test('S81 what operators asked for cannot be rewritten or removed, by whoever has the database', async () => {
  for (const statement of [
    `update operator_requests set operator_code = 'susi'`,
    'update operator_requests set answered_status = 500',
    'update operator_requests set answered_status = null',
    'delete from operator_requests',
    'truncate operator_requests',
  ])
    await assert.rejects(sql(statement), /stays as it was noted/, statement)
})

test('S82 POST /operator/rate-lists → 201, POST /operator/rate-lists → 400, POST /operator/rate-lists/{code}/sheets → 200, POST /operator/rate-lists/{code}/sheets → 400, POST /operator/rate-lists/{code}/!set → 200: a file with faults stores nothing and tells each; only FINANCE makes sheets', async () => {
  const list = {
    code: 'HOUSE',
    name: 'House rates',
    baseCurrencyCode: 'EUR',
    staleAfterDays: 3,
    isNeverStale: true,
  }
  expectError(await post('finance', 'rate-lists', list), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectSuccess(await post('finance', 'rate-lists', { ...list, isNeverStale: false }), 201)
  const path = 'rate-lists/HOUSE/sheets?format=CSV&validFrom=2025-11-20'
  const bad = await upload('finance', path, 'currencyCode,mid\nUSD,"0,9"\nGBP,1.2\nCZK,0\n')
  expectError(bad, 400, 'ATTRIBUTE_VALUE_INVALID')
  assert.deepEqual(
    listAt(bad.body, 'violations').map((each) => at(each, 'message')),
    ['line 2: mid: "0,9" is no number such as 25.3', 'line 4: mid: 0 is not above zero'],
  )
  const good = 'currencyCode,unit,buy,sell\nUSD,1,0.90,0.92\nJPY,100,0.60,0.62\n'
  expectError(await upload('support', path, good), 403, 'OPERATION_NOT_PERMITTED')
  const stored = expectSuccess(await upload('finance', path, good), 200)
  assert.deepEqual([at(stored, 'sheets', 0, 'version'), at(stored, 'sheets', 0, 'rateCount')], [1, 2])
  const set = { currencyCode: 'USD', mid: 0.95, validFrom: '2025-11-20' }
  expectError(await post('support', 'rate-lists/HOUSE/!set', set), 403, 'OPERATION_NOT_PERMITTED')
  assert.equal(at(expectSuccess(await post('finance', 'rate-lists/HOUSE/!set', set), 200), 'version'), 2)
})

test('GET /operator/rate-lists → 200, GET /operator/rate-lists/{code} → 200, GET /operator/rate-lists/{code}/conversion → 200, POST /operator/rate-lists/{code}/!disable → 200, POST /operator/rate-lists/{code}/!enable → 200 lists, also those that nobody uses', async () => {
  const sheet = expectSuccess(await get('support', 'rate-lists/HOUSE'), 200)
  assert.deepEqual(
    [at(sheet, 'isEnabled'), at(sheet, 'source'), at(sheet, 'rates', 1, 'mid')],
    [true, 'MANUAL', '0.95'],
  )
  const query = 'amount=19&currencyCode=EUR&targetCurrencyCode=USD'
  const converted = expectSuccess(
    await get('support', `rate-lists/HOUSE/conversion?${query}&date=2025-11-21`),
    200,
  )
  assert.equal(at(converted, 'converted', 'amount'), '20')
  expectSuccess(await post('finance', 'rate-lists/HOUSE/!disable'), 200)
  assert.equal(at(expectSuccess(await get('support', 'rate-lists/HOUSE'), 200), 'isEnabled'), false)
  const disabled = listAt(expectSuccess(await get('support', 'rate-lists'), 200), 'data')
  assert.ok(disabled.some((each) => at(each, 'code') === 'HOUSE' && at(each, 'isEnabled') === false))
  expectError(await get('support', `rate-lists/HOUSE/conversion?${query}`), 410, 'ENTITY_NOT_FOUND')
  assert.equal(at(expectSuccess(await post('finance', 'rate-lists/HOUSE/!enable'), 200), 'isEnabled'), true)
})

test('GET /operator/rate-lists/{code} → 410, GET /operator/rate-lists/{code}/conversion → 410, POST /operator/rate-lists/{code}/!enable → 410, POST /operator/rate-lists/{code}/!disable → 410, POST /operator/rate-lists/{code}/sheets → 410, POST /operator/rate-lists/{code}/!set → 410 no such list', async () => {
  const query = 'amount=1&currencyCode=EUR&targetCurrencyCode=USD'
  for (const answer of [
    await get('support', 'rate-lists/NONE'),
    await get('support', `rate-lists/NONE/conversion?${query}`),
    await post('finance', 'rate-lists/NONE/!enable'),
    await post('finance', 'rate-lists/NONE/!disable'),
    await upload('finance', 'rate-lists/NONE/sheets?format=CSV', 'currencyCode,mid\nUSD,1\n'),
    await post('finance', 'rate-lists/NONE/!set', { currencyCode: 'USD', mid: 1 }),
  ])
    expectError(answer, 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/rate-lists/{code} → 400, GET /operator/rate-lists/{code}/conversion → 400, GET /operator/rate-lists/{code}/conversion → 406, POST /operator/rate-lists/{code}/!enable → 400, POST /operator/rate-lists/{code}/!disable → 400, POST /operator/rate-lists/{code}/!set → 400: what cannot be', async () => {
  expectError(await get('support', 'rate-lists/HOUSE?date=2026-02-30'), 400, 'ATTRIBUTE_VALUE_INVALID')
  const convert = (amount: string, target: string): Promise<RawResponse> =>
    get(
      'support',
      `rate-lists/HOUSE/conversion?amount=${amount}&currencyCode=EUR&targetCurrencyCode=${target}`,
    )
  expectError(await convert('0', 'USD'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await convert('1', 'ZZZ'), 406, 'CURRENCY_NOT_SUPPORTED')
  for (const path of ['!enable', '!disable'])
    expectError(await post('finance', `rate-lists/no-list/${path}`), 400, 'ATTRIBUTE_VALUE_INVALID')
  const nothing = { currencyCode: 'USD', mid: 0 }
  expectError(await post('finance', 'rate-lists/HOUSE/!set', nothing), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(
    await upload('finance', 'rate-lists/HOUSE/sheets?format=CSV', 'currencyCode,mid\nUSD,1\n'),
    400,
    'ATTRIBUTE_VALUE_INVALID',
  )
  expectError(await post('finance', 'rate-lists/HOUSE/sheets?format=CSV', {}), 400, 'BODY_INVALID')
})
