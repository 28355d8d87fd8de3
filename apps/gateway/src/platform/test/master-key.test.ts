import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import { MasterKeyFault, readMasterKeys, troubleOf } from '../master-key.ts'

function folder(t: TestLife): string {
  const made = mkdtempSync(join(tmpdir(), 'tollgate-master-key-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test('a master key is made once, for the owner alone, and read again', (t) => {
  const dataDir = join(folder(t), 'deep', 'data')
  const keys = readMasterKeys({ dataDir })
  assert.deepEqual(readMasterKeys({ dataDir }), keys)
  assert.equal(keys.current.length, 32)
  assert.equal(keys.previous, undefined)
  assert.deepEqual(readdirSync(dataDir), ['master.key'])
  assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600)
})

test('a key file that was named is never made, and a damaged one is never taken for another key', (t) => {
  const dataDir = folder(t)
  const file = join(dataDir, 'named.key')
  assert.throws(() => readMasterKeys({ file, dataDir }), /which does not exist/)
  const good = Buffer.alloc(32, 9).toString('base64')
  for (const text of [
    '',
    'short',
    good.slice(0, -1),
    `${good.slice(0, 20)}*${good.slice(20)}`,
    `${good}${good}`,
  ]) {
    writeFileSync(file, text)
    assert.throws(() => readMasterKeys({ file, dataDir }), /must be 32 bytes in base64/, text)
    assert.equal(readFileSync(file, 'utf8'), text)
  }
  writeFileSync(file, `${good}\n`)
  assert.deepEqual(readMasterKeys({ file, dataDir }).current, Buffer.alloc(32, 9))
})

test('the key before is read from its own file, and its setting is named when that is missing', (t) => {
  const dataDir = folder(t)
  const previousFile = join(dataDir, 'previous.key')
  assert.throws(
    () => readMasterKeys({ previousFile, dataDir }),
    /^MasterKeyFault: TOLLGATE_PREVIOUS_MASTER_KEY_FILE names .*previous\.key, which does not exist\.$/,
  )
  writeFileSync(previousFile, Buffer.alloc(32, 8).toString('base64'))
  assert.deepEqual(readMasterKeys({ previousFile, dataDir }).previous, Buffer.alloc(32, 8))
})

test('a key that cannot be read is told with its setting, its path and the reason', (t) => {
  const dataDir = folder(t)
  const file = join(dataDir, 'folder.key')
  mkdirSync(file)
  assert.throws(
    () => readMasterKeys({ file, dataDir }),
    (error) =>
      error instanceof MasterKeyFault &&
      error.trouble === 'FOLDER' &&
      error.message === `TOLLGATE_MASTER_KEY_FILE names ${file}, which cannot be read: it is a folder.`,
  )
  // The tests may run as root, whom no file is denied to.
  const denied = Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' })
  assert.deepEqual(troubleOf(denied), ['DENIED', 'cannot be read: permission denied'])
  assert.deepEqual(troubleOf(Object.assign(new Error('i/o'), { code: 'EIO' })), [
    'UNREADABLE',
    'cannot be read: EIO',
  ])
})
