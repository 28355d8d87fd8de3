import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess, violatedFields } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { newId } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus, readPayout } from './support/payouts.ts'
import { balanceIn, fundBalance } from './support/topups.ts'

// Payments of which people have to find out what became of them, over the operator API and by the command line.

const UNKNOWN = 'unknown@sandbox.test'
const LIST = '/operator/reviews'

const database = await testDatabase({ after })
const door = await databaseDoor({ after }, database.url)
const gateway = await startGateway({ after }, { databaseUrl: door.url })
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
const ada = gateway.operatorKey('ada')
const grace = gateway.operatorKey('grace')
const auditor = await addOperator('olga', 'AUDITOR')
const cataloguer = await addOperator('carl', 'CATALOGUE')
const hasty = await addOperator('otto', 'APPROVER')
await fundBalance(gateway, token, { id: newId(), amount: '5000' })

/** A new operator by the command line, and the key. */
async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

const send = (request: RawRequest): Promise<RawResponse> => gateway.sendToOperators(request)
const listRequest = (key: string | undefined, query = ''): RawRequest => ({
  method: 'GET',
  path: `${LIST}${query}`,
  token: key,
})
const showRequest = (key: string | undefined, id: string): RawRequest => ({
  method: 'GET',
  path: `${LIST}/PAYOUT/DEMO/${id}`,
  token: key,
})
const decideRequest = (key: string | undefined, id: string, body: unknown): RawRequest => ({
  method: 'POST',
  path: `${LIST}/PAYOUT/DEMO/${id}/!decide`,
  token: key,
  body,
})
const said = (outcome: string) => ({ outcome, reason: 'statement of today, line 14' })

/** A payout whose institution does not answer, and of which that is so for an hour. */
async function unknownPayout(): Promise<string> {
  const id = newId()
  await createPayout(gateway, token, { id, email: UNKNOWN })
  const phase = async () => at(await readPayout(gateway, token, id), 'process', 'processorStatus')
  await waitUntil(async () => (await phase()) === 'UNKNOWN', { timeoutMs: 60_000, what: 'UNKNOWN' })
  await runSql(
    database.url,
    `update payment_tasks set unknown_since = unknown_since - interval '1 h', due_at = due_at + interval '1 h' where id_payment = $1`,
    [id],
  )
  return id
}

async function listed(query = ''): Promise<readonly unknown[]> {
  const { body } = await send(listRequest(auditor, query))
  return listAt(body, 'data').map((item) => at(item, 'idPayment'))
}

test('GET /operator/reviews → 200 what nobody knows for long, the longest waiting first, page by page', async () => {
  const first = await unknownPayout()
  await runSql(
    database.url,
    `update payment_tasks set unknown_since = unknown_since - interval '1 h' where id_payment = $1`,
    [first],
  )
  const second = await unknownPayout()
  assert.deepEqual(await listed(), [first, second])
  const page = expectSuccess(await send(listRequest(auditor, '?merchantCode=DEMO&limit=1')), 200)
  assert.equal(at(listAt(page, 'data')[0], 'idPayment'), first)
  const next = await listed(`?limit=1&cursor=${textAt(page, 'nextCursor')}`)
  assert.deepEqual(next, [second])
})

test('GET /operator/reviews/{kind}/{merchantCode}/{idPayment} → 200 all that was asked and answered', async () => {
  const id = await unknownPayout()
  const shown = expectSuccess(await send(showRequest(auditor, id)), 200)
  assert.equal(at(shown, 'process', 'processorStatus'), 'UNKNOWN')
  assert.ok(listAt(shown, 'timeline').length >= 3)
  const [asked] = listAt(shown, 'inquiries')
  assert.deepEqual([at(asked, 'question'), at(asked, 'answer')], ['SUBMIT', 'UNKNOWN'])
  assert.doesNotMatch(JSON.stringify(shown), /DE89/)
})

test('POST /operator/reviews/{kind}/{merchantCode}/{idPayment}/!decide → 200 twice, by two operators, and it is paid', async () => {
  const id = await unknownPayout()
  const first = expectSuccess(await send(decideRequest(ada, id, said('EXECUTED'))), 200)
  assert.equal(at(first, 'process', 'status'), 'CREATED')
  const second = expectSuccess(await send(decideRequest(grace, id, said('EXECUTED'))), 200)
  assert.equal(at(second, 'process', 'status'), 'SUCCESS')
  const detail = await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  assert.doesNotMatch(JSON.stringify(detail), /line 14/, 'the merchant does not read the reason')
})

test('what did not happen gives the money back, and the merchant reads NOT_EXECUTED', async () => {
  const id = await unknownPayout()
  const before = await balanceIn(gateway, token, 'EUR')
  await send(decideRequest(ada, id, said('NOT_EXECUTED')))
  await send(decideRequest(grace, id, said('NOT_EXECUTED')))
  const detail = await payoutWithStatus(gateway, token, { id, status: 'FAILED' })
  assert.equal(at(detail, 'process', 'failureReasons', 'failureReasonCode'), 'NOT_EXECUTED')
  const freed = await balanceIn(gateway, token, 'EUR')
  assert.notDeepEqual(at(freed, 'available'), at(before, 'available'))
})

test('asking again takes one operator, and the institution answers', async () => {
  const id = newId()
  await createPayout(gateway, token, { id, email: UNKNOWN })
  const phase = async () => at(await readPayout(gateway, token, id), 'process', 'processorStatus')
  await waitUntil(async () => (await phase()) === 'UNKNOWN', { timeoutMs: 60_000, what: 'UNKNOWN' })
  // As it would be at the end of the schedule.
  await runSql(database.url, `update payment_tasks set due_at = 'infinity' where id_payment = $1`, [id])
  await runSql(
    database.url,
    `update payments set created_at = created_at - interval '1 h' where id_payment = $1`,
    [id],
  )
  expectSuccess(await send(decideRequest(hasty, id, said('STILL_WAITING'))), 200)
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
})

test('POST /operator/reviews/{kind}/{merchantCode}/{idPayment}/!decide → 409 said already, or not to be decided', async () => {
  const id = await unknownPayout()
  expectSuccess(await send(decideRequest(ada, id, said('EXECUTED'))), 200)
  expectError(await send(decideRequest(ada, id, said('EXECUTED'))), 409, 'REVIEW_REPEATED')
  expectError(await send(decideRequest(ada, id, said('RETURNED'))), 409, 'REVIEW_NOT_OPEN')
  expectSuccess(await send(decideRequest(grace, id, said('EXECUTED'))), 200)
  expectError(await send(decideRequest(ada, id, said('EXECUTED'))), 409, 'REVIEW_NOT_OPEN')
})

test('GET /operator/reviews → 400 a cursor of somebody else, and limits', async () => {
  for (const query of ['?cursor=abc', '?limit=0', '?merchantCode=a%20b'])
    assert.equal((await send(listRequest(auditor, query))).status, 400, query)
})

test('GET /operator/reviews/{kind}/{merchantCode}/{idPayment} → 400 a kind that does not exist', async () => {
  const response = await send({ method: 'GET', path: `${LIST}/PAYMENT/DEMO/X`, token: auditor })
  expectError(response, 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('POST /operator/reviews/{kind}/{merchantCode}/{idPayment}/!decide → 400 without a reason, or of no outcome', async () => {
  const response = await send(decideRequest(ada, 'X', { outcome: 'EXECUTED' }))
  assert.equal(response.status, 400)
  assert.deepEqual(violatedFields(response), ['reason'])
  assert.equal((await send(decideRequest(ada, 'X', said('LOST')))).status, 400)
})

test('GET /operator/reviews → 401 without a key', async () => {
  expectError(await send(listRequest(undefined)), 401, 'TOKEN_MISSING')
})
test('GET /operator/reviews/{kind}/{merchantCode}/{idPayment} → 401 without a key', async () => {
  expectError(await send(showRequest(undefined, 'X')), 401, 'TOKEN_MISSING')
})
test('POST /operator/reviews/{kind}/{merchantCode}/{idPayment}/!decide → 401 without a key', async () => {
  expectError(await send(decideRequest(undefined, 'X', said('EXECUTED'))), 401, 'TOKEN_MISSING')
})

test('GET /operator/reviews → 403 no role permits it', async () => {
  expectError(await send(listRequest(cataloguer)), 403, 'OPERATION_NOT_PERMITTED')
})
test('GET /operator/reviews/{kind}/{merchantCode}/{idPayment} → 403 no role permits it', async () => {
  expectError(await send(showRequest(cataloguer, 'X')), 403, 'OPERATION_NOT_PERMITTED')
})
test('POST /operator/reviews/{kind}/{merchantCode}/{idPayment}/!decide → 403 an auditor looks, and decides nothing', async () => {
  expectError(await send(decideRequest(auditor, 'X', said('EXECUTED'))), 403, 'OPERATION_NOT_PERMITTED')
})

test('GET /operator/reviews → 410 no such merchant', async () => {
  expectError(await send(listRequest(auditor, '?merchantCode=NOBODY')), 410, 'ENTITY_NOT_FOUND')
})
test('GET /operator/reviews/{kind}/{merchantCode}/{idPayment} → 410 no such payment', async () => {
  expectError(await send(showRequest(auditor, newId())), 410, 'ENTITY_NOT_FOUND')
})
test('POST /operator/reviews/{kind}/{merchantCode}/{idPayment}/!decide → 410 no such payment', async () => {
  expectError(await send(decideRequest(ada, newId(), said('EXECUTED'))), 410, 'ENTITY_NOT_FOUND')
})

async function expectTooMany(request: RawRequest): Promise<void> {
  expectOneLimited(await Promise.all(Array.from({ length: 60 }, () => send(request))))
}

test('GET /operator/reviews → 429 faster than a person', () => expectTooMany(listRequest(hasty)))
test('GET /operator/reviews/{kind}/{merchantCode}/{idPayment} → 429 faster than a person', () =>
  expectTooMany(showRequest(hasty, 'X')))
test('POST /operator/reviews/{kind}/{merchantCode}/{idPayment}/!decide → 429 faster than a person', () =>
  expectTooMany(decideRequest(hasty, 'X', said('EXECUTED'))))

test('a bank that is closed by hand is offered to nobody, and takes payments again when it is cleared', async () => {
  const bank = ['operator', 'SPARKASSE_ELBSTROM', 'payin'] as const
  const key = ['--operator-key-file', `${gateway.dataDir}/demo/operator-ada.key`] as const
  const payins = await gateway.demo().token('POST /payins/.*')
  const isOffered = async (): Promise<boolean> => {
    const { text } = await gateway.send({
      method: 'POST',
      path: '/payins/!availablePaymentOptions',
      token: payins,
      body: { money: { amount: 10, currencyCode: 'EUR' } },
    })
    return text.includes('SPARKASSE_ELBSTROM')
  }
  assert.ok(await isOffered())
  await gateway.cli('rails', 'health', 'set', ...bank, 'closed', '--reason', 'maintenance', ...key)
  await waitUntil(async () => !(await isOffered()), { timeoutMs: 60_000, what: 'the bank to be left out' })
  await gateway.cli('rails', 'health', 'clear', ...bank, ...key)
  await waitUntil(isOffered, { timeoutMs: 60_000, what: 'the bank to be back' })
})

async function whenAway(request: RawRequest): Promise<void> {
  await door.shut()
  expectError(await send(request), 500, 'SYSTEM')
  await door.open()
}

test('GET /operator/reviews → 500 the database is away', () => whenAway(listRequest(grace)))
test('GET /operator/reviews/{kind}/{merchantCode}/{idPayment} → 500 the database is away', () =>
  whenAway(showRequest(grace, 'X')))
test('POST /operator/reviews/{kind}/{merchantCode}/{idPayment}/!decide → 500 the database is away', () =>
  whenAway(decideRequest(grace, 'X', said('EXECUTED'))))
