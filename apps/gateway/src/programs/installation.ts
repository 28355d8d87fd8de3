import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import type { Log } from '@tollgate/runtime'
import { type Config, ConfigError, type ServerName } from '../config.ts'
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  findRunningServer,
  RUNTIME_USER,
  startEmbeddedPostgres,
} from '../platform/embedded-postgres/index.ts'
import { type MasterKeys, readMasterKeys } from '../platform/master-key.ts'
import type { MigrationTarget } from '../platform/migrate.ts'
import { findLogin } from '../platform/privileges.ts'

/** The database and the master keys of an installation, ready for use. */
export interface Installation {
  /** Of the gateway's user. */
  readonly databaseUrl: string
  readonly migration: MigrationTarget
  readonly masterKeys: MasterKeys
  /** Stops the embedded database, if this process started it. */
  stop(): Promise<void>
}

/** The data directory as an absolute path. */
export function dataDirOf(config: Config): string {
  return resolve(config.TOLLGATE_DATA_DIR)
}

/** Opens the database that is configured, or starts the embedded one; a server that dies is started again. */
export async function openInstallation(config: Config, log: Log): Promise<Installation> {
  const dataDir = dataDirOf(config)
  const masterKeys = masterKeysOf(config)
  if (config.TOLLGATE_DATABASE_URL !== undefined) {
    const databaseUrl = config.TOLLGATE_DATABASE_URL
    const migration = await migrationOf(config, databaseUrl)
    return { databaseUrl, migration, masterKeys, stop: () => Promise.resolve() }
  }
  const server = await startSupervised(dataDir, log)
  const migration = { url: server.ownerUrl, runtimeUser: RUNTIME_USER }
  return { databaseUrl: server.url, migration, masterKeys, stop: () => server.stop() }
}

/**
 * Who migrates a PostgreSQL of your own: another user than the gateway's where one is set, and the same otherwise. Throws a
 * sentence when that user is of another database.
 */
async function migrationOf(config: Config, databaseUrl: string): Promise<MigrationTarget> {
  const url = config.TOLLGATE_MIGRATE_DATABASE_URL
  if (url === undefined) return { url: databaseUrl }
  const [runtime, owner] = [await findLogin(databaseUrl), await findLogin(url)]
  if (runtime.database !== owner.database)
    throw new ConfigError(
      `TOLLGATE_DATABASE_URL and TOLLGATE_MIGRATE_DATABASE_URL name two databases, ${placeOf(databaseUrl)} and ${placeOf(url)}: set both to the same one.`,
    )
  return runtime.user === owner.user ? { url } : { url, runtimeUser: runtime.user }
}

/** Without user and password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** How to migrate the database that is configured or runs in the data directory; undefined when none runs. */
export async function findMigrationTarget(config: Config): Promise<MigrationTarget | undefined> {
  const databaseUrl = config.TOLLGATE_DATABASE_URL
  if (databaseUrl !== undefined) return migrationOf(config, databaseUrl)
  const running = await findRunningServer(dataDirOf(config))
  return running && { url: running.ownerUrl, runtimeUser: RUNTIME_USER }
}

/** What a command needs of an installation that runs already; undefined when none does. */
export async function findInstallation(
  config: Config,
): Promise<Pick<Installation, 'databaseUrl' | 'masterKeys'> | undefined> {
  const dataDir = dataDirOf(config)
  const databaseUrl = config.TOLLGATE_DATABASE_URL ?? (await findRunningPostgres(dataDir))
  if (databaseUrl === undefined) return undefined
  return { databaseUrl, masterKeys: masterKeysOf(config) }
}

/** Makes the data directory, too. What is wrong with either is the operator's to mend: one sentence. */
function masterKeysOf(config: Config): MasterKeys {
  const dataDir = dataDirOf(config)
  try {
    mkdirSync(dataDir, { recursive: true })
    return readMasterKeys({
      file: config.TOLLGATE_MASTER_KEY_FILE,
      previousFile: config.TOLLGATE_PREVIOUS_MASTER_KEY_FILE,
      dataDir,
    })
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

async function startSupervised(dataDir: string, log: Log): Promise<EmbeddedPostgres> {
  let isStopping = false
  const server = await startEmbeddedPostgres({
    dataDir,
    onExit: (exit) => {
      if (isStopping) return
      log.error({ code: exit.code, signal: exit.signal }, 'the embedded database ended; it is started again')
      server.restart().then(
        () => log.warn({}, 'the embedded database is back'),
        (error: unknown) => log.error({ err: error }, 'the embedded database could not be started again'),
      )
    },
  })
  if (server.replacedOrphan)
    log.warn({}, 'a database server that an earlier run left behind was stopped and started anew')
  return {
    ...server,
    stop() {
      isStopping = true
      return server.stop()
    },
  }
}

/** A server to be, and the settings that say where. Port 0 means any. */
export interface ServerPlace {
  readonly host: string
  readonly hostSetting: string
  readonly port: number
  readonly portSetting: string
}

/** Where these servers of an installation are to listen. */
export function placesOf(config: Config, names: readonly ServerName[]): readonly ServerPlace[] {
  return names.map((name) => {
    const own = `TOLLGATE_${name}_HOST` as const
    const portSetting = `TOLLGATE_${name}_PORT` as const
    return {
      host: config.hosts[name],
      hostSetting: config[own] === undefined ? 'TOLLGATE_HOST' : own,
      port: config[portSetting],
      portSetting,
    }
  })
}

/** Throws one clear sentence for the first port that is given twice or that another program holds. */
export async function requireFreePorts(places: readonly ServerPlace[]): Promise<void> {
  const names = new Map<number, string>()
  for (const place of places) {
    const { port, portSetting } = place
    const other = names.get(port)
    if (port !== 0 && other !== undefined)
      throw new ConfigError(
        `${portSetting} is ${String(port)}, like ${other}: every server needs a port of its own.`,
      )
    names.set(port, portSetting)
    if (port !== 0 && !(await isFree(place))) {
      throw new ConfigError(
        `Port ${String(port)} is taken by another program. Stop it, or set ${portSetting} to another port.`,
      )
    }
  }
}

function isFree({ host, hostSetting, port }: ServerPlace): Promise<boolean> {
  return new Promise((resolvePromise, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolvePromise(false)
      else if (error.code === 'EACCES')
        reject(new ConfigError(`Port ${String(port)} is for privileged programs. Choose one from 1024 on.`))
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new ConfigError(`${hostSetting} ${host} is not an address of this machine.`))
      else reject(error)
    })
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolvePromise(true)))
  })
}
