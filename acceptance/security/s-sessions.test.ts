import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { operatorsOf } from '../support/operators.ts'

// Sessions of operators: who has the secret of one must not get more by it, or for longer, than it was made for.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const operators = await operatorsOf(gateway, {
  adam: ['adam', 'ADMIN'],
  eve: ['eve', 'ADMIN'],
  anna: ['anna', 'APPROVER'],
  sue: ['sue', 'SUPPORT'],
  olga: ['olga', 'AUDITOR'],
})

type Method = 'GET' | 'POST' | 'DELETE'
/** An operator may ask twenty times a second; tests ask faster. */
async function ask(token: string, method: Method, path: string, body?: unknown): Promise<RawResponse> {
  for (;;) {
    const answer = await gateway.sendToOperators({ method, path: `/operator/${path}`, token, body })
    if (answer.status !== 429) return answer
    await sleep(100)
  }
}
const me = (token: string) => ask(token, 'GET', 'me')

/** What an APPROVER alone may ask: it is answered 410, because there is no such confirmation. */
const confirm = (token: string) =>
  ask(token, 'POST', 'confirmations/999/!confirm', { digest: '3f79bb7b435b' })

interface Opened {
  readonly id: string
  readonly secret: string
}

function openedBy(answer: RawResponse): Opened {
  const body = expectSuccess(answer, 201)
  return { id: textAt(body, 'session', 'id'), secret: textAt(body, 'session', 'secret') }
}
const signIn = async (key: string): Promise<Opened> => openedBy(await ask(key, 'POST', 'sessions'))
const sessionOf = async (name: 'adam' | 'eve' | 'anna' | 'sue' | 'olga'): Promise<Opened> =>
  openedBy(await operators.post(name, 'sessions'))

/** Lets time pass for a session. */
const wait = (id: string, minutes: number): Promise<unknown> =>
  runSql(
    databaseUrl,
    `update operator_sessions set created_at = created_at - make_interval(mins => $2),
      last_used_at = last_used_at - make_interval(mins => $2), expire_at = expire_at - make_interval(mins => $2)
      where session_id = $1`,
    [id, minutes],
  )

test('S121 POST /operator/sessions → 201, GET /operator/sessions → 200: a session carries what its key carries, has a new secret each time, and makes no other', async () => {
  const first = await sessionOf('anna')
  const second = await sessionOf('anna')
  assert.notEqual(first.secret, second.secret)
  const self = expectSuccess(await me(first.secret), 200)
  assert.deepEqual([at(self, 'operatorCode'), at(self, 'roles')], ['anna', ['APPROVER']])
  assert.equal((await confirm(first.secret)).status, 410)
  expectError(await ask(first.secret, 'POST', 'sessions'), 403, 'OPERATION_NOT_PERMITTED')
  // A secret of the caller's choice is none.
  for (const chosen of [`tgos_${'A'.repeat(43)}`, first.id])
    expectError(await ask(chosen, 'POST', 'sessions', { secret: chosen }), 401, 'TOKEN_INVALID')

  const listed = listAt(expectSuccess(await ask(second.secret, 'GET', 'sessions'), 200), 'data')
  assert.deepEqual(
    listed.map((each) => [at(each, 'id'), at(each, 'method'), at(each, 'isCurrent')]),
    [
      [second.id, 'KEY', true],
      [first.id, 'KEY', false],
    ],
  )
  assert.doesNotMatch(JSON.stringify(listed), /tgos_|secret/)
})

test('S121: a session of half a key carries no more than the half, and nothing once there is the second one', async () => {
  expectSuccess(await operators.put('adam', 'operators/anna/roles', { roles: ['SUPPORT', 'APPROVER'] }), 200)
  const made = expectSuccess(await operators.post('adam', 'operators/anna/keys', {}), 201)
  const half = await signIn(textAt(made, 'key'))
  expectError(await confirm(half.secret), 403, 'OPERATION_NOT_PERMITTED')
  const second = await operators.post('eve', `operators/anna/keys/${textAt(made, 'keyId')}/!second`)
  const joined = `${textAt(made, 'key')}.${textAt(expectSuccess(second, 200), 'secondHalf')}`
  expectError(await confirm(half.secret), 401, 'TOKEN_INVALID')
  assert.equal((await confirm((await signIn(joined)).secret)).status, 410)
})

test('S122 DELETE /operator/sessions/{sessionId} → 200, DELETE /operator/sessions/{sessionId} → 410: a stolen secret opens nothing after the end of its session', async () => {
  const [stolen, other] = [await sessionOf('sue'), await sessionOf('sue')]
  expectSuccess(await ask(stolen.secret, 'DELETE', 'sessions/current'), 200)
  expectError(await me(stolen.secret), 401, 'TOKEN_INVALID')
  expectError(await operators.remove('sue', `sessions/${stolen.id}`), 410, 'ENTITY_NOT_FOUND')
  expectError(await operators.remove('sue', 'sessions/current'), 410, 'ENTITY_NOT_FOUND')
  expectSuccess(await me(other.secret), 200)

  const made = expectSuccess(await operators.post('adam', 'operators/sue/keys', {}), 201)
  const ofKey = await signIn(textAt(made, 'key'))
  expectSuccess(await me(ofKey.secret), 200)
  expectSuccess(await operators.remove('adam', `operators/sue/keys/${textAt(made, 'keyId')}`), 200)
  expectError(await me(ofKey.secret), 401, 'TOKEN_INVALID')

  expectSuccess(await operators.post('adam', 'operators/sue/!disable'), 200)
  expectError(await me(other.secret), 401, 'TOKEN_INVALID')
  expectSuccess(await operators.post('adam', 'operators/sue/!enable'), 200)
  expectError(await me(other.secret), 401, 'TOKEN_INVALID')
})

test('S123: a session ends when it is not used for 30 minutes, and after 12 hours however much it is used', async () => {
  const idle = await sessionOf('olga')
  await wait(idle.id, 29)
  expectSuccess(await me(idle.secret), 200)
  await wait(idle.id, 29)
  expectSuccess(await me(idle.secret), 200)
  await wait(idle.id, 30)
  expectError(await me(idle.secret), 401, 'TOKEN_INVALID')

  const busy = await sessionOf('olga')
  for (let minutes = 0; minutes < 700; minutes += 25) {
    await wait(busy.id, 25)
    expectSuccess(await me(busy.secret), 200)
  }
  await wait(busy.id, 20)
  expectError(await me(busy.secret), 401, 'TOKEN_INVALID')
})

test('S124 GET /operator/sessions → 400, GET /operator/sessions → 410, DELETE /operator/sessions/{sessionId} → 400: nobody sees or ends sessions of others but who may look after operators', async () => {
  const anna = await sessionOf('anna')
  expectError(await operators.get('sue', 'sessions?operatorCode=anna'), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await operators.remove('sue', `sessions/${anna.id}`), 410, 'ENTITY_NOT_FOUND')
  expectError(await operators.remove('olga', `sessions/${anna.id}`), 410, 'ENTITY_NOT_FOUND')
  expectSuccess(await me(anna.secret), 200)
  for (const reader of ['olga', 'adam'] as const) {
    const listed = listAt(
      expectSuccess(await operators.get(reader, 'sessions?operatorCode=anna'), 200),
      'data',
    )
    assert.ok(listed.some((each) => at(each, 'id') === anna.id))
  }
  expectError(await operators.get('adam', 'sessions?operatorCode=nobody'), 410, 'ENTITY_NOT_FOUND')
  expectError(await operators.get('adam', 'sessions?operatorCode=A'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await operators.remove('adam', 'sessions/x'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectSuccess(await operators.remove('adam', `sessions/${anna.id}`), 200)
  expectError(await me(anna.secret), 401, 'TOKEN_INVALID')
})

test('S125: what is asked by a session is noted with it, its beginning and its end included', async () => {
  const { id, secret } = await sessionOf('eve')
  expectError(await ask(secret, 'POST', 'operators/nobody/!disable'), 410, 'ENTITY_NOT_FOUND')
  expectSuccess(await ask(secret, 'DELETE', `sessions/${id}`), 200)
  const noted = listAt(
    expectSuccess(await operators.get('adam', 'requests?operatorCode=eve&limit=3'), 200),
    'data',
  )
  assert.deepEqual(
    noted.map((each) => [at(each, 'operation'), at(each, 'sessionId'), at(each, 'answeredStatus')]),
    [
      ['endOperatorSession', id, 200],
      ['disableOperator', id, 410],
      ['createOperatorSession', undefined, 201],
    ],
  )
})
