import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { callbackReceiver, runSql, setRateLimit, testDatabase, waitUntil } from '@tollgate/testkit'
import { databaseDoor } from './support/database-door.ts'
import { sumOf } from './support/decimal.ts'
import { expectError, expectOneLimited, expectSuccess, violatedFields } from './support/expectations.ts'
import { RATE_UNLIMITED, startGateway } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { addMerchant } from './support/merchant.ts'
import { newId } from './support/payins.ts'
import {
  ACCOUNT_NUMBERS,
  createPayout,
  PAYOUT_OPERATIONS,
  payoutRequest,
  payoutWithStatus,
  readPayout,
  type WantedPayout,
} from './support/payouts.ts'
import { balanceIn, fundBalance } from './support/topups.ts'

// Payouts that wait for two operators, over the operator API and by the command line.

const CHANGE_TIMEOUT_MS = 60_000
const WAITS = 'approval@sandbox.test'

const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const gateway = await startGateway({ after }, { databaseUrl: door.url })
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
const ada = gateway.operatorKey('ada')
const grace = gateway.operatorKey('grace')
const auditor = await addOperator('olga', 'AUDITOR')
const hasty = await addOperator('otto', 'APPROVER')
await fundBalance(gateway, token, { id: newId(), amount: '5000' })

/** A new operator by the command line, and the key. */
async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

const keyFile = (code: 'ada' | 'grace'): readonly string[] => [
  '--operator-key-file',
  join(gateway.dataDir, 'demo', `operator-${code}.key`),
]

const listRequest = (key: string | undefined, query = ''): RawRequest => ({
  method: 'GET',
  path: `/operator/payouts${query}`,
  token: key,
})
const approveRequest = (
  key: string | undefined,
  id: string,
  body: unknown,
  merchantCode = 'DEMO',
): RawRequest => ({
  method: 'POST',
  path: `/operator/payouts/${merchantCode}/${id}/!approve`,
  token: key,
  body,
})
const rejectRequest = (key: string | undefined, id: string, body: unknown): RawRequest => ({
  method: 'POST',
  path: `/operator/payouts/DEMO/${id}/!reject`,
  token: key,
  body,
})
const send = (request: RawRequest): Promise<RawResponse> => gateway.sendToOperators(request)

/** A payout that waits, and what operators see of it. */
async function waiting(wanted: { readonly callbackUrl?: string } = {}) {
  const id = newId()
  await createPayout(gateway, token, { id, email: WAITS, ...wanted })
  return { id, contentHash: await hashOf(id) }
}

async function itemOf(id: string): Promise<unknown> {
  const { body } = await send(listRequest(auditor, '?merchantCode=DEMO&limit=100'))
  const item = listAt(body, 'data').find((each) => at(each, 'idPayout') === id)
  assert.ok(item !== undefined, `${id} in the list`)
  return item
}

const hashOf = async (id: string): Promise<string> => textAt(await itemOf(id), 'contentHash')

/** The balance once nothing is on its way that could still change it. */
async function quietBalance() {
  const isQuiet = async (): Promise<boolean> => {
    const { body } = await send(listRequest(auditor, '?merchantCode=DEMO&limit=100'))
    const phases = listAt(body, 'data').map((item) => textAt(item, 'process', 'processorStatus'))
    return !phases.some((phase) => ['QUEUED', 'SUBMITTED'].includes(phase))
  }
  await waitUntil(isQuiet, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'payouts under way to end' })
  return balanceIn(gateway, token, 'EUR')
}

const phaseOf = async (id: string): Promise<unknown> =>
  at(await readPayout(gateway, token, id), 'process', 'processorStatus')

test('POST /operator/payouts/{merchantCode}/{idPayout}/!approve → 200 twice, by two operators, and it is paid', async (t) => {
  const receiver = await callbackReceiver(t)
  const { id, contentHash } = await waiting({ callbackUrl: `${receiver.url}/` })
  const first = expectSuccess(await send(approveRequest(ada, id, { contentHash, reason: 'as agreed' })), 200)
  assert.deepEqual(
    [at(first, 'process', 'processorStatus'), at(first, 'approvalsNeeded')],
    ['AWAITING_APPROVAL', 2],
  )
  assert.deepEqual(
    listAt(first, 'approvals').map((approval) => [at(approval, 'operatorCode'), at(approval, 'reason')]),
    [['ada', 'as agreed']],
  )
  assert.equal(await phaseOf(id), 'AWAITING_APPROVAL')
  assert.equal(receiver.requests.length, 0)
  expectSuccess(await send(approveRequest(grace, id, { contentHash })), 200)
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  await receiver.waitForCount(1, CHANGE_TIMEOUT_MS)
})

test('GET /operator/payouts → 200 what waits, why, for how much, and whose approval it has', async () => {
  const { id, contentHash } = await waiting()
  await createPayout(gateway, token, { id: newId() })
  const query = '?status=AWAITING_APPROVAL&merchantCode=DEMO&limit=1'
  const body = expectSuccess(await send(listRequest(auditor, query)), 200)
  const [item] = listAt(body, 'data')
  assert.deepEqual(
    ['merchantCode', 'idPayout', 'money', 'fee', 'paymentMethodCode', 'account', 'contentHash'].map((name) =>
      at(item, name),
    ),
    [
      'DEMO',
      id,
      { amount: '10', currencyCode: 'EUR' },
      { amount: '0.5', currencyCode: 'EUR' },
      'BANK_TRANSFER',
      { accountNumber: '…3000' },
      contentHash,
    ],
  )
  assert.deepEqual([at(item, 'waitsBecause'), at(item, 'approvals')], [['OTHER'], []])
  assert.match(contentHash, /^[0-9a-f]{12}$/)
  assert.ok(Date.parse(textAt(item, 'expireAt')) > Date.parse(textAt(item, 'process', 'createdAt')))
  assert.doesNotMatch(JSON.stringify(body), /DE8937|Lovelace|sandbox[.]test/)
})

test('one payout that is named is read wherever it stands in the list', async () => {
  const { id } = await waiting()
  await createPayout(gateway, token, { id: newId() })
  const reader = await addOperator('rita', 'AUDITOR')
  const found = async (query: string): Promise<readonly unknown[]> =>
    listAt(expectSuccess(await send(listRequest(reader, query)), 200), 'data').map((item) =>
      at(item, 'idPayout'),
    )
  const one = `?merchantCode=DEMO&idPayout=${id}`
  assert.deepEqual(await found(`${one}&limit=1`), [id])
  assert.deepEqual(await found(`${one}&status=AWAITING_APPROVAL`), [id])
  assert.deepEqual(await found(`${one}&status=ON_HOLD`), [])
  assert.deepEqual(await found(`${one}&kind=SETTLEMENT`), [])
  assert.deepEqual(await found('?merchantCode=DEMO&idPayout=NONE'), [])
})

test('the list goes on where a page ended', async () => {
  const ids = [(await waiting()).id, (await waiting()).id].reverse()
  const found: string[] = []
  let cursor = ''
  for (let page = 0; page < 2; page += 1) {
    const body = expectSuccess(
      await send(listRequest(auditor, `?status=AWAITING_APPROVAL&limit=1${cursor}`)),
      200,
    )
    found.push(...listAt(body, 'data').map((item) => textAt(item, 'idPayout')))
    cursor = `&cursor=${textAt(body, 'nextCursor')}`
  }
  assert.deepEqual(found, ids)
})

test('POST /operator/payouts/{merchantCode}/{idPayout}/!reject → 200 it is cancelled, says why, and its money is free', async () => {
  const before = await quietBalance()
  const { id, contentHash } = await waiting()
  const reason = 'The account is not theirs.'
  const body = expectSuccess(await send(rejectRequest(ada, id, { contentHash, reason })), 200)
  assert.equal(at(body, 'process', 'status'), 'CANCELLED')
  const detail = await readPayout(gateway, token, id)
  const failure = at(detail, 'process', 'failureReasons')
  assert.deepEqual(
    [at(detail, 'process', 'status'), at(failure, 'failureReasonCode'), at(failure, 'message')],
    ['CANCELLED', 'APPROVAL_REJECTED', reason],
  )
  assert.deepEqual(await balanceIn(gateway, token, 'EUR'), before)
})

test('POST /operator/payouts/{merchantCode}/{idPayout}/!approve → 409 by the same operator, of other content, or too late', async () => {
  const { id, contentHash } = await waiting()
  expectSuccess(await send(approveRequest(ada, id, { contentHash })), 200)
  expectError(await send(approveRequest(ada, id, { contentHash })), 409, 'APPROVAL_REPEATED')
  const wrong = await send(approveRequest(grace, id, { contentHash: '0'.repeat(12) }))
  expectError(wrong, 409, 'APPROVAL_CONTENT_CHANGED')
  expectSuccess(await send(approveRequest(grace, id, { contentHash })), 200)
  expectError(await send(approveRequest(hasty, id, { contentHash })), 409, 'APPROVAL_NOT_OPEN')
})

test('a payout that somebody changes in the database loses its approvals', async () => {
  const { id, contentHash } = await waiting()
  expectSuccess(await send(approveRequest(ada, id, { contentHash })), 200)
  await changeRow(`update payments set method_code = 'WALLET' where id_payment = $1`, id)
  expectError(await send(approveRequest(grace, id, { contentHash })), 409, 'APPROVAL_CONTENT_CHANGED')
  const changed = await hashOf(id)
  assert.notEqual(changed, contentHash)
  assert.deepEqual(at(await itemOf(id), 'approvals'), [])
  expectSuccess(await send(approveRequest(grace, id, { contentHash: changed })), 200)
  assert.equal(await phaseOf(id), 'AWAITING_APPROVAL')
})

const changeRow = (text: string, id: string): Promise<unknown> => runSql(door.url, text, [id])

test('POST /operator/payouts/{merchantCode}/{idPayout}/!reject → 409 it does not wait, or is another one', async () => {
  const { id, contentHash } = await waiting()
  const wrong = await send(rejectRequest(ada, id, { contentHash: 'f'.repeat(64), reason: 'no' }))
  expectError(wrong, 409, 'APPROVAL_CONTENT_CHANGED')
  const paid = newId()
  await createPayout(gateway, token, { id: paid })
  expectError(await send(rejectRequest(ada, paid, { contentHash, reason: 'no' })), 409, 'APPROVAL_NOT_OPEN')
})

test('POST /operator/payouts/{merchantCode}/{idPayout}/!approve → 406 the operator asked for it, or the account is blocked', async () => {
  const { id, contentHash } = await waiting()
  await changeRow(
    `insert into payout_approval_requests (merchant_id, kind, id_payment, reasons, requested_by)
      select merchant_id, kind, id_payment, '{OTHER}', 'ada' from payments where id_payment = $1`,
    id,
  )
  expectError(await send(approveRequest(ada, id, { contentHash })), 406, 'APPROVAL_OWN_REQUEST')
  assert.equal(at(await itemOf(id), 'requestedBy'), 'ada')
  await changeRow(
    `insert into blocked_beneficiaries (merchant_id, beneficiary_digest, created_by)
      select 0, beneficiary_digest, 'test' from payments where id_payment = $1`,
    id,
  )
  expectError(await send(approveRequest(grace, id, { contentHash })), 406, 'BENEFICIARY_BLOCKED')
  await changeRow(`delete from blocked_beneficiaries where $1 <> ''`, id)
  expectSuccess(await send(approveRequest(grace, id, { contentHash })), 200)
  await untilUnblocked()
})

/** The gateway has heard that the account is free again. */
async function untilUnblocked(): Promise<void> {
  const isFree = async (): Promise<boolean> => {
    const { body } = await gateway.send(payoutRequest(token, newId()))
    return at(body, 0, 'code') !== 'BENEFICIARY_BLOCKED'
  }
  await waitUntil(isFree, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the account to be free' })
}

test('what nobody approves in time expires: its money is free, it is called back, and it is too late', async (t) => {
  const receiver = await callbackReceiver(t)
  const before = await quietBalance()
  const { id, contentHash } = await waiting({ callbackUrl: `${receiver.url}/` })
  expectSuccess(await send(approveRequest(ada, id, { contentHash })), 200)
  const held = await balanceIn(gateway, token, 'EUR')
  assert.equal(held.reserved, sumOf([before.reserved, '10.5']))
  await changeRow(`update payments set expire_at = clock_timestamp() where id_payment = $1`, id)
  await changeRow(`update payment_tasks set due_at = clock_timestamp() where id_payment = $1`, id)
  await payoutWithStatus(gateway, token, { id, status: 'EXPIRED' })
  assert.deepEqual(await balanceIn(gateway, token, 'EUR'), before)
  await receiver.waitForCount(1, CHANGE_TIMEOUT_MS)
  expectError(await send(approveRequest(grace, id, { contentHash })), 409, 'APPROVAL_NOT_OPEN')
})

test('by the command line: listed, approved by two, and shown with who did it', async () => {
  const { id, contentHash } = await waiting()
  const { stdout } = await gateway.cli('payouts', 'list', '--merchant', 'DEMO', '--awaiting-approval')
  assert.match(stdout, new RegExp(`DEMO +${id} .*…3000 .*AWAITING_APPROVAL.*${contentHash}`))
  const other = await waiting()
  const one = await gateway.cli('payouts', 'list', '--merchant', 'DEMO', '--id', id)
  assert.match(one.stdout, new RegExp(`DEMO +${id} `))
  assert.doesNotMatch(one.stdout, new RegExp(other.id))
  const { code, stderr } = await gateway.tryCli(['payouts', 'list', '--id', id], CHANGE_TIMEOUT_MS)
  assert.deepEqual([code, /merchantCode/.test(stderr)], [2, true], stderr)
  await gateway.cli('payouts', 'approve', 'DEMO', id, '--content', contentHash, ...keyFile('ada'))
  await gateway.cli('payouts', 'approve', 'DEMO', id, '--content', contentHash, ...keyFile('grace'))
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const shown = await gateway.cli('payouts', 'show', 'DEMO', id)
  assert.match(shown.stdout, /operator:ada +approved, 1 of 2/)
  assert.match(shown.stdout, /QUEUED +operator:grace +approved by ada and grace/)
})

test('by the command line: rejected, with a reason for the merchant', async () => {
  const { id, contentHash } = await waiting()
  const how = ['--content', contentHash, '--reason', 'a duplicate', ...keyFile('grace')]
  const { stdout } = await gateway.cli('payouts', 'reject', 'DEMO', id, ...how)
  assert.match(stdout, /CANCELLED/)
  const detail = await payoutWithStatus(gateway, token, { id, status: 'CANCELLED' })
  assert.equal(at(detail, 'process', 'failureReasons', 'message'), 'a duplicate')
})

// A merchant with a rule of each kind, in a currency of its own; and with all of them at once, in yen.
let careful: Promise<string> | undefined
const carefulToken = (): Promise<string> => {
  careful ??= addCareful()
  return careful
}

async function addCareful(): Promise<string> {
  const merchant = await addMerchant(gateway, 'CAREFUL')
  await gateway.cli('merchants', 'enable-method', 'CAREFUL', 'all')
  await setRateLimit(door.url, 'CAREFUL', RATE_UNLIMITED)
  const key = await merchant.token(...PAYOUT_OPERATIONS)
  for (const currencyCode of ['EUR', 'USD', 'CZK', 'JPY'])
    await fundBalance(gateway, key, { id: newId(), amount: '90000', currencyCode })
  for (const [currencyCode, amount] of [
    ['USD', '10'],
    ['CZK', '4000'],
    ['JPY', '100'],
  ] as const) {
    const id = newId()
    await createPayout(gateway, key, { id, amount, currencyCode })
    await payoutWithStatus(gateway, key, { id, status: 'SUCCESS' })
  }
  const all = ['--amount-from', '1000', '--new-beneficiary', '--daily-sum-from', '500']
  for (const [currencyCode, ...rule] of [
    ['EUR', '--amount-from', '100'],
    ['USD', '--new-beneficiary'],
    ['CZK', '--daily-sum-from', '5000'],
    ['JPY', ...all],
  ] as const) {
    const { stdout } = await gateway.cli(
      'merchants',
      'set-payout-rule',
      'CAREFUL',
      '--currency',
      currencyCode,
      ...rule,
    )
    assert.match(stdout, new RegExp(`CAREFUL, payouts in ${currencyCode}: approval`))
  }
  const isKnown = async (): Promise<boolean> =>
    (await madeBy(key, { amount: '1000', currencyCode: 'JPY' })).reasons.length > 0
  await waitUntil(isKnown, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the rules to be known' })
  return key
}

/** A new payout of the careful merchant: why it waits, if it does. */
async function madeBy(key: string, wanted: WantedPayout) {
  const id = newId()
  await createPayout(gateway, key, { id, ...wanted })
  const { body } = await send(listRequest(auditor, '?merchantCode=CAREFUL&limit=1'))
  assert.equal(at(body, 'data', 0, 'idPayout'), id)
  const phase = at(body, 'data', 0, 'process', 'processorStatus')
  const reasons = listAt(body, 'data', 0, 'waitsBecause')
  assert.equal(phase === 'AWAITING_APPROVAL', reasons.length > 0, `${phase} because of ${reasons.join()}`)
  return { id, contentHash: textAt(body, 'data', 0, 'contentHash'), reasons }
}

const reasonsOf = async (wanted: WantedPayout): Promise<readonly unknown[]> =>
  (await madeBy(await carefulToken(), wanted)).reasons

test('a rule about the amount makes payouts wait from that amount on', async () => {
  assert.deepEqual(await reasonsOf({ amount: '99.99' }), [])
  assert.deepEqual(await reasonsOf({ amount: '100' }), ['AMOUNT'])
  assert.deepEqual(await reasonsOf({ amount: '100.01' }), ['AMOUNT'])
})

test('a rule about new accounts makes payouts wait until two operators approved one to the account', async () => {
  const known = { amount: '10', currencyCode: 'USD' }
  const stranger = { ...known, account: { accountName: 'Grace', accountNumber: ACCOUNT_NUMBERS[1] } }
  assert.deepEqual(await reasonsOf(known), [])
  const { id, contentHash, reasons } = await madeBy(await carefulToken(), stranger)
  assert.deepEqual(reasons, ['NEW_BENEFICIARY'])
  expectSuccess(await send(approveRequest(ada, id, { contentHash }, 'CAREFUL')), 200)
  assert.deepEqual(await reasonsOf(stranger), ['NEW_BENEFICIARY'])
  expectSuccess(await send(approveRequest(grace, id, { contentHash }, 'CAREFUL')), 200)
  await payoutWithStatus(gateway, await carefulToken(), { id, status: 'SUCCESS' })
  assert.deepEqual(await reasonsOf(stranger), [])
})

test('a rule about the sum of the day counts what was accepted before, and what waits', async () => {
  const crowns = (amount: string): WantedPayout => ({ amount, currencyCode: 'CZK' })
  assert.deepEqual(await reasonsOf(crowns('999')), [])
  assert.deepEqual(await reasonsOf(crowns('100')), ['DAILY_SUM'])
  assert.deepEqual(await reasonsOf(crowns('100')), ['DAILY_SUM'])
})

test('of several rules every reason is told', async () => {
  const stranger = { accountName: 'Barbara', accountNumber: 'FR1420041010050500013M02606' }
  const yen = (amount: string): WantedPayout => ({ amount, currencyCode: 'JPY' })
  assert.deepEqual(await reasonsOf(yen('999')), ['DAILY_SUM'])
  assert.deepEqual(await reasonsOf(yen('1000')), ['AMOUNT', 'DAILY_SUM'])
  assert.deepEqual(await reasonsOf({ ...yen('1000'), account: stranger }), [
    'AMOUNT',
    'NEW_BENEFICIARY',
    'DAILY_SUM',
  ])
})
test('a settlement that a merchant asks for waits by the same rules, and is approved in the same way', async () => {
  await fundBalance(gateway, token, { id: newId(), amount: '500', currencyCode: 'USD' })
  await gateway.cli('merchants', 'set-payout-rule', 'DEMO', '--currency', 'USD', '--amount-from', '1')
  const key = await gateway.demo().token('POST /settlements/.*', 'GET /settlements/.*')
  const readProcess = async (id: string, member = 'processorStatus'): Promise<unknown> => {
    const { body } = await gateway.send({ method: 'GET', path: `/settlements/${id}`, token: key })
    return at(body, 'process', member)
  }
  const ask = async (): Promise<string> => {
    const id = newId()
    const body = { money: { amount: '20', currencyCode: 'USD' } }
    expectSuccess(await gateway.send({ method: 'POST', path: `/settlements/${id}`, token: key, body }), 201)
    return id
  }
  let id = ''
  const isWaiting = async (): Promise<boolean> => {
    id = await ask()
    return (await readProcess(id)) === 'AWAITING_APPROVAL'
  }
  await waitUntil(isWaiting, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the rule to be known' })
  const query = '?kind=SETTLEMENT&status=AWAITING_APPROVAL&merchantCode=DEMO'
  const item = at(expectSuccess(await send(listRequest(auditor, query)), 200), 'data', 0)
  assert.deepEqual(
    [at(item, 'kind'), at(item, 'idPayout'), at(item, 'waitsBecause')],
    ['SETTLEMENT', id, ['AMOUNT']],
  )
  const contentHash = textAt(item, 'contentHash')
  const request = approveRequest(ada, id, { contentHash })
  expectError(await send(request), 410, 'ENTITY_NOT_FOUND')
  const path = `${request.path}?kind=SETTLEMENT`
  expectSuccess(await send({ ...request, path }), 200)
  const how = ['--content', contentHash, '--settlement', ...keyFile('grace')]
  await gateway.cli('payouts', 'approve', 'DEMO', id, ...how)
  const isPaid = async (): Promise<boolean> => (await readProcess(id)) === 'CONFIRMED'
  await waitUntil(isPaid, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the settlement to be paid' })
  const rejected = await ask()
  const listed = await gateway.cli('payouts', 'list', '--settlement', '--json', '--awaiting-approval')
  const content = textAt(JSON.parse(listed.stdout), 'data', 0, 'contentHash')
  const reject = ['--content', content, '--settlement', '--reason', 'not yet', ...keyFile('ada')]
  await gateway.cli('payouts', 'reject', 'DEMO', rejected, ...reject)
  assert.equal(await readProcess(rejected, 'status'), 'CANCELLED')
})

test('after all this the books agree', async () => {
  await gateway.cli('ledger', 'check')
})

// What every operation answers

const OPERATIONS = {
  list: (key: string | undefined) => listRequest(key),
  approve: (key: string | undefined) => approveRequest(key, 'P-1', { contentHash: '0'.repeat(12) }),
  reject: (key: string | undefined) =>
    rejectRequest(key, 'P-1', { contentHash: '0'.repeat(12), reason: 'no' }),
} as const
type Operation = keyof typeof OPERATIONS

test('GET /operator/payouts → 400 a status, a cursor or a limit that cannot be', async () => {
  for (const query of [
    'status=SUCCESS',
    'cursor=x',
    'limit=0',
    'limit=101',
    'merchantCode=a.b',
    'idPayout=P-1',
  ])
    expectError(await send(listRequest(auditor, `?${query}`)), 400, 'ATTRIBUTE_VALUE_INVALID')
})
test('POST /operator/payouts/{merchantCode}/{idPayout}/!approve → 400 the content is not named', async () => {
  const refused = await send(approveRequest(hasty, 'P-1', {}))
  expectError(refused, 400, 'ATTRIBUTE_REQUIRED')
  assert.deepEqual(violatedFields(refused), ['contentHash'])
  for (const contentHash of ['0'.repeat(11), '0'.repeat(65), 'G'.repeat(12)])
    expectError(await send(approveRequest(hasty, 'P-1', { contentHash })), 400, 'ATTRIBUTE_VALUE_INVALID')
})
test('POST /operator/payouts/{merchantCode}/{idPayout}/!reject → 400 no reason is given', async () => {
  const refused = await send(rejectRequest(hasty, 'P-1', { contentHash: '0'.repeat(12) }))
  expectError(refused, 400, 'ATTRIBUTE_REQUIRED')
  assert.deepEqual(violatedFields(refused), ['reason'])
})

async function expectKeyNeeded(operation: Operation): Promise<void> {
  const { token: _, ...bare } = OPERATIONS[operation](undefined)
  expectError(await send(bare), 401, 'TOKEN_MISSING')
  expectError(await send(OPERATIONS[operation](token)), 401, 'TOKEN_INVALID')
}

test('GET /operator/payouts → 401 without an operator’s key', () => expectKeyNeeded('list'))
test('POST /operator/payouts/{merchantCode}/{idPayout}/!approve → 401 without an operator’s key', () =>
  expectKeyNeeded('approve'))
test('POST /operator/payouts/{merchantCode}/{idPayout}/!reject → 401 without an operator’s key', () =>
  expectKeyNeeded('reject'))

async function expectRoleNeeded(operation: Operation, key: string): Promise<void> {
  expectError(await send(OPERATIONS[operation](key)), 403, 'OPERATION_NOT_PERMITTED')
}

test('GET /operator/payouts → 403 no role permits it', async () =>
  expectRoleNeeded('list', await addOperator('cato', 'CATALOGUE')))
test('POST /operator/payouts/{merchantCode}/{idPayout}/!approve → 403 who may look may not approve', () =>
  expectRoleNeeded('approve', auditor))
test('POST /operator/payouts/{merchantCode}/{idPayout}/!reject → 403 who may look may not reject', () =>
  expectRoleNeeded('reject', auditor))

test('GET /operator/payouts → 410 there is no such merchant', async () => {
  expectError(await send(listRequest(auditor, '?merchantCode=NOBODY')), 410, 'ENTITY_NOT_FOUND')
})
test('POST /operator/payouts/{merchantCode}/{idPayout}/!approve → 410 there is no such payout', async () => {
  expectError(await send(OPERATIONS.approve(hasty)), 410, 'ENTITY_NOT_FOUND')
})
test('POST /operator/payouts/{merchantCode}/{idPayout}/!reject → 410 there is no such payout', async () => {
  expectError(await send(OPERATIONS.reject(hasty)), 410, 'ENTITY_NOT_FOUND')
})

async function expectLimited(operation: Operation): Promise<void> {
  expectOneLimited(await Promise.all(Array.from({ length: 60 }, () => send(OPERATIONS[operation](hasty)))))
}

test('GET /operator/payouts → 429 an operator who asks faster than a person can', () => expectLimited('list'))
test('POST /operator/payouts/{merchantCode}/{idPayout}/!approve → 429 an operator who clicks faster than a person can', () =>
  expectLimited('approve'))
test('POST /operator/payouts/{merchantCode}/{idPayout}/!reject → 429 an operator who clicks faster than a person can', () =>
  expectLimited('reject'))

async function expectSystemError(operation: Operation): Promise<void> {
  await door.shut()
  expectError(await send(OPERATIONS[operation](ada)), 500, 'SYSTEM')
}

test('GET /operator/payouts → 500 the database is away', () => expectSystemError('list'))
test('POST /operator/payouts/{merchantCode}/{idPayout}/!approve → 500 the database is away', () =>
  expectSystemError('approve'))
test('POST /operator/payouts/{merchantCode}/{idPayout}/!reject → 500 the database is away', () =>
  expectSystemError('reject'))

test('once the database is back, operators go on', async () => {
  await door.open()
  const isBack = async (): Promise<boolean> => (await send(listRequest(grace))).status === 200
  await waitUntil(isBack, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the gateway to go on' })
})
