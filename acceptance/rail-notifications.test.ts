import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase } from '@tollgate/testkit'
import { institutionOf, institutionSettings } from './security/support/institution.ts'
import { whileNothingIsNoted } from './security/support/unnoted.ts'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'

// Messages of institutions, as operators see them; what is believed and what is not is in security/n-notifications.test.ts.

const SECRETS = { bank: Buffer.alloc(32, 1) }
const database = await testDatabase({ after })
const door = await databaseDoor({ after }, database.url)
const gateway = await startGateway(
  { after },
  { databaseUrl: door.url, settings: institutionSettings({ after }, SECRETS) },
)
const ada = gateway.operatorKey('ada')
const keyOf = async (code: string, role: string): Promise<string> =>
  (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
const adminKey = await keyOf('carla', 'ADMIN')
const hasty = await keyOf('olga', 'AUDITOR')
const bank = institutionOf(gateway, 'bank', SECRETS.bank)

const list = (query = '', token: string | undefined = ada): Promise<RawResponse> => {
  const request: RawRequest = { method: 'GET', path: `/operator/rail-notifications${query}`, token }
  return gateway.sendToOperators(request)
}

for (const id of ['1', '2', '3']) assert.equal(await bank.post(`{"idNotification":"${id}"}`), 200)

test('GET /operator/rail-notifications → 200 what institutions said and what became of it, in pages', async () => {
  const first = expectSuccess(await list('?state=QUARANTINED&railCode=bank&limit=2'), 200)
  assert.equal(listAt(first, 'data').length, 2)
  const second = expectSuccess(
    await list(`?state=QUARANTINED&railCode=bank&limit=2&cursor=${textAt(first, 'nextCursor')}`),
    200,
  )
  assert.equal(listAt(second, 'data').length, 1)
  assert.equal(at(second, 'nextCursor'), undefined)
  const [message] = listAt(second, 'data')
  assert.deepEqual(
    [textAt(message, 'railCode'), textAt(message, 'state'), textAt(message, 'reason')],
    ['bank', 'QUARANTINED', 'UNREADABLE'],
  )
  assert.deepEqual(listAt(expectSuccess(await list('?state=APPLIED'), 200), 'data'), [])
  assert.deepEqual(listAt(expectSuccess(await list('?railCode=other'), 200), 'data'), [])
})

test('GET /operator/rail-notifications → 400 a cursor that is none of ours, and a state that there is not', async () => {
  for (const query of ['?cursor=bm9uZQ', '?state=LOST', '?limit=0', '?railCode=B!'])
    assert.equal((await list(query)).status, 400, query)
})

const read = (path: string, token = ada): Promise<RawResponse> =>
  gateway.sendToOperators({ method: 'GET', path: `/operator/${path}`, token })

test('S83 GET /operator/rail-notifications/{notificationNo} → 200, GET /operator/rail-notifications/{notificationNo}/body → 200 its words for those who may, and who has read them is noted before', async () => {
  const message = expectSuccess(await read('rail-notifications/2', hasty), 200)
  assert.deepEqual([textAt(message, 'notificationNo'), at(message, 'body')], ['2', undefined])
  expectError(await read('rail-notifications/2/body', hasty), 403, 'OPERATION_NOT_PERMITTED')
  const seen = async (): Promise<readonly unknown[]> =>
    listAt(expectSuccess(await read('unmaskings', hasty), 200), 'data').filter(
      (each) => at(each, 'subject') === 'RAIL_NOTIFICATION',
    )
  await whileNothingIsNoted(database.url, async () => {
    const refused = await read('rail-notifications/2/body')
    expectError(refused, 500, 'SYSTEM')
    assert.doesNotMatch(refused.text, /idNotification/)
  })
  assert.deepEqual(await seen(), [])
  const full = expectSuccess(await read('rail-notifications/2/body'), 200)
  assert.match(textAt(full, 'body'), /"idNotification":"\d"/)
  const [look] = await seen()
  assert.deepEqual([textAt(look, 'operatorCode'), textAt(look, 'notificationNo')], ['ada', '2'])
})

test('GET /operator/rail-notifications/{notificationNo} → 400, GET /operator/rail-notifications/{notificationNo}/body → 400 no number, GET /operator/rail-notifications/{notificationNo} → 410, GET /operator/rail-notifications/{notificationNo}/body → 410 no such message', async () => {
  for (const end of ['', '/body']) {
    expectError(await read(`rail-notifications/x${end}`), 400, 'ATTRIBUTE_VALUE_INVALID')
    const missing = await read(`rail-notifications/99999${end}`)
    expectError(missing, 410, 'ENTITY_NOT_FOUND')
    assert.equal(at(missing.body, 'message'), 'There is no notification 99999.')
  }
})

test('GET /operator/rail-forgeries → 200 what proved nothing, GET /operator/rail-forgeries → 400 no such rail', async () => {
  const forger = institutionOf(gateway, 'bank', Buffer.alloc(32, 7))
  assert.equal(await forger.post('{"idNotification":"1"}'), 401)
  const [forgery] = listAt(expectSuccess(await read('rail-forgeries?railCode=bank'), 200), 'data')
  assert.deepEqual([textAt(forgery, 'railCode'), at(forgery, 'byteCount')], ['bank', 22])
  assert.deepEqual(listAt(expectSuccess(await read('rail-forgeries?railCode=other'), 200), 'data'), [])
  expectError(await read('rail-forgeries?railCode=B!'), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /operator/rail-notifications → 401 without a key', async () => {
  const request: RawRequest = { method: 'GET', path: '/operator/rail-notifications' }
  expectError(await gateway.sendToOperators(request), 401, 'TOKEN_MISSING')
})

test('GET /operator/rail-notifications → 403 a role that has nothing to do with institutions', async () => {
  expectError(await list('', adminKey), 403, 'OPERATION_NOT_PERMITTED')
})

test('merchants find nothing there, and the place where institutions report is not in their description', async () => {
  const { body } = await gateway.send({ method: 'GET', path: '/openapi.json' })
  assert.equal(at(body, 'paths', '/rails/{railCode}/notifications'), undefined)
  const [counted] = await runSql(database.url, 'select count(*)::integer as n from rail_notifications')
  assert.equal(counted?.['n'], 3)
})

test('GET /operator/rail-notifications → 429 an operator who asks faster than a person can', async () => {
  expectOneLimited(await Promise.all(Array.from({ length: 60 }, () => list('', hasty))))
})

test('GET /operator/rail-notifications → 500 the database is away, and no institution is told that it was heard', async () => {
  await door.shut()
  expectError(await list(), 500, 'SYSTEM')
  assert.equal(await bank.post('{"idNotification":"4"}'), 500)
})
