import { mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { AUDIT } from '../../modules/audit/index.ts'
import { JOURNAL } from '../../modules/journal/index.ts'
import type { Finding, Verification } from '../../modules/ledger/index.ts'
import { createChainer, parseHead } from '../../platform/chain/index.ts'
import {
  packagedVersion,
  RUNTIME_USER,
  startEmbeddedPostgres,
} from '../../platform/embedded-postgres/index.ts'
import { knownMigrations, pendingMigrations } from '../../platform/migrate.ts'
import { grantRuntime, inMigrationSession } from '../../platform/privileges.ts'
import { VERSION } from '../../platform/version.ts'
import { dataDirOf, findMigrationTarget } from '../../programs/installation.ts'
import { FILE_RAILS } from '../../rooms/restore-gap.ts'
import { type Backup, bytesOf, readBackup, requireUndamaged } from '../backup/description.ts'
import { requireSpace } from '../backup/folder.ts'
import { untilInterrupted } from '../backup/interruption.ts'
import { isEmpty } from '../backup/store.ts'
import { majorOf, requireTool, runTool } from '../backup/tools.ts'
import { findServerFacts } from '../doctor/store.ts'
import { explain } from '../explain.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { type Installation, withInstallation } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'
import { DUMP_FILE } from './backup.ts'
import { examineBooks } from './ledger-check.ts'

/**
 * `tollgate restore`: into the empty data directory, or the empty database, that the settings name. Starts no gateway:
 * what waits in the database is neither paid out nor called back.
 */
export async function restore(shell: Shell, wanted: string): Promise<Report> {
  const work: Omit<Work, 'signal'> = {
    shell,
    config: await shell.config(),
    folder: resolve(wanted),
    backup: readBackup(resolve(wanted)),
  }
  requireKnown(work.backup)
  const makeReady = work.backup.kind === 'CLUSTER' ? restoreCluster : restoreDump
  return untilInterrupted('Interrupted. Empty the target before you restore again.', (signal) =>
    makeReady({ ...work, signal }),
  )
}

interface Work {
  readonly shell: Shell
  readonly config: Config
  readonly folder: string
  readonly backup: Backup
  readonly signal: AbortSignal
}

/** Throws a sentence for a backup of a version that is newer than this one. */
export function requireKnown({ migration, tollgateVersion }: Backup): void {
  if (knownMigrations().includes(migration)) return
  throw new CommandFailure(
    'USAGE',
    `The backup has the schema of Tollgate ${tollgateVersion} (${migration}), which this one, ${VERSION}, does not know. Restore it with that version.`,
  )
}

async function restoreCluster(work: Work): Promise<Report> {
  const { shell, config, folder, backup, signal } = work
  requireSamePlatform(backup)
  if (config.TOLLGATE_DATABASE_URL !== undefined)
    throw new CommandFailure(
      'USAGE',
      'The backup is of an embedded database, and TOLLGATE_DATABASE_URL names another. Unset it.',
    )
  const dataDir = dataDirOf(config)
  requireEmptyDataDir(dataDir)
  requireSpace(dataDir, bytesOf(backup))
  await requireUndamaged(folder, backup, signal)
  const server = await startEmbeddedPostgres({ dataDir, restore: { folder, signal } })
  const stop = (): Promise<void> => server.stop()
  // What reads the books then fails, however long it would have taken.
  signal.addEventListener('abort', () => void stop())
  try {
    // A backup of an earlier version has no user for the gateway yet.
    await grantRuntime(server.ownerUrl, RUNTIME_USER)
    await openGapSince(server.ownerUrl, backup)
    return await withInstallation(shell, (installation) => examine(work, installation, dataDir))
  } finally {
    await stop()
  }
}

/** Throws a sentence unless PostgreSQL here can use the files of a cluster. */
export function requireSamePlatform(backup: Backup): void {
  const here = `${process.platform}-${process.arch}`
  const version = packagedVersion()
  if (backup.platform === here && majorOf(backup.postgresVersion) === majorOf(version)) return
  throw new CommandFailure(
    'USAGE',
    `The backup is of PostgreSQL ${backup.postgresVersion} on ${backup.platform}; here is ${version} on ${here}, which cannot use its files.`,
  )
}

/** The key may lie there before, and what an earlier attempt left that was killed. */
const WELCOME_IN_DATA_DIR = ['master.key', 'owner.lock', 'postgres.unfinished']

/** Makes it when it is missing. */
function requireEmptyDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  const [first] = readdirSync(dataDir).filter((name) => !WELCOME_IN_DATA_DIR.includes(name))
  if (first === undefined) return
  throw new CommandFailure(
    'CONFLICT',
    `${dataDir} is not empty (${first}). Set TOLLGATE_DATA_DIR to a new folder; only master.key may lie in it.`,
  )
}

async function restoreDump(work: Work): Promise<Report> {
  const { shell, config, folder, backup, signal } = work
  const url = config.TOLLGATE_DATABASE_URL
  if (url === undefined)
    throw new CommandFailure(
      'USAGE',
      'The backup is a dump: set TOLLGATE_DATABASE_URL to an empty database of your PostgreSQL.',
    )
  await requireUndamaged(folder, backup, signal)
  // First of all: what is found empty must be what is written to.
  const target = (await findMigrationTarget(config)) ?? { url }
  await withInstallation(shell, (installation) => requireEmptyDatabase(work, installation))
  await loadDump(work, target.url)
  await openGapSince(target.url, backup)
  if (target.runtimeUser !== undefined) await grantRuntime(target.url, target.runtimeUser)
  // Opened again: whether the keys fit is known only now.
  return withInstallation(shell, (installation) =>
    examine(work, installation, new URL(url).pathname.slice(1)),
  )
}

async function requireEmptyDatabase(
  { shell, backup }: Pick<Work, 'shell' | 'backup'>,
  { db }: Installation,
): Promise<void> {
  const { version } = await findServerFacts(db)
  if (majorOf(version) < majorOf(backup.postgresVersion))
    throw new CommandFailure(
      'USAGE',
      `The backup is of PostgreSQL ${backup.postgresVersion}, and the server is older: ${version}.`,
    )
  if (!(await isEmpty(db)))
    throw new CommandFailure('CONFLICT', 'The database is not empty. Create a new one for the restore.')
  await requireTool('pg_restore', version, shell.environment)
}

/** Brings a dump into an empty database, whole or not at all. */
export function loadDump(
  { shell, folder, signal }: Pick<Work, 'shell' | 'folder' | 'signal'>,
  url: string,
): Promise<void> {
  return runTool('pg_restore', {
    url,
    args: ['--single-transaction', '--no-owner', '--no-privileges', join(folder, DUMP_FILE)],
    environment: shell.environment,
    signal,
  })
}

/**
 * What happened since the backup began is not known here, so no money leaves before people have found out. A database of an
 * older version keeps a mark, from which `tollgate migrate` opens the gap.
 */
function openGapSince(url: string, { startedAt }: Backup): Promise<void> {
  return inMigrationSession(url, async (client) => {
    const { rows } = await client.query<{ knows: boolean }>(
      `select to_regprocedure('open_restore_gap(timestamptz, text, text[])') is not null as knows`,
    )
    if (rows[0]?.knows === true)
      await client.query('select * from open_restore_gap($1, $2, $3)', [startedAt, 'restore', FILE_RAILS])
    else {
      await client.query('create table if not exists restore_marks (lost_from timestamptz not null)')
      await client.query('insert into restore_marks values ($1)', [startedAt])
    }
  })
}

/** Looks at the restored database: does the key fit, do the books agree? */
async function examine(work: Work, installation: Installation, target: string): Promise<Report> {
  const { backup, signal } = work
  signal.throwIfAborted()
  const pending = await pendingMigrations(installation.db)
  const keyFindings = examineKey(installation)
  const books = pending.length === 0 ? await examineCaughtUp(installation, backup) : undefined
  const findings = [...keyFindings, ...(books?.findings ?? [])]
  const isClean = findings.length === 0
  return {
    json: { target, clean: isClean, pendingMigrations: pending, findings, backup },
    text: [
      `Restored in ${target}: the backup of ${backup.startedAt} (Tollgate ${backup.tollgateVersion}).`,
      ...(books === undefined
        ? []
        : [`${books.checks.length} checks of the books found ${count(books.findings)}.`]),
      ...findings.map(({ check, detail }) => `${check}: ${detail}`),
    ].join('\n'),
    notes: [
      ...(pending.length === 0
        ? []
        : ['The schema is of an older version: `tollgate migrate`, then `tollgate ledger check`.']),
      `No money leaves: what was paid since ${backup.startedAt} is not known here, so payouts are neither accepted nor handed over.`,
      'Start the gateway, import the statements since then, name the ids that merchants sent (`tollgate restore-gap ids`), and let two operators close the gap (`tollgate restore-gap propose` and `close`): docs/backup.md, "After a restore".',
    ],
    ...(!isClean && { exitCode: EXIT_CODES.FAULT }),
  }
}

const count = (findings: readonly Finding[]): string =>
  findings.length === 0 ? 'nothing' : `${findings.length}, which follow`

function examineKey({ keysProblem }: Installation): readonly Finding[] {
  if (keysProblem === undefined) return []
  const failure = explain(keysProblem)
  if (failure === undefined) throw keysProblem
  return [{ check: 'master_key', detail: failure.message }]
}

/** What was booked just before the backup is chained as a worker would have done within a second. */
export async function examineCaughtUp(
  { db }: Pick<Installation, 'db'>,
  backup: Backup,
): Promise<Verification> {
  for (const table of [JOURNAL, AUDIT]) {
    const chainer = createChainer(db, table)
    while ((await chainer.chain()).isFull);
  }
  return examineBooks(db, {
    head: parseHead(backup.journalHead),
    // Backups of older versions have none.
    auditHead: backup.auditHead === undefined ? undefined : parseHead(backup.auditHead),
  })
}
