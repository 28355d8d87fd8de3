import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds } from '@tollgate/runtime'
import { createSecrets, SealBroken } from '../../../platform/secrets.ts'
import { heldChanges, heldClock, openTestDatabase, testPostgres } from '../../../platform/test/index.ts'
import { createKeyring, createTokenAdministration, readToken } from '../index.ts'
import { JWKS_MAX_AGE_SECONDS } from '../keyring.ts'
import { tokenBySecret, tokenRig } from './rig.ts'

test('processes that start at once agree on one active key', async (t) => {
  const { url } = await testPostgres(t)
  const keyrings = Array.from({ length: 4 }, () =>
    createKeyring({
      db: openTestDatabase(t, url),
      clock: heldClock(),
      ids: randomIds,
      secrets: createSecrets(Buffer.alloc(32, 1)),
      changes: heldChanges(),
    }),
  )
  await Promise.all(keyrings.map((keyring) => keyring.start()))
  assert.equal(new Set(keyrings.map((keyring) => keyring.signingKey().kid)).size, 1)
  assert.equal(keyrings[0]?.publicJwks().length, 1)
})

test('a signing key that does not open ends the start with a sentence', async (t) => {
  const rig = await tokenRig(t)
  const keyring = createKeyring({
    db: rig.db,
    clock: rig.clock,
    ids: randomIds,
    secrets: createSecrets(Buffer.alloc(32, 2)),
    changes: heldChanges(),
  })
  await assert.rejects(
    keyring.start(),
    (error) => error instanceof SealBroken && /sealed under another root key/.test(error.message),
  )
})

test('after a rotation new tokens have the new key, and those of the old one go on', async (t) => {
  const rig = await tokenRig(t)
  const other = await rig.another()
  const before = await tokenBySecret(rig)
  const { kid } = await rig.keyring.rotate('NOW')
  assert.equal(rig.keyring.signingKey().kid, kid)
  const after = await tokenBySecret(rig)
  for (const process of [rig, other])
    for (const token of [before, after]) await process.authenticator.authenticate(token)
  assert.equal(rig.keyring.publicJwks().length, 2)
})

test('a new key is published and verifies at once, and signs later than anybody may keep the published keys', async (t) => {
  const rig = await tokenRig(t)
  const other = await rig.another()
  const { kid: first } = rig.keyring.signingKey()
  const { kid, signsFrom } = await rig.keyring.rotate('WHEN_PUBLISHED')
  await other.changes.announce('SIGNING_KEYS')
  const restarted = await rig.another()
  const processes = [rig, other, restarted]
  const { rows } = await rig.outside.query(
    `select extract(epoch from signs_from - created_at)::float8 as seconds, signs_from from token_signing_keys where kid = $1`,
    [kid],
  )
  assert.deepEqual(rows, [{ seconds: JWKS_MAX_AGE_SECONDS + 120, signs_from: signsFrom }])
  for (const { keyring } of processes) {
    assert.deepEqual(new Set(keyring.publicJwks().map((jwk) => jwk.kid)), new Set([first, kid]))
    assert.notEqual(await keyring.verificationKey(kid), undefined)
  }
  const before = await tokenBySecret(rig)
  // The real time that passes since the keys were read only shortens the wait of those that read them later.
  for (const { clock, keyring } of processes) {
    clock.advance(JWKS_MAX_AGE_SECONDS * 1000)
    assert.equal(keyring.signingKey().kid, first)
    clock.advance(120_000)
    assert.equal(keyring.signingKey().kid, kid)
  }
  const after = await tokenBySecret(rig)
  assert.deepEqual([readToken(before)?.kid, readToken(after)?.kid], [first, kid])
  for (const { authenticator } of processes)
    for (const token of [before, after]) await authenticator.authenticate(token)
})

test('D79 while a key waits no other is made, however often it is asked for; then the next one waits', async (t) => {
  const rig = await tokenRig(t)
  const other = await rig.another()
  const statuses = async (): Promise<readonly string[]> =>
    (await createTokenAdministration(rig).listKeys()).map(({ status }) => status)
  const outcomes = await Promise.allSettled(
    [rig, other, rig, other].map(({ keyring }) => keyring.rotate('WHEN_PUBLISHED')),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      assert.match(String(outcome.reason), /The key tg_\w{12} is published already and signs from 20/)
  assert.deepEqual(await statuses(), ['WAITING', 'ACTIVE'])
  await rig.outside.query(
    `update token_signing_keys set signs_from = signs_from - interval '180 seconds', replaced_at = replaced_at - interval '180 seconds',
       created_at = created_at - interval '180 seconds'`,
  )
  await rig.keyring.rotate('WHEN_PUBLISHED')
  assert.deepEqual(await statuses(), ['WAITING', 'ACTIVE', 'VERIFY_ONLY'])
})

test('a key made now signs at once, one that waited never does, and neither it nor the old one has to open', async (t) => {
  const rig = await tokenRig(t)
  await rig.keyring.rotate('WHEN_PUBLISHED')
  await rig.outside.query(`update token_signing_keys set private_key_sealed = 'nonsense'`)
  await assert.rejects(rig.another(), SealBroken)
  const closed = await createTokenAdministration(rig).findClosedKey()
  assert.notEqual(closed, undefined)
  const { kid } = await rig.keyring.rotate('NOW')
  assert.equal(rig.keyring.signingKey().kid, kid)
  const restarted = await rig.another()
  assert.equal(restarted.keyring.signingKey().kid, kid)
  restarted.clock.advance(600_000)
  assert.equal(restarted.keyring.signingKey().kid, kid)
  const keys = await createTokenAdministration(rig).listKeys()
  assert.deepEqual(
    keys.map(({ status }) => status),
    ['ACTIVE', 'VERIFY_ONLY', 'VERIFY_ONLY'],
  )
  assert.equal(await createTokenAdministration(rig).findClosedKey(), undefined)
})

test('a process knows a key made elsewhere even while forged key ids keep it looking', async (t) => {
  const rig = await tokenRig(t)
  const other = await rig.another()
  assert.equal(await other.keyring.verificationKey('tg_000000000000'), undefined)
  const { kid } = await rig.keyring.rotate('NOW')
  const [forged, real] = await Promise.all([
    other.keyring.verificationKey('tg_000000000001'),
    other.keyring.verificationKey(kid),
  ])
  assert.equal(forged, undefined)
  assert.notEqual(real, undefined)
})

test('forged key ids share their looks at the database', async (t) => {
  const rig = await tokenRig(t)
  let queries = 0
  const keyring = createKeyring({
    ...rig,
    ids: randomIds,
    db: {
      ...rig.db,
      rows: (statement, values) => {
        queries += 1
        return rig.db.rows(statement, values)
      },
    },
  })
  await keyring.start()
  queries = 0
  const ids = Array.from({ length: 200 }, (_unused, index) => `tg_${String(index).padStart(12, '0')}`)
  await Promise.all(ids.map((kid) => keyring.verificationKey(kid)))
  assert.equal(queries, 1)
  for (const nonsense of ['', '../../etc', 'x'.repeat(5_000)])
    assert.equal(await keyring.verificationKey(nonsense), undefined)
  assert.equal(queries, 1)
})

test('a key is retired when no token of it can be valid any more, and its private half is gone', async (t) => {
  const rig = await tokenRig(t)
  const { kid } = rig.keyring.signingKey()
  const token = await tokenBySecret(rig)
  await rig.keyring.rotate('NOW')
  const restarted = async (age: string): Promise<string[]> => {
    await rig.outside.query(
      `update token_signing_keys set replaced_at = now() - $1::interval where status = 'VERIFY_ONLY'`,
      [age],
    )
    const process = await rig.another()
    return process.keyring.publicJwks().map((jwk) => jwk.kid)
  }
  assert.equal((await restarted('30 days')).includes(kid), true)
  assert.equal((await restarted('32 days')).includes(kid), false)
  const { rows } = await rig.outside.query(
    `select status, length(private_key_sealed) as bytes from token_signing_keys where kid = $1`,
    [kid],
  )
  assert.deepEqual(rows, [{ status: 'RETIRED', bytes: 0 }])
  await rig.changes.announce('SIGNING_KEYS')
  await assert.rejects(Promise.resolve(rig.authenticator.authenticate(token)), /token is not valid/i)
})

test('a change that arrives while keys are being read leads to one more read', async (t) => {
  const rig = await tokenRig(t)
  const other = await rig.another()
  const kid = rig.keyring.signingKey().kid
  const first = other.changes.announce('SIGNING_KEYS')
  const { kid: rotated } = await rig.keyring.rotate('NOW')
  await Promise.all([first, other.changes.announce('SIGNING_KEYS')])
  assert.equal(other.keyring.signingKey().kid, rotated)
  assert.notEqual(rotated, kid)
})
