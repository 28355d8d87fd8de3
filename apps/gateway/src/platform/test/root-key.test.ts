import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql, type TestLife } from '@tollgate/testkit'
import type { MasterKeys } from '../master-key.ts'
import {
  findMasterKeyId,
  idOf,
  openRootKey,
  type RootKeyDeps,
  rewrapRootKey,
  WrongMasterKey,
} from '../root-key.ts'
import { createSecrets } from '../secrets.ts'
import { openTestDatabase, testPostgres } from './index.ts'

const FIRST = Buffer.alloc(32, 1)
const SECOND = Buffer.alloc(32, 2)
const STRANGER = Buffer.alloc(32, 3)

const only = (current: Buffer): MasterKeys => ({ current, previous: undefined })
const CHANGING: MasterKeys = { current: SECOND, previous: FIRST }

/** A database, and who opens the root key of it. */
async function rig(t: TestLife) {
  const { url, db } = await testPostgres(t)
  const asked: string[] = []
  const deps = (masterKeys: MasterKeys, isRight = true): RootKeyDeps => ({
    db,
    masterKeys,
    isRight(secrets) {
      asked.push(secrets.digest('request-digest', '').toString('hex'))
      return Promise.resolve(isRight)
    },
  })
  return { url, db, deps, asked }
}

const isWrong =
  (message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof WrongMasterKey && message.test(error.message)

test('processes that start at once agree on one root key, which is not the master key', async (t) => {
  const { url, db, deps, asked } = await rig(t)
  const databases = [db, openTestDatabase(t, url), openTestDatabase(t, url), openTestDatabase(t, url)]
  const keys = await Promise.all(databases.map((each) => openRootKey({ ...deps(only(FIRST)), db: each })))
  assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1)
  assert.equal(keys[0]?.length, 32)
  assert.notDeepEqual(keys[0], FIRST)
  assert.deepEqual(asked, [])
  const [row] = await runSql(url, `select encode(sealed, 'hex') as sealed, master_key_id from root_key`)
  assert.doesNotMatch(String(row?.['sealed']), new RegExp(keys[0].toString('hex')))
  assert.equal(row?.['master_key_id'], idOf(FIRST))
})

test('another master key opens nothing, and the sentence names both', async (t) => {
  const { db, deps } = await rig(t)
  await openRootKey(deps(only(FIRST)))
  const sentence = new RegExp(`^The master key \\(${idOf(STRANGER)}\\) is not .* \\(${idOf(FIRST)}\\)`)
  await assert.rejects(openRootKey(deps(only(STRANGER))), isWrong(sentence))
  await assert.rejects(rewrapRootKey(deps(only(STRANGER))), isWrong(sentence))
  assert.equal(await findMasterKeyId(db), idOf(FIRST))
})

test('the master key changes, and the root key does not', async (t) => {
  const { db, deps } = await rig(t)
  const rootKey = await openRootKey(deps(only(FIRST)))
  assert.deepEqual(await openRootKey(deps(CHANGING)), rootKey)
  assert.equal(await findMasterKeyId(db), idOf(FIRST), 'opening it by the key before does not seal it anew')

  const outcomes = await Promise.all([rewrapRootKey(deps(CHANGING)), rewrapRootKey(deps(CHANGING))])
  for (const { masterKeyId } of outcomes) assert.equal(masterKeyId, idOf(SECOND))
  assert.equal(outcomes.filter(({ previousId }) => previousId === idOf(FIRST)).length, 1)

  for (const masterKeys of [CHANGING, only(SECOND)])
    assert.deepEqual(await openRootKey(deps(masterKeys)), rootKey)
  await assert.rejects(openRootKey(deps(only(FIRST))), WrongMasterKey)
  assert.equal((await rewrapRootKey(deps(only(SECOND)))).previousId, idOf(SECOND))
})

test('where all keys derived from the master key itself, it becomes the root key, once it is proven', async (t) => {
  const { url, db, deps, asked } = await rig(t)
  await runSql(url, 'insert into root_key (sealed) values (null)')
  await assert.rejects(
    openRootKey(deps(only(STRANGER), false)),
    isWrong(new RegExp(`^The master key \\(${idOf(STRANGER)}\\) is not the one`)),
  )
  assert.equal(await findMasterKeyId(db), undefined)
  assert.deepEqual(await openRootKey(deps(only(FIRST))), FIRST)
  assert.deepEqual(await openRootKey(deps(only(FIRST), false)), FIRST, 'it is asked once')
  assert.deepEqual(
    asked,
    [STRANGER, FIRST].map((key) => createSecrets(key).digest('request-digest', '').toString('hex')),
  )
  await rewrapRootKey(deps(CHANGING))
  assert.deepEqual(await openRootKey(deps(only(SECOND))), FIRST)
})

test('an upgrade in the middle of a change takes the key before for the root key', async (t) => {
  const { url, deps } = await rig(t)
  await runSql(url, 'insert into root_key (sealed) values (null)')
  assert.deepEqual(await openRootKey(deps(CHANGING)), FIRST)
  assert.deepEqual(await openRootKey(deps(only(FIRST))), FIRST)
})

test('a root key that somebody changed in the database opens with no key', async (t) => {
  const { url, deps } = await rig(t)
  await openRootKey(deps(only(FIRST)))
  await runSql(url, 'update root_key set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)')
  await assert.rejects(openRootKey(deps(only(FIRST))), isWrong(/was changed/))
  await runSql(url, 'update root_key set master_key_id = $1', [idOf(STRANGER)])
  await assert.rejects(openRootKey(deps(only(STRANGER))), isWrong(/was changed/))
})

test('there is one root key, and it is sealed by somebody or by nobody', async (t) => {
  const { url, deps } = await rig(t)
  await openRootKey(deps(only(FIRST)))
  await assert.rejects(runSql(url, 'insert into root_key (is_the_one, sealed) values (false, null)'), /check/)
  await assert.rejects(runSql(url, 'insert into root_key (sealed) values (null)'), /duplicate key/)
  await assert.rejects(runSql(url, 'update root_key set sealed = null'), /check/)
})
