import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecrets } from '../../../platform/secrets.ts'
import { createOperatorAuthenticator } from '../index.ts'
import type { FreshSession } from '../sessions.ts'
import { HOURS, IDLE_MINUTES, operatorRig } from './rig.ts'

function opened(fresh: FreshSession | undefined): FreshSession['session'] {
  assert.ok(fresh !== undefined, 'there is no session')
  return fresh.session
}

const minutesFrom = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 60_000

test('a session says whose it is and how long it lives, and only the hash of its secret is stored', async (t) => {
  const { operators, sessions, authenticator, outside } = await operatorRig(t)
  const { operator, key } = await operators.create({ code: 'ada', name: 'Ada', roles: ['APPROVER'] })
  const session = opened(await sessions.openByKey(key.key))
  assert.match(session.secret, /^tgos_[A-Za-z0-9_-]{43}$/)
  assert.equal(minutesFrom(session.createdAt, session.idleUntil), IDLE_MINUTES)
  assert.equal(minutesFrom(session.createdAt, session.expireAt), HOURS * 60)
  assert.deepEqual(await authenticator.authenticate(session.secret), {
    operatorId: operator.operatorId,
    code: 'ada',
    name: 'Ada',
    roles: ['APPROVER'],
    session: {
      sessionId: session.sessionId,
      method: 'KEY',
      keyId: key.keyId,
      passkeyId: undefined,
      identityId: undefined,
    },
  })
  const { rows } = await outside.query('select s::text as text from operator_sessions s')
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify(rows).includes(session.secret.slice(5)))
})

test('the secret of a session is no key, a key is no session, and where sessions are not taken none opens anything', async (t) => {
  const { operators, sessions, authenticator, db } = await operatorRig(t)
  const { key } = await operators.create({ code: 'ada', name: 'Ada', roles: ['AUDITOR'] })
  const { secret } = opened(await sessions.openByKey(key.key))
  assert.equal(await sessions.openByKey(secret), undefined)
  for (const wrong of [
    `tgop_${secret.slice(5)}`,
    `tgos_${key.key.slice(5)}`,
    `${secret}A`,
    `${secret}.${secret.slice(5)}`,
  ])
    assert.equal(await authenticator.authenticate(wrong), undefined, wrong)
  const keysAlone = createOperatorAuthenticator({ db, secrets: createSecrets(Buffer.alloc(32, 1)) })
  assert.equal((await keysAlone.authenticate(key.key))?.code, 'ada')
  assert.equal(await keysAlone.authenticate(secret), undefined)
})

test('an unused session ends, a used one does not, and none outlives its last hour', async (t) => {
  const { operators, sessions, authenticator, outside } = await operatorRig(t)
  const { key } = await operators.create({ code: 'ada', name: 'Ada', roles: ['AUDITOR'] })
  const { secret } = opened(await sessions.openByKey(key.key))
  const back = (minutes: number) =>
    outside.query(
      `update operator_sessions set created_at = created_at - make_interval(mins => $1),
        last_used_at = last_used_at - make_interval(mins => $1), expire_at = expire_at - make_interval(mins => $1)`,
      [minutes],
    )
  const isOpen = async () => (await authenticator.authenticate(secret)) !== undefined
  let passed = 0
  while (passed + IDLE_MINUTES - 1 < HOURS * 60) {
    await back(IDLE_MINUTES - 1)
    passed += IDLE_MINUTES - 1
    assert.equal(await isOpen(), true, `after ${passed} minutes`)
  }
  await back(HOURS * 60 - passed)
  assert.equal(await isOpen(), false)

  const other = opened(await sessions.openByKey(key.key))
  await back(IDLE_MINUTES)
  assert.equal(await authenticator.authenticate(other.secret), undefined)
  assert.deepEqual(await sessions.list('ada'), [])
})

test('the last use is written once a minute and not with every request', async (t) => {
  const { operators, sessions, authenticator, outside } = await operatorRig(t)
  const { key } = await operators.create({ code: 'ada', name: 'Ada', roles: ['AUDITOR'] })
  const { secret } = opened(await sessions.openByKey(key.key))
  const version = async (): Promise<unknown> =>
    (await outside.query('select xmin::text, last_used_at from operator_sessions')).rows
  const before = await version()
  await authenticator.authenticate(secret)
  assert.deepEqual(await version(), before)
  await outside.query(`update operator_sessions set last_used_at = last_used_at - interval '61 seconds'`)
  const old = await version()
  await Promise.all([1, 2, 3].map(() => authenticator.authenticate(secret)))
  const written = await version()
  assert.notDeepEqual(written, old)
  await authenticator.authenticate(secret)
  assert.deepEqual(await version(), written)
})

test('K68: what asks by itself does not keep a session alive, nor does it end one', async (t) => {
  const { operators, sessions, authenticator, outside } = await operatorRig(t)
  const { key } = await operators.create({ code: 'ada', name: 'Ada', roles: ['AUDITOR'] })
  const { secret } = opened(await sessions.openByKey(key.key))
  const later = (minutes: number): Promise<unknown> =>
    outside.query(`update operator_sessions set last_used_at = last_used_at - interval '${minutes} minutes'`)
  await later(IDLE_MINUTES - 1)
  assert.equal((await authenticator.authenticate(secret, { isUnattended: true }))?.code, 'ada')
  await later(2)
  assert.equal(await authenticator.authenticate(secret, { isUnattended: true }), undefined)
})

test('a session ends with its key, and with its operator for good', async (t) => {
  const { operators, sessions, authenticator } = await operatorRig(t)
  const { key } = await operators.create({ code: 'ada', name: 'Ada', roles: ['AUDITOR'] })
  const other = await operators.addKey('ada')
  const [first, second] = [
    opened(await sessions.openByKey(key.key)),
    opened(await sessions.openByKey(other.key)),
  ]
  await operators.removeKey('ada', key.keyId)
  assert.equal(await authenticator.authenticate(first.secret), undefined)
  assert.equal((await authenticator.authenticate(second.secret))?.code, 'ada')
  await operators.setStatus('ada', 'DISABLED')
  assert.equal(await authenticator.authenticate(second.secret), undefined)
  assert.equal(await sessions.openByKey(other.key), undefined)
  await operators.setStatus('ada', 'ACTIVE')
  assert.equal(await authenticator.authenticate(second.secret), undefined)
  assert.ok((await sessions.openByKey(other.key)) !== undefined)
})

test('S121: a session of half a key carries what the half carries, and nothing when the second half is there', async (t) => {
  const { operators, sessions, authenticator } = await operatorRig(t)
  await operators.create({ code: 'ada', name: 'Ada', roles: ['APPROVER', 'SUPPORT'] })
  const half = await operators.addKey('ada', undefined, 'adam')
  const fresh = await sessions.openByKey(half.key)
  const { secret } = opened(fresh)
  assert.deepEqual(fresh?.operator.roles, ['SUPPORT'])
  const seen = await authenticator.authenticate(secret)
  assert.deepEqual([seen?.roles, seen?.isKeyHalf], [['SUPPORT'], true])
  const second = await operators.secondKey('ada', half.keyId, 'eve')
  assert.equal(await authenticator.authenticate(secret), undefined)
  const whole = opened(await sessions.openByKey(`${half.key}.${second}`))
  assert.deepEqual((await authenticator.authenticate(whole.secret))?.roles, ['SUPPORT', 'APPROVER'])
})

test('of more sessions than an operator may have, those that were not used for longest end', async (t) => {
  const { operators, sessions, authenticator } = await operatorRig(t)
  const { key } = await operators.create({ code: 'ada', name: 'Ada', roles: ['AUDITOR'] })
  const made: FreshSession['session'][] = []
  for (let count = 0; count < 22; count += 1) made.push(opened(await sessions.openByKey(key.key)))
  const open = await Promise.all(made.map(({ secret }) => authenticator.authenticate(secret)))
  assert.deepEqual(
    open.map((operator) => operator !== undefined),
    made.map((_, index) => index >= 2),
  )
  assert.equal((await sessions.list('ada')).length, 20)
})
