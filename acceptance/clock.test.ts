import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callbackReceiver, runSql, waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from './support/expectations.ts'
import { CLI, startGateway } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS, addMerchant } from './support/merchant.ts'
import { operatorsOf } from './support/operators.ts'
import { createPayin, createRequest, newId, payinWithStatus, readPayin } from './support/payins.ts'
import { runProgram } from './support/process.ts'

// A merchant's clock in the sandbox: what it waits for happens when an operator advances it, and nothing of anybody else.

const DAY_SECONDS = 86_400
const END_TIMEOUT_MS = 60_000

const gateway = await startGateway(
  { after },
  {
    settings: {
      TOLLGATE_CALLBACK_INTERVAL_SECONDS: String(DAY_SECONDS),
      TOLLGATE_RETENTION_PERSONAL_DATA_DAYS: '30',
    },
  },
)
const { get, post } = await operatorsOf(gateway, {
  support: ['susi', 'SUPPORT'],
  finance: ['fred', 'FINANCE'],
})

/** Each test has a merchant of its own: clocks are never set back. */
async function openShop(code: string): Promise<string> {
  const merchant = await addMerchant(gateway, code)
  await gateway.cli('merchants', 'enable-method', code, 'all')
  await gateway.cli('merchants', 'set-rate-limit', code, '1000')
  return merchant.token(...ALL_OPERATIONS)
}

const advance = async (code: string, days: number): Promise<unknown> =>
  expectSuccess(await post('support', `clocks/${code}/!advance`, { seconds: days * DAY_SECONDS }), 200)

/** Until the merchant's cycle of the currency is looked at; it says when by the merchant's clock, which is so many days ahead. */
async function dueInMs(code: string, currencyCode: string, daysAhead: number): Promise<number> {
  const terms = expectSuccess(await get('finance', `settlement-terms/${code}`), 200)
  const cycle = itemWith(listAt(terms, 'cycles'), 'currencyCode', currencyCode)
  return Date.parse(textAt(cycle, 'dueAt')) - Date.now() - daysAhead * DAY_SECONDS * 1000
}

const statusOf = async (token: string, id: string): Promise<string> =>
  textAt(await readPayin(gateway, token, id), 'process', 'status')

test('a payin expires for one merchant, whose callback comes, and waits on for another', async () => {
  const [token, other] = [await openShop('EXPIRY'), await openShop('EXPIRY_OTHER')]
  const receiver = await callbackReceiver({ after })
  const [id, waiting] = [newId(), newId()]
  await createPayin(gateway, token, { id, callbackUrl: receiver.url })
  await createPayin(gateway, other, { id: waiting })
  const said = await gateway.cli('clock', 'advance', '31d', '--merchant', 'EXPIRY')
  assert.match(said.stdout, /^For EXPIRY it is 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC now\.\n$/)
  await payinWithStatus(gateway, token, { id, status: 'EXPIRED', timeoutMs: END_TIMEOUT_MS })
  await waitUntil(() => receiver.requests.length > 0, { timeoutMs: END_TIMEOUT_MS, what: 'the callback' })
  assert.equal(await statusOf(other, waiting), 'CREATED')
  // Time begins anew for what comes after.
  const later = newId()
  await createPayin(gateway, token, { id: later })
  await createPayin(gateway, token, { id: newId(), email: 'success@sandbox.test' })
  assert.equal(await statusOf(token, later), 'CREATED')
})

test('a callback is repeated once by each advance, until it is exhausted', async () => {
  const token = await openShop('REPEATS')
  const receiver = await callbackReceiver({ after }, { answer: () => 500 })
  const id = newId()
  await createPayin(gateway, token, { id, email: 'success@sandbox.test', callbackUrl: receiver.url })
  // The next advance comes as soon as the call has: before the gateway has written down how it ended.
  await receiver.waitForCount(1, END_TIMEOUT_MS)
  for (const no of [2, 3, 4, 5]) {
    await advance('REPEATS', 1)
    await receiver.waitForCount(no, END_TIMEOUT_MS)
  }
  await waitUntil(
    async () => {
      const body = expectSuccess(await get('support', `payins/REPEATS/${id}`), 200)
      return at(listAt(body, 'callbacks')[0], 'state') === 'EXHAUSTED'
    },
    { timeoutMs: END_TIMEOUT_MS, what: 'the end' },
  )
  assert.equal(receiver.requests.length, 5)
})

test('a settlement that is due in days is made, for one merchant', async () => {
  const codes = ['SETTLED', 'SETTLED_OTHER'] as const
  const tokens: string[] = []
  for (const code of codes) {
    tokens.push(await openShop(code))
    await gateway.cli('settlements', 'set-cycle', code, '--currency', 'EUR', '--cycle', 't+2')
  }
  for (const token of tokens) {
    const id = newId()
    await createPayin(gateway, token, { id, email: 'success@sandbox.test' })
    await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  }
  const available = async (index: number): Promise<number> => {
    const answer = await gateway.send({
      method: 'GET',
      path: '/balances?currencyCodes=EUR',
      token: tokens[index] ?? '',
    })
    const [balance] = listAt(expectSuccess(answer, 200), 'data')
    return Number(at(balance, 'available', 'amount'))
  }
  await advance('SETTLED', 1)
  assert.equal(await available(0), 0)
  await advance('SETTLED', 2)
  await waitUntil(async () => (await available(0)) > 0, { timeoutMs: END_TIMEOUT_MS, what: 'the settlement' })
  assert.equal(await available(1), 0)
  // At the merchant's next midnight, and two days.
  const inMs = await dueInMs('SETTLED', 'EUR', 3)
  assert.ok(inMs > 0 && inMs <= 3 * DAY_SECONDS * 1000, `${inMs} ms`)
  await gateway.cli('settlements', 'set-cycle', 'SETTLED', '--currency', 'CZK', '--cycle', 't+2')
  const newInMs = await dueInMs('SETTLED', 'CZK', 3)
  assert.ok(newInMs > 0 && newInMs <= 3 * DAY_SECONDS * 1000, `${newInMs} ms`)
  // By hand, and for what was earned after the advance.
  const id = newId()
  await createPayin(gateway, tokens[0] ?? '', { id, email: 'success@sandbox.test' })
  await payinWithStatus(gateway, tokens[0] ?? '', { id, status: 'SUCCESS' })
  const before = await available(0)
  await gateway.cli('settlements', 'run', '--merchant', 'SETTLED', '--until', 'now')
  assert.ok((await available(0)) > before)
  assert.match((await gateway.cli('ledger', 'check')).stdout, /The books agree/)
})

test('what a merchant’s payments hold of persons goes when it was kept for long enough', async () => {
  const codes = ['KEPT', 'KEPT_OTHER'] as const
  const heldOf = async (id: string): Promise<number> => {
    const held = `select 1 from payment_personal_data where id_payment = $1 and sealed is not null`
    return (await runSql(gateway.databaseUrl ?? '', held, [id])).length
  }
  const [id, other] = [newId(), newId()]
  for (const [code, payin] of [
    [codes[0], id],
    [codes[1], other],
  ] as const) {
    const token = await openShop(code)
    await createPayin(gateway, token, { id: payin, email: 'success@sandbox.test' })
    await payinWithStatus(gateway, token, { id: payin, status: 'SUCCESS' })
    assert.ok((await heldOf(payin)) > 0)
  }
  await advance('KEPT', 31)
  await waitUntil(async () => (await heldOf(id)) === 0, { timeoutMs: END_TIMEOUT_MS, what: 'the erasure' })
  assert.ok((await heldOf(other)) > 0)
})

test('the day’s limits begin anew', async () => {
  const token = await openShop('DAILY')
  await gateway.cli(
    'merchants',
    'set-limit',
    'DAILY',
    'BANK_TRANSFER',
    '--currency',
    'EUR',
    '--direction',
    'PAYIN',
    '--daily-count',
    '1',
  )
  const create = () => gateway.send(createRequest(token, newId()))
  await waitUntil(async () => (await create()).status === 406, {
    timeoutMs: END_TIMEOUT_MS,
    what: 'the limit',
  })
  await advance('DAILY', 1)
  assert.equal((await create()).status, 201)
  assert.equal((await create()).status, 406)
})

test('GET /operator/clocks/{merchantCode} → 200: by how much, by whom and when', async () => {
  await openShop('SHOWN')
  assert.match((await gateway.cli('clock', 'show', '--merchant', 'SHOWN')).stdout, /was never advanced/)
  await advance('SHOWN', 1)
  const clock = expectSuccess(await post('support', 'clocks/SHOWN/!advance', { seconds: 3_600 + 5 }), 200)
  assert.equal(at(clock, 'advancedSeconds'), DAY_SECONDS + 3_605)
  assert.deepEqual(
    listAt(expectSuccess(await get('finance', 'clocks/SHOWN'), 200), 'advances').map((each) => [
      at(each, 'seconds'),
      at(each, 'advancedBy'),
    ]),
    [
      [3_605, 'susi'],
      [DAY_SECONDS, 'susi'],
    ],
  )
  const shown = (await gateway.cli('clock', 'show', '--merchant', 'SHOWN')).stdout
  assert.match(shown, /1d 1h 5s ahead/)
  assert.match(shown, /1h 5s +susi/)
})

test('advances and creates at once: nobody is refused, and nothing is lost', async () => {
  const token = await openShop('CROWD')
  const ids = Array.from({ length: 60 }, newId)
  const answers = await Promise.all([
    ...ids.map((id) => gateway.send(createRequest(token, id, { email: 'success@sandbox.test' }))),
    ...Array.from({ length: 12 }, () => post('support', 'clocks/CROWD/!advance', { seconds: 60 })),
  ])
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200 && status !== 201).map(({ text }) => text),
    [],
  )
  for (const id of ids)
    await payinWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: END_TIMEOUT_MS })
  const clock = expectSuccess(await get('support', 'clocks/CROWD'), 200)
  assert.equal(at(clock, 'advancedSeconds'), 720)
  const { stdout, stderr } = gateway.process()
  assert.doesNotMatch(stdout() + stderr(), /deadlock/)
})

test('live refuses: the command in one sentence, and the operator API has no such operation', async () => {
  const settings = {
    TOLLGATE_ENVIRONMENT: 'live',
    TOLLGATE_PUBLIC_API_URL: 'https://pay.example',
    TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://checkout.example',
  }
  const live = await startGateway({ after }, { settings })
  const inLive = await operatorsOf(live, { support: ['susi', 'SUPPORT'] })
  await live.cli('merchants', 'create', 'SHOP', '--name', 'Shop')
  const answer = await inLive.post('support', 'clocks/SHOP/!advance', { seconds: 60 })
  expectError(answer, 404, 'ROUTE_NOT_FOUND')
  expectError(await inLive.get('support', 'clocks/SHOP'), 404, 'ROUTE_NOT_FOUND')
  const outcome = await runProgram([CLI, 'clock', 'advance', '1d', '--merchant', 'SHOP'], {
    ...settings,
    TOLLGATE_DATA_DIR: live.dataDir,
  })
  assert.deepEqual([outcome.code, outcome.stdout], [6, ''])
  assert.equal(outcome.stderr, 'This works only in the sandbox.\n')
})
