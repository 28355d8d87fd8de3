import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../index.ts'

interface TestDirectory {
  readonly dataDir: string
  /** Starts its server, which is stopped at the latest when the test ends. */
  readonly start: (options?: Omit<EmbeddedPostgresOptions, 'dataDir'>) => Promise<EmbeddedPostgres>
}

/** A data directory below a folder that others may pass through; all of it is gone when the test ends. */
export function testDirectory(t: TestContext): TestDirectory {
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  const servers: EmbeddedPostgres[] = []
  t.after(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    dataDir,
    start: async (options = {}) => {
      const server = await startEmbeddedPostgres({ dataDir, ...options })
      servers.push(server)
      return server
    },
  }
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'))
  chmodSync(folder, 0o755)
  return folder
}

/** The folder, which is gone when the test ends. */
export function removedAfter(t: TestContext, folder: string): string {
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs statements on one connection, each in its own transaction, and gives the rows of the last. */
export async function query(url: string, ...statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    let rows: readonly unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Inserts the numbers from 1 on, each committed before the next, until the connection fails; tells each one as it is acknowledged. */
export async function insertUntilCut(url: string, acknowledged: (n: number) => void): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create table if not exists counted (n integer primary key)')
  try {
    for (let n = 1; n <= 1_000_000; n++) {
      await client.query('insert into counted values ($1)', [n])
      acknowledged(n)
    }
  } catch {
    // The server is gone: exactly what the caller is after.
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The pid of the server that runs, or ran last, on a data directory. */
export function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
}
