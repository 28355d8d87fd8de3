import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { EmbeddedPostgresFailure } from './failure.ts'

/** The cluster's files and the log that makes them consistent, as PostgreSQL sends them: one archive in the tar format. */
export const ARCHIVE = 'base.tar'
/** PostgreSQL's own list of these files, with sizes and SHA-256. */
export const MANIFEST = 'backup_manifest'
export const BASE_BACKUP_FILES = [ARCHIVE, MANIFEST] as const

interface BaseBackupRequest {
  /** Of a server of ours that runs. */
  readonly url: string
  /** A folder that exists; `base.tar` and `backup_manifest` must not be in it. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** Between which places of the log the copy was made. What was committed before `stopLsn` is in it. */
interface BaseBackup {
  readonly startLsn: string
  readonly stopLsn: string
}

// The segments of the log that the copy needs are not recycled before they are sent. The slot ends with the session.
const HOLD_LOG = `select pg_create_physical_replication_slot('tollgate_backup_' || pg_backend_pid(), true, true)`
// PostgreSQL checks the checksum of each page on the way, and fails at the end when one was wrong.
const BASE_BACKUP = `BASE_BACKUP (LABEL 'tollgate backup', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Copies the whole cluster of a running server, whose work goes on meanwhile, and the log from the beginning of the copy
 * to its end. The files are on the disk when it resolves. Throws `EmbeddedPostgresFailure`, or the reason of `signal`; the
 * files are of no use then.
 */
export async function takeBaseBackup({ url, folder, signal }: BaseBackupRequest): Promise<BaseBackup> {
  const client = await openSession(url)
  const parts = openParts(folder)
  const giveUp = (reason: unknown): void => {
    client.connection.stream.destroy(reason instanceof Error ? reason : new Error('given up'))
  }
  const onAbort = (): void => giveUp(signal.reason)
  signal.addEventListener('abort', onAbort)
  client.connection.on('copyData', (message: unknown) => {
    try {
      parts.take(message)
    } catch (error) {
      giveUp(error)
    }
  })
  try {
    signal.throwIfAborted()
    await client.query(HOLD_LOG)
    const results: unknown = await client.query(BASE_BACKUP)
    const { copyAnswers } = await import('./backup-shapes.ts')
    if (!copyAnswers.Check(results)) throw new Error('PostgreSQL does not say between which places it copied')
    parts.finish()
    const [start, , stop] = results
    return { startLsn: start.rows[0].recptr, stopLsn: stop.rows[0].recptr }
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    throw new EmbeddedPostgresFailure(`The backup broke off: ${reason}.`, { cause: error })
  } finally {
    signal.removeEventListener('abort', onAbort)
    parts.close()
    await client.end().catch(() => undefined)
  }
}

/** A session that may ask for a backup, and run statements without parameters. */
async function openSession(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: `${url}?replication=database`,
    application_name: 'tollgate backup',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // A lost connection also fails the statement under way, which is where we look.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Writes what the server sends into its two files. */
interface Parts {
  /** Throws when the disk refuses, or the server sends what nobody asked for. */
  take(message: unknown): void
  /** Both are whole and on the disk; throws when one never came. */
  finish(): void
  close(): void
}

// The kinds of messages in the copy stream, by their first byte.
const ARCHIVE_BEGINS = 'n'.charCodeAt(0)
const MANIFEST_BEGINS = 'm'.charCodeAt(0)
const DATA = 'd'.charCodeAt(0)
const PROGRESS = 'p'.charCodeAt(0)

function openParts(folder: string): Parts {
  const files = new Map<string, number>()
  let current: number | undefined
  const begin = (name: string): void => {
    // A cluster of ours has no tablespaces, of which each would be an archive of its own.
    if (files.has(name)) throw new EmbeddedPostgresFailure(`The server sends a second ${name}.`)
    current = openSync(join(folder, name), 'wx', 0o600)
    files.set(name, current)
  }
  return {
    take(message) {
      const chunk = chunkOf(message)
      const kind = chunk[0]
      if (kind === ARCHIVE_BEGINS) begin(ARCHIVE)
      else if (kind === MANIFEST_BEGINS) begin(MANIFEST)
      else if (kind === DATA && current !== undefined) writeFileSync(current, chunk.subarray(1))
      else if (kind !== PROGRESS)
        throw new EmbeddedPostgresFailure('The server sends a backup in a form that is not known.')
    },
    finish() {
      if (files.size !== 2) throw new EmbeddedPostgresFailure('The server did not send the whole backup.')
      for (const file of files.values()) fsyncSync(file)
    },
    close() {
      for (const file of files.values()) closeSync(file)
    },
  }
}

function chunkOf(message: unknown): Buffer {
  if (typeof message === 'object' && message !== null && 'chunk' in message && Buffer.isBuffer(message.chunk))
    return message.chunk
  throw new Error('the driver hands over a copy message without bytes')
}
