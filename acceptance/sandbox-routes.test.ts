import assert from 'node:assert/strict'
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
} from './support/expectations.ts'
import { startGateway, untilRateLimitIs } from './support/gateway.ts'
import { at } from './support/json.ts'
import { addMerchant } from './support/merchant.ts'
import { newId } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from './support/payouts.ts'
import { createTopUp, TOP_UP_OPERATIONS } from './support/topups.ts'

// What a sandbox has for merchants' developers: what every one of its routes answers.

const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const gateway = await startGateway({ after }, { databaseUrl: door.url })
const EVERYTHING = ['GET /sandbox/.*', 'POST /sandbox/.*', ...PAYOUT_OPERATIONS, ...TOP_UP_OPERATIONS]
const token = await gateway.demo().token(...EVERYTHING)

const REQUESTS = { method: 'GET', path: '/sandbox/requests' }
const trigger = (kind: string, id: string, outcome = 'paid'): RawRequest => ({
  method: 'POST',
  path: `/sandbox/${kind}/${id}/!trigger`,
  body: { outcome },
})
const TRIGGERS = ['payins', 'payouts', 'topups'].map((kind) => trigger(kind, newId()))
const ALL = [REQUESTS, ...TRIGGERS]

async function eachIsRefused(requests: readonly RawRequest[], status: number, code: string): Promise<void> {
  for (const request of requests) expectError(await gateway.send({ token, ...request }), status, code)
}

test('POST /sandbox/topups/{idPayment}/!trigger → 200, POST /sandbox/topups/{idPayment}/!trigger → 406: a top-up is paid at will, and is never paid late', async () => {
  const id = newId()
  await createTopUp(gateway, token, { id })
  const paid = expectSuccess(await gateway.send({ ...trigger('topups', id), token }), 200)
  assert.deepEqual([at(paid, 'kind'), at(paid, 'status')], ['TOPUP', 'SUCCESS'])
  await eachIsRefused([trigger('topups', id, 'late')], 406, 'OUTCOME_NOT_POSSIBLE')
})

test('POST /sandbox/payouts/{idPayment}/!trigger → 200, POST /sandbox/payouts/{idPayment}/!trigger → 406: a payout is declined at will once an institution has it, and goes out whole', async () => {
  const [id, topUp] = [newId(), newId()]
  await createTopUp(gateway, token, { id: topUp })
  expectSuccess(await gateway.send({ ...trigger('topups', topUp), token }), 200)
  await createPayout(gateway, token, { id, amount: '10', email: 'unknown@sandbox.test' })
  await eachIsRefused([trigger('payouts', id, 'partial')], 406, 'OUTCOME_NOT_POSSIBLE')
  let answer: RawResponse | undefined
  const isKnownThere = async (): Promise<boolean> => {
    answer = await gateway.send({ ...trigger('payouts', id, 'declined'), token })
    return answer.status === 200
  }
  await waitUntil(isKnownThere, { timeoutMs: 60_000, what: 'an institution to have the payout' })
  assert.deepEqual([at(answer?.body, 'kind'), at(answer?.body, 'status')], ['PAYOUT', 'FAILED'])
})

test('ANY /sandbox/** → 400 what is asked is no such thing', async () => {
  await eachIsRefused([{ ...REQUESTS, path: '/sandbox/requests?limit=0' }], 400, 'ATTRIBUTE_VALUE_INVALID')
  const made = TRIGGERS.map((request) => ({ ...request, body: { outcome: 'rich' } }))
  await eachIsRefused(made, 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('ANY /sandbox/** → 401 the token is missing or wrong', async () => {
  for (const request of ALL) await expectTokenNeeded(gateway.send, { ...request, token })
})

test('ANY /sandbox/** → 403 the token is for something else', async () => {
  const other = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*')
  await eachIsRefused(
    ALL.map((request) => ({ ...request, token: other })),
    403,
    'OPERATION_NOT_PERMITTED',
  )
})

test('ANY /sandbox/** → 404 the version is missing or not supported', async () => {
  for (const request of ALL) await expectVersionNeeded(gateway.send, { ...request, token })
})

test('ANY /sandbox/** → 410 there is no such payment', async () => {
  await eachIsRefused(TRIGGERS, 410, 'ENTITY_NOT_FOUND')
})

test('ANY /sandbox/** → 429 more requests than the limit', async () => {
  const slow = await addMerchant(gateway, 'SLOW')
  const slowToken = await slow.token('GET /sandbox/.*', 'POST /sandbox/.*')
  await setRateLimit(gateway.databaseUrl ?? '', 'SLOW', 1)
  await untilRateLimitIs(gateway, slow, 1)
  for (const request of ALL)
    expectOneLimited(await Promise.all([1, 2, 3].map(() => gateway.send({ ...request, token: slowToken }))))
})

test('ANY /sandbox/** → 500 the database is away', async () => {
  await door.shut()
  await eachIsRefused(ALL, 500, 'SYSTEM')
})
