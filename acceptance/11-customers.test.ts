import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { callbackReceiver, runSql, setRateLimit, testDatabase, waitUntil } from '@tollgate/testkit'
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
import { at, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS, addMerchant } from './support/merchant.ts'
import { newId, payinBody, payinWithStatus, type Wanted } from './support/payins.ts'

// Customers of a merchant: their record, what they pay, and how they are forgotten.

const CUSTOMER_OPERATIONS = [
  'POST /customers/{idCustomer}',
  'GET /customers/{idCustomer}',
  'GET /customers',
  'PATCH /customers/{idCustomer}',
  'POST /customers/{idCustomer}/!block',
  'POST /customers/{idCustomer}/!unblock',
  'POST /customers/{idCustomer}/!erase',
  'GET /customers/{idCustomer}/payments',
] as const
type Operation = (typeof CUSTOMER_OPERATIONS)[number]

const PERMITTED = [
  'GET /customers',
  ...['POST', 'GET', 'PATCH'].map((method) => `${method} /customers/.*`),
  ...ALL_OPERATIONS,
]

// The gateway that loses its database.
const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const blind = await startGateway({ after }, { databaseUrl: door.url })
const blindToken = await blind.demo().token(...PERMITTED)
await door.shut()

const gateway = await startGateway({ after }, { settings: { TOLLGATE_CALLBACK_INTERVAL_SECONDS: '1' } })
const { databaseUrl = '' } = gateway
const demo = gateway.demo()
const token = await demo.token(...PERMITTED)
const slow = await addMerchant(gateway, 'SLOW')
const slowToken = await slow.token(...PERMITTED)
await setRateLimit(databaseUrl, 'SLOW', 1)
await untilRateLimitIs(gateway, slow, 1)

const JANA = {
  name: 'Jana Nováková',
  emailAddress: 'jana@example.com',
  phone: '+420 (601) 234-567',
  countryCode: 'CZ',
  segmentCode: 'TRUSTED',
  accounts: [{ accountName: 'Jana Nováková', accountNumber: 'XS00TEST0000000001', bankName: 'Banka Vltava' }],
}

/** A request to the operation that is right in every way but, perhaps, its token. */
function requestTo(operation: Operation, bearer: string | undefined = token, id = 'C-1'): RawRequest {
  const [method = '', template = ''] = operation.split(' ')
  const body =
    method === 'PATCH' ? { name: 'Jana' } : operation === 'POST /customers/{idCustomer}' ? JANA : undefined
  return { method, path: template.replace('{idCustomer}', id), token: bearer, body }
}

const ask = (operation: Operation, id?: string, body?: unknown): Promise<RawResponse> =>
  gateway.send({ ...requestTo(operation, token, id), ...(body === undefined ? {} : { body }) })

/** A customer that must be created; its id. */
async function created(body: unknown = JANA): Promise<string> {
  const id = newId()
  expectSuccess(await ask('POST /customers/{idCustomer}', id, body), 201)
  return id
}

const read = async (id: string): Promise<unknown> =>
  expectSuccess(await ask('GET /customers/{idCustomer}', id), 200)

const createPayinOf = (
  idCustomer: string,
  wanted: Wanted & { readonly id: string },
): Promise<RawResponse> => {
  const body = { ...payinBody(wanted), customer: { idCustomer } }
  return gateway.send({ method: 'POST', path: `/payins/${wanted.id}`, token, body })
}

/** A payin of the customer that has ended. */
async function ended(idCustomer: string, email = 'success@sandbox.test'): Promise<string> {
  const id = newId()
  expectSuccess(await createPayinOf(idCustomer, { id, email }), 201)
  await payinWithStatus(gateway, token, { id, status: email.startsWith('success') ? 'SUCCESS' : 'FAILED' })
  return id
}

const listed = (query: string): Promise<RawResponse> =>
  gateway.send({ method: 'GET', path: `/customers${query}`, token })

test('POST /customers/{idCustomer} → 201 the customer as it was sent; GET /customers/{idCustomer} → 200 the same', async () => {
  const id = newId()
  const body = expectSuccess(await ask('POST /customers/{idCustomer}', id), 201)
  assert.deepEqual(body, { idCustomer: id, ...JANA, status: 'ACTIVE', createdAt: textAt(body, 'createdAt') })
  assert.deepEqual(await read(id), body)
  const bare = await created({})
  assert.deepEqual(Object.keys(Object(await read(bare))), ['idCustomer', 'status', 'accounts', 'createdAt'])
})

test('POST /customers/{idCustomer} → 400 a value that is none', async () => {
  const wrong = [
    [{ name: '' }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ emailAddress: 'jana' }, 'emailAddress'],
    [{ phone: 'call me' }, 'phone'],
    [{ phone: '123' }, 'phone'],
    [{ countryCode: 'cz' }, 'countryCode'],
    [{ segmentCode: 'no such' }, 'segmentCode'],
    [{ accounts: {} }, 'accounts'],
    [{ accounts: [{ accountName: 'Jana' }] }, 'accounts.0.accountNumber'],
    [{ accounts: Array.from({ length: 21 }, () => JANA.accounts[0]) }, 'accounts'],
  ] as const
  for (const [body, field] of wrong) {
    const response = await ask('POST /customers/{idCustomer}', newId(), body)
    assert.equal(response.status, 400, response.text)
    assert.deepEqual(new Set(violatedFields(response)), new Set([field]))
    if ('emailAddress' in body) assert.ok(!response.text.includes('"jana"'), 'what was sent is not repeated')
  }
  expectError(await ask('POST /customers/{idCustomer}', 'a.b'), 400, 'ATTRIBUTE_VALUE_INVALID')
  const id = newId()
  expectError(
    await gateway.send({ ...requestTo('POST /customers/{idCustomer}', token, id), body: undefined }),
    400,
    'BODY_INVALID',
  )
})

test('POST /customers/{idCustomer} → 406 a segment that does not exist', async () => {
  const response = await ask('POST /customers/{idCustomer}', newId(), { segmentCode: 'NOBODY' })
  expectError(response, 406, 'SEGMENT_NOT_SUPPORTED')
  assert.equal(at(rejectionItem(response, 'SEGMENT_NOT_SUPPORTED'), 'field'), 'segmentCode')
})

test('POST /customers/{idCustomer} → 409 the id is taken, with the same data or with other', async () => {
  const id = await created()
  const acceptedAt = textAt(await read(id), 'createdAt')
  const same = await ask('POST /customers/{idCustomer}', id)
  expectError(same, 409, 'ENTITY_DUPLICATED')
  assert.deepEqual([at(same.body, 'duplicate'), at(same.body, 'acceptedAt')], ['IDENTICAL', acceptedAt])
  const other = await ask('POST /customers/{idCustomer}', id, { name: 'Eva' })
  assert.equal(at(other.body, 'duplicate'), 'DIFFERENT')
  assert.equal(at(await read(id), 'name'), JANA.name)
})

test('GET /customers/{idCustomer} → 400 an id that cannot be one', async () => {
  expectError(await ask('GET /customers/{idCustomer}', 'a.b'), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /customers/{idCustomer} → 410 no such customer, also when another merchant has one', async () => {
  expectError(await ask('GET /customers/{idCustomer}', newId()), 410, 'ENTITY_NOT_FOUND')
  const id = await created()
  const other = await addMerchant(gateway, 'OTHER')
  const foreign = requestTo('GET /customers/{idCustomer}', await other.token(...PERMITTED), id)
  expectError(await gateway.send(foreign), 410, 'ENTITY_NOT_FOUND')
})

test('GET /customers → 200 page by page, each customer once', async () => {
  const merchant = await addMerchant(gateway, 'PAGES')
  await setRateLimit(databaseUrl, 'PAGES', 1000)
  const bearer = await merchant.token(...PERMITTED)
  await untilRateLimitIs(gateway, merchant, 1000)
  const page = async (query: string): Promise<unknown> =>
    expectSuccess(await gateway.send({ method: 'GET', path: `/customers${query}`, token: bearer }), 200)
  assert.deepEqual(await page(''), { data: [] })
  const ids = ['a', 'b', 'c', 'd', 'e']
  for (const id of ids) await gateway.send(requestTo('POST /customers/{idCustomer}', bearer, id))
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const body = await page(`?limit=2${cursor}`)
    seen.push(...listAt(body, 'data').map((each) => textAt(each, 'idCustomer')))
    const next = at(body, 'nextCursor')
    if (typeof next !== 'string') break
    cursor = `&cursor=${next}`
  }
  assert.deepEqual(seen, ids)
  assert.equal(listAt(await page(''), 'data').length, 5)
})

test('GET /customers → 400 a cursor or a limit that is none', async () => {
  for (const query of ['?cursor=%21', '?cursor=', '?cursor=YSBi']) {
    const response = await listed(query)
    assert.equal(response.status, 400, response.text)
    assert.deepEqual(violatedFields(response), ['cursor'])
  }
  for (const limit of ['0', '101', '-1', '1.5', 'all', '']) {
    assert.deepEqual(violatedFields(await listed(`?limit=${limit}`)), ['limit'], limit)
  }
})

test('PATCH /customers/{idCustomer} → 200 what is absent stays, null removes', async () => {
  const id = await created()
  const change = { name: 'Jana Svobodová', phone: null, accounts: [{ accountName: 'J', accountNumber: '1' }] }
  const body = expectSuccess(await ask('PATCH /customers/{idCustomer}', id, change), 200)
  const { phone: _gone, ...rest } = JANA
  const expected = { idCustomer: id, ...rest, name: change.name, accounts: change.accounts, status: 'ACTIVE' }
  assert.deepEqual(body, { ...expected, createdAt: textAt(body, 'createdAt') })
  assert.deepEqual(await read(id), body)
  const none = expectSuccess(
    await ask('PATCH /customers/{idCustomer}', id, { accounts: null, segmentCode: null }),
    200,
  )
  assert.deepEqual([at(none, 'accounts'), at(none, 'segmentCode')], [[], undefined])
})

test('PATCH /customers/{idCustomer} → 400 nothing to change, or a value that is none', async () => {
  const id = await created()
  expectError(await ask('PATCH /customers/{idCustomer}', id, {}), 400, 'BODY_INVALID')
  expectError(await ask('PATCH /customers/{idCustomer}', id, { nickname: 'J' }), 400, 'BODY_INVALID')
  for (const change of [{ name: '' }, { name: 5 }, { countryCode: 'Czechia' }, { accounts: 'none' }]) {
    const response = await ask('PATCH /customers/{idCustomer}', id, change)
    assert.equal(response.status, 400, response.text)
    assert.deepEqual(new Set(violatedFields(response)), new Set(Object.keys(change)))
  }
  assert.deepEqual(at(await read(id), 'name'), JANA.name)
})

test('PATCH /customers/{idCustomer} → 406 a segment that does not exist', async () => {
  const response = await ask('PATCH /customers/{idCustomer}', await created(), { segmentCode: 'NOBODY' })
  expectError(response, 406, 'SEGMENT_NOT_SUPPORTED')
})

test('PATCH /customers/{idCustomer} → 410 no such customer', async () => {
  expectError(await ask('PATCH /customers/{idCustomer}', newId()), 410, 'ENTITY_NOT_FOUND')
})

test('POST /customers/{idCustomer}/!block → 200 the customer pays no more; POST /customers/{idCustomer}/!unblock → 200 it pays again', async () => {
  const id = await created()
  for (const _time of [1, 2]) {
    const body = expectSuccess(await ask('POST /customers/{idCustomer}/!block', id), 200)
    assert.equal(at(body, 'status'), 'BLOCKED')
  }
  const refused = await createPayinOf(id, { id: newId() })
  expectError(refused, 406, 'CUSTOMER_BLOCKED')
  for (const _time of [1, 2]) {
    const body = expectSuccess(await ask('POST /customers/{idCustomer}/!unblock', id), 200)
    assert.equal(at(body, 'status'), 'ACTIVE')
  }
  expectSuccess(await createPayinOf(id, { id: newId() }), 201)
})

test('POST /customers/{idCustomer}/!block → 400 an id that cannot be one', async () =>
  expectError(await ask('POST /customers/{idCustomer}/!block', 'a.b'), 400, 'ATTRIBUTE_VALUE_INVALID'))
test('POST /customers/{idCustomer}/!unblock → 400 an id that cannot be one', async () =>
  expectError(await ask('POST /customers/{idCustomer}/!unblock', 'a.b'), 400, 'ATTRIBUTE_VALUE_INVALID'))
test('POST /customers/{idCustomer}/!erase → 400 an id that cannot be one', async () =>
  expectError(await ask('POST /customers/{idCustomer}/!erase', 'a.b'), 400, 'ATTRIBUTE_VALUE_INVALID'))
test('POST /customers/{idCustomer}/!block → 410 no such customer', async () =>
  expectError(await ask('POST /customers/{idCustomer}/!block', newId()), 410, 'ENTITY_NOT_FOUND'))
test('POST /customers/{idCustomer}/!unblock → 410 no such customer', async () =>
  expectError(await ask('POST /customers/{idCustomer}/!unblock', newId()), 410, 'ENTITY_NOT_FOUND'))
test('POST /customers/{idCustomer}/!erase → 410 no such customer', async () =>
  expectError(await ask('POST /customers/{idCustomer}/!erase', newId()), 410, 'ENTITY_NOT_FOUND'))

test('a create takes the segment of its customer, whatever it names itself', async () => {
  const id = await created({ segmentCode: 'NEW' })
  const tooMuch = await createPayinOf(id, { id: newId(), amount: '10001' })
  expectError(tooMuch, 406, 'AMOUNT_ABOVE_MAXIMUM')
  const named = await createPayinOf(id, { id: newId(), amount: '10001', segmentCode: 'TRUSTED' })
  expectError(named, 406, 'AMOUNT_ABOVE_MAXIMUM')
  const trusted = await created({ segmentCode: 'TRUSTED' })
  expectSuccess(await createPayinOf(trusted, { id: newId(), amount: '10001', segmentCode: 'NEW' }), 201)
})

test('a create that names a customer whom the merchant does not have is refused', async () => {
  expectError(await createPayinOf(newId(), { id: newId() }), 406, 'CUSTOMER_NOT_FOUND')
})

test('GET /customers/{idCustomer}/payments → 200 what the customer paid, the newest first', async () => {
  const id = await created()
  const path = `/customers/${id}/payments`
  const page = async (query = ''): Promise<unknown> =>
    expectSuccess(await gateway.send({ method: 'GET', path: path + query, token }), 200)
  assert.deepEqual(await page(), { data: [] })
  const first = await ended(id, 'declined@sandbox.test')
  const second = await ended(id)
  await ended(await created())
  const [newest, oldest, ...more] = listAt(await page(), 'data')
  assert.deepEqual(more, [])
  assert.deepEqual(newest, {
    kind: 'PAYIN',
    id: second,
    status: 'SUCCESS',
    money: { amount: '149.9', currencyCode: 'EUR' },
    paymentMethodCode: 'BANK_TRANSFER',
    createdAt: textAt(newest, 'createdAt'),
  })
  assert.deepEqual([at(oldest, 'id'), at(oldest, 'status')], [first, 'FAILED'])
  const one = await page('?limit=1')
  assert.deepEqual(listAt(one, 'data'), [newest])
  const rest = await page(`?limit=1&cursor=${textAt(one, 'nextCursor')}`)
  assert.deepEqual(rest, { data: [oldest] })
})

test('GET /customers/{idCustomer}/payments → 400 a cursor, a limit or an id that is none', async () => {
  const id = await created()
  for (const query of ['cursor=%21', 'cursor=YSBiIGM', 'limit=0']) {
    const response = await gateway.send({ method: 'GET', path: `/customers/${id}/payments?${query}`, token })
    assert.equal(response.status, 400, response.text)
    assert.deepEqual(violatedFields(response), [query.split('=')[0]])
  }
  expectError(await ask('GET /customers/{idCustomer}/payments', 'a.b'), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /customers/{idCustomer}/payments → 410 no such customer', async () => {
  expectError(await ask('GET /customers/{idCustomer}/payments', newId()), 410, 'ENTITY_NOT_FOUND')
})

test('POST /customers/{idCustomer}/!erase → 406 a payment has not ended', async () => {
  const id = await created()
  const idPayin = newId()
  expectSuccess(await createPayinOf(id, { id: idPayin, email: 'slow@sandbox.test' }), 201)
  expectError(await ask('POST /customers/{idCustomer}/!erase', id), 406, 'CUSTOMER_HAS_OPEN_PAYMENTS')
  assert.equal(at(await read(id), 'name'), JANA.name)
})

test('POST /customers/{idCustomer}/!erase → 204 the customer reads as erased, and nothing else can be done', async () => {
  const id = await created()
  const createdAt = textAt(await read(id), 'createdAt')
  await ended(id)
  for (const _time of [1, 2]) expectSuccess(await ask('POST /customers/{idCustomer}/!erase', id), 204)
  const body = await read(id)
  assert.deepEqual(body, { idCustomer: id, status: 'ERASED', createdAt, erasedAt: textAt(body, 'erasedAt') })
  const gone = ['PATCH /customers/{idCustomer}', 'POST /customers/{idCustomer}/!block'] as const
  const alsoGone = ['POST /customers/{idCustomer}/!unblock', 'GET /customers/{idCustomer}/payments'] as const
  for (const operation of [...gone, ...alsoGone])
    expectError(await ask(operation, id), 410, 'ENTITY_NOT_FOUND')
  const again = await ask('POST /customers/{idCustomer}', id)
  expectError(again, 409, 'ENTITY_DUPLICATED')
  assert.equal(at(again.body, 'duplicate'), 'DIFFERENT')
  expectError(await createPayinOf(id, { id: newId() }), 406, 'CUSTOMER_NOT_FOUND')
})

/** Told apart from everything else that a database may hold. */
const PLANTED = {
  name: 'Zdislava Plantová',
  email: 'zdislava.7741@planted.example',
  phone: '+420 777 417 741',
  account: '9917741000177419',
  bank: 'Plantbank7741',
  payer: 'Zdislava Payerová',
  payerAccount: '8817741000177418',
  returnUrl: 'https://shop.example/thanks-zdislava-7741',
  reference: 'REF-ZDISLAVA-7741',
  answer: 'no such customer: Zdislava 7741',
}

/** Which of the planted values a text holds, as they are or in the bytes of a bytea. */
function plantedIn(text: string): readonly string[] {
  return Object.values(PLANTED).filter(
    (value) => text.includes(value) || text.includes(Buffer.from(value).toString('hex')),
  )
}

/** Every value of every column of every table. */
async function everyValue(): Promise<string> {
  const [columns] = await runSql(
    databaseUrl,
    `select count(*)::int as count,
      string_agg(format('select %I::text as value from %I.%I', column_name, table_schema, table_name), ' union all ') as query
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  assert.ok(Number(columns?.['count']) > 100, 'there are columns to look at')
  const rows = await runSql(databaseUrl, String(columns?.['query']))
  return rows.map(({ value }) => String(value)).join('\n')
}

/** A customer with a payin that succeeded after a reference, and whose callback was answered with something personal. */
async function planted(): Promise<{ readonly id: string; readonly idPayin: string }> {
  const receiver = await callbackReceiver(
    { after },
    { answer: () => ({ kind: 'reply', status: 500, body: PLANTED.answer }) },
  )
  const [id, idPayin] = [newId(), newId()]
  const body = {
    name: PLANTED.name,
    emailAddress: PLANTED.email,
    phone: PLANTED.phone,
    accounts: [{ accountName: PLANTED.name, accountNumber: PLANTED.account, bankName: PLANTED.bank }],
  }
  expectSuccess(await ask('POST /customers/{idCustomer}', id, body), 201)
  const payin = await createPayinOf(id, {
    id: idPayin,
    method: 'OFFLINE_TRANSFER',
    account: { accountName: PLANTED.payer, accountNumber: PLANTED.payerAccount },
    email: 'reference@sandbox.test',
    returnUrl: PLANTED.returnUrl,
    callbackUrl: `${receiver.url}/callbacks`,
  })
  expectSuccess(payin, 201)
  const path = `/payins/${idPayin}/!setExternalReference`
  const reference = { externalReference: PLANTED.reference }
  expectSuccess(await gateway.send({ method: 'POST', path, token, body: reference }), 204)
  await payinWithStatus(gateway, token, { id: idPayin, status: 'SUCCESS' })
  const answersAre = async (): Promise<boolean> =>
    (await runSql(databaseUrl, 'select 1 from callback_attempts where answer_start = $1', [PLANTED.answer]))
      .length === 5
  await waitUntil(answersAre, { timeoutMs: 60_000, what: 'five answers of the receiver' })
  await ended(id)
  return { id, idPayin }
}

test('After erasing a customer, no personal data in any API, export or table', async () => {
  const { id, idPayin } = await planted()
  const answers = async (): Promise<string> => {
    const paths = ['', '/accounts'].map((rest) => `/payins/${idPayin}${rest}`)
    const all = [
      `/customers/${id}`,
      `/customers/${id}/payments`,
      '/customers?limit=100',
      '/balances',
      ...paths,
    ]
    const responses = await Promise.all(all.map((path) => gateway.send({ method: 'GET', path, token })))
    return responses.map(({ text }) => text).join('\n')
  }
  const exports = async (): Promise<string> => {
    const commands = [
      ['customers', 'list', 'DEMO', '--json'],
      ['customers', 'show', 'DEMO', id],
      ['payins', 'show', 'DEMO', idPayin, '--json'],
      ['callbacks', 'list', '--json'],
    ]
    const outcomes = []
    for (const command of commands) outcomes.push(await gateway.cli(...command))
    return outcomes.map(({ stdout, stderr }) => stdout + stderr).join('\n')
  }
  const { returnUrl, reference, answer, ...sealed } = PLANTED
  assert.deepEqual(plantedIn(await everyValue()).toSorted(), [returnUrl, reference, answer].toSorted())
  assert.deepEqual(
    plantedIn(await answers()).toSorted(),
    [...Object.values(sealed), returnUrl, reference].toSorted(),
  )
  assert.deepEqual(plantedIn(await exports()).toSorted(), [returnUrl, reference, answer].toSorted())

  expectSuccess(await ask('POST /customers/{idCustomer}/!erase', id), 204)

  assert.deepEqual(plantedIn(await everyValue()), [])
  assert.deepEqual(plantedIn(await answers()), [])
  assert.deepEqual(plantedIn(await exports()), [])
  assert.deepEqual(plantedIn(gateway.process().stdout() + gateway.process().stderr()), [], 'nor in a log')
  const accounts = await gateway.send({ method: 'GET', path: `/payins/${idPayin}/accounts`, token })
  expectError(accounts, 406, 'ACCOUNT_DATA_NOT_AVAILABLE')
  const detail = await payinWithStatus(gateway, token, { id: idPayin, status: 'SUCCESS' })
  assert.equal(textAt(detail, 'paymentReceived', 'money', 'amount'), '149.9')
  // The check gives the sweep some time: an hour passes.
  await runSql(
    databaseUrl,
    `update customers set erased_at = erased_at - interval '1 hour' where status = 'ERASED';
    update payments set processed_at = processed_at - interval '1 hour' where id_customer = '${id}'`,
  )
  await gateway.cli('ledger', 'check')
})

test('the command line shows, blocks and erases customers, and masks what is personal', async () => {
  const id = await created()
  const shown = await gateway.cli('customers', 'show', 'DEMO', id)
  assert.match(shown.stdout, /J…/)
  assert.match(shown.stdout, /…0001/)
  assert.match(shown.stderr, /masked/)
  for (const text of [JANA.name, JANA.emailAddress, JANA.phone, 'XS00'])
    assert.ok(!shown.stdout.includes(text), text)
  await gateway.cli('customers', 'block', 'DEMO', id)
  assert.equal(at(await read(id), 'status'), 'BLOCKED')
  await gateway.cli('customers', 'unblock', 'DEMO', id)
  assert.equal(at(await read(id), 'status'), 'ACTIVE')
  await gateway.cli('customers', 'erase', 'DEMO', id)
  assert.equal(at(await read(id), 'status'), 'ERASED')
  assert.match((await gateway.cli('customers', 'show', 'DEMO', id)).stdout, /ERASED/)
  await assert.rejects(gateway.cli('customers', 'block', 'DEMO', 'NOPE'), /There is no customer NOPE\./)
})

// What every operation answers: 401, 403, 404, 429 and 500

async function expectPermissionNeeded(operation: Operation): Promise<void> {
  const rest = CUSTOMER_OPERATIONS.filter((each) => each !== operation)
  const bearer = await demo.token(...rest.map((each) => each.replace('{idCustomer}', 'C-1')))
  expectError(await gateway.send(requestTo(operation, bearer)), 403, 'OPERATION_NOT_PERMITTED')
}

async function expectLimited(operation: Operation): Promise<void> {
  const request = requestTo(operation, slowToken)
  expectOneLimited(await Promise.all([1, 2, 3].map(() => gateway.send(request))))
}

async function expectSystemError(operation: Operation): Promise<void> {
  const response = await blind.send(requestTo(operation, blindToken))
  expectError(response, 500, 'SYSTEM')
  assert.ok(!response.text.includes('Jana'))
}

test('POST /customers/{idCustomer} → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('POST /customers/{idCustomer}')))
test('GET /customers/{idCustomer} → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('GET /customers/{idCustomer}')))
test('GET /customers → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('GET /customers')))
test('PATCH /customers/{idCustomer} → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('PATCH /customers/{idCustomer}')))
test('POST /customers/{idCustomer}/!block → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('POST /customers/{idCustomer}/!block')))
test('POST /customers/{idCustomer}/!unblock → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('POST /customers/{idCustomer}/!unblock')))
test('POST /customers/{idCustomer}/!erase → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('POST /customers/{idCustomer}/!erase')))
test('GET /customers/{idCustomer}/payments → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('GET /customers/{idCustomer}/payments')))
test('POST /customers/{idCustomer} → 403 the token is for something else', () =>
  expectPermissionNeeded('POST /customers/{idCustomer}'))
test('GET /customers/{idCustomer} → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /customers/{idCustomer}'))
test('GET /customers → 403 the token is for something else', () => expectPermissionNeeded('GET /customers'))
test('PATCH /customers/{idCustomer} → 403 the token is for something else', () =>
  expectPermissionNeeded('PATCH /customers/{idCustomer}'))
test('POST /customers/{idCustomer}/!block → 403 the token is for something else', () =>
  expectPermissionNeeded('POST /customers/{idCustomer}/!block'))
test('POST /customers/{idCustomer}/!unblock → 403 the token is for something else', () =>
  expectPermissionNeeded('POST /customers/{idCustomer}/!unblock'))
test('POST /customers/{idCustomer}/!erase → 403 the token is for something else', () =>
  expectPermissionNeeded('POST /customers/{idCustomer}/!erase'))
test('GET /customers/{idCustomer}/payments → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /customers/{idCustomer}/payments'))
test('POST /customers/{idCustomer} → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('POST /customers/{idCustomer}')))
test('GET /customers/{idCustomer} → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('GET /customers/{idCustomer}')))
test('GET /customers → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('GET /customers')))
test('PATCH /customers/{idCustomer} → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('PATCH /customers/{idCustomer}')))
test('POST /customers/{idCustomer}/!block → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('POST /customers/{idCustomer}/!block')))
test('POST /customers/{idCustomer}/!unblock → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('POST /customers/{idCustomer}/!unblock')))
test('POST /customers/{idCustomer}/!erase → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('POST /customers/{idCustomer}/!erase')))
test('GET /customers/{idCustomer}/payments → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('GET /customers/{idCustomer}/payments')))
test('POST /customers/{idCustomer} → 429 more requests than the limit', () =>
  expectLimited('POST /customers/{idCustomer}'))
test('GET /customers/{idCustomer} → 429 more requests than the limit', () =>
  expectLimited('GET /customers/{idCustomer}'))
test('GET /customers → 429 more requests than the limit', () => expectLimited('GET /customers'))
test('PATCH /customers/{idCustomer} → 429 more requests than the limit', () =>
  expectLimited('PATCH /customers/{idCustomer}'))
test('POST /customers/{idCustomer}/!block → 429 more requests than the limit', () =>
  expectLimited('POST /customers/{idCustomer}/!block'))
test('POST /customers/{idCustomer}/!unblock → 429 more requests than the limit', () =>
  expectLimited('POST /customers/{idCustomer}/!unblock'))
test('POST /customers/{idCustomer}/!erase → 429 more requests than the limit', () =>
  expectLimited('POST /customers/{idCustomer}/!erase'))
test('GET /customers/{idCustomer}/payments → 429 more requests than the limit', () =>
  expectLimited('GET /customers/{idCustomer}/payments'))
test('POST /customers/{idCustomer} → 500 the database is away', () =>
  expectSystemError('POST /customers/{idCustomer}'))
test('GET /customers/{idCustomer} → 500 the database is away', () =>
  expectSystemError('GET /customers/{idCustomer}'))
test('GET /customers → 500 the database is away', () => expectSystemError('GET /customers'))
test('PATCH /customers/{idCustomer} → 500 the database is away', () =>
  expectSystemError('PATCH /customers/{idCustomer}'))
test('POST /customers/{idCustomer}/!block → 500 the database is away', () =>
  expectSystemError('POST /customers/{idCustomer}/!block'))
test('POST /customers/{idCustomer}/!unblock → 500 the database is away', () =>
  expectSystemError('POST /customers/{idCustomer}/!unblock'))
test('POST /customers/{idCustomer}/!erase → 500 the database is away', () =>
  expectSystemError('POST /customers/{idCustomer}/!erase'))
test('GET /customers/{idCustomer}/payments → 500 the database is away', () =>
  expectSystemError('GET /customers/{idCustomer}/payments'))
