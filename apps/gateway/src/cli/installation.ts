import { join } from 'node:path'
import { type Ids, randomIdsIn } from '@tollgate/runtime'
import { createLog, type Log } from '@tollgate/runtime/log'
import type { Config } from '../config.ts'
import { openSecrets } from '../keys/open-secrets.ts'
import { type Database, DatabaseUnavailable, openDatabase } from '../platform/database.ts'
import { findRunningPostgres } from '../platform/embedded-postgres/index.ts'
import { MasterKeyFault, type MasterKeys, readMasterKeys } from '../platform/master-key.ts'
import type { Secrets } from '../platform/secrets.ts'
import { dataDirOf } from '../programs/installation.ts'
import { CommandFailure } from './failure.ts'
import type { Shell } from './shell.ts'

/**
 * Makes sure that the keys of the gateway can be used here, before anything else is done. Throws a sentence.
 */
export function requireKeys({ keysProblem }: Pick<Installation, 'keysProblem'>): void {
  if (keysProblem !== undefined) throw keysProblem
}

/** A running installation, as a command uses it. */
export interface Installation {
  readonly config: Config
  readonly db: Database
  /** Throws `keysProblem`, where there is one. */
  readonly secrets: Secrets
  /** Why the keys cannot be used: many a command needs none. */
  readonly keysProblem: Error | undefined
  readonly ids: Ids
  readonly log: Log
}

const CONNECTIONS_MAX = 2
/** A person waits in front of a command and can stop it; verifying large books takes its time. */
const QUERY_TIMEOUT_MS = 3_600_000

/** Opens the running installation for the work, and closes it again. Throws when none runs. */
export async function withInstallation<Result>(
  shell: Pick<Shell, 'config'>,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const config = await shell.config()
  const databaseUrl = await requireDatabaseUrl(config)
  const log = createLog({ level: 'silent' })
  const db = openDatabase({
    url: databaseUrl,
    poolMax: CONNECTIONS_MAX,
    log,
    applicationName: 'tollgate command',
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    // `tollgate ledger check` reads everything, which disturbs nobody on a standby.
    mayBeReadOnly: true,
  })
  const installation = { config, db: patient(db), ids: randomIdsIn(config.TOLLGATE_CELL), log }
  try {
    return await work({ ...installation, ...(await openKeys(installation)) })
  } finally {
    await db.close()
  }
}

const CONNECT_TRIES_MAX = 5

/**
 * Waits longer for a connection than the gateway does: a person would rather wait than type the command again. When no
 * connection was made nothing was done, so trying again is safe.
 */
function patient(db: Database): Database {
  const persist = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    for (let tries = 1; tries < CONNECT_TRIES_MAX; tries += 1) {
      try {
        return await ask()
      } catch (error) {
        if (!hasTimedOut(error)) throw error
      }
    }
    return ask()
  }
  return {
    ...db,
    rows: (statement, values) => persist(() => db.rows(statement, values)),
    transaction: (work) => persist(() => db.transaction(work)),
  }
}

/** Whoever refuses says why, by a code; a timeout has none. */
function hasTimedOut(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailable)) return false
  return !(error.cause instanceof Error && 'code' in error.cause)
}

/** The address of the database that is configured or runs in the data directory; throws a sentence when there is none. */
export async function requireDatabaseUrl(config: Config): Promise<string> {
  const url = await findDatabaseUrl(config)
  if (url !== undefined) return url
  throw noInstallation(config)
}

/** For a command that needs the database, when none is set and none runs. */
export function noInstallation(config: Config): CommandFailure {
  return new CommandFailure(
    'UNREACHABLE',
    `No installation runs in ${dataDirOf(config)}: start one with \`npm start\`, or set TOLLGATE_DATABASE_URL to your PostgreSQL.`,
  )
}

/** The same, or undefined. Looks without making anything, unlike a start: above all, no new master key. */
export async function findDatabaseUrl(config: Config): Promise<string | undefined> {
  return config.TOLLGATE_DATABASE_URL ?? findRunningPostgres(dataDirOf(config))
}

/** Where the master key is, or would be. */
export function masterKeyFile(config: Config): string {
  return config.TOLLGATE_MASTER_KEY_FILE ?? join(dataDirOf(config), 'master.key')
}

/** The master keys of the installation. A command never makes one: what it sealed, the gateway could not open. Throws MasterKeyFault. */
export function readExistingMasterKeys(config: Config): MasterKeys {
  const file = masterKeyFile(config)
  try {
    return readMasterKeys({
      file,
      previousFile: config.TOLLGATE_PREVIOUS_MASTER_KEY_FILE,
      dataDir: dataDirOf(config),
    })
  } catch (error) {
    if (!(error instanceof MasterKeyFault)) throw error
    const { setting, trouble } = error
    if (setting !== 'TOLLGATE_MASTER_KEY_FILE' || trouble !== 'MISSING') throw error
    throw new MasterKeyFault(
      setting,
      trouble,
      `There is no master key in ${file}: set TOLLGATE_DATA_DIR or TOLLGATE_MASTER_KEY_FILE to the one that the gateway uses.`,
    )
  }
}

async function openKeys(
  installation: Pick<Installation, 'config' | 'db'>,
): Promise<Pick<Installation, 'secrets' | 'keysProblem'>> {
  try {
    const masterKeys = readExistingMasterKeys(installation.config)
    return { secrets: await openSecrets({ ...installation, masterKeys }), keysProblem: undefined }
  } catch (keysProblem) {
    if (!(keysProblem instanceof Error)) throw keysProblem
    const fail = (): never => {
      throw keysProblem
    }
    return {
      secrets: {
        seal: fail,
        open: fail,
        sealApart: fail,
        openApart: fail,
        digest: fail,
        derivedSigningKey: fail,
        derivedCallbackSecret: fail,
        rootKey: fail,
      },
      keysProblem,
    }
  }
}
