import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds } from '@tollgate/runtime'
import { createSecrets } from '../../../platform/secrets.ts'
import { createOperatorAuthenticator, OperatorProblem } from '../index.ts'
import { operatorRig } from './rig.ts'

const problem =
  (kind: OperatorProblem['kind'], says: RegExp) =>
  (error: unknown): boolean =>
    error instanceof OperatorProblem && error.kind === kind && says.test(error.message)

test('a new operator has a key that says who they are, and only its hash is stored', async (t) => {
  const { operators, authenticator, outside } = await operatorRig(t)
  const { operator, key } = await operators.create({
    code: 'ada.l',
    name: 'Ada Lovelace',
    roles: ['APPROVER', 'SUPPORT', 'APPROVER'],
  })
  assert.match(key.key, /^tgop_[A-Za-z0-9_-]{43}$/)
  assert.deepEqual(await authenticator.authenticate(key.key), {
    operatorId: operator.operatorId,
    code: 'ada.l',
    name: 'Ada Lovelace',
    roles: ['SUPPORT', 'APPROVER'],
    keyId: key.keyId,
  })
  const { rows } = await outside.query('select o::text || k::text as text from operators o, operator_keys k')
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify(rows).includes(key.key.slice(5)))
})

test('a key opens nothing when it is unknown, altered, or hashed under another master key', async (t) => {
  const { operators, authenticator, db } = await operatorRig(t)
  const { key } = await operators.create({ code: 'ada', name: 'Ada', roles: ['AUDITOR'] })
  const altered = `${key.key.slice(0, 5)}${key.key[5] === 'A' ? 'B' : 'A'}${key.key.slice(6)}`
  const unknown = `tgop_${randomIds.bytes(32).toString('base64url')}`
  for (const wrong of [altered, unknown, '', 'tgop_', key.key.toUpperCase(), ` ${key.key}`, `${key.key}A`])
    assert.equal(await authenticator.authenticate(wrong), undefined, wrong)
  const elsewhere = createOperatorAuthenticator({ db, secrets: createSecrets(Buffer.alloc(32, 2)) })
  assert.equal(await elsewhere.authenticate(key.key), undefined)
})

test('disabling an operator, and removing a key, count from the next look on', async (t) => {
  const { operators, authenticator } = await operatorRig(t)
  const { key } = await operators.create({ code: 'ada', name: 'Ada', roles: ['AUDITOR'] })
  const second = await operators.addKey('ada')
  assert.equal((await operators.setStatus('ada', 'DISABLED')).status, 'DISABLED')
  assert.equal(await authenticator.authenticate(key.key), undefined)
  assert.equal((await operators.findKeyOwner(key.key))?.status, 'DISABLED')
  await operators.setStatus('ada', 'ACTIVE')
  assert.equal((await authenticator.authenticate(key.key))?.code, 'ada')
  await operators.removeKey('ada', key.keyId)
  assert.equal(await authenticator.authenticate(key.key), undefined)
  assert.equal((await authenticator.authenticate(second.key))?.code, 'ada')
  await assert.rejects(operators.removeKey('ada', key.keyId), problem('NOT_FOUND', /no active key/))
})

test('a key with an end opens nothing after it, and makes room for another', async (t) => {
  const { operators, authenticator, outside } = await operatorRig(t)
  await operators.create({ code: 'ada', name: 'Ada', roles: ['AUDITOR'] })
  const ending = await operators.addKey('ada', 30)
  const days = ((ending.expiresAt?.getTime() ?? 0) - ending.createdAt.getTime()) / 86_400_000
  assert.ok(days > 29.9 && days < 30.1, String(days))
  assert.equal((await authenticator.authenticate(ending.key))?.code, 'ada')
  await outside.query(
    `update operator_keys set created_at = created_at - interval '31 days', expires_at = expires_at - interval '31 days'
      where key_id = $1`,
    [ending.keyId],
  )
  assert.equal(await authenticator.authenticate(ending.key), undefined)
  assert.equal((await operators.show('ada')).keys.length, 1)
  await operators.addKey('ada')
  for (const days of [0, -1, 1.5, 3651])
    await assert.rejects(operators.addKey('ada', days), problem('INVALID', /1 to 3650 days/))
})

test('of many who add a key at once, as many succeed as there is room for', async (t) => {
  const { operators } = await operatorRig(t)
  await operators.create({ code: 'ada', name: 'Ada', roles: ['AUDITOR'] })
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => operators.addKey('ada')))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await operators.show('ada')).keys.length, 2)
  await assert.rejects(operators.addKey('ada'), problem('CONFLICT', /has 2 active keys; remove one first/))
})

test('roles are replaced as a whole, and the same person never makes operators and approves', async (t) => {
  const { operators, authenticator, outside } = await operatorRig(t)
  const { key } = await operators.create({ code: 'ada', name: 'Ada', roles: ['SUPPORT', 'FINANCE'] })
  assert.deepEqual((await operators.setRoles('ada', ['ADMIN'])).roles, ['ADMIN'])
  assert.deepEqual((await authenticator.authenticate(key.key))?.roles, ['ADMIN'])
  await assert.rejects(operators.setRoles('ada', ['ADMIN', 'APPROVER']), problem('INVALID', /different/))
  await assert.rejects(operators.setRoles('ada', []), problem('INVALID', /at least one/))
  const behindOurBack = outside.query(`update operators set roles = array['ADMIN', 'APPROVER']`)
  await assert.rejects(behindOurBack, /operators_roles_check/)
})

test('what does not fit is said in a sentence', async (t) => {
  const { operators } = await operatorRig(t)
  const roles = ['AUDITOR'] as const
  for (const code of ['a', 'Ada', 'a b', 'a/b', 'é.b', 'x'.repeat(65)])
    await assert.rejects(
      operators.create({ code, name: 'A', roles }),
      problem('INVALID', /2 to 64 lower-case/),
    )
  for (const name of ['', '  ', 'x'.repeat(141)])
    await assert.rejects(operators.create({ code: 'ada', name, roles }), problem('INVALID', /1 to 140/))
  await operators.create({ code: 'ada', name: 'Ada', roles })
  await assert.rejects(
    operators.create({ code: 'ada', name: 'Other', roles }),
    problem('CONFLICT', /code ada is taken/),
  )
  const attempts = [
    () => operators.show('bob'),
    () => operators.addKey('bob'),
    () => operators.removeKey('bob', 'key_1'),
    () => operators.setRoles('bob', roles),
    () => operators.setStatus('bob', 'DISABLED'),
  ]
  for (const attempt of attempts)
    await assert.rejects(attempt, problem('NOT_FOUND', /^There is no operator bob/))
  assert.deepEqual(
    (await operators.list()).map(({ code, keys }) => [code, keys]),
    [['ada', 1]],
  )
})
