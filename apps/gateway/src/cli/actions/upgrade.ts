import { existsSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createLog } from '@tollgate/runtime/log'
import type { Verification } from '../../modules/ledger/index.ts'
import { openDatabase } from '../../platform/database.ts'
import {
  type EmbeddedPostgres,
  packagedVersion,
  RUNTIME_USER,
  startEmbeddedPostgres,
} from '../../platform/embedded-postgres/index.ts'
import { grantRuntime } from '../../platform/privileges.ts'
import { MigrationFailed, type RehearsedMigration, rehearseMigrations } from '../../platform/rehearsal.ts'
import { VERSION } from '../../platform/version.ts'
import { type Backup, bytesOf, readBackup, requireUndamaged } from '../backup/description.ts'
import { requireSpace } from '../backup/folder.ts'
import { untilInterrupted } from '../backup/interruption.ts'
import { majorOf, requireTool } from '../backup/tools.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import type { Report, Shell } from '../shell.ts'
import { table } from '../text.ts'
import { examineCaughtUp, loadDump, requireKnown, requireSamePlatform } from './restore.ts'

interface Wish {
  readonly rehearse: string
  readonly place?: string
}

interface Work {
  readonly shell: Shell
  readonly folder: string
  readonly backup: Backup
  /** Of the rehearsal; removed when it is over. */
  readonly dataDir: string
  readonly signal: AbortSignal
}

/** What a rehearsal has found. Times in milliseconds. */
interface Rehearsal {
  readonly restored: number
  readonly migrations: readonly RehearsedMigration[]
  readonly books: Verification
  readonly examined: number
}

/** A restored copy and what its migrations leave need more room than the backup. */
const ROOM = 2
/** Large books are read through for minutes. */
const EXAMINATION_MS_MAX = 3_600_000

/**
 * `tollgate upgrade --rehearse`: restores a backup beside, with a server of its own that nobody else reaches, migrates it, and checks its books.
 * The backup, the database and the gateway stay as they are.
 */
export async function rehearseUpgrade(shell: Shell, { rehearse, place }: Wish): Promise<Report> {
  const folder = resolve(rehearse)
  const backup = readBackup(folder)
  requireKnown(backup)
  if (backup.kind === 'CLUSTER') requireSamePlatform(backup)
  else await requireTools(shell, backup)
  const dataDir = resolve(place ?? `${folder}.rehearsal`)
  if (existsSync(dataDir))
    throw new CommandFailure(
      'CONFLICT',
      `${dataDir} exists: a rehearsal is under way, or one was killed. Remove it, or name a new folder with --place.`,
    )
  requireSpace(dirname(dataDir), ROOM * bytesOf(backup))
  return untilInterrupted('Interrupted. Nothing of the installation was touched.', async (signal) => {
    await requireUndamaged(folder, backup, signal)
    try {
      return reportOf(backup, await run({ shell, folder, backup, dataDir, signal }))
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
}

async function requireTools(shell: Shell, { postgresVersion }: Backup): Promise<void> {
  const version = packagedVersion()
  if (majorOf(version) < majorOf(postgresVersion))
    throw new CommandFailure(
      'USAGE',
      `The backup is of PostgreSQL ${postgresVersion}, and a rehearsal runs on ${version}, which is older.`,
    )
  await requireTool('pg_restore', postgresVersion, shell.environment)
}

async function run(work: Work): Promise<Rehearsal> {
  const { shell, dataDir, folder, backup, signal } = work
  const restoring = stopwatch()
  const server = await startEmbeddedPostgres({
    dataDir,
    ...(backup.kind === 'CLUSTER' && { restore: { folder, signal } }),
  })
  const stop = (): Promise<void> => server.stop()
  // What is under way on it then fails, however long it would have taken.
  signal.addEventListener('abort', () => void stop())
  try {
    if (backup.kind === 'DUMP') await loadDump(work, server.ownerUrl)
    const restored = restoring()
    const migrations = await rehearseMigrations(server.ownerUrl, ({ name, milliseconds }) =>
      shell.note(`${name}: ${secondsText(milliseconds)}`),
    ).catch((error: unknown) => {
      if (!(error instanceof MigrationFailed)) throw error
      throw new CommandFailure(
        'FAULT',
        `This backup cannot be migrated. ${error.message}. Nothing of the installation was touched: do not upgrade, and report it.`,
      )
    })
    await grantRuntime(server.ownerUrl, RUNTIME_USER)
    const examining = stopwatch()
    return { restored, migrations, books: await examine(server, backup), examined: examining() }
  } finally {
    await stop()
  }
}

async function examine({ url }: EmbeddedPostgres, backup: Backup): Promise<Verification> {
  const log = createLog({ level: 'silent' })
  const db = openDatabase({
    url,
    poolMax: 2,
    log,
    applicationName: 'tollgate upgrade',
    queryTimeoutMs: EXAMINATION_MS_MAX,
  })
  try {
    return await examineCaughtUp({ db }, backup)
  } finally {
    await db.close()
  }
}

/** How many milliseconds have passed since. */
function stopwatch(): () => number {
  const startedMs = performance.now()
  return () => Math.round(performance.now() - startedMs)
}

const secondsText = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

function reportOf(backup: Backup, { restored, migrations, books, examined }: Rehearsal): Report {
  const took = migrations.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const isClean = books.findings.length === 0
  return {
    json: {
      clean: isClean,
      backup: { startedAt: backup.startedAt, migration: backup.migration, bytes: bytesOf(backup) },
      version: VERSION,
      milliseconds: { restore: restored, migrations: took, books: examined },
      migrations,
      checks: books.checks,
      findings: books.findings,
    },
    text: [
      `The backup of ${backup.startedAt} (Tollgate ${backup.tollgateVersion}), restored in ${secondsText(restored)}, is migrated to ${VERSION} in ${secondsText(took)}.`,
      table(
        ['MIGRATION', 'TOOK', 'STOPS MEANWHILE'],
        migrations.map((each) => [each.name, secondsText(each.milliseconds), locksText(each)]),
        'Its schema is of this version: there is nothing to migrate.',
      ),
      `${books.checks.length} checks of the books found ${isClean ? 'nothing' : `${books.findings.length}, which follow`} (${secondsText(examined)}).`,
      ...books.findings.map(({ check, detail }) => `${check}: ${detail}`),
    ].join('\n'),
    notes: [
      'Measured on this machine, with nobody else on the database. Under load each migration also waits for transactions that are under way, and others wait for it.',
    ],
    ...(!isClean && { exitCode: EXIT_CODES.FAULT }),
  }
}

function locksText({ locks }: RehearsedMigration): string {
  const of = (stops: RehearsedMigration['locks'][number]['stops']): string =>
    locks.flatMap((lock) => (lock.stops === stops ? [lock.table] : [])).join(', ')
  const [all, writes] = [of('READS_AND_WRITES'), of('WRITES')]
  const parts = [all && `everything on ${all}`, writes && `writes to ${writes}`].filter((part) => part !== '')
  return parts.join('; ') || 'nothing'
}
