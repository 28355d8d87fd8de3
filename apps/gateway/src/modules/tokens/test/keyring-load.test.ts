import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds, systemClock } from '@tollgate/runtime'
import { createKeyring } from '../index.ts'
import { tokenRig } from './rig.ts'

test('forged key ids one after the other look in the database at most every 250 ms', async (t) => {
  const rig = await tokenRig(t)
  let queries = 0
  const keyring = createKeyring({
    clock: systemClock,
    ids: randomIds,
    secrets: rig.secrets,
    changes: rig.changes,
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
  const startedMs = performance.now()
  for (const kid of ['tg_000000000001', 'tg_000000000002', 'tg_000000000003', 'tg_000000000004'])
    assert.equal(await keyring.verificationKey(kid), undefined)
  const passedMs = performance.now() - startedMs
  assert.ok(queries >= 1)
  assert.ok(queries <= passedMs / 250 + 1, `${queries} queries in ${passedMs} ms`)
})

test('of two rotations at one moment one active key remains, and no key is lost', async (t) => {
  const rig = await tokenRig(t)
  const other = await rig.another()
  const before = rig.keyring.signingKey().kid
  const outcomes = await Promise.allSettled([rig.keyring.rotate('NOW'), other.keyring.rotate('NOW')])
  const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.kid] : []))
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.match(String(outcome.reason), /Another rotation was faster/)
  assert.ok(made.length >= 1)
  const { rows } = await rig.outside.query(`select kid, status from token_signing_keys`)
  assert.deepEqual(rows.map(({ kid }) => kid).toSorted(), [before, ...made].toSorted())
  assert.equal(rows.filter(({ status }) => status === 'ACTIVE').length, 1)
})

test('private keys are neither published nor stored in clear', async (t) => {
  const rig = await tokenRig(t)
  await rig.keyring.rotate('NOW')
  for (const jwk of rig.keyring.publicJwks())
    assert.deepEqual(Object.keys(jwk).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  const { kid, privateKey } = rig.keyring.signingKey()
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
  assert.equal(seed.length, 32)
  const { rows } = await rig.outside.query('select * from token_signing_keys where kid = $1', [kid])
  assert.equal(rows.length, 1)
  const stored: Buffer = rows[0].private_key_sealed
  assert.ok(stored.length > seed.length)
  assert.equal(stored.includes(seed), false)
})
