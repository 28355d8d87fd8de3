import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { operatorsOf } from '../support/operators.ts'

// Upkeep: who may, what a repeat does, and who sees it afterwards.

const gateway = await startGateway({ after })
const { get, post } = await operatorsOf(gateway, {
  auditor: ['olga', 'AUDITOR'],
  support: ['susi', 'SUPPORT'],
  finance: ['fred', 'FINANCE'],
  approver: ['anna', 'APPROVER'],
  catalogue: ['carl', 'CATALOGUE'],
  admin: ['adam', 'ADMIN'],
})

/** What the audit log shows of it, the newest first. */
const acts = async (query: string): Promise<readonly unknown[]> =>
  listAt(expectSuccess(await get('auditor', `audit?limit=100&${query}`), 200), 'data')

/** Whom the upkeep of merchants and operators is denied. */
const OTHERS = ['auditor', 'support', 'finance', 'approver', 'catalogue'] as const

test('D78 POST /operator/operators/{operatorCode}/!disable → 403: an operator is disabled in the name of another ADMIN, or at the machine; both are in the audit log', async () => {
  await gateway.cli('operators', 'create', 'otto', '--role', 'SUPPORT')
  for (const name of OTHERS)
    expectError(await post(name, 'operators/otto/!disable'), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await post('admin', 'operators/adam/!disable'), 403, 'OPERATION_NOT_PERMITTED')
  assert.match((await gateway.cli('operators', 'disable', 'otto')).stdout, /^Status +DISABLED$/m)
  // Twice changes nothing, here or there.
  await gateway.cli('operators', 'disable', 'otto')
  await gateway.cli('operators', 'disable', 'otto', '--local')
  await gateway.cli('operators', 'enable', 'otto')
  await gateway.cli('operators', 'disable', 'otto', '--local')
  const of = ['kind', 'operatorCode', 'act', 'program', 'changeCount'] as const
  const noted = (await acts('subject=otto')).map((act) => of.map((name) => at(act, name)))
  assert.deepEqual(noted.slice(0, 4), [
    ['LOCAL', undefined, undefined, 'tollgate command', 1],
    ['ACT', 'alan', 'enableOperator', undefined, 1],
    ['ACT', 'alan', 'disableOperator', undefined, 0],
    ['ACT', 'alan', 'disableOperator', undefined, 1],
  ])
})

test('D79 GET /operator/signing-keys → 200, POST /operator/signing-keys/!rotate → 200, POST /operator/signing-keys/!rotate → 400, POST /operator/signing-keys/!rotate → 409: one key waits however often it is asked for, tokens go on, nobody sees a private half, and it is in the audit log', async () => {
  const rotate = (body: unknown = {}) => post('admin', 'signing-keys/!rotate', body)
  const list = async () => expectSuccess(await get('catalogue', 'signing-keys'), 200)
  const statuses = async () => listAt(await list(), 'data').map((key) => textAt(key, 'status'))
  for (const name of OTHERS)
    expectError(await post(name, 'signing-keys/!rotate', {}), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await rotate({ signsNow: 'yes' }), 400, 'ATTRIBUTE_INVALID')
  assert.deepEqual(await statuses(), ['ACTIVE'])

  const asked = await Promise.all(Array.from({ length: 5 }, () => rotate()))
  const [made, ...others] = asked.filter(({ status }) => status === 200)
  assert(made !== undefined && others.length === 0, asked.map(({ text }) => text).join('\n'))
  for (const answer of asked) if (answer !== made) expectError(answer, 409, 'STATE_CONFLICT')
  expectError(await rotate({ signsNow: false }), 409, 'STATE_CONFLICT')
  assert.deepEqual(await statuses(), ['WAITING', 'ACTIVE'])
  const kid = textAt(made.body, 'kid')
  const waitsMs = Date.parse(textAt(made.body, 'signsFrom')) - Date.now()
  assert.ok(waitsMs > 60_000 && waitsMs < 200_000, `${waitsMs} ms`)
  const demo = gateway.demo()
  const before = await demo.token('GET /segments')

  const leaked = textAt(expectSuccess(await rotate({ signsNow: true }), 200), 'kid')
  assert.deepEqual(await statuses(), ['ACTIVE', 'VERIFY_ONLY', 'VERIFY_ONLY'])
  const published = (await gateway.send({ method: 'GET', path: '/.well-known/jwks.json' })).text
  assert.ok(published.includes(kid) && published.includes(leaked))
  for (const token of [before, await demo.tokenFor({ operations: ['GET /segments'], validitySecs: 599 })])
    expectSuccess(await gateway.send({ method: 'GET', path: '/segments', token }), 200)
  for (const key of listAt(await list(), 'data'))
    for (const name of Object.keys(Object(key)))
      assert.match(name, /^(?:kid|status|createdAt|signsFrom|replacedAt)$/)

  await gateway.cli('keys', 'rotate', '--now', '--local')
  const noted = await acts('')
  const rotations = noted.filter((act) => at(act, 'changes', 0, 'section') === 'token_signing_keys')
  assert.deepEqual(
    rotations.slice(0, 3).map((act) => [at(act, 'kind'), at(act, 'operatorCode'), at(act, 'act')]),
    [
      ['LOCAL', undefined, undefined],
      ['ACT', 'adam', 'rotateSigningKey'],
      ['ACT', 'adam', 'rotateSigningKey'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(rotations), /PRIVATE|PUBLIC|"d"/)
})

test('D80 POST /operator/volumes/!recount → 200, POST /operator/volumes/!recount → 400: by FINANCE alone, from a day that has begun, and the day is in the audit log', async () => {
  const recount = (fromDay: string) => post('finance', 'volumes/!recount', { fromDay })
  for (const name of ['auditor', 'support', 'approver', 'catalogue', 'admin'] as const)
    expectError(
      await post(name, 'volumes/!recount', { fromDay: '2026-03-10' }),
      403,
      'OPERATION_NOT_PERMITTED',
    )
  expectError(await post('finance', 'volumes/!recount', {}), 400, 'ATTRIBUTE_REQUIRED')
  const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  for (const day of [
    dayIn(2),
    '9999-12-31',
    '2000-01-01',
    '2026-02-30',
    '2026-03-10T00:00:00Z',
    'today',
    '',
  ]) {
    const refused = await recount(day)
    expectError(refused, 400, day === '' ? 'ATTRIBUTE_REQUIRED' : 'ATTRIBUTE_VALUE_INVALID')
    assert.equal(at(refused.body, 'violations', 0, 'field'), 'fromDay')
  }
  const again = expectSuccess(await recount('2020-01-01'), 200)
  assert.deepEqual(again, { fromDay: '2020-01-01', countedUntil: '2020-01-01T00:00:00.000Z' })
  // Repeats are harmless.
  expectSuccess(await recount('2020-01-01'), 200)
  expectSuccess(await recount(dayIn(0)), 200)
  assert.match((await gateway.cli('ledger', 'recount', '--from', dayIn(0))).stdout, /^Counted until 20/)
  const noted = (await acts('act=recountVolumes')).map((act) =>
    ['operatorCode', 'subject', 'status'].map((name) => at(act, name)),
  )
  assert.deepEqual(noted.slice(0, 4), [
    ['ada', dayIn(0), 200],
    ['fred', dayIn(0), 200],
    ['fred', '2020-01-01', 200],
    ['fred', '2020-01-01', 200],
  ])
})
