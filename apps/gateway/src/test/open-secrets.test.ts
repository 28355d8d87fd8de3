import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { randomIds } from '@tollgate/runtime'
import { runSql } from '@tollgate/testkit'
import { openSecrets } from '../keys/open-secrets.ts'
import { createKeyring } from '../modules/tokens/index.ts'
import { findMasterKeyId, WrongMasterKey } from '../platform/root-key.ts'
import { createSecrets } from '../platform/secrets.ts'
import { heldChanges, heldClock, testPostgres } from '../platform/test/index.ts'

const MASTER_KEY = Buffer.alloc(32, 5)
const OTHER_KEY = Buffer.alloc(32, 6)
const MIGRATION = readFileSync(new URL('../../migrations/0027_root_key_create.sql', import.meta.url), 'utf8')

test('an installation from before the root key goes on with its keys, and only under its own master key', async (t) => {
  const { url, db } = await testPostgres(t)
  await runSql(url, 'drop table root_key')
  const before = createSecrets(MASTER_KEY)
  const keyring = createKeyring({
    db,
    secrets: before,
    ids: randomIds,
    clock: heldClock(),
    changes: heldChanges(),
  })
  await keyring.start()
  await runSql(url, MIGRATION)

  const wrong = { current: OTHER_KEY, previous: undefined }
  await assert.rejects(openSecrets({ db, masterKeys: wrong }), WrongMasterKey)
  assert.equal(await findMasterKeyId(db), undefined, 'a wrong key leaves no trace')
  const after = await openSecrets({ db, masterKeys: { current: MASTER_KEY, previous: undefined } })
  assert.deepEqual(after.digest('merchant-secrets', 'sec_1'), before.digest('merchant-secrets', 'sec_1'))
  assert.deepEqual(
    after.derivedSigningKey('12 1').export({ format: 'jwk' }),
    before.derivedSigningKey('12 1').export({ format: 'jwk' }),
  )
})

test('a new installation has a root key that its master key does not tell', async (t) => {
  const { url, db } = await testPostgres(t)
  await runSql(url, 'drop table root_key')
  await runSql(url, MIGRATION)
  const secrets = await openSecrets({ db, masterKeys: { current: MASTER_KEY, previous: undefined } })
  const derived = createSecrets(MASTER_KEY)
  assert.notDeepEqual(secrets.digest('merchant-secrets', 'x'), derived.digest('merchant-secrets', 'x'))
})
