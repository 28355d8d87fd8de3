import { mkdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freeBytesAt } from '../free-space.ts'
import { serverAccount } from './account.ts'
import { locateBinaries } from './binaries.ts'
import { clusterExists, createCluster, type Place, resetPassword, restoreCluster } from './cluster.ts'
import {
  adminUrl,
  type Credentials,
  databaseUrl,
  newPassword,
  ownerUrl,
  readCredentials,
  writeAdminCredentials,
  writeCredentials,
} from './credentials.ts'
import { systemCode } from './failure.ts'
import { sharedBuffers } from './memory.ts'
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts'
import { choosePort } from './ports.ts'
import { type PostmasterExit, stopOrphan } from './postmaster.ts'
import { liveServer } from './postmaster-file.ts'
import { ensureDatabase } from './roles.ts'
import { answers } from './sessions.ts'
import { startWithRetries } from './starts.ts'
import { supervise } from './supervise.ts'
import type { BaseBackupSource } from './unpack.ts'

export interface EmbeddedPostgresOptions {
  /** Made when missing. The server's files live in its folder `postgres`, its log in `postgres.log`. */
  readonly dataDir: string
  /** Settings of PostgreSQL by name, over our defaults. The address, the port and the sockets are ours to choose. */
  readonly settings?: Readonly<Record<string, string>>
  /** A backup that the cluster is made of, which must not exist yet. Without one it is made empty when it is missing. */
  readonly restore?: BaseBackupSource
  /** Called when the server ended though nobody asked it to. `restart()` brings it back. */
  readonly onExit?: (exit: PostmasterExit) => void
  /** Where copies of the programs may be kept, best first; by default a cache folder of this user. */
  readonly cacheFolders?: readonly string[]
}

/** Connection strings of the database `tollgate`, with passwords. They stay the same until the server stops. */
interface ServerUrls {
  /** Of the gateway, whose user may do what it needs and is no superuser. */
  readonly url: string
  /** Of migrations: what they make belongs to the owner. */
  readonly ownerUrl: string
  /** Of the superuser, for backups. */
  readonly adminUrl: string
}

/** A running server that belongs to this process. */
export interface EmbeddedPostgres extends ServerUrls {
  /** True when a server that a killed run had left behind was stopped first. */
  readonly replacedOrphan: boolean
  /** Starts the server again on the same port, stopping it first when it runs. Calls made meanwhile share one restart. */
  restart(): Promise<void>
  /** Fast shutdown, at most 45 seconds; then the data directory is free for others. */
  stop(): Promise<void>
}

// Nothing here weakens durability: fsync, synchronous_commit and full_page_writes keep PostgreSQL's own defaults.
const SETTINGS = {
  max_connections: '200',
  shared_buffers: sharedBuffers(),
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * Starts the PostgreSQL server of a data directory, creating it on first use, and waits until it serves the database
 * `tollgate` on 127.0.0.1. Throws `EmbeddedPostgresFailure`, among others when another Tollgate uses the directory.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true })
  const dataDir = realpathSync(options.dataDir)
  const cluster = join(dataDir, 'postgres')
  const account = serverAccount(cluster)
  const lock = await takeOwnerLock(dataDir)
  try {
    const binaries = await locateBinaries({
      account,
      ...(options.cacheFolders && { cacheFolders: options.cacheFolders }),
    })
    return await startOwned({ dataDir, cluster, account, binaries }, options, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * The gateway's connection string of the server that runs on a data directory now, for programs that only attach to it,
 * such as the command line. Undefined when none runs or it does not answer yet.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const { password } = readCredentials(resolve(dataDir))
  const server = password === undefined ? undefined : runningServer(join(dataDir, 'postgres'))
  if (password === undefined || server === undefined) return undefined
  const url = databaseUrl({ password, port: server.port })
  return (await answers(url)) ? url : undefined
}

/** All connection strings of the server that runs on a data directory now, for migrations and backups. */
export async function findRunningServer(dataDir: string): Promise<ServerUrls | undefined> {
  const { password, adminPassword } = readCredentials(resolve(dataDir))
  const server = runningServer(join(dataDir, 'postgres'))
  if (password === undefined || adminPassword === undefined || server === undefined) return undefined
  const urls = urlsOf({ password, adminPassword, port: server.port })
  return (await answers(urls.adminUrl)) ? urls : undefined
}

const urlsOf = (credentials: Credentials): ServerUrls => ({
  url: databaseUrl(credentials),
  ownerUrl: ownerUrl(credentials),
  adminUrl: adminUrl(credentials),
})

async function startOwned(
  place: Place,
  options: EmbeddedPostgresOptions,
  lock: OwnerLock,
): Promise<EmbeddedPostgres> {
  const replacedOrphan = await stopOrphan(place.cluster)
  if (options.restore !== undefined) await restoreCluster(place, options.restore)
  const { credentials: known, isWritten } = await prepareCluster(place)
  const max_wal_size = maxWalSize(freeBytesAt(place.dataDir))
  const settings = { ...SETTINGS, max_wal_size, ...options.settings }
  const { postmaster, port } = await startWithRetries({ place, settings, port: known.port, keepPort: false })
  const credentials = { ...known, port }
  try {
    await ensureDatabase(credentials)
    if (port !== known.port || !isWritten) writeCredentials(place.dataDir, credentials)
  } catch (error) {
    await postmaster.stop()
    throw error
  }
  const supervised = supervise({
    postmaster,
    start: async () => (await startWithRetries({ place, settings, port, keepPort: true })).postmaster,
    onExit: options.onExit ?? (() => undefined),
    onStopped: () => lock.release(),
  })
  return { ...urlsOf(credentials), replacedOrphan, ...supervised }
}

interface Prepared {
  readonly credentials: Credentials
  /** Whether database.json says so already. Otherwise it is written when the server knows the gateway's user. */
  readonly isWritten: boolean
}

/** Makes sure that there are a cluster and a password of its superuser that belong together. */
async function prepareCluster(place: Place): Promise<Prepared> {
  const { isOfSuperuser, ...known } = readCredentials(place.dataDir)
  const credentials: Credentials = {
    password: known.password ?? newPassword(),
    adminPassword: known.adminPassword ?? newPassword(),
    port: known.port ?? (await choosePort(undefined)),
  }
  // Written before the cluster gets its name, so that no cluster is ever without its password, and before database.json
  // forgets the superuser's, which an earlier version kept there.
  if (!clusterExists(place)) {
    writeAdminCredentials(place.dataDir, credentials)
    await createCluster(place, credentials.adminPassword)
  } else if (known.adminPassword === undefined) {
    await resetPassword(place, credentials.adminPassword)
    writeAdminCredentials(place.dataDir, credentials)
  } else if (isOfSuperuser) {
    writeAdminCredentials(place.dataDir, credentials)
  }
  return { credentials, isWritten: known.password !== undefined }
}

function runningServer(cluster: string): { port: number } | undefined {
  try {
    return liveServer(cluster)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

const GIB = 1024 ** 3
const SHARE = 10
const LOG_MIN_GIB = 2
const LOG_MAX_GIB = 8

/**
 * PostgreSQL's `max_wal_size`: a tenth of what is free where the data lie, within 2 and 8 GB. Payments come under random
 * ids: after each checkpoint the first entry on a page of an index writes the page as a whole, so a large installation
 * under load writes several times as much when the log makes it take checkpoints before their time.
 */
export function maxWalSize(freeBytes: number): string {
  const share = Math.floor(freeBytes / SHARE / GIB)
  return `${Math.min(Math.max(share, LOG_MIN_GIB), LOG_MAX_GIB)}GB`
}
