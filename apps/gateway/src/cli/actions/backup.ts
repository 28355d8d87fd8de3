import { chmodSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { AUDIT } from '../../modules/audit/index.ts'
import { insertBackup } from '../../modules/backups/index.ts'
import { JOURNAL } from '../../modules/journal/index.ts'
import { CHAIN_BEGINNING, findHead, printHead } from '../../platform/chain/index.ts'
import type { Database } from '../../platform/database.ts'
import {
  BASE_BACKUP_FILES,
  findRunningServer,
  takeBaseBackup,
} from '../../platform/embedded-postgres/index.ts'
import { VERSION } from '../../platform/version.ts'
import { dataDirOf, findMigrationTarget } from '../../programs/installation.ts'
import { type Backup, bytesOf, digestOf, writeBackup } from '../backup/description.ts'
import { intoNewFolder, requireSpace, sizeOf } from '../backup/folder.ts'
import { untilInterrupted } from '../backup/interruption.ts'
import { findBytes, findMigration } from '../backup/store.ts'
import { requireTool, runTool } from '../backup/tools.ts'
import { findServerFacts } from '../doctor/store.ts'
import {
  type Installation,
  masterKeyFile,
  noInstallation,
  requireDatabaseUrl,
  withInstallation,
} from '../installation.ts'
import { notesOfRecording } from '../recording.ts'
import type { Report, Shell } from '../shell.ts'
import { duration, pairs } from '../text.ts'

/** The log that is written while the copy is made, as a reserve. */
const LOG_BYTES = 64 * 1024 * 1024
export const DUMP_FILE = 'database.dump'

/** `tollgate backup`: into a folder that must not exist, while the gateway goes on. */
export async function backUp(shell: Shell, wanted: string): Promise<Report> {
  const folder = resolve(wanted)
  return untilInterrupted('Interrupted: there is no backup.', (signal) =>
    withInstallation(shell, async (installation) => {
      const make = installation.config.TOLLGATE_DATABASE_URL === undefined ? copyCluster : dumpDatabase
      const backup = await intoNewFolder(folder, async (unfinished) => {
        const made = await make({ shell, installation, folder: unfinished, signal })
        writeBackup(unfinished, made)
        return made
      })
      const unrecorded = await notesOfRecording('backup', () => record(installation.db, backup))
      return reportOf(folder, backup, { keyFile: masterKeyFile(installation.config), unrecorded })
    }),
  )
}

const record = (db: Database, backup: Backup): Promise<void> =>
  insertBackup(db, {
    kind: backup.kind,
    startedAt: new Date(backup.startedAt),
    bytes: bytesOf(backup),
  })

interface Work {
  readonly shell: Shell
  readonly installation: Installation
  /** Exists and is empty. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** Of the embedded database: all of its files, by PostgreSQL's own base backup. */
async function copyCluster(work: Work): Promise<Backup> {
  const { installation, folder, signal } = work
  requireSpace(dirname(folder), (await findBytes(installation.db)) + LOG_BYTES)
  const before = await describeBackup(work)
  const running = await findRunningServer(dataDirOf(installation.config))
  if (running === undefined) throw noInstallation(installation.config)
  const log = await takeBaseBackup({ url: running.adminUrl, folder, signal })
  return { kind: 'CLUSTER', ...before, log, ...(await finish(work, BASE_BACKUP_FILES)) }
}

/** Of a PostgreSQL of your own: by its `pg_dump`. */
async function dumpDatabase(work: Work): Promise<Backup> {
  const { shell, installation, folder, signal } = work
  const { config } = installation
  const target = await findMigrationTarget(config)
  const before = await describeBackup(work)
  await requireTool('pg_dump', before.postgresVersion, shell.environment)
  const file = join(folder, DUMP_FILE)
  await runTool('pg_dump', {
    url: target?.url ?? (await requireDatabaseUrl(config)),
    args: ['--format=custom', `--file=${file}`],
    environment: shell.environment,
    signal,
  })
  chmodSync(file, 0o600)
  return { kind: 'DUMP', ...before, ...(await finish(work, [DUMP_FILE])) }
}

/** What is known before the copy begins. */
async function describeBackup({
  shell,
  installation: { db },
}: Work): Promise<Omit<Backup, 'kind' | 'log' | 'finishedAt' | 'files'>> {
  return {
    tollgateVersion: VERSION,
    postgresVersion: (await findServerFacts(db)).version,
    platform: `${process.platform}-${process.arch}`,
    migration: await findMigration(db),
    startedAt: new Date(shell.clock.nowMs()).toISOString(),
    journalHead: printHead((await findHead(db, JOURNAL)) ?? CHAIN_BEGINNING),
    auditHead: printHead((await findHead(db, AUDIT)) ?? CHAIN_BEGINNING),
  }
}

/** What is known when the files are written. */
async function finish(
  { shell, folder, signal }: Work,
  names: readonly string[],
): Promise<Pick<Backup, 'finishedAt' | 'files'>> {
  const files = []
  for (const name of names) files.push(await digestOf(join(folder, name), signal))
  return { finishedAt: new Date(shell.clock.nowMs()).toISOString(), files }
}

function reportOf(
  folder: string,
  backup: Backup,
  { keyFile, unrecorded }: { readonly keyFile: string; readonly unrecorded: readonly string[] },
): Report {
  const bytes = bytesOf(backup)
  const seconds = (Date.parse(backup.finishedAt) - Date.parse(backup.startedAt)) / 1000
  return {
    json: { folder, bytes, ...backup },
    text: pairs([
      ['Backup', folder],
      ['Size', sizeOf(bytes)],
      ['Of', `${backup.startedAt}, PostgreSQL ${backup.postgresVersion}, ${backup.migration}`],
      ['Took', duration(seconds)],
      ['Journal head', backup.journalHead],
      ['Audit head', backup.auditHead ?? ''],
    ]),
    notes: [
      ...unrecorded,
      `The master key (${keyFile}) is not in it, and without that key nobody can read the personal data in it. Keep a copy of the key, elsewhere.`,
    ],
  }
}
