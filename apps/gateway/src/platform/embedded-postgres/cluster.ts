import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from '../whole-file.ts'
import { type Account, folderArgument, giveTo } from './account.ts'
import type { Binaries } from './binaries.ts'
import { SUPERUSER } from './credentials.ts'
import { EmbeddedPostgresFailure } from './failure.ts'
import { type ProgramRun, runProgram } from './run.ts'
import { type BaseBackupSource, unpackBaseBackup } from './unpack.ts'

/** A data directory and what it takes to run its server. */
export interface Place {
  readonly dataDir: string
  /** PostgreSQL's own folder inside of it. */
  readonly cluster: string
  readonly account: Account
  readonly binaries: Binaries
}

// Writing a restored cluster to the disk, and replaying the log that came with it, take as long as it is large.
const PROGRAM_TIMEOUT_MS = 600_000

/** True when the cluster was made completely: it gets its name only then. */
export function clusterExists(place: Pick<Place, 'cluster'>): boolean {
  return existsSync(join(place.cluster, 'PG_VERSION'))
}

/** Makes the cluster with this superuser password. */
export async function createCluster(place: Place, password: string): Promise<void> {
  await buildCluster(place, async (unfinished) => {
    const result = await withInput(place, `${password}\n`, (inputFile) =>
      initdb(place, unfinished, {
        inputFile,
        args: [`--username=${SUPERUSER}`, '--pwfile=/dev/stdin', ...CLUSTER_ARGS],
      }),
    )
    if (!result.ok)
      throw new EmbeddedPostgresFailure(
        `The embedded database could not be created in ${unfinished}: ${result.output}`,
      )
  })
}

/**
 * Makes the cluster of a backup. Its first start replays the log that came along. Throws when there is a cluster already
 * or the backup is damaged.
 */
export async function restoreCluster(place: Place, source: BaseBackupSource): Promise<void> {
  if (clusterExists(place))
    throw new EmbeddedPostgresFailure(`There is a database in ${place.cluster} already.`)
  await buildCluster(place, async (unfinished) => {
    await unpackBaseBackup(source, unfinished, place.account)
    const result = await initdb(place, unfinished, { args: ['--sync-only'] })
    if (!result.ok)
      throw new EmbeddedPostgresFailure(
        `The restored files could not be written to the disk in ${unfinished}: ${result.output}`,
      )
  })
}

/**
 * It is built under another name and renamed when it is whole and on disk; what a killed attempt left is thrown away, and
 * so is what a failed one has made.
 */
async function buildCluster(place: Place, fill: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${place.cluster}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  giveTo(place.account, unfinished)
  try {
    await fill(unfinished)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
  renameSync(unfinished, place.cluster)
  syncFolder(dirname(place.cluster))
}

function initdb(
  place: Place,
  folder: string,
  run: Pick<ProgramRun, 'args' | 'inputFile'>,
): Promise<{ ok: boolean; output: string }> {
  return runProgram(place.binaries.initdb, {
    ...run,
    account: place.account,
    folder,
    timeoutMs: PROGRAM_TIMEOUT_MS,
    args: [`--pgdata=${folderArgument(folder, place.account)}`, ...run.args],
  })
}

/**
 * Gives the superuser of a stopped cluster a new password, for when database-admin.json was lost. Whoever may do this could
 * read the data files anyway.
 */
export async function resetPassword(place: Place, password: string): Promise<void> {
  const result = await withInput(place, `alter user ${SUPERUSER} password '${password}'\n`, (inputFile) =>
    runProgram(place.binaries.postgres, {
      account: place.account,
      folder: place.cluster,
      inputFile,
      timeoutMs: PROGRAM_TIMEOUT_MS,
      args: ['--single', '-D', folderArgument(place.cluster, place.account), 'postgres'],
    }),
  )
  if (result.ok) return
  throw new EmbeddedPostgresFailure(
    `database-admin.json is missing and no new password could be set: ${result.output}`,
  )
}

// The builtin provider sorts the same on every machine and after every system upgrade. macOS has no C.UTF-8 of its own.
const CLUSTER_ARGS: readonly string[] = [
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  ...(process.platform === 'linux' ? ['--locale=C.UTF-8'] : ['--locale=C', '--builtin-locale=C.UTF-8']),
]

/** Hands text to a program as an open file that has no name any more: no other program can read it by its path. */
async function withInput<Result>(
  place: Place,
  text: string,
  use: (inputFile: number) => Promise<Result>,
): Promise<Result> {
  const path = join(place.dataDir, `.input-${process.pid}`)
  const file = openSync(path, 'w+', 0o600)
  try {
    giveTo(place.account, path)
    unlinkSync(path)
    // Written at a position, so that the program begins to read at the start.
    writeSync(file, text, 0)
    return await use(file)
  } finally {
    closeSync(file)
  }
}
