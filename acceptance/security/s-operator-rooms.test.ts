import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { operatorsOf } from '../support/operators.ts'
import { createPayin, newId, payinBody, payinWithStatus } from '../support/payins.ts'

// What operators change by the operator API: everything has its trace, and nobody does more than their role.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const sql = (text: string, values?: readonly unknown[]) => runSql(databaseUrl, text, values)

const { get, post, put, remove, upload } = await operatorsOf(gateway, {
  auditor: ['olga', 'AUDITOR'],
  support: ['susi', 'SUPPORT'],
  finance: ['fred', 'FINANCE'],
  admin: ['adam', 'ADMIN'],
})

const token = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*', 'POST /customers/.*')

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

// Callbacks

const callbacksOf = async (id: string): Promise<readonly unknown[]> =>
  listAt(expectSuccess(await get('support', `callbacks?idPayment=${id}&merchantCode=DEMO`), 200), 'data')

test('POST /operator/callbacks/!resend → 200, POST /operator/callbacks/!resend → 400, POST /operator/callbacks/!resend → 410: all that failed, of a merchant or expressly of all', async () => {
  const path = 'callbacks/!resend'
  expectError(await post('finance', path, { merchantCode: 'DEMO' }), 403, 'OPERATION_NOT_PERMITTED')
  const late = { createdFrom: '2126-01-01T00:00:00Z' }
  const none = expectSuccess(await post('support', path, { isForAll: true, ...late }), 200)
  assert.deepEqual([at(none, 'resent'), at(none, 'hasMore')], [0, false])
  expectSuccess(await post('support', path, { merchantCode: 'DEMO', ...late }), 200)
  expectError(await post('support', path, { merchantCode: 'NOBODY' }), 410, 'ENTITY_NOT_FOUND')
  for (const body of [
    {},
    { merchantCode: 'DEMO', isForAll: true },
    { merchantCode: 'DEMO', createdFrom: 'yesterday' },
    { merchantCode: 'DEMO', createdFrom: '2026-01-02', createdTo: '2026-01-01' },
  ])
    expectError(await post('support', path, body), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /operator/callbacks → 200, POST /operator/callbacks/{eventId}/!resend → 200, POST /operator/callbacks/{eventId}/!resend → 409: what merchants were told, once more, and not while it is being told', async () => {
  const id = newId()
  await createPayin(gateway, token, { id, email: 'success@sandbox.test' })
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  let event: unknown
  await waitUntil(
    async () => {
      event = (await callbacksOf(id)).find((each) => at(each, 'attempts', 0, 'finishedAt') !== undefined)
      return event !== undefined
    },
    { timeoutMs: 60_000, what: 'the first attempt' },
  )
  assert.deepEqual(
    [at(event, 'merchantCode'), at(event, 'kind'), at(event, 'idPayment'), at(event, 'state')],
    ['DEMO', 'PAYIN', id, 'PENDING'],
  )
  const eventId = textAt(event, 'eventId')
  expectError(await post('finance', `callbacks/${eventId}/!resend`), 403, 'OPERATION_NOT_PERMITTED')
  expectSuccess(await post('support', `callbacks/${eventId}/!resend`), 200)
  await waitUntil(async () => at((await callbacksOf(id))[0], 'attempts', 1, 'finishedAt') !== undefined, {
    timeoutMs: 60_000,
    what: 'the attempt of the resend',
  })
  // As if a worker had it in its hands.
  await sql(
    `update callback_events set lease_token = gen_random_uuid(), due_at = now() + interval '1 hour' where event_id = $1`,
    [eventId],
  )
  expectError(await post('support', `callbacks/${eventId}/!resend`), 409, 'STATE_CONFLICT')
})

test('GET /operator/callbacks → 400, GET /operator/callbacks → 410, POST /operator/callbacks/{eventId}/!resend → 400, POST /operator/callbacks/{eventId}/!resend → 410: what cannot be', async () => {
  expectError(await get('support', 'callbacks?state=LOST'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await get('support', 'callbacks?merchantCode=NOBODY'), 410, 'ENTITY_NOT_FOUND')
  expectError(await post('support', 'callbacks/x/!resend'), 400, 'ATTRIBUTE_VALUE_INVALID')
  const unknown = '5f0c6e6e-2f5b-4c1d-9a52-0b6f3f1f7a10'
  expectError(await post('support', `callbacks/${unknown}/!resend`), 410, 'ENTITY_NOT_FOUND')
})

test('callbacks come page by page, each once, in any filter', async () => {
  for (let count = 0; count < 3; count += 1) {
    const id = newId()
    await createPayin(gateway, token, { id, email: 'success@sandbox.test' })
    await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  }
  for (const filter of ['', '&state=PENDING', '&merchantCode=DEMO&state=PENDING']) {
    const seen: string[] = []
    let cursor = ''
    do {
      const page = expectSuccess(await get('auditor', `callbacks?limit=2${filter}${cursor}`), 200)
      seen.push(...listAt(page, 'data').map((each) => textAt(each, 'eventId')))
      cursor = at(page, 'nextCursor') === undefined ? '' : `&cursor=${textAt(page, 'nextCursor')}`
    } while (cursor !== '')
    const all = listAt(expectSuccess(await get('auditor', `callbacks?limit=100${filter}`), 200), 'data')
    assert.deepEqual(
      seen,
      all.map((each) => textAt(each, 'eventId')),
      filter,
    )
    assert.ok(seen.length >= 4)
  }
})

// Customers

const PERSON = {
  name: 'Zora Neale Hurston',
  emailAddress: 'zora@example.com',
  accounts: [{ accountName: 'Zora Neale Hurston', accountNumber: 'NL91ABNA0417164300' }],
}

async function customer(): Promise<string> {
  const id = newId()
  const answer = await gateway.send({ method: 'POST', path: `/customers/${id}`, token, body: PERSON })
  expectSuccess(answer, 201)
  return id
}

test('S84 GET /operator/customers/{merchantCode} → 200, GET /operator/customers/{merchantCode}/{idCustomer} → 200: nobody reads more than a mask', async () => {
  const ids = [await customer(), await customer()]
  for (const role of ['auditor', 'support', 'finance', 'admin'] as const) {
    const list = await get(role, 'customers/DEMO?limit=100')
    const one = await get(role, `customers/DEMO/${ids[0]}`)
    for (const answer of [list, one]) {
      assert.equal(answer.status, 200)
      assert.ok(!/Zora|zora|NL91|0417164300/.test(answer.text), answer.text)
    }
    assert.deepEqual(at(one.body, 'masked'), {
      name: 'Z…',
      accounts: [{ accountName: 'Z…', accountNumber: '…4300' }],
    })
  }
  const first = expectSuccess(await get('auditor', 'customers/DEMO?limit=1'), 200)
  const second = expectSuccess(
    await get('auditor', `customers/DEMO?limit=1&cursor=${textAt(first, 'nextCursor')}`),
    200,
  )
  assert.ok(textAt(first, 'data', 0, 'idCustomer') < textAt(second, 'data', 0, 'idCustomer'))
})

test('S85 POST /operator/customers/{merchantCode}/{idCustomer}/!block → 200, POST /operator/customers/{merchantCode}/{idCustomer}/!unblock → 200, POST /operator/customers/{merchantCode}/{idCustomer}/!erase → 200: by ADMIN alone, and with a trace', async () => {
  const id = await customer()
  for (const action of ['!block', '!unblock', '!erase'])
    for (const role of ['auditor', 'support', 'finance'] as const)
      expectError(await post(role, `customers/DEMO/${id}/${action}`), 403, 'OPERATION_NOT_PERMITTED')
  const pay = () =>
    gateway.send({
      method: 'POST',
      path: `/payins/${newId()}`,
      token,
      body: { ...payinBody(), customer: { idCustomer: id } },
    })
  expectSuccess(await post('admin', `customers/DEMO/${id}/!block`), 200)
  expectError(await pay(), 406, 'CUSTOMER_BLOCKED')
  const free = expectSuccess(await post('admin', `customers/DEMO/${id}/!unblock`), 200)
  assert.equal(at(free, 'status'), 'ACTIVE')
  const gone = expectSuccess(await post('admin', `customers/DEMO/${id}/!erase`), 200)
  assert.deepEqual([at(gone, 'status'), at(gone, 'segmentCode')], ['ERASED', undefined])
  assert.deepEqual(listAt(gone, 'kept'), [])
  assert.equal(at((await get('admin', `customers/DEMO/${id}`)).body, 'masked'), undefined)
  const asked = (await trace('?operatorCode=adam&limit=3')).map((each) => at(each, 'operation'))
  assert.deepEqual(asked, ['eraseOperatorCustomer', 'unblockOperatorCustomer', 'blockOperatorCustomer'])
})

test('POST /operator/customers/{merchantCode}/{idCustomer}/!erase → 406 while a payment is open', async () => {
  const id = await customer()
  const body = { ...payinBody(), customer: { idCustomer: id } }
  expectSuccess(await gateway.send({ method: 'POST', path: `/payins/${newId()}`, token, body }), 201)
  expectError(await post('admin', `customers/DEMO/${id}/!erase`), 406, 'CUSTOMER_HAS_OPEN_PAYMENTS')
})

test('GET /operator/customers/{merchantCode} → 400, GET /operator/customers/{merchantCode} → 410, GET /operator/customers/{merchantCode}/{idCustomer} → 400, GET /operator/customers/{merchantCode}/{idCustomer} → 410, POST /operator/customers/{merchantCode}/{idCustomer}/!block → 400, POST /operator/customers/{merchantCode}/{idCustomer}/!block → 410, POST /operator/customers/{merchantCode}/{idCustomer}/!unblock → 400, POST /operator/customers/{merchantCode}/{idCustomer}/!unblock → 410, POST /operator/customers/{merchantCode}/{idCustomer}/!erase → 400, POST /operator/customers/{merchantCode}/{idCustomer}/!erase → 410: nobody and nothing', async () => {
  expectError(await get('admin', 'customers/DEMO?cursor=!'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await get('admin', 'customers/NOBODY'), 410, 'ENTITY_NOT_FOUND')
  for (const [path, status, code] of [
    ['customers/DEMO/a.b', 400, 'ATTRIBUTE_VALUE_INVALID'],
    ['customers/DEMO/NONE', 410, 'ENTITY_NOT_FOUND'],
    ['customers/NOBODY/NONE', 410, 'ENTITY_NOT_FOUND'],
  ] as const) {
    expectError(await get('admin', path), status, code)
    for (const action of ['!block', '!unblock', '!erase'])
      expectError(await post('admin', `${path}/${action}`), status, code)
  }
})

// Journal, retention, rails

test('GET /operator/journal/head → 200, GET /operator/journal → 200, GET /operator/journal → 400: the chain, page by page', async () => {
  await waitUntil(
    async () => Number(at(expectSuccess(await get('auditor', 'journal/head'), 200), 'entryNo')) >= 2,
    { timeoutMs: 60_000, what: 'two entries of the journal' },
  )
  const first = expectSuccess(await get('auditor', 'journal?limit=1'), 200)
  const second = expectSuccess(
    await get('auditor', `journal?limit=1&cursor=${textAt(first, 'nextCursor')}`),
    200,
  )
  assert.deepEqual([at(first, 'data', 0, 'entryNo'), at(second, 'data', 0, 'entryNo')], [1, 2])
  assert.equal(textAt(first, 'data', 0, 'merchantCode'), 'DEMO')
  const later = expectSuccess(await get('auditor', 'journal?from=2&limit=1'), 200)
  assert.deepEqual(at(later, 'data'), at(second, 'data'))
  expectError(await get('auditor', 'journal?from=0'), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /operator/journal/export → 200, GET /operator/journal/export → 400: all postings of a period, in columns of other books', async () => {
  const path = `journal/export?from=2026-01-01&to=${new Date().toISOString()}&columns=Konto%3Daccount,Soll%3Ddebit,Haben%3Dcredit`
  await waitUntil(async () => (await get('auditor', path)).status === 200, {
    timeoutMs: 60_000,
    what: 'the period to be over and all of it to be in the journal',
  })
  const [head, first, ...others] = (await get('auditor', path)).text.split('\r\n')
  assert.equal(head, 'Konto,Soll,Haben')
  assert.match(first ?? '', /^[A-Z_]+,(\d+(\.\d+)?,|,\d+(\.\d+)?)$/)
  assert.equal(others.at(-1), '')
})

test('K81 the journal of all merchants is not exported for who may not read the ledger', async () => {
  expectError(
    await get('admin', 'journal/export?from=2026-01-01&to=2026-01-02'),
    403,
    'OPERATION_NOT_PERMITTED',
  )
})

test('K83 an export of the journal is refused for a period or a mapping that is none', async () => {
  for (const [query, says] of [
    ['from=2026-01-01&to=2126-01-01', /^to: is not over/],
    ['from=2026-01-02&to=2026-01-01', /^to: must be later/],
    ['from=yesterday&to=2026-01-01', /^from: is not a day/],
    ['from=2025-02-30&to=2026-01-01', /^from: is not a day/],
    ['from=2025-12-01T00:00:00&to=2026-01-01', /^from: .* moment in UTC/],
    [
      'from=2026-01-01&to=2026-01-02&columns=A%3Dcolour',
      /"colour" is no field of the journal; there are date,/,
    ],
    ['from=2026-01-01&to=2026-01-02&accounts=CASH%3D1', /"CASH" is no account of the ledger/],
  ] as const) {
    const answer = await get('auditor', `journal/export?${query}`)
    expectError(answer, 400, 'ATTRIBUTE_VALUE_INVALID')
    assert.match(textAt(answer.body, 'message'), says)
  }
  expectError(await get('auditor', 'journal/export?to=2026-01-02'), 400, 'ATTRIBUTE_REQUIRED')
})

test('GET /operator/retention → 200, GET /operator/rails → 200: what is kept, and the rails', async () => {
  const classes = listAt(expectSuccess(await get('auditor', 'retention'), 200), 'data')
  assert.deepEqual(
    classes.map((each) => at(each, 'class')),
    ['DELIVERIES', 'INQUIRIES', 'PERSONAL_DATA', 'DOCUMENTS'],
  )
  const rails = listAt(expectSuccess(await get('auditor', 'rails'), 200), 'data')
  assert.ok(rails.some((each) => at(each, 'railCode') === 'sandbox'))
})

test('S86 PUT /operator/institutions/{type}/{code}/{direction} → 200, GET /operator/institutions → 200, DELETE /operator/institutions/{type}/{code}/{direction} → 204: closing an institution names who did it, and is undone', async () => {
  const path = 'institutions/RAIL/sandbox/PAYIN'
  const said = { availability: 'DELAYED', reason: 'Maintenance.', minutes: 10 }
  expectError(await put('finance', path, said), 403, 'OPERATION_NOT_PERMITTED')
  const set = expectSuccess(await put('support', path, said), 200)
  assert.deepEqual(
    [
      at(set, 'availability'),
      at(set, 'observed'),
      at(set, 'said', 'operatorCode'),
      at(set, 'said', 'reason'),
    ],
    ['DELAYED', 'OPERATIONAL', 'susi', 'Maintenance.'],
  )
  assert.deepEqual(listAt(expectSuccess(await get('auditor', 'institutions'), 200), 'data'), [set])
  expectSuccess(await remove('support', path), 204)
  const [cleared] = listAt(expectSuccess(await get('auditor', 'institutions'), 200), 'data')
  assert.deepEqual([at(cleared, 'availability'), at(cleared, 'said')], ['OPERATIONAL', undefined])
  // Who cleared it is not lost either.
  const asked = (await trace('?operatorCode=susi&limit=2')).map((each) => at(each, 'operation'))
  assert.deepEqual(asked, ['clearInstitution', 'setInstitution'])
})

test('PUT /operator/institutions/{type}/{code}/{direction} → 400, PUT /operator/institutions/{type}/{code}/{direction} → 410, DELETE /operator/institutions/{type}/{code}/{direction} → 400, DELETE /operator/institutions/{type}/{code}/{direction} → 410: of none that there is', async () => {
  const said = { availability: 'CLOSED', reason: 'Gone.' }
  expectError(await put('support', 'institutions/BANK/x/PAYIN', said), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(
    await put('support', 'institutions/RAIL/sandbox/PAYIN', { ...said, reason: '' }),
    400,
    'ATTRIBUTE_REQUIRED',
  )
  expectError(await put('support', 'institutions/RAIL/none/PAYIN', said), 410, 'ENTITY_NOT_FOUND')
  expectError(await remove('support', 'institutions/BANK/x/PAYIN'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await remove('support', 'institutions/RAIL/none/PAYIN'), 410, 'ENTITY_NOT_FOUND')
})
