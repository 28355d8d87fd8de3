import { mkdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freeBytesAt } from '../free-space.ts'
import { serverAccount } from './account.ts'
import { locateBinaries } from './binaries.ts'
import { clusterExists, createCluster, type Place, resetPassword, restoreCluster } from './cluster.ts'
import {
  type Credentials,
  databaseUrl,
  newPassword,
  readCredentials,
  writeCredentials,
} from './credentials.ts'
import { systemCode } from './failure.ts'
import { maxWalSize } from './log-size.ts'
import { sharedBuffers } from './memory.ts'
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts'
import { choosePort } from './ports.ts'
import { type PostmasterExit, stopOrphan } from './postmaster.ts'
import { liveServer } from './postmaster-file.ts'
import { answers, ensureDatabase } from './sessions.ts'
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

/** A running server that belongs to this process. */
export interface EmbeddedPostgres {
  /** Connection string of the database `tollgate`, with the password. Stays the same until `stop`. */
  readonly url: string
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
 * The connection string of the server that runs on a data directory now, for programs that only attach to it, such as
 * the command line. Undefined when none runs or it does not answer yet.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const credentials = readCredentials(resolve(dataDir))
  if (credentials === undefined) return undefined
  const server = runningServer(join(dataDir, 'postgres'))
  if (server === undefined) return undefined
  const current = { ...credentials, port: server.port }
  return (await answers(current)) ? databaseUrl(current) : undefined
}

async function startOwned(
  place: Place,
  options: EmbeddedPostgresOptions,
  lock: OwnerLock,
): Promise<EmbeddedPostgres> {
  const replacedOrphan = await stopOrphan(place.cluster)
  if (options.restore !== undefined) await restoreCluster(place, options.restore)
  const known = await prepareCluster(place)
  const max_wal_size = maxWalSize(freeBytesAt(place.dataDir))
  const settings = { ...SETTINGS, max_wal_size, ...options.settings }
  const { postmaster, port } = await startWithRetries({ place, settings, port: known.port, keepPort: false })
  const credentials = { ...known, port }
  try {
    if (port !== known.port) writeCredentials(place.dataDir, credentials)
    await ensureDatabase(credentials)
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
  return { url: databaseUrl(credentials), replacedOrphan, ...supervised }
}

/** Makes sure that there are a cluster and a database.json that belong together. */
async function prepareCluster(place: Place): Promise<Credentials> {
  const known = readCredentials(place.dataDir)
  const credentials = known ?? { password: newPassword(), port: await choosePort(undefined) }
  // Written before the cluster gets its name, so that no cluster is ever without its password.
  if (!clusterExists(place)) {
    writeCredentials(place.dataDir, credentials)
    await createCluster(place, credentials.password)
  } else if (known === undefined) {
    await resetPassword(place, credentials.password)
    writeCredentials(place.dataDir, credentials)
  }
  return credentials
}

function runningServer(cluster: string): { port: number } | undefined {
  try {
    return liveServer(cluster)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
