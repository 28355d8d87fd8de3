import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type { Statement, Tx } from './database.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings the schema up to date: every file in migrations/ that has not run yet, in order, each in its own transaction.
 * Safe to call from several processes at once: an advisory lock lets one of them work while the others wait.
 * Returns the names of the migrations that ran.
 */
export async function migrate(databaseUrl: string): Promise<readonly string[]> {
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
