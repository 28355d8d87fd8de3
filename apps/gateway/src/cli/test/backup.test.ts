import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { emptyDatabase, runSql, type TestLife, testDatabase } from '@tollgate/testkit'
import { readConfig } from '../../config.ts'
import { packagedVersion } from '../../platform/embedded-postgres/index.ts'
import { knownMigrations } from '../../platform/migrate.ts'
import { idOf } from '../../platform/root-key.ts'
import { type Backup, digestOf, readBackup, writeBackup } from '../backup/description.ts'
import { intoNewFolder, requireSpace } from '../backup/folder.ts'
import { requireTool, runTool } from '../backup/tools.ts'
import { CommandFailure } from '../failure.ts'
import { withInstallation } from '../installation.ts'
import { at, expectRefusal, ownEnvironment, run, temporaryFolder, textAt } from './support.ts'

const NEVER = new AbortController().signal
const HERE = `${process.platform}-${process.arch}`

/** A folder that a backup of the cluster of this platform would be, with these differences. */
async function backupFolder(t: TestLife, different: Partial<Backup> = {}): Promise<string> {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'base.tar'), 'the files of a cluster')
  writeBackup(folder, {
    kind: 'CLUSTER',
    tollgateVersion: '0.1.0',
    postgresVersion: packagedVersion(),
    platform: HERE,
    migration: knownMigrations().at(-1) ?? '',
    startedAt: '2026-11-21T03:00:00.000Z',
    finishedAt: '2026-11-21T03:00:08.000Z',
    journalHead: `0:${'0'.repeat(64)}`,
    files: [await digestOf(join(folder, 'base.tar'), NEVER)],
    ...different,
  })
  return folder
}

function flip(file: string, position: number): void {
  const bytes = readFileSync(file)
  bytes.writeUInt8((bytes[position] ?? 0) ^ 1, position)
  writeFileSync(file, bytes)
}

test('no byte of the description of a backup changes unseen, but for white space between its members', async (t) => {
  const folder = await backupFolder(t)
  const file = join(folder, 'backup.json')
  const whole = readFileSync(file)
  const before = JSON.stringify(readBackup(folder))
  let found = 0
  for (let position = 0; position < whole.length; position += 1) {
    flip(file, position)
    try {
      assert.equal(JSON.stringify(readBackup(folder)), before)
    } catch (error) {
      assert.match(error instanceof CommandFailure ? error.message : String(error), /is damaged/)
      found += 1
    }
    writeFileSync(file, whole)
  }
  const spaces = whole.filter((byte) => byte === 0x20 || byte === 0x0a).length
  assert.ok(found >= whole.length - spaces, `${found} of ${whole.length} were found`)
})

test('restore refuses what is no backup, is damaged, or is not for this place', async (t) => {
  const environment = { TOLLGATE_DATA_DIR: temporaryFolder(t) }
  const refused = async (folder: string, exitCode: number, says: RegExp, more = {}): Promise<void> => {
    await expectRefusal(['restore', folder], { ...environment, ...more }, { exitCode, says })
    assert.deepEqual(readdirSync(environment.TOLLGATE_DATA_DIR), [])
  }
  await refused(temporaryFolder(t), 2, /is not a backup that is whole: it has no backup\.json/)
  await refused(await backupFolder(t, { migration: '9999_future' }), 2, /which this one, .*, does not know/)
  await refused(await backupFolder(t, { platform: 'plan9-mips' }), 2, /on plan9-mips; here is .* cannot use/)
  await refused(await backupFolder(t, { postgresVersion: '17.2' }), 2, /is of PostgreSQL 17\.2 on/)
  await refused(await backupFolder(t, { kind: 'DUMP' }), 2, /set TOLLGATE_DATABASE_URL to an empty database/)
  const url = { TOLLGATE_DATABASE_URL: 'postgres://tollgate@127.0.0.1:1/tollgate' }
  await refused(await backupFolder(t), 2, /TOLLGATE_DATABASE_URL names another/, url)

  const damaged = await backupFolder(t)
  flip(join(damaged, 'base.tar'), 7)
  await refused(damaged, 1, /The backup is damaged: .*base\.tar is not what was written/)
  const missing = await backupFolder(t, {
    files: [{ name: 'database.dump', bytes: 1, sha256: '0'.repeat(64) }],
  })
  await refused(missing, 1, /database\.dump is missing/)
  const large = await backupFolder(t, {
    files: [{ name: 'base.tar', bytes: Number.MAX_SAFE_INTEGER, sha256: '0'.repeat(64) }],
  })
  await refused(large, 2, /There is not enough room in .*: 9007199254\.7 MB are needed/)
})

test('restore touches neither a data directory nor a database that holds something', async (t) => {
  const dataDir = temporaryFolder(t)
  mkdirSync(join(dataDir, 'postgres'))
  const environment = { TOLLGATE_DATA_DIR: dataDir }
  await expectRefusal(['restore', await backupFolder(t)], environment, {
    exitCode: 5,
    says: /is not empty \(postgres\)\. Set TOLLGATE_DATA_DIR to a new folder/,
  })
  const { url } = await testDatabase(t)
  await expectRefusal(
    ['restore', await backupFolder(t, { kind: 'DUMP', postgresVersion: '15.1' })],
    { TOLLGATE_DATABASE_URL: url },
    { exitCode: 5, says: /The database is not empty/ },
  )
  await expectRefusal(
    ['restore', await backupFolder(t, { kind: 'DUMP', postgresVersion: '99.1' })],
    { TOLLGATE_DATABASE_URL: url },
    { exitCode: 2, says: /is of PostgreSQL 99\.1, and the server is older/ },
  )
})

test('a new folder has its name only when it is full', async (t) => {
  const parent = temporaryFolder(t)
  const folder = join(parent, 'tonight')
  const failing = intoNewFolder(folder, (unfinished) => {
    writeFileSync(join(unfinished, 'base.tar'), 'half')
    assert.ok(!existsSync(folder))
    return Promise.reject(new Error('the disk is full'))
  })
  await assert.rejects(failing, /the disk is full/)
  assert.deepEqual(readdirSync(parent), [])

  await intoNewFolder(folder, (unfinished) => {
    writeFileSync(join(unfinished, 'base.tar'), 'whole')
    return Promise.resolve()
  })
  assert.deepEqual(readdirSync(parent), ['tonight'])
  const nothing = (): Promise<void> => Promise.resolve()
  await assert.rejects(intoNewFolder(folder, nothing), /tonight exists already/)
  mkdirSync(join(parent, 'tomorrow.unfinished'))
  await assert.rejects(
    intoNewFolder(join(parent, 'tomorrow'), nothing),
    /is being written to it, or one was killed/,
  )
  await assert.rejects(intoNewFolder(join(parent, 'no', 'way'), nothing), /cannot be made: ENOENT/)
  assert.throws(() => requireSpace(parent, Number.MAX_SAFE_INTEGER), /not enough room/)
})

test('the programs of PostgreSQL must be there, and not older than the server', async (t) => {
  const folder = temporaryFolder(t)
  const environment = { PATH: folder }
  await assert.rejects(
    requireTool('pg_dump', '18.4', environment),
    /There is no pg_dump here.*postgresql-client-18/,
  )
  const script = `#!/bin/sh
case $1 in --version) echo 'pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)' ;; *) echo "$PGPASSWORD $*" >&2; exit 1 ;; esac`
  writeFileSync(join(folder, 'pg_dump'), script, { mode: 0o755 })
  await requireTool('pg_dump', '15.3', environment)
  await assert.rejects(
    requireTool('pg_dump', '16.1', environment),
    /pg_dump here is of PostgreSQL 15, and the server/,
  )
  const url = 'postgres://ada:se%2Fcret@db.internal/tollgate?sslmode=require'
  await assert.rejects(
    runTool('pg_dump', { url, args: ['--format=custom'], environment, signal: NEVER }),
    /pg_dump failed: se\/cret --format=custom --dbname=postgres:\/\/ada@db\.internal\/tollgate\?sslmode=require/,
  )
})

test('a database of your own is dumped, restored into an empty one and checked', async (t) => {
  const environment = await ownEnvironment(t)
  const folder = join(temporaryFolder(t), 'tonight')
  const outcome = await run(['backup', folder, '--json'], environment)
  if (/Install the client programs/.test(outcome.stderr)) {
    assert.equal(outcome.exitCode, 2)
    assert.ok(!existsSync(folder) && readdirSync(dirname(folder)).length === 0)
    t.skip('the client programs here are older than the test server')
    return
  }
  assert.equal(outcome.exitCode, 0, outcome.stderr)
  assert.equal(textAt(JSON.parse(outcome.stdout), 'kind'), 'DUMP')
  const empty = await testDatabase(t)
  await runSql(empty.url, 'drop schema public cascade; create schema public')
  const restored = await run(['restore', folder, '--json'], {
    ...environment,
    TOLLGATE_DATABASE_URL: empty.url,
  })
  // The key of the test's gateway was never made, which is all that is missing.
  assert.deepEqual(checksIn(JSON.parse(restored.stdout)), ['master_key'], restored.stderr)
  assert.match(textAt(JSON.parse(restored.stdout), 'findings', 0, 'detail'), /There is no master key in/)
  assert.equal(restored.exitCode, 1)
})

test('a restored dump is opened with the master key: the right one is fine, and another is told by its digits', async (t) => {
  const [right, wrong] = [masterKey(t), masterKey(t)]
  const restored = await restoreDump(t, { madeWith: right, key: right })
  assert.deepEqual(checksIn(JSON.parse(restored.stdout)), [], restored.stderr)
  assert.equal(restored.exitCode, 0)

  const other = await restoreDump(t, { madeWith: right, key: wrong })
  assert.deepEqual(checksIn(JSON.parse(other.stdout)), ['master_key'], other.stderr)
  assert.equal(
    textAt(JSON.parse(other.stdout), 'findings', 0, 'detail'),
    `The master key (${idOfFile(wrong)}) is not the one this database was used with (${idOfFile(right)}). Set TOLLGATE_MASTER_KEY_FILE to that one; while the master key is being changed, TOLLGATE_PREVIOUS_MASTER_KEY_FILE.`,
  )
  assert.equal(other.exitCode, 1)
})

test('restore, backup and migrate refuse two settings that name two databases, and touch neither', async (t) => {
  const old = await testDatabase(t)
  const empty = await emptyDatabase(t)
  const mixed = { TOLLGATE_DATABASE_URL: empty.url, TOLLGATE_MIGRATE_DATABASE_URL: old.url }
  const refused = {
    exitCode: 2,
    says: /TOLLGATE_DATABASE_URL and TOLLGATE_MIGRATE_DATABASE_URL name two databases, 127\.0\.0\.1:\d+\/test_\w+ and /,
  }
  const dump = await backupFolder(t, { kind: 'DUMP', postgresVersion: '15.1' })
  await expectRefusal(['restore', dump], mixed, refused)
  await expectRefusal(['migrate'], mixed, refused)
  const turned = { TOLLGATE_DATABASE_URL: old.url, TOLLGATE_MIGRATE_DATABASE_URL: empty.url }
  await expectRefusal(['backup', join(temporaryFolder(t), 'tonight')], turned, refused)
})

/** What `tollgate restore` says, of a dump of a database that was used with one key, to a gateway that has another, or the same. */
async function restoreDump(
  t: TestLife,
  { madeWith, key }: { readonly madeWith: string; readonly key: string },
): ReturnType<typeof run> {
  const original = await testDatabase(t)
  const first = { TOLLGATE_DATABASE_URL: original.url, TOLLGATE_MASTER_KEY_FILE: madeWith }
  await withInstallation({ config: () => Promise.resolve(readConfig(first)) }, () => Promise.resolve())
  const { url } = await emptyDatabase(t)
  return run(['restore', await backupFolder(t, { kind: 'DUMP', postgresVersion: '15.1' }), '--json'], {
    TOLLGATE_DATABASE_URL: url,
    TOLLGATE_MASTER_KEY_FILE: key,
    PATH: pretendTools(t),
    PRETEND_ORIGINAL_URL: original.url,
  })
}

/** A folder with a `pg_restore`: few machines have that of the test server's version. */
function pretendTools(t: TestLife): string {
  const folder = temporaryFolder(t)
  const program = join(import.meta.dirname, 'pretend-pg-restore.ts')
  const script = `#!/bin/sh
case $1 in --version) echo 'pg_restore (PostgreSQL) 99.1' ;; *) exec '${process.execPath}' '${program}' "$@" ;; esac`
  writeFileSync(join(folder, 'pg_restore'), script, { mode: 0o755 })
  return folder
}

/** The file of a new key. */
function masterKey(t: TestLife): string {
  const file = join(temporaryFolder(t), 'master.key')
  writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  return file
}

const idOfFile = (file: string): string => idOf(Buffer.from(readFileSync(file, 'utf8'), 'base64'))

function checksIn(report: unknown): readonly string[] {
  const findings = at(report, 'findings')
  assert.ok(Array.isArray(findings))
  return findings.map((finding) => textAt(finding, 'check'))
}
