import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Statement, Tx } from './database.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings the schema up to date: every file in migrations/ that has not run yet, in order, each in its own transaction.
 * Safe to call from several processes at once: an advisory lock lets one of them work while the others wait.
 * Returns the names of the migrations that ran.
 */
export async function migrate(databaseUrl: string): Promise<readonly string[]> {
  if (await isUpToDate(databaseUrl)) return []
  // Not loaded for the many starts that find all as it should be.
  const { runner } = await import('node-pg-migrate')
  const silent = (): void => undefined
  const ran = await runner({
    databaseUrl,
    dir: MIGRATIONS,
    migrationsTable: 'schema_migrations',
    direction: 'up',
    checkOrder: true,
    advisoryLockMode: 'wait',
    singleTransaction: false,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  })
  return ran.map((migration) => migration.name)
}

/**
 * True when the database has run exactly our migrations first, in our order: there is nothing to run, and nothing the
 * runner would object to. Whatever is otherwise, it shall find out and say.
 */
async function isUpToDate(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'tollgate migrate' })
  // A connection that breaks also fails what is under way, which is where we look.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      'select name from schema_migrations order by run_on, id',
    )
    return knownMigrations().every((name, index) => rows[index]?.name === name)
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

const LIST_APPLIED: Statement = {
  name: 'migrations_list_applied',
  text: 'select name from schema_migrations',
}

/** A version's files do not change while it runs, and every readiness probe asks. */
let known: readonly string[] | undefined

/** The migrations that this version has and the database has not. Throws while there is no schema at all. */
export async function pendingMigrations(tx: Tx): Promise<readonly string[]> {
  const applied = new Set((await tx.rows<{ name: string }>(LIST_APPLIED, [])).map((row) => row.name))
  return knownMigrations().filter((name) => !applied.has(name))
}

/** The migrations that this version has, in their order. */
export function knownMigrations(): readonly string[] {
  known ??= readdirSync(MIGRATIONS)
    .filter((file) => /^\d{4}_.*\.sql$/.test(file))
    .map((file) => file.replace(/\.sql$/, ''))
    .sort()
  return known
}
