import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startEmbeddedPostgres } from '../../apps/gateway/src/platform/embedded-postgres/index.ts'
import { removeLeftovers } from '../../tools/leftover-servers.ts'
import { createSql, type Sql } from './sql.ts'

/** A PostgreSQL that writes to the disk what it says it has written. */
export interface DurableServer {
  readonly url: string
  readonly dataDir: string
  /** What SHOW says, by the setting's name. */
  readonly settings: Readonly<Record<string, string>>
  readonly sql: Sql
  /** Starts it again at the same address after it has ended; stops it first when it runs. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const MUST_BE_ON = ['fsync', 'synchronous_commit', 'full_page_writes'] as const
const SHOWN = [
  'server_version',
  ...MUST_BE_ON,
  'wal_sync_method',
  'commit_delay',
  'shared_buffers',
  'max_wal_size',
  'max_connections',
  'io_method',
] as const

const FOLDER_PREFIX = 'tollgate-bench-'
const MEMORY_FILE_SYSTEMS: ReadonlySet<number> = new Set([0x01_02_19_94, 0x85_84_58_f6])

/** Thrown when figures taken here would not be worth anything. */
export class NotDurable extends Error {
  override readonly name = 'NotDurable'
}

/**
 * Starts the embedded server with the settings of the product in a new folder, which `stop` removes. Throws NotDurable
 * when the folder is in memory, or when the server would acknowledge what is not on the disk.
 */
export async function startDurableServer(folder: string | undefined): Promise<DurableServer> {
  const parent = resolve(folder ?? tmpdir())
  refuseMemory(parent)
  await removeLeftovers(parent, FOLDER_PREFIX)
  const dataDir = mkdtempSync(join(parent, `${FOLDER_PREFIX}${process.pid}-`))
  return startIn(dataDir, () => rmSync(dataDir, { recursive: true, force: true }))
}

/** The same in a folder that stays, with what an earlier run left there. */
export async function startKeptServer(folder: string): Promise<DurableServer> {
  const dataDir = resolve(folder)
  mkdirSync(dataDir, { recursive: true })
  refuseMemory(dataDir)
  return startIn(dataDir, () => undefined)
}

function refuseMemory(folder: string): void {
  if (MEMORY_FILE_SYSTEMS.has(statfsSync(folder).type))
    throw new NotDurable(
      `${folder} is in memory, where nothing is durable. Name a folder on a disk with --data-dir.`,
    )
}

async function startIn(dataDir: string, remove: () => void): Promise<DurableServer> {
  // The server may run as another user.
  chmodSync(dataDir, 0o755)
  try {
    const server = await startEmbeddedPostgres({ dataDir })
    // Faults and figures need what only a superuser may do.
    const { adminUrl: url, restart } = server
    const sql = createSql(url)
    const stop = async (): Promise<void> => {
      await server.stop()
      remove()
    }
    try {
      return { url, dataDir, sql, restart, stop, settings: await durableSettings(sql) }
    } catch (error) {
      await stop()
      throw error
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** What SHOW says of what matters here. Throws NotDurable. */
export async function durableSettings(sql: Sql): Promise<Readonly<Record<string, string>>> {
  const rows = await sql(
    'select name, current_setting(name) as value from pg_settings where name = any($1)',
    [SHOWN],
  )
  const settings = Object.fromEntries(rows.map(({ name, value }) => [String(name), String(value)]))
  for (const name of MUST_BE_ON) {
    if (settings[name] !== 'on')
      throw new NotDurable(
        `${name} is ${String(settings[name])}: the figures would not be those of a durable server.`,
      )
  }
  return settings
}
