import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runSql } from '@tollgate/testkit'
import { readConfig } from '../../config.ts'
import { fixOf } from '../doctor/machine.ts'
import { withInstallation } from '../installation.ts'
import { type Environment, ownEnvironment, run, temporaryFolder } from './support.ts'

/** The lines of doctor about a name, with what to do. */
async function diagnosis(environment: Environment, name: string): Promise<string> {
  const { stdout } = await run(['doctor'], environment)
  const found = new RegExp(`^\\S+ +${name} .*(?:\\n +-> .*)?`, 'm').exec(stdout)
  return found?.[0] ?? stdout
}

test('doctor says why a master key cannot be read, and blames no other key for it', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'master.key')
  writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  const own = await ownEnvironment(t)
  const good = { ...own, TOLLGATE_MASTER_KEY_FILE: file }
  await withInstallation({ config: () => Promise.resolve(readConfig(good)) }, () => Promise.resolve())

  const gone = join(folder, 'gone.key')
  const previous = { ...good, TOLLGATE_PREVIOUS_MASTER_KEY_FILE: gone }
  assert.equal(
    await diagnosis(previous, 'master key'),
    `FAIL  master key        TOLLGATE_PREVIOUS_MASTER_KEY_FILE names ${gone}, which does not exist.
      -> If \`tollgate keys rewrap\` has run, remove TOLLGATE_PREVIOUS_MASTER_KEY_FILE from the settings. If not, restore that key from its backup.`,
  )
  assert.match(await diagnosis(previous, 'root key'), /^skip .*Not checked/)
  assert.match(await diagnosis(previous, 'signing key'), /^skip .*Not checked/)

  const directory = join(folder, 'directory')
  mkdirSync(directory)
  assert.match(
    await diagnosis({ ...own, TOLLGATE_MASTER_KEY_FILE: directory }, 'master key'),
    /^FAIL .*directory, which cannot be read: it is a folder\.\n +-> Set TOLLGATE_MASTER_KEY_FILE to the file of the key/,
  )
})

test('what to do about a master key depends on what is wrong with it', () => {
  const setting = 'TOLLGATE_MASTER_KEY_FILE'
  assert.match(fixOf({ setting, trouble: 'DENIED' }), /^Run as the user who runs Tollgate/)
  assert.match(fixOf({ setting, trouble: 'UNREADABLE' }), /disk/)
  assert.match(fixOf({ setting, trouble: 'MISSING' }), /^Restore it from its backup/)
  assert.match(fixOf({ setting, trouble: 'DAMAGED' }), /^Restore it from its backup/)
})

test('doctor finds a database that takes reads only', async (t) => {
  const environment = await ownEnvironment(t)
  const url = environment['TOLLGATE_DATABASE_URL'] ?? ''
  await runSql(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
  assert.match(
    await diagnosis(environment, 'writes'),
    /^FAIL .*TOLLGATE_DATABASE_URL takes reads only: it is a standby, or was told to\. Name the primary\.\n +-> On a primary/,
  )
})
