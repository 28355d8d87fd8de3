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
import { RATE_UNLIMITED, startGateway, untilRateLimitIs } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { addMerchant } from './support/merchant.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'
import { balanceIn, fundBalance } from './support/topups.ts'

// Settlements: what was earned becomes available, and available money is paid out to the merchant's own account.

const SETTLEMENT_OPERATIONS = [
  'GET /settlements',
  'GET /settlements/{idSettlement}',
  'GET /settlements/{idSettlement}/transactions',
  'POST /settlements/{idSettlement}',
] as const
type Operation = (typeof SETTLEMENT_OPERATIONS)[number]

const PERMITTED = [
  'GET /settlements',
  'GET /settlements/.*',
  'POST /settlements/.*',
  'GET /balances',
  'POST /payins/.*',
  'GET /payins/.*',
  'POST /topups/.*',
  'GET /topups/.*',
]
const END_TIMEOUT_MS = 60_000
const ACCOUNT = { accountName: 'Shop', accountNumber: 'DE89370400440532013000' }

// The gateway that loses its database.
const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const blind = await startGateway({ after }, { databaseUrl: door.url })
const blindToken = await blind.demo().token(...PERMITTED)
await door.shut()

const gateway = await startGateway({ after })
const { databaseUrl = '' } = gateway
const demo = gateway.demo()
const token = await demo.token(...PERMITTED)
const slow = await addMerchant(gateway, 'SLOW')
const slowToken = await slow.token(...PERMITTED)
await setRateLimit(databaseUrl, 'SLOW', 1)
await untilRateLimitIs(gateway, slow, 1)

/** A new merchant with all methods; a token of it. */
async function openShop(code: string): Promise<string> {
  const shop = await addMerchant(gateway, code)
  await gateway.cli('merchants', 'enable-method', code, 'all')
  await setRateLimit(databaseUrl, code, RATE_UNLIMITED)
  return shop.token(...PERMITTED)
}

/** Registers the account to which the merchant's EUR are paid out. */
async function setAccount(code: string, account: Readonly<Record<string, string>> = ACCOUNT): Promise<void> {
  const file = join(gateway.dataDir, `${code}-account.json`)
  writeFileSync(file, JSON.stringify(account))
  const where = ['--currency', 'EUR', '--method', 'BANK_TRANSFER', '--account-file', file]
  await gateway.cli('settlements', 'set-account', code, ...where)
}

/** A payin of 149.9 EUR that has succeeded; its fee is 0.25. */
async function earn(key: string, id = newId(), currencyCode = 'EUR'): Promise<void> {
  await createPayin(gateway, key, { id, currencyCode, email: 'success@sandbox.test' })
  await payinWithStatus(gateway, key, { id, status: 'SUCCESS' })
}

/** `tollgate settlements run`; what became of each period. */
async function run(code: string, ...options: readonly string[]): Promise<readonly unknown[]> {
  const { stdout } = await gateway.cli('settlements', 'run', '--merchant', code, '--json', ...options)
  return listAt(JSON.parse(stdout), 'data')
}

/** Settles everything that the merchant has earned until now in EUR; the settlement's id. */
async function settle(code: string): Promise<string> {
  const [period] = await run(code, '--currency', 'EUR', '--until', 'now')
  assert.equal(at(period, 'result'), 'SETTLED', JSON.stringify(period))
  return textAt(period, 'settlement', 'idSettlement')
}

const get = (path: string, key = token): Promise<RawResponse> =>
  gateway.send({ method: 'GET', path: `/settlements${path}`, token: key })
const read = async (id: string, key = token): Promise<unknown> => expectSuccess(await get(`/${id}`, key), 200)
const ask = (id: string, body: unknown, key = token): Promise<RawResponse> =>
  gateway.send({ method: 'POST', path: `/settlements/${id}`, token: key, body })
const euros = (amount: string) => ({ amount, currencyCode: 'EUR' })

async function settlementWithStatus(id: string, status: string, key = token): Promise<unknown> {
  let detail: unknown
  const hasStatus = async (): Promise<boolean> => {
    detail = await read(id, key)
    return at(detail, 'process', 'status') === status
  }
  await waitUntil(hasStatus, { timeoutMs: END_TIMEOUT_MS, what: `${id} to be ${status}` })
  return detail
}

// A merchant who asks for its money.
const asking = await openShop('ASKING')
await setAccount('ASKING')

// What was earned becomes available

test('GET /settlements/{idSettlement} → 200 gross, fees and net of a period, whose money is available; running it again changes nothing', async () => {
  const key = await openShop('EARNING')
  await gateway.cli('settlements', 'set-cycle', 'EARNING', '--currency', 'EUR', '--cycle', 'daily')
  await earn(key)
  await earn(key)
  assert.deepEqual(await balanceIn(gateway, key, 'EUR'), {
    available: '0',
    notSettled: '299.3',
    reserved: '0',
  })
  const id = await settle('EARNING')
  const detail = await read(id, key)
  const { from, to } = Object(at(detail, 'period'))
  const process = at(detail, 'process')
  assert.ok(from < to)
  assert.deepEqual(detail, {
    idSettlement: id,
    kind: 'CYCLE',
    period: { from, to },
    gross: euros('299.8'),
    fees: euros('0.5'),
    adjustments: euros('0'),
    net: euros('299.3'),
    reference: textAt(detail, 'reference'),
    process: {
      status: 'SUCCESS',
      processorStatus: 'CONFIRMED',
      createdAt: textAt(process, 'createdAt'),
      processedAt: textAt(process, 'processedAt'),
      isTest: true,
    },
  })
  const settled = { available: '299.3', notSettled: '0', reserved: '0' }
  assert.deepEqual(await balanceIn(gateway, key, 'EUR'), settled)
  const periodAgain = await run('EARNING', '--until', to)
  assert.deepEqual(
    periodAgain.map((each) => at(each, 'result')),
    ['ALREADY_RUN'],
  )
  assert.deepEqual(
    (await run('EARNING', '--until', 'now')).map((each) => at(each, 'result')),
    ['NOTHING'],
  )
  assert.deepEqual(await balanceIn(gateway, key, 'EUR'), settled)
  assert.equal(listAt(expectSuccess(await get('', key), 200), 'data').length, 1)
})

test('GET /settlements/{idSettlement}/transactions → 200 what it consists of, page by page, or all of it as CSV', async () => {
  const key = await openShop('ITEMS')
  await gateway.cli('settlements', 'set-cycle', 'ITEMS', '--currency', 'EUR', '--cycle', 'daily')
  const ids = [newId(), '-formula', newId()]
  for (const id of ids) await earn(key, id)
  const id = await settle('ITEMS')
  const all = listAt(expectSuccess(await get(`/${id}/transactions`, key), 200), 'data')
  assert.deepEqual(
    all.map((item) => textAt(item, 'idEntity')),
    ids,
  )
  assert.deepEqual(all[0], {
    type: 'PAYIN',
    idEntity: ids[0],
    money: euros('149.9'),
    fee: euros('0.25'),
    net: euros('149.65'),
    processedAt: textAt(all[0], 'processedAt'),
  })
  const first = expectSuccess(await get(`/${id}/transactions?limit=2`, key), 200)
  assert.deepEqual(listAt(first, 'data'), all.slice(0, 2))
  const rest = await get(`/${id}/transactions?limit=2&cursor=${textAt(first, 'nextCursor')}`, key)
  assert.deepEqual(expectSuccess(rest, 200), { data: all.slice(2) })

  const request: RawRequest = { method: 'GET', path: `/settlements/${id}/transactions?limit=1`, token: key }
  const csv = await gateway.send({ ...request, headers: { Accept: 'text/csv' } })
  assert.equal(csv.status, 200, csv.text)
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/)
  assert.match(csv.headers.get('content-disposition') ?? '', new RegExp(`filename="${id}[.]csv"`))
  const line = (item: unknown, idEntity: string): string =>
    `PAYIN,${idEntity},EUR,149.9,0.25,149.65,${textAt(item, 'processedAt')}`
  assert.deepEqual(csv.text.split('\r\n'), [
    'type,idEntity,currencyCode,amount,fee,net,processedAt',
    line(all[0], ids[0] ?? ''),
    line(all[1], `'-formula`),
    line(all[2], ids[2] ?? ''),
    '',
  ])
  const json = await gateway.send({
    ...request,
    headers: { Accept: 'application/json, text/csv;q=0.5' },
  })
  assert.equal(listAt(expectSuccess(json, 200), 'data').length, 1)
})

test('GET /settlements → 200 the newest first, page by page, by day, currency and status', async () => {
  const key = await openShop('LISTS')
  assert.deepEqual(expectSuccess(await get('', key), 200), { data: [] })
  await gateway.cli('settlements', 'set-cycle', 'LISTS', '--currency', 'EUR', '--cycle', 'weekly:mon')
  await setAccount('LISTS')
  await earn(key)
  const cycle = await settle('LISTS')
  const asked = newId()
  expectSuccess(await ask(asked, { money: euros('10') }, key), 201)
  await settlementWithStatus(asked, 'SUCCESS', key)
  const idsOf = async (query: string): Promise<readonly string[]> =>
    listAt(expectSuccess(await get(query, key), 200), 'data').map((each) => textAt(each, 'idSettlement'))
  assert.deepEqual(await idsOf(''), [asked, cycle])
  const first = expectSuccess(await get('?limit=1', key), 200)
  assert.deepEqual(await idsOf(`?limit=1&cursor=${textAt(first, 'nextCursor')}`), [cycle])
  const [today = ''] = textAt(await read(cycle, key), 'process', 'createdAt').split('T')
  assert.ok((await idsOf(`?dateFrom=${today}`)).includes(cycle))
  assert.ok((await idsOf(`?dateTo=${today}`)).includes(cycle))
  assert.deepEqual(await idsOf('?dateFrom=2099-01-01'), [])
  assert.deepEqual(await idsOf('?dateTo=2020-01-01'), [])
  assert.deepEqual(await idsOf('?currencyCodes=USD,CZK'), [])
  assert.deepEqual(await idsOf('?currencyCodes=USD,EUR'), [asked, cycle])
  assert.deepEqual(await idsOf('?statuses=FAILED,CREATED'), [])
  assert.deepEqual(await idsOf('?statuses=SUCCESS'), [asked, cycle])
  assert.deepEqual(await idsOf('?statuses=PAID,%00,SUCCESS'), [asked, cycle])
  assert.deepEqual(await idsOf('?statuses=&currencyCodes='), [asked, cycle])
  assert.deepEqual(await idsOf('?statuses=PAID'), [])
})

test('money that is settled in another currency says by which list, version and row', async () => {
  const key = await openShop('EXCHANGING')
  const exchange = ['--settle-in', 'CZK', '--rate-list', 'SANDBOX']
  await gateway.cli(
    'settlements',
    'set-cycle',
    'EXCHANGING',
    '--currency',
    'EUR',
    '--cycle',
    't+2',
    ...exchange,
  )
  await earn(key)
  const detail = await read(await settle('EXCHANGING'), key)
  assert.deepEqual(at(detail, 'net'), euros('149.65'))
  const conversion = at(detail, 'conversion')
  assert.deepEqual(at(conversion, 'sold'), euros('149.65'))
  const [code, side] = [textAt(conversion, 'rateListCode'), textAt(conversion, 'side')]
  assert.deepEqual([code, side, at(conversion, 'currencyCodes')], ['SANDBOX', 'BUY', ['CZK']])
  assert.ok(at(conversion, 'version') !== undefined)
  assert.deepEqual(await balanceIn(gateway, key, 'EUR'), { available: '0', notSettled: '0', reserved: '0' })
  const { available } = await balanceIn(gateway, key, 'CZK')
  assert.equal(available, textAt(conversion, 'bought', 'amount'))
})

// What a merchant asks for

test('POST /settlements/{idSettlement} → 201 the money is held, paid out to the registered account, and gone', async () => {
  const key = asking
  await fundBalance(gateway, key, { id: newId(), amount: '100.25' })
  const id = newId()
  const requested = expectSuccess(await ask(id, { money: euros('60') }, key), 201)
  assert.deepEqual([at(requested, 'kind'), at(requested, 'net')], ['REQUESTED', euros('60')])
  // The institution may have been faster than the answer.
  assert.match(textAt(requested, 'process', 'status'), /^(?:CREATED|SUCCESS)$/)
  assert.deepEqual(at(requested, 'account'), {
    paymentMethodCode: 'BANK_TRANSFER',
    accountNumber: '…3000',
  })
  const paid = await settlementWithStatus(id, 'SUCCESS', key)
  assert.equal(at(paid, 'reference'), at(requested, 'reference'))
  assert.deepEqual(expectSuccess(await get(`/${id}/transactions`, key), 200), { data: [] })
  assert.deepEqual(await balanceIn(gateway, key, 'EUR'), { available: '40', notSettled: '0', reserved: '0' })
  const rest = expectSuccess(await ask(newId(), { currencyCode: 'EUR' }, key), 201)
  assert.deepEqual(at(rest, 'net'), euros('40'), 'everything that was available')
  await gateway.cli('ledger', 'check')
})

test('a requested settlement that the institution refuses gives the money back, and says why', async () => {
  const key = await openShop('REFUSED')
  await setAccount('REFUSED', { ...ACCOUNT, emailAddress: 'account-closed@sandbox.test' })
  await fundBalance(gateway, key, { id: newId(), amount: '50.25' })
  const id = newId()
  expectSuccess(await ask(id, { currencyCode: 'EUR' }, key), 201)
  const failed = await settlementWithStatus(id, 'FAILED', key)
  assert.equal(textAt(failed, 'process', 'failureReasons', 'failureReasonCode'), 'ACCOUNT_CLOSED')
  assert.deepEqual(await balanceIn(gateway, key, 'EUR'), { available: '50', notSettled: '0', reserved: '0' })
})

test('POST /settlements/{idSettlement} → 400 what is no money, and two currencies', async () => {
  const wrong = [
    [{}, ['currencyCode']],
    [{ money: euros('0') }, ['money.amount']],
    [{ money: euros('-1') }, ['money.amount']],
    [{ money: { currencyCode: 'EUR' } }, ['money.amount']],
    [{ currencyCode: 'eur' }, ['currencyCode']],
    [{ money: euros('1'), currencyCode: 'USD' }, ['currencyCode']],
  ] as const
  for (const [body, fields] of wrong) {
    const response = await ask(newId(), body)
    assert.equal(response.status, 400, response.text)
    assert.deepEqual(violatedFields(response), fields)
  }
  expectError(await ask('a.b', { currencyCode: 'EUR' }), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('POST /settlements/{idSettlement} → 403 a token for one amount permits that amount alone', async () => {
  const key = await demo.tokenFor({ operations: ['POST /settlements/.*'], money: euros('1000000') })
  for (const body of [{ money: euros('11') }, { currencyCode: 'EUR' }])
    expectError(await ask(newId(), body, key), 403, 'MONEY_NOT_PERMITTED')
  const permitted = await ask(newId(), { money: euros('1000000.00') }, key)
  expectError(permitted, 406, 'AMOUNT_ABOVE_MAXIMUM')
})

test('POST /settlements/{idSettlement} → 406 no account is registered in the currency', async () => {
  const response = await ask(newId(), { currencyCode: 'ETH' })
  expectError(response, 406, 'SETTLEMENT_ACCOUNT_MISSING')
  assert.equal(at(rejectionItem(response, 'SETTLEMENT_ACCOUNT_MISSING'), 'field'), 'currencyCode')
})

test('POST /settlements/{idSettlement} → 406 nothing, or not enough, is available; not settled money does not count', async () => {
  const key = await openShop('POOR')
  await setAccount('POOR')
  await earn(key)
  const id = newId()
  expectError(await ask(id, { currencyCode: 'EUR' }, key), 406, 'BALANCE_INSUFFICIENT')
  expectError(await ask(id, { money: euros('10') }, key), 406, 'BALANCE_INSUFFICIENT')
  const tooMuch = await ask(id, { money: euros('1000000') }, key)
  expectError(tooMuch, 406, 'AMOUNT_ABOVE_MAXIMUM')
  assert.equal(at(rejectionItem(tooMuch, 'AMOUNT_ABOVE_MAXIMUM'), 'field'), 'money.amount')
  expectError(await ask(id, { money: euros('1.001') }, key), 406, 'AMOUNT_PRECISION_INVALID')
  await fundBalance(gateway, key, { id: newId(), amount: '10.25' })
  expectSuccess(await ask(id, { money: euros('10') }, key), 201)
})

test('POST /settlements/{idSettlement} → 409 the id is taken, by this request, another one or a cycle', async () => {
  const key = asking
  await fundBalance(gateway, key, { id: newId(), amount: '30.25' })
  const id = newId()
  const requested = expectSuccess(await ask(id, { currencyCode: 'EUR' }, key), 201)
  const same = await ask(id, { currencyCode: 'EUR' }, key)
  expectError(same, 409, 'ENTITY_DUPLICATED')
  assert.deepEqual(
    [at(same.body, 'duplicate'), at(same.body, 'acceptedAt')],
    ['IDENTICAL', textAt(requested, 'process', 'createdAt')],
  )
  const other = await ask(id, { money: euros('30') }, key)
  assert.equal(at(other.body, 'duplicate'), 'DIFFERENT')
  await gateway.cli('settlements', 'set-cycle', 'ASKING', '--currency', 'EUR', '--cycle', 'monthly')
  await earn(key)
  const cycle = await settle('ASKING')
  expectError(await ask(cycle, { currencyCode: 'EUR' }, key), 409, 'ENTITY_DUPLICATED')
})

test('a run names its merchant, or says that it is for all of them', async () => {
  const runFor = (...whom: readonly string[]) => gateway.cli('settlements', 'run', '--dry-run', ...whom)
  await assert.rejects(runFor(), /Name the merchant \(--merchant <code>\), or all of them \(--all\)/)
  await assert.rejects(runFor('--all', '--merchant', 'DEMO'), /--merchant and --all exclude each other/)
  await runFor('--all')
})

test('of eight simultaneous requests under one id one is accepted, and seven are 409 as the same', async () => {
  const key = await openShop('CROWD')
  await setAccount('CROWD')
  for (let round = 0; round < 10; round += 1) {
    // Everything that is available, a part of it, and all of it by its amount.
    const body = [{ currencyCode: 'EUR' }, { money: euros('5') }, { money: euros('20') }][round % 3] ?? {}
    await fundBalance(gateway, key, { id: newId(), amount: '20.25' })
    const id = newId()
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(id, body, key)))
    const verdicts = answers.map(
      ({ status, body: said }) => `${status} ${status === 409 ? textAt(said, 'duplicate') : ''}`,
    )
    assert.deepEqual(
      verdicts.toSorted(),
      ['201 ', ...Array.from({ length: 7 }, () => '409 IDENTICAL')],
      answers.map((each) => each.text).join(),
    )
  }
})

test('GET /settlements → 400 a day, a range, a cursor or a limit that is none', async () => {
  const wrong = [
    ['dateFrom=2026-02-30', 'dateFrom'],
    ['dateTo=yesterday', 'dateTo'],
    ['dateFrom=2026-02-02&dateTo=2026-02-01', 'dateFrom'],
    ['cursor=%21', 'cursor'],
    ['limit=0', 'limit'],
  ] as const
  for (const [query, field] of wrong) {
    const response = await get(`?${query}`)
    assert.equal(response.status, 400, response.text)
    assert.deepEqual(violatedFields(response), [field])
  }
})

test('GET /settlements/{idSettlement} → 400 an id that cannot be one', async () =>
  expectError(await get('/a.b'), 400, 'ATTRIBUTE_VALUE_INVALID'))
test('GET /settlements/{idSettlement}/transactions → 400 an id, a cursor or a limit that is none', async () => {
  expectError(await get('/a.b/transactions'), 400, 'ATTRIBUTE_VALUE_INVALID')
  for (const query of ['cursor=YSBi', 'limit=1000'])
    assert.deepEqual(violatedFields(await get(`/S/transactions?${query}`)), [query.split('=')[0]])
})

test('GET /settlements/{idSettlement} → 410 no such settlement, also when another merchant has one', async () => {
  expectError(await get(`/${newId()}`), 410, 'ENTITY_NOT_FOUND')
  await fundBalance(gateway, asking, { id: newId(), amount: '10.25' })
  const id = newId()
  expectSuccess(await ask(id, { currencyCode: 'EUR' }, asking), 201)
  expectError(await get(`/${id}`), 410, 'ENTITY_NOT_FOUND')
})

test('GET /settlements/{idSettlement}/transactions → 410 no such settlement, as JSON and as CSV', async () => {
  const request: RawRequest = { method: 'GET', path: `/settlements/${newId()}/transactions`, token }
  expectError(await gateway.send(request), 410, 'ENTITY_NOT_FOUND')
  const csv = await gateway.send({ ...request, headers: { Accept: 'text/csv' } })
  expectError(csv, 410, 'ENTITY_NOT_FOUND')
})

test('the command line lists and shows settlements, and the account only by its end', async () => {
  await setAccount('DEMO')
  await fundBalance(gateway, token, { id: newId(), amount: '20.25' })
  const id = newId()
  expectSuccess(await ask(id, { money: euros('20') }), 201)
  await settlementWithStatus(id, 'SUCCESS')
  const shown = await gateway.cli('settlements', 'show', 'DEMO', id)
  assert.match(shown.stdout, /REQUESTED.*\nStatus +SUCCESS, CONFIRMED/)
  assert.match(shown.stdout, /BANK_TRANSFER …3000/)
  const terms = await gateway.cli('settlements', 'show', 'DEMO')
  assert.match(terms.stdout, /EUR +daily/)
  assert.ok(!(shown.stdout + terms.stdout).includes(ACCOUNT.accountNumber))
  const listed = listAt(
    JSON.parse((await gateway.cli('settlements', 'list', 'DEMO', '--json')).stdout),
    'data',
  )
  assert.equal(at(itemWith(listed, 'idSettlement', id), 'process', 'status'), 'SUCCESS')
})

// What every operation answers: 401, 403, 404, 429 and 500

/** A request to the operation that is right in every way but, perhaps, its token. */
function requestTo(operation: Operation, bearer: string | undefined = token): RawRequest {
  const [method = '', template = ''] = operation.split(' ')
  const path = template.replace('{idSettlement}', 'S-1')
  return { method, path, token: bearer, body: method === 'POST' ? { currencyCode: 'EUR' } : undefined }
}

async function expectPermissionNeeded(operation: Operation): Promise<void> {
  const rest = SETTLEMENT_OPERATIONS.filter((each) => each !== operation)
  const bearer = await demo.token(...rest.map((each) => each.replace('{idSettlement}', 'S-1')))
  expectError(await gateway.send(requestTo(operation, bearer)), 403, 'OPERATION_NOT_PERMITTED')
}

async function expectLimited(operation: Operation): Promise<void> {
  const request = requestTo(operation, slowToken)
  expectOneLimited(await Promise.all([1, 2, 3].map(() => gateway.send(request))))
}

async function expectSystemError(operation: Operation): Promise<void> {
  expectError(await blind.send(requestTo(operation, blindToken)), 500, 'SYSTEM')
}

test('GET /settlements → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('GET /settlements')))
test('GET /settlements/{idSettlement} → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('GET /settlements/{idSettlement}')))
test('GET /settlements/{idSettlement}/transactions → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('GET /settlements/{idSettlement}/transactions')))
test('POST /settlements/{idSettlement} → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, requestTo('POST /settlements/{idSettlement}')))
test('GET /settlements → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /settlements'))
test('GET /settlements/{idSettlement} → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /settlements/{idSettlement}'))
test('GET /settlements/{idSettlement}/transactions → 403 the token is for something else', () =>
  expectPermissionNeeded('GET /settlements/{idSettlement}/transactions'))
test('POST /settlements/{idSettlement} → 403 the token is for something else', () =>
  expectPermissionNeeded('POST /settlements/{idSettlement}'))
test('GET /settlements → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('GET /settlements')))
test('GET /settlements/{idSettlement} → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('GET /settlements/{idSettlement}')))
test('GET /settlements/{idSettlement}/transactions → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('GET /settlements/{idSettlement}/transactions')))
test('POST /settlements/{idSettlement} → 404 the version is not supported', () =>
  expectVersionNeeded(gateway.send, requestTo('POST /settlements/{idSettlement}')))
test('GET /settlements → 429 more requests than the limit', () => expectLimited('GET /settlements'))
test('GET /settlements/{idSettlement} → 429 more requests than the limit', () =>
  expectLimited('GET /settlements/{idSettlement}'))
test('GET /settlements/{idSettlement}/transactions → 429 more requests than the limit', () =>
  expectLimited('GET /settlements/{idSettlement}/transactions'))
test('POST /settlements/{idSettlement} → 429 more requests than the limit', () =>
  expectLimited('POST /settlements/{idSettlement}'))
test('GET /settlements → 500 the database is away', () => expectSystemError('GET /settlements'))
test('GET /settlements/{idSettlement} → 500 the database is away', () =>
  expectSystemError('GET /settlements/{idSettlement}'))
test('GET /settlements/{idSettlement}/transactions → 500 the database is away', () =>
  expectSystemError('GET /settlements/{idSettlement}/transactions'))
test('POST /settlements/{idSettlement} → 500 the database is away', () =>
  expectSystemError('POST /settlements/{idSettlement}'))
