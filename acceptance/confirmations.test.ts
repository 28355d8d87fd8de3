import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { testDatabase, waitUntil } from '@tollgate/testkit'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { type Booking, mt940 } from './support/mt940.ts'
import { statusReport } from './support/pain002.ts'
import { newId } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// What one operator proposes and another one confirms, over the operator API. What one person can do with it against the
// house: security/s-two-people.test.ts.

const TIMEOUT_MS = 60_000
const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const gateway = await startGateway(
  { after },
  { databaseUrl: door.url, settings: { TOLLGATE_SECOND_PERSON: 'on' } },
)
const ada = gateway.operatorKey('ada')
const grace = gateway.operatorKey('grace')
const auditor = (await gateway.cli('operators', 'create', 'olga', '--role', 'AUDITOR')).stdout.trim()
const catalogue = (await gateway.cli('operators', 'create', 'otto', '--role', 'CATALOGUE')).stdout.trim()

/** A person would wait, too, when told to. */
async function send(request: RawRequest): Promise<RawResponse> {
  let response = await gateway.sendToOperators(request)
  const isAdmitted = async (): Promise<boolean> => {
    if (response.status === 429) response = await gateway.sendToOperators(request)
    return response.status !== 429
  }
  await waitUntil(isAdmitted, { timeoutMs: TIMEOUT_MS, what: 'the gateway to take a request' })
  return response
}

const takeRequest = (key: string, text: string, query = ''): RawRequest => ({
  method: 'POST',
  path: `/operator/statements?fileName=day.sta${query}`,
  token: key,
  rawBody: text,
  headers: { 'content-type': 'text/plain' },
})
const get = (key: string | undefined, path: string): RawRequest => ({ method: 'GET', path, token: key })
const end = (
  key: string | undefined,
  action: 'confirm' | 'refuse' | 'withdraw',
  id: string,
  body: unknown = BODIES[action],
): RawRequest => ({ method: 'POST', path: `/operator/confirmations/${id}/!${action}`, token: key, body })

const DIGEST = '0123456789ab'
const BODIES = {
  confirm: { digest: DIGEST },
  refuse: { digest: DIGEST, reason: 'no such file' },
  withdraw: { reason: 'the wrong file' },
}

/** A statement that ada has handed in: what waits, as its answer says. */
async function waiting(...bookings: readonly Booking[]) {
  const text = mt940(bookings.length > 0 ? bookings : [['5', `a gift ${newId()}`]])
  const response = await send(takeRequest(ada, text))
  assert.equal(response.status, 202, response.text)
  const [id, digest] = ['confirmationId', 'digest'].map((name) => textAt(response.body, 'waiting', name))
  return { text, id: id ?? '', digest: digest ?? '' }
}

test('POST /operator/statements → 202 it waits, with digest, time and money, and brings no line', async () => {
  const text = mt940([['5', 'a gift']])
  const response = await send(takeRequest(ada, text))
  const waits = at(expectSuccess(response, 202), 'waiting')
  assert.deepEqual(
    ['kind', 'state', 'title', 'proposedBy', 'sums'].map((name) => at(waits, name)),
    ['STATEMENT_FILE', 'WAITING', 'day.sta', 'operator:ada', [{ amount: '5', currencyCode: 'EUR' }]],
  )
  const hours = (Date.parse(textAt(waits, 'expireAt')) - Date.parse(textAt(waits, 'proposedAt'))) / 3_600_000
  assert.equal(Math.round(hours), 72)
  const lines = expectSuccess(await send(get(auditor, '/operator/statement-lines')), 200)
  assert.deepEqual(listAt(lines, 'data'), [])
})

test('POST /operator/statements → 409 the same bytes wait already, to be read in another way', async () => {
  const { text, id } = await waiting()
  const response = await send(takeRequest(grace, text, '&account=SANDBOX_EUR'))
  expectError(response, 409, 'CONFIRMATION_NOT_OPEN')
  assert.match(textAt(response.body, 'message'), new RegExp(`confirmation ${id}`))
})

test('POST /operator/statement-lines/{lineId}/!decide → 202 a decision waits', async () => {
  const { id, digest } = await waiting(['-9', 'chairs'])
  expectSuccess(await send(end(grace, 'confirm', id, { digest })), 200)
  const lines = expectSuccess(await send(get(auditor, '/operator/statement-lines?limit=1')), 200)
  const lineId = textAt(lines, 'data', 0, 'lineId')
  const response = await send({
    method: 'POST',
    path: `/operator/statement-lines/${lineId}/!decide`,
    token: ada,
    body: { decision: 'NOTE', reason: 'an invoice' },
  })
  const waits = at(expectSuccess(response, 202), 'waiting')
  assert.deepEqual([at(waits, 'kind'), at(waits, 'lineIds')], ['LINE_DECISION', [lineId]])
  const shown = await send(get(auditor, `/operator/confirmations/${textAt(waits, 'confirmationId')}`))
  assert.equal(at(expectSuccess(shown, 200), 'about', 'reason'), 'an invoice')
})

test('POST /operator/payout-reports → 202 a status report waits', async () => {
  const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
  await fundBalance(gateway, token, { id: newId(), amount: '500' })
  const id = newId()
  const { body } = await createPayout(gateway, token, { id, email: 'file@sandbox.test' })
  const run = await send({ method: 'POST', path: '/operator/payout-files', token: ada, body: {} })
  const fileId = textAt(expectSuccess(run, 200), 'files', 0, 'fileId')
  const content = statusReport(fileId, [[textAt(body, 'paymentMethodResponse', 'reference'), 'ACSC']])
  const response = await send({
    method: 'POST',
    path: '/operator/payout-reports?fileName=status.xml',
    token: ada,
    rawBody: content,
    headers: { 'content-type': 'application/xml' },
  })
  const waits = at(expectSuccess(response, 202), 'waiting')
  assert.deepEqual([at(waits, 'kind'), at(waits, 'title')], ['PAYOUT_REPORT', 'status.xml'])
  await payoutWithStatus(gateway, token, { id, status: 'SUBMITTED' })
})

test('GET /operator/confirmations → 200 what waits, the newest first, page by page', async () => {
  const older = await waiting()
  const newer = await waiting()
  const first = expectSuccess(await send(get(auditor, '/operator/confirmations?limit=1')), 200)
  assert.equal(textAt(first, 'data', 0, 'confirmationId'), newer.id)
  const query = `?limit=1&cursor=${textAt(first, 'nextCursor')}`
  const second = expectSuccess(await send(get(auditor, `/operator/confirmations${query}`)), 200)
  assert.equal(textAt(second, 'data', 0, 'confirmationId'), older.id)
})

test('GET /operator/confirmations/{confirmationId} → 200 the file, how it is read, and what would follow', async () => {
  const { id } = await waiting(['6', 'a gift'], ['7', 'another one'])
  const seen = expectSuccess(await send(get(auditor, `/operator/confirmations/${id}`)), 200)
  assert.equal(at(seen, 'about', 'fileName'), 'day.sta')
  assert.deepEqual(at(seen, 'consequences', 'sums'), [
    { what: 'SUSPENSE', count: 2, money: { amount: '13', currencyCode: 'EUR' } },
  ])
  assert.deepEqual(at(seen, 'consequences', 'payments'), [])
  const remarks = listAt(seen, 'consequences', 'remarks').map(String)
  assert.equal(remarks[0], '2 lines go into suspense (unknown): 13.00 EUR')
  assert.match(remarks[1] ?? '', /: 2 new lines$/)
  assert.match(textAt(seen, 'consequencesDigest'), /^[0-9a-f]{64}$/)
})

test('POST /operator/confirmations/{confirmationId}/!confirm → 200 it is carried out, and a repeat changes nothing', async () => {
  const { id, digest } = await waiting()
  for (const _ of [1, 2]) {
    const done = expectSuccess(
      await send(end(grace, 'confirm', id, { digest, reason: 'seen at the bank' })),
      200,
    )
    assert.deepEqual(
      [at(done, 'state'), at(done, 'endedBy'), at(done, 'reason')],
      ['CONFIRMED', 'operator:grace', 'seen at the bank'],
    )
  }
  const files = expectSuccess(await send(get(auditor, '/operator/statements?limit=1')), 200)
  assert.equal(at(files, 'data', 0, 'confirmedBy'), 'operator:grace')
})

test('POST /operator/confirmations/{confirmationId}/!refuse → 200 it ends, with the reason', async () => {
  const { id, digest } = await waiting()
  const done = expectSuccess(await send(end(grace, 'refuse', id, { digest, reason: 'no such file' })), 200)
  assert.deepEqual([at(done, 'state'), at(done, 'reason')], ['REFUSED', 'no such file'])
})

test('POST /operator/confirmations/{confirmationId}/!withdraw → 200 by who proposed it', async () => {
  const { id } = await waiting()
  const done = expectSuccess(await send(end(ada, 'withdraw', id)), 200)
  assert.deepEqual([at(done, 'state'), at(done, 'endedBy')], ['WITHDRAWN', 'operator:ada'])
})

test('POST /operator/confirmations/{confirmationId}/!confirm → 406, POST /operator/confirmations/{confirmationId}/!refuse → 406, POST /operator/confirmations/{confirmationId}/!withdraw → 406 somebody else has to', async () => {
  const { id, digest } = await waiting()
  const body = { digest, reason: 'mine' }
  for (const request of [
    end(ada, 'confirm', id, body),
    end(ada, 'refuse', id, body),
    end(grace, 'withdraw', id),
  ])
    expectError(await send(request), 406, 'CONFIRMATION_OTHER_PERSON')
})

test('POST /operator/confirmations/{confirmationId}/!confirm → 409, POST /operator/confirmations/{confirmationId}/!refuse → 409, POST /operator/confirmations/{confirmationId}/!withdraw → 409 another digest, or what has ended', async () => {
  const { id, digest } = await waiting()
  expectError(await send(end(grace, 'confirm', id)), 409, 'CONFIRMATION_CHANGED')
  expectError(await send(end(grace, 'refuse', id)), 409, 'CONFIRMATION_CHANGED')
  const other = { digest, consequencesDigest: DIGEST }
  expectError(await send(end(grace, 'confirm', id, other)), 409, 'CONFIRMATION_CHANGED')
  expectSuccess(await send(end(grace, 'refuse', id, { digest, reason: 'no' })), 200)
  expectError(await send(end(grace, 'confirm', id, { digest })), 409, 'CONFIRMATION_NOT_OPEN')
  expectError(await send(end(ada, 'withdraw', id)), 409, 'CONFIRMATION_NOT_OPEN')
})

test('GET /operator/confirmations/{confirmationId} → 410, POST /operator/confirmations/{confirmationId}/!confirm → 410, POST /operator/confirmations/{confirmationId}/!refuse → 410, POST /operator/confirmations/{confirmationId}/!withdraw → 410 there is none', async () => {
  const id = '999999999'
  for (const request of EACH(ada, id).slice(1)) expectError(await send(request), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/confirmations → 400, GET /operator/confirmations/{confirmationId} → 400, POST /operator/confirmations/{confirmationId}/!confirm → 400, POST /operator/confirmations/{confirmationId}/!refuse → 400, POST /operator/confirmations/{confirmationId}/!withdraw → 400 what no schema allows', async () => {
  const wrongs = [
    get(ada, '/operator/confirmations?states=SOLD'),
    get(ada, '/operator/confirmations?cursor=x'),
    get(ada, '/operator/confirmations/x'),
    end(ada, 'confirm', '1', { digest: '0123456789a' }),
    end(ada, 'confirm', '1', {}),
    end(ada, 'refuse', '1', { digest: DIGEST }),
    end(ada, 'withdraw', '1', { reason: '' }),
  ]
  for (const wrong of wrongs) assert.equal((await send(wrong)).status, 400, wrong.path)
})

const EACH = (key: string | undefined, id = '1'): readonly RawRequest[] => [
  get(key, '/operator/confirmations'),
  get(key, `/operator/confirmations/${id}`),
  end(key, 'confirm', id),
  end(key, 'refuse', id),
  end(key, 'withdraw', id),
]

test('GET /operator/confirmations → 401, GET /operator/confirmations/{confirmationId} → 401, POST /operator/confirmations/{confirmationId}/!confirm → 401, POST /operator/confirmations/{confirmationId}/!refuse → 401, POST /operator/confirmations/{confirmationId}/!withdraw → 401 without a key', async () => {
  for (const request of EACH(undefined)) expectError(await send(request), 401, 'TOKEN_MISSING')
})

test('GET /operator/confirmations → 403, GET /operator/confirmations/{confirmationId} → 403, POST /operator/confirmations/{confirmationId}/!confirm → 403, POST /operator/confirmations/{confirmationId}/!refuse → 403, POST /operator/confirmations/{confirmationId}/!withdraw → 403 without the role', async () => {
  for (const request of EACH(catalogue)) expectError(await send(request), 403, 'OPERATION_NOT_PERMITTED')
  for (const request of EACH(auditor).slice(2))
    expectError(await send(request), 403, 'OPERATION_NOT_PERMITTED')
})

test('GET /operator/confirmations → 429, GET /operator/confirmations/{confirmationId} → 429, POST /operator/confirmations/{confirmationId}/!confirm → 429, POST /operator/confirmations/{confirmationId}/!refuse → 429, POST /operator/confirmations/{confirmationId}/!withdraw → 429 faster than a person can', async () => {
  for (const [index] of EACH(ada).entries()) {
    const requests = Array.from({ length: 60 }, () => EACH(ada)[index] ?? get(ada, '/operator/confirmations'))
    expectOneLimited(await Promise.all(requests.map((request) => gateway.sendToOperators(request))))
  }
})

test('GET /operator/confirmations → 500, GET /operator/confirmations/{confirmationId} → 500, POST /operator/confirmations/{confirmationId}/!confirm → 500, POST /operator/confirmations/{confirmationId}/!refuse → 500, POST /operator/confirmations/{confirmationId}/!withdraw → 500 the database is away', async () => {
  await door.shut()
  for (const request of EACH(grace)) expectError(await send(request), 500, 'SYSTEM')
  await door.open()
})
