import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  BASE_BACKUP_FILES,
  packagedVersion,
  startEmbeddedPostgres,
  takeBaseBackup,
} from '../../platform/embedded-postgres/index.ts'
import { knownMigrations, migrationFile } from '../../platform/migrate.ts'
import { inMigrationSession } from '../../platform/privileges.ts'
import { type Backup, digestOf, readBackup, writeBackup } from '../backup/description.ts'
import { at, expectFailure, expectRefusal, run, runJson, temporaryFolder } from './support.ts'

// An upgrade is rehearsed on a backup of the version before a migration whose locks are known.

const NEVER = new AbortController().signal
const OLDER = '0067_chain_sweeps_create'
const NEXT = '0068_payouts_instant'

const life = { after }
const old = await startEmbeddedPostgres({ dataDir: temporaryFolder(life) })
after(() => old.stop())
await inMigrationSession(old.ownerUrl, async (client) => {
  await client.query(
    'create table schema_migrations (id serial primary key, name text not null, run_on timestamp not null)',
  )
  for (const name of knownMigrations().slice(0, knownMigrations().indexOf(NEXT))) {
    await client.query(readFileSync(migrationFile(name), 'utf8'))
    await client.query('insert into schema_migrations (name, run_on) values ($1, now())', [name])
  }
})

/** A backup of the old database as it is now. */
async function backUp(): Promise<string> {
  const folder = join(temporaryFolder(life), 'tonight')
  mkdirSync(folder)
  const startedAt = new Date().toISOString()
  const log = await takeBaseBackup({ url: old.adminUrl, folder, signal: NEVER })
  const files: Backup['files'] = []
  for (const name of BASE_BACKUP_FILES) files.push(await digestOf(join(folder, name), NEVER))
  writeBackup(folder, {
    kind: 'CLUSTER',
    tollgateVersion: '0.1.0',
    postgresVersion: packagedVersion(),
    platform: `${process.platform}-${process.arch}`,
    migration: OLDER,
    startedAt,
    finishedAt: new Date().toISOString(),
    journalHead: `0:${'0'.repeat(64)}`,
    log,
    files,
  })
  return folder
}

const onOld = (sql: string): Promise<unknown> =>
  inMigrationSession(old.ownerUrl, (client) => client.query(sql))

const folder = await backUp()

test('a rehearsal says how long each migration takes and what it stops, checks the books, and leaves nothing behind', async () => {
  const before = JSON.stringify(readBackup(folder))
  const said = await runJson(['upgrade', '--rehearse', folder], {})
  assert.equal(at(said, 'clean'), true)
  const migrations = at(said, 'migrations')
  assert.ok(Array.isArray(migrations))
  assert.deepEqual(
    migrations.map((each) => at(each, 'name')),
    knownMigrations().slice(knownMigrations().indexOf(NEXT)),
  )
  const [next] = migrations
  assert.ok(Number(at(next, 'milliseconds')) > 0)
  assert.deepEqual(at(next, 'locks'), [
    { table: 'bank_accounts', stops: 'READS_AND_WRITES' },
    { table: 'payment_methods', stops: 'READS_AND_WRITES' },
    { table: 'payout_files', stops: 'READS_AND_WRITES' },
  ])
  const checks = at(said, 'checks')
  assert.ok(Array.isArray(checks) && checks.length > 20)
  assert.equal(JSON.stringify(readBackup(folder)), before)
  assert.ok(!existsSync(`${folder}.rehearsal`))
})

test('people read the same, each migration as it is over', async (t) => {
  const place = join(temporaryFolder(t), 'rehearsal')
  const { exitCode, stdout, stderr } = await run(['upgrade', '--rehearse', folder, '--place', place], {})
  assert.equal(exitCode, 0, stderr)
  assert.match(
    stdout,
    /is migrated to [\d.]+ in [\d.]+ s\.\nMIGRATION +TOOK +STOPS MEANWHILE\n0068_payouts_instant +[\d.]+ s +everything on bank_accounts, payment_methods, payout_files\n/,
  )
  assert.match(stdout, /\d+ checks of the books found nothing/)
  assert.match(stderr, /0068_payouts_instant: [\d.]+ s/)
  assert.ok(!existsSync(place))
})

test('a migration that fails on the backup is found, and nothing is left', async (t) => {
  await onOld('alter table bank_accounts add column instant_max numeric')
  const unfit = await backUp()
  const place = join(temporaryFolder(t), 'rehearsal')
  await expectFailure(
    ['upgrade', '--rehearse', unfit, '--place', place],
    {},
    {
      exitCode: 1,
      says: /cannot be migrated\. 0068_payouts_instant: column "instant_max" of relation "bank_accounts" already exists\. Nothing of the installation/,
    },
  )
  assert.ok(!existsSync(place))
})

test('what is no backup, is of a newer version, or has no place is refused before anything starts', async (t) => {
  const place = temporaryFolder(t)
  await expectRefusal(
    ['upgrade', '--rehearse', folder, '--place', place],
    {},
    {
      exitCode: 5,
      says: /exists: a rehearsal is under way, or one was killed/,
    },
  )
  await expectRefusal(
    ['upgrade', '--rehearse', place],
    {},
    { exitCode: 2, says: /is not a backup that is whole/ },
  )
  const newer = join(temporaryFolder(t), 'newer')
  mkdirSync(newer)
  writeBackup(newer, { ...readBackup(folder), migration: '9999_future' })
  await expectRefusal(['upgrade', '--rehearse', newer], {}, { exitCode: 2, says: /does not know/ })
  assert.deepEqual(readdirSync(place), [])
})
