import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { dataDirOf } from '../installation.ts'
import { type Database, DatabaseUnavailable, openDatabase } from '../platform/database.ts'
import { findRunningPostgres } from '../platform/embedded-postgres/index.ts'
import { createLog, type Log } from '../platform/log.ts'
import { createSecrets, readMasterKey, type Secrets } from '../platform/secrets.ts'
import { CommandFailure } from './failure.ts'
import type { Shell } from './shell.ts'

/** A running installation, as a command uses it. */
export interface House {
  readonly config: Config
  readonly db: Database
  /** Reads the master key when it is first used. Throws a sentence when there is none. */
  readonly secrets: Secrets
  readonly log: Log
}

const CONNECTIONS_MAX = 2
/** A person waits in front of a command and can stop it; verifying large books takes its time. */
const QUERY_TIMEOUT_MS = 3_600_000

/** Opens the running installation for the work, and closes it again. Throws when none runs. */
export async function inHouse<Result>(
  shell: Shell,
  work: (house: House) => Promise<Result>,
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
  })
  try {
    return await work({ config, db: patient(db), secrets: secretsOnDemand(config), log })
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
  throw new CommandFailure(
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

/** The master key of the installation. A command never makes one: what it sealed, the gateway could not open. */
export function readExistingMasterKey(config: Config): Buffer {
  const file = masterKeyFile(config)
  if (!existsSync(file)) {
    throw new CommandFailure(
      'USAGE',
      `There is no master key in ${file}: set TOLLGATE_DATA_DIR or TOLLGATE_MASTER_KEY_FILE to the one that the gateway uses.`,
    )
  }
  try {
    return readMasterKey({ file, dataDir: dataDirOf(config) })
  } catch (error) {
    throw new CommandFailure('USAGE', error instanceof Error ? error.message : String(error))
  }
}

function secretsOnDemand(config: Config): Secrets {
  let opened: Secrets | undefined
  const secrets = (): Secrets => {
    opened ??= createSecrets(readExistingMasterKey(config))
    return opened
  }
  return {
    seal: (...given) => secrets().seal(...given),
    open: (...given) => secrets().open(...given),
    sealApart: (...given) => secrets().sealApart(...given),
    openApart: (...given) => secrets().openApart(...given),
    digest: (...given) => secrets().digest(...given),
    derivedSigningKey: (...given) => secrets().derivedSigningKey(...given),
  }
}
