import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { operatorsOf } from '../support/operators.ts'
import { createPayin, newId, payinWithStatus } from '../support/payins.ts'
import { ACCOUNT_NUMBERS, createPayout, PAYOUT_OPERATIONS, payoutRequest } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'

// What operators do about merchants' money by the operator API: looking at payments, settling, rules, blocked accounts, and a gap.

const gateway = await startGateway({ after })
const { get, post, put, upload } = await operatorsOf(gateway, {
  auditor: ['olga', 'AUDITOR'],
  support: ['susi', 'SUPPORT'],
  finance: ['fred', 'FINANCE'],
  admin: ['adam', 'ADMIN'],
  approver: ['anna', 'APPROVER'],
  other: ['otto', 'APPROVER'],
})
const token = await gateway.demo().token(...PAYOUT_OPERATIONS, 'POST /payins/.*', 'GET /payins/.*')
const topUp = newId()
await fundBalance(gateway, token, { id: topUp, amount: '1000' })

// Payments

const NAME = 'Zora Neale Hurston'
const NUMBER = 'NL91ABNA0417164300'

test('S87 GET /operator/payins/{merchantCode}/{idPayin} → 200, GET /operator/payouts/{merchantCode}/{idPayout} → 200, GET /operator/topups/{merchantCode}/{idTopUp} → 200: with all that happened, and without a person', async () => {
  const payin = newId()
  await createPayin(gateway, token, { id: payin, email: 'success@sandbox.test' })
  await payinWithStatus(gateway, token, { id: payin, status: 'SUCCESS' })
  const payout = newId()
  const account = { accountName: NAME, accountNumber: NUMBER }
  await createPayout(gateway, token, { id: payout, account, amount: '25' })
  const known = [
    ['payins', payin, 'PAYIN'],
    ['payouts', payout, 'PAYOUT'],
    ['topups', topUp, 'TOPUP'],
  ] as const
  for (const [path, id, kind] of known) {
    const answer = await get('auditor', `${path}/DEMO/${id}`)
    const body = expectSuccess(answer, 200)
    assert.deepEqual([at(body, 'kind'), at(body, 'idPayment'), at(body, 'merchantCode')], [kind, id, 'DEMO'])
    assert.ok(listAt(body, 'timeline').length > 0)
    assert.ok(!/Zora|NL91|0417164300|success@sandbox/.test(answer.text), answer.text)
  }
  const [callback] = listAt((await get('auditor', `payins/DEMO/${payin}`)).body, 'callbacks')
  assert.equal(textAt(callback, 'idPayment'), payin)
})

test('GET /operator/payins/{merchantCode}/{idPayin} → 400, GET /operator/payins/{merchantCode}/{idPayin} → 410, GET /operator/payouts/{merchantCode}/{idPayout} → 400, GET /operator/payouts/{merchantCode}/{idPayout} → 410, GET /operator/topups/{merchantCode}/{idTopUp} → 400, GET /operator/topups/{merchantCode}/{idTopUp} → 410: no id, no payment, no merchant', async () => {
  for (const path of ['payins', 'payouts', 'topups']) {
    expectError(await get('auditor', `${path}/DEMO/a.b`), 400, 'ATTRIBUTE_VALUE_INVALID')
    expectError(await get('auditor', `${path}/DEMO/NONE`), 410, 'ENTITY_NOT_FOUND')
    expectError(await get('auditor', `${path}/NOBODY/NONE`), 410, 'ENTITY_NOT_FOUND')
  }
})

const trigger = (path: string, outcome: string, role: 'support' | 'finance' = 'support') =>
  post(role, `payments/${path}/!trigger`, { outcome })

test('S88 POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!trigger → 200, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!trigger → 400, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!trigger → 406, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!trigger → 410: in the sandbox alone', async () => {
  const id = newId()
  await createPayin(gateway, token, { id })
  expectError(await trigger(`PAYIN/DEMO/${id}`, 'paid', 'finance'), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await trigger(`PAYIN/DEMO/${id}`, 'stolen'), 400, 'ATTRIBUTE_VALUE_INVALID')
  const done = expectSuccess(await trigger(`PAYIN/DEMO/${id}`, 'paid'), 200)
  assert.deepEqual([at(done, 'result'), at(done, 'status')], ['CHANGED', 'SUCCESS'])
  assert.equal(at(expectSuccess(await trigger(`PAYIN/DEMO/${id}`, 'paid'), 200), 'result'), 'SAME')
  expectError(await trigger(`PAYIN/DEMO/${id}`, 'unknown'), 406, 'OUTCOME_NOT_POSSIBLE')
  expectError(await trigger('PAYIN/DEMO/NONE', 'paid'), 410, 'ENTITY_NOT_FOUND')
  const live = await startGateway(
    { after },
    {
      settings: {
        TOLLGATE_ENVIRONMENT: 'live',
        TOLLGATE_PUBLIC_API_URL: 'https://pay.example',
        TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://checkout.example',
      },
    },
  )
  const inLive = await operatorsOf(live, { support: ['susi', 'SUPPORT'] })
  const answer = await inLive.post('support', `payments/PAYIN/DEMO/${id}/!trigger`, { outcome: 'paid' })
  expectError(answer, 404, 'ROUTE_NOT_FOUND')
})

// Settlements

const cycle = (role: 'admin' | 'finance', body: unknown, currency = 'EUR'): Promise<RawResponse> =>
  put(role, `settlement-terms/DEMO/cycles/${currency}`, body)
const account = (role: 'admin' | 'finance' | 'approver', body: unknown): Promise<RawResponse> =>
  put(role, 'settlement-terms/DEMO/accounts/EUR', body)
const REGISTERED = {
  paymentMethodCode: 'BANK_TRANSFER',
  account: { accountName: NAME, accountNumber: NUMBER },
}

test('S89 PUT /operator/settlement-terms/{merchantCode}/accounts/{currencyCode} → 200, PUT /operator/settlement-terms/{merchantCode}/cycles/{currencyCode} → 200, GET /operator/settlement-terms/{merchantCode} → 200: where a merchant is paid out to is said by ADMIN alone, with a trace, and is never shown again', async () => {
  for (const role of ['finance', 'approver'] as const)
    expectError(await account(role, REGISTERED), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await cycle('finance', { cycle: 'daily' }), 403, 'OPERATION_NOT_PERMITTED')
  const stored = await account('admin', REGISTERED)
  assert.match(textAt(expectSuccess(stored, 200), 'accountNumber'), /4300$/)
  assert.ok(!/Zora|NL91/.test(stored.text))
  const set = expectSuccess(await cycle('admin', { cycle: 'weekly:mon', minimum: '50' }), 200)
  assert.deepEqual([at(set, 'cycle'), at(set, 'minimum', 'amount')], ['weekly:mon', '50'])
  const terms = await get('auditor', 'settlement-terms/DEMO')
  assert.ok(!/Zora|NL91/.test(terms.text))
  assert.ok(listAt(expectSuccess(terms, 200), 'cycles').some((each) => at(each, 'cycle') === 'weekly:mon'))
  const asked = listAt((await get('auditor', 'requests?operatorCode=adam&limit=2')).body, 'data')
  assert.deepEqual(
    asked.map((each) => at(each, 'operation')),
    ['setSettlementCycle', 'setSettlementAccount'],
  )
  assert.ok(!/NL91/.test(JSON.stringify(asked)))
})

test('POST /operator/settlements/!run → 200, GET /operator/settlements/{merchantCode} → 200, GET /operator/settlements/{merchantCode}/{idSettlement} → 200: first dry, then for good', async () => {
  const payin = newId()
  await createPayin(gateway, token, { id: payin, email: 'success@sandbox.test' })
  await payinWithStatus(gateway, token, { id: payin, status: 'SUCCESS' })
  const order = { merchantCode: 'DEMO', currencyCode: 'EUR', until: 'NOW' }
  expectError(await post('approver', 'settlements/!run', order), 403, 'OPERATION_NOT_PERMITTED')
  const dry = expectSuccess(await post('finance', 'settlements/!run', { ...order, isDry: true }), 200)
  assert.deepEqual(
    [at(dry, 'isDry'), at(dry, 'cycleCount'), at(dry, 'data', 0, 'result')],
    [true, 1, 'SETTLED'],
  )
  const before = listAt(expectSuccess(await get('auditor', 'settlements/DEMO?limit=100'), 200), 'data')
  const run = expectSuccess(await post('finance', 'settlements/!run', order), 200)
  const id = textAt(run, 'data', 0, 'settlement', 'idSettlement')
  assert.ok(!before.some((each) => at(each, 'idSettlement') === id))
  const shown = expectSuccess(await get('auditor', `settlements/DEMO/${id}`), 200)
  assert.deepEqual(at(shown, 'net'), at(run, 'data', 0, 'net'))
  const list = expectSuccess(await get('auditor', 'settlements/DEMO?currencyCode=EUR&limit=1'), 200)
  assert.equal(textAt(list, 'data', 0, 'idSettlement'), id)
})

test('K48 GET /operator/settlements/{merchantCode}/{idSettlement}/transactions → 200: what it adds up to, of its own merchant alone', async () => {
  const payin = newId()
  await createPayin(gateway, token, { id: payin, email: 'success@sandbox.test' })
  await payinWithStatus(gateway, token, { id: payin, status: 'SUCCESS' })
  const order = { merchantCode: 'DEMO', currencyCode: 'EUR', until: 'NOW' }
  const ran = expectSuccess(await post('finance', 'settlements/!run', order), 200)
  const id = textAt(ran, 'data', 0, 'settlement', 'idSettlement')
  const settled = at(ran, 'data', 0, 'settlement')
  const path = `settlements/DEMO/${id}/transactions`
  const { body } = await get('auditor', path)
  assert.ok(listAt(body, 'data').some((item) => at(item, 'idEntity') === payin))
  assert.deepEqual(
    [at(body, 'sums', 0, 'type'), at(body, 'sums', 0, 'count'), at(body, 'sums', 0, 'money')],
    ['PAYIN', listAt(body, 'data').length, at(settled, 'gross')],
  )
  const first = (await get('auditor', `${path}?limit=1`)).body
  assert.equal(listAt(first, 'data').length, 1)
  await gateway.cli('merchants', 'create', 'OTHER')
  expectError(await get('auditor', `settlements/OTHER/${id}/transactions`), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/settlements/{merchantCode}/{idSettlement}/transactions → 400, GET /operator/settlements/{merchantCode}/{idSettlement}/transactions → 410: neither a cursor of another list nor a settlement that nobody has', async () => {
  expectError(await get('auditor', 'settlements/DEMO/NONE/transactions'), 410, 'ENTITY_NOT_FOUND')
  expectError(
    await get('auditor', 'settlements/DEMO/NONE/transactions?limit=0'),
    400,
    'ATTRIBUTE_VALUE_INVALID',
  )
})

test('POST /operator/settlements/!run → 400, POST /operator/settlements/!run → 410, GET /operator/settlements/{merchantCode} → 400, GET /operator/settlements/{merchantCode} → 410, GET /operator/settlements/{merchantCode}/{idSettlement} → 400, GET /operator/settlements/{merchantCode}/{idSettlement} → 410: nobody settles for all by forgetting the merchant', async () => {
  const run = (body: unknown) => post('finance', 'settlements/!run', body)
  expectError(await run({}), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await run({ merchantCode: 'DEMO', isForAll: true }), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await run({ merchantCode: 'DEMO', until: '2026-02-30' }), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await run({ merchantCode: 'DEMO', until: '2999-01-01' }), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await run({ merchantCode: 'NOBODY' }), 410, 'ENTITY_NOT_FOUND')
  expectError(await get('auditor', 'settlements/DEMO?currencyCode=e'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await get('auditor', 'settlements/NOBODY'), 410, 'ENTITY_NOT_FOUND')
  expectError(await get('auditor', 'settlements/DEMO/a.b'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await get('auditor', 'settlements/DEMO/NONE'), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/settlement-terms/{merchantCode} → 400, GET /operator/settlement-terms/{merchantCode} → 410, PUT /operator/settlement-terms/{merchantCode}/cycles/{currencyCode} → 400, PUT /operator/settlement-terms/{merchantCode}/cycles/{currencyCode} → 410, PUT /operator/settlement-terms/{merchantCode}/accounts/{currencyCode} → 400, PUT /operator/settlement-terms/{merchantCode}/accounts/{currencyCode} → 410: what cannot be', async () => {
  expectError(await get('auditor', 'settlement-terms/a.b'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await get('auditor', 'settlement-terms/NOBODY'), 410, 'ENTITY_NOT_FOUND')
  expectError(await cycle('admin', { cycle: 't+61' }), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await cycle('admin', { cycle: 'daily', minimum: '0' }), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await cycle('admin', { cycle: 'daily' }, 'ZZZ'), 410, 'ENTITY_NOT_FOUND')
  expectError(await account('admin', { ...REGISTERED, account: {} }), 400, 'ATTRIBUTE_REQUIRED')
  const nowhere = put('admin', 'settlement-terms/NOBODY/accounts/EUR', REGISTERED)
  expectError(await nowhere, 410, 'ENTITY_NOT_FOUND')
})

// Rules and blocked accounts

test('S90 PUT /operator/payout-rules/{merchantCode}/{currencyCode} → 200, GET /operator/payout-rules/{merchantCode} → 200: who approves payouts does not say which wait', async () => {
  const rule = { amountFrom: '100', newBeneficiary: true }
  for (const role of ['approver', 'finance'] as const)
    expectError(await put(role, 'payout-rules/DEMO/CZK', rule), 403, 'OPERATION_NOT_PERMITTED')
  const set = expectSuccess(await put('admin', 'payout-rules/DEMO/CZK', rule), 200)
  assert.deepEqual(set, { currencyCode: 'CZK', amountFrom: 100, newBeneficiary: true })
  const rules = listAt(expectSuccess(await get('auditor', 'payout-rules/DEMO'), 200), 'data')
  assert.deepEqual(
    rules.find((each) => at(each, 'currencyCode') === 'CZK'),
    set,
  )
})

test('PUT /operator/payout-rules/{merchantCode}/{currencyCode} → 400, PUT /operator/payout-rules/{merchantCode}/{currencyCode} → 410, GET /operator/payout-rules/{merchantCode} → 400, GET /operator/payout-rules/{merchantCode} → 410: what cannot be', async () => {
  const nothing = await put('admin', 'payout-rules/DEMO/CZK', { amountFrom: '0' })
  expectError(nothing, 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await put('admin', 'payout-rules/NOBODY/CZK', {}), 410, 'ENTITY_NOT_FOUND')
  expectError(await get('auditor', 'payout-rules/a.b'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await get('auditor', 'payout-rules/NOBODY'), 410, 'ENTITY_NOT_FOUND')
})

const blocking = (action: 'block' | 'unblock', body: unknown, role: 'approver' | 'finance' = 'approver') =>
  post(role, `blocked-accounts/!${action}`, body)

test('S91 POST /operator/blocked-accounts/!block → 200, POST /operator/blocked-accounts/!unblock → 200, GET /operator/blocked-accounts → 200: a blocked account is paid by nobody, and the list does not say which it is', async () => {
  const accountNumbers = [ACCOUNT_NUMBERS[1]]
  const wish = { merchantCode: 'DEMO', accountNumbers }
  expectError(await blocking('block', wish, 'finance'), 403, 'OPERATION_NOT_PERMITTED')
  const blocked = await blocking('block', { ...wish, note: 'Report 7.' })
  assert.deepEqual(expectSuccess(blocked, 200), { merchantCode: 'DEMO', named: 1, changed: 1 })
  const payee = { accountName: NAME, accountNumber: ACCOUNT_NUMBERS[1] }
  let refused: RawResponse | undefined
  const isRefused = async (): Promise<boolean> => {
    refused = await gateway.send(payoutRequest(token, newId(), { account: payee }))
    return refused.status !== 201
  }
  await waitUntil(isRefused, { timeoutMs: 60_000, what: 'the block to be known' })
  assert.ok(refused !== undefined)
  expectError(refused, 406, 'BENEFICIARY_BLOCKED')
  const list = await get('auditor', 'blocked-accounts?merchantCode=DEMO')
  const [row] = listAt(expectSuccess(list, 200), 'data')
  assert.deepEqual(
    [at(row, 'createdBy'), at(row, 'note'), at(row, 'merchantCode')],
    ['anna', 'Report 7.', 'DEMO'],
  )
  assert.ok(!list.text.includes(ACCOUNT_NUMBERS[1]))
  assert.equal(at(expectSuccess(await blocking('unblock', wish), 200), 'changed'), 1)
  assert.deepEqual(listAt((await get('auditor', 'blocked-accounts?merchantCode=DEMO')).body, 'data'), [])
  const forAll = { isForAll: true, accountNumbers }
  assert.equal(at(expectSuccess(await blocking('block', forAll), 200), 'changed'), 1)
  const everybodys = listAt((await get('auditor', 'blocked-accounts?isForAll=true')).body, 'data')
  assert.deepEqual([everybodys.length, at(everybodys[0], 'merchantCode')], [1, undefined])
  expectSuccess(await blocking('unblock', forAll), 200)
})

test('POST /operator/blocked-accounts/!block → 400, POST /operator/blocked-accounts/!block → 410, POST /operator/blocked-accounts/!unblock → 400, POST /operator/blocked-accounts/!unblock → 410, GET /operator/blocked-accounts → 400, GET /operator/blocked-accounts → 410: nobody blocks for all by forgetting the merchant', async () => {
  const accountNumbers = [ACCOUNT_NUMBERS[1]]
  for (const action of ['block', 'unblock'] as const) {
    expectError(await blocking(action, { accountNumbers }), 400, 'ATTRIBUTE_VALUE_INVALID')
    expectError(await blocking(action, { accountNumbers, merchantCode: 'NOBODY' }), 410, 'ENTITY_NOT_FOUND')
    const nothing = { isForAll: true, accountNumbers: [';'] }
    expectError(await blocking(action, nothing), 400, 'ATTRIBUTE_VALUE_INVALID')
  }
  expectError(await get('auditor', 'blocked-accounts?limit=0'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await get('auditor', 'blocked-accounts?merchantCode=NOBODY'), 410, 'ENTITY_NOT_FOUND')
})

test('POST /operator/statement-lines/!match → 200 as the worker does by itself', async () => {
  expectError(await post('auditor', 'statement-lines/!match'), 403, 'OPERATION_NOT_PERMITTED')
  const done = expectSuccess(await post('finance', 'statement-lines/!match'), 200)
  assert.deepEqual([at(done, 'looked'), at(done, 'matched')].map(String), ['0', '0'])
})

// The last ones: no money leaves while the gap is open.

const gap = 'restore-gap'

test('POST /operator/restore-gap/ids → 409, POST /operator/restore-gap/!waive → 409, POST /operator/restore-gap/!propose → 409, POST /operator/restore-gap/!close → 409: nothing is open', async () => {
  assert.deepEqual(expectSuccess(await get('auditor', gap), 200), { isOpen: false })
  const close = { digest: '0'.repeat(12), reason: 'Why not.' }
  for (const answer of [
    await upload('support', `${gap}/ids?merchantCode=DEMO`, 'LOST-1\n'),
    await post('approver', `${gap}/!waive`, { accountCode: 'SANDBOX_EUR', reason: 'None.' }),
    await post('approver', `${gap}/!propose`, { reason: 'Why not.' }),
    await post('approver', `${gap}/!close`, close),
  ])
    expectError(answer, 409, 'STATE_CONFLICT')
})

test('POST /operator/restore-gap/!open → 400, POST /operator/restore-gap/ids → 400, POST /operator/restore-gap/ids → 410, POST /operator/restore-gap/!waive → 400, POST /operator/restore-gap/!propose → 400, POST /operator/restore-gap/!close → 400: what cannot be', async () => {
  const open = (lostFrom: string) => post('support', `${gap}/!open`, { lostFrom })
  expectError(await open('2999-01-01T00:00:00Z'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await open('2026-99-01T00:00:00Z'), 400, 'ATTRIBUTE_VALUE_INVALID')
  const name = (file: string, merchant = 'DEMO') =>
    upload('support', `${gap}/ids?merchantCode=${merchant}`, file)
  expectError(await name('A\na.b\n'), 400, 'BODY_INVALID')
  expectError(await name('\n\n'), 400, 'BODY_INVALID')
  expectError(await name('A\n', 'NOBODY'), 410, 'ENTITY_NOT_FOUND')
  expectError(await post('approver', `${gap}/!waive`, { accountCode: 'X' }), 400, 'ATTRIBUTE_REQUIRED')
  expectError(await post('approver', `${gap}/!propose`, {}), 400, 'ATTRIBUTE_REQUIRED')
  const close = { digest: 'zz', reason: 'Why not.' }
  expectError(await post('approver', `${gap}/!close`, close), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('S92 POST /operator/restore-gap/!open → 200, POST /operator/restore-gap/ids → 200, GET /operator/restore-gap → 200, POST /operator/restore-gap/!waive → 200, POST /operator/restore-gap/!propose → 200, POST /operator/restore-gap/!close → 200: opened by one, closed by two, and a named id is never accepted again', async () => {
  const lostFrom = new Date(Date.now() - 3_600_000).toISOString()
  expectError(await post('auditor', `${gap}/!open`, { lostFrom }), 403, 'OPERATION_NOT_PERMITTED')
  expectSuccess(await post('support', `${gap}/!open`, { lostFrom }), 200)
  const lost = newId()
  const named = await upload('finance', `${gap}/ids?merchantCode=DEMO`, `${lost}\r\n\n`)
  assert.deepEqual([at(expectSuccess(named, 200), 'named'), at(named.body, 'added')].map(String), ['1', '1'])
  const open = expectSuccess(await get('auditor', gap), 200)
  assert.equal(at(open, 'gap', 'ids', 0, 'idPayment'), lost)
  for (const role of ['support', 'finance', 'admin'] as const)
    expectError(await post(role, `${gap}/!propose`, { reason: 'Alone.' }), 403, 'OPERATION_NOT_PERMITTED')
  const accounts = listAt(open, 'gap', 'accounts')
    .filter((each) => at(each, 'isComplete') === false)
    .map((each) => textAt(each, 'accountCode'))
  for (const accountCode of accounts)
    expectSuccess(await post('approver', `${gap}/!waive`, { accountCode, reason: 'None came.' }), 200)
  const proposed = expectSuccess(await post('approver', `${gap}/!propose`, { reason: 'Compared.' }), 200)
  const close = {
    digest: textAt(proposed, 'gap', 'digest'),
    reason: 'Compared as well.',
    withoutAccounts: accounts,
  }
  expectError(await post('approver', `${gap}/!close`, close), 409, 'STATE_CONFLICT')
  assert.deepEqual(expectSuccess(await post('other', `${gap}/!close`, close), 200), { isOpen: false })
  let again: RawResponse | undefined
  const isAnswered = async (): Promise<boolean> => {
    again = await gateway.send(payoutRequest(token, lost))
    return again.status !== 500
  }
  await waitUntil(isAnswered, { timeoutMs: 60_000, what: 'the end of the gap to be known' })
  assert.ok(again !== undefined)
  expectError(again, 409, 'PAYOUT_ID_LOST')
})
