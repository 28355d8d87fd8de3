import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { operatorsOf } from '../support/operators.ts'

// Keys of operators that ADMINs make: one ADMIN, who sees the key, must not be able to act as somebody else with it.

const gateway = await startGateway({ after })
const operators = await operatorsOf(gateway, {
  adam: ['adam', 'ADMIN'],
  eve: ['eve', 'ADMIN'],
  anna: ['anna', 'APPROVER'],
  fred: ['fred', 'FINANCE'],
})

const secondOf = (code: string, keyId: string) => `operators/${code}/keys/${keyId}/!second`

const withKey = (token: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<RawResponse> =>
  gateway.sendToOperators({ method, path: `/operator/${path}`, token, body })
const me = (token: string) => withKey(token, 'GET', 'me')

/** What an APPROVER alone may ask: it is answered 410, because there is no such confirmation. */
const confirm = (token: string) =>
  withKey(token, 'POST', 'confirmations/999/!confirm', { digest: '3f79bb7b435b' })
/** What FINANCE alone may ask. */
const settle = (token: string) =>
  withKey(token, 'POST', 'settlements/!run', { merchantCode: 'DEMO', isDry: true })

test('S105 POST /operator/operators/{operatorCode}/keys/{keyId}/!second → 200, POST /operator/operators/{operatorCode}/keys/{keyId}/!second → 409: a key that one ADMIN made moves no money until another one has added a half that the first does not know', async () => {
  for (const [code, act, done] of [
    ['anna', confirm, 410],
    ['fred', settle, 200],
  ] as const) {
    const made = expectSuccess(await operators.post('adam', `operators/${code}/keys`, {}), 201)
    const [key, keyId] = [textAt(made, 'key'), textAt(made, 'keyId')]
    expectError(await act(key), 403, 'OPERATION_NOT_PERMITTED')
    expectError(await operators.post('adam', secondOf(code, keyId)), 409, 'STATE_CONFLICT')
    expectError(await act(key), 403, 'OPERATION_NOT_PERMITTED')

    const half = textAt(expectSuccess(await operators.post('eve', secondOf(code, keyId)), 200), 'secondHalf')
    assert.equal((await act(`${key}.${half}`)).status, done)
    for (const wrong of [key, half, `tgop_${half}`, `${key}.${key.slice(5)}`, `tgop_${half}.${key.slice(5)}`])
      expectError(await act(wrong), 401, 'TOKEN_INVALID')
    expectError(await operators.post('eve', secondOf(code, keyId)), 409, 'STATE_CONFLICT')

    const keys = listAt(expectSuccess(await operators.get('eve', `operators/${code}`), 200), 'keys')
    const shown = keys.find((each) => at(each, 'keyId') === keyId)
    assert.deepEqual([at(shown, 'madeBy'), at(shown, 'secondedBy')], ['adam', 'eve'])
  }
})

test('S105: one ADMIN gets no further by a new operator, by new roles, or by an ADMIN of their own making', async () => {
  const make = (operatorCode: string, role: string) =>
    operators.post('adam', 'operators', { operatorCode, roles: [role] })
  const approver = expectSuccess(await make('puppet', 'APPROVER'), 201)
  expectError(await confirm(textAt(approver, 'key')), 403, 'OPERATION_NOT_PERMITTED')

  const support = textAt(expectSuccess(await make('helper', 'SUPPORT'), 201), 'key')
  assert.deepEqual(at(expectSuccess(await me(support), 200), 'roles'), ['SUPPORT'])
  const roles = { roles: ['SUPPORT', 'APPROVER'] }
  expectSuccess(await operators.put('adam', 'operators/helper/roles', roles), 200)
  expectError(await confirm(support), 403, 'OPERATION_NOT_PERMITTED')
  assert.deepEqual(at(expectSuccess(await me(support), 200), 'roles'), ['SUPPORT'])

  const admin = textAt(expectSuccess(await make('second', 'ADMIN'), 201), 'key')
  const path = secondOf('puppet', textAt(approver, 'keyId'))
  expectError(await withKey(admin, 'POST', path), 403, 'OPERATION_NOT_PERMITTED')
})

test('POST /operator/operators/{operatorCode}/keys/{keyId}/!second → 400, POST /operator/operators/{operatorCode}/keys/{keyId}/!second → 410: there is no such key, and nobody adds to their own or to one of the command line', async () => {
  expectError(await operators.post('eve', secondOf('anna', 'a.b')), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await operators.post('eve', secondOf('anna', 'key_X')), 410, 'ENTITY_NOT_FOUND')
  expectError(await operators.post('eve', secondOf('nobody', 'key_X')), 410, 'ENTITY_NOT_FOUND')
  expectError(await operators.post('eve', secondOf('eve', 'key_X')), 403, 'OPERATION_NOT_PERMITTED')
  const [first] = listAt(expectSuccess(await operators.get('eve', 'operators/adam'), 200), 'keys')
  expectError(await operators.post('eve', secondOf('adam', textAt(first, 'keyId'))), 409, 'STATE_CONFLICT')
})
