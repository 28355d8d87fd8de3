import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'

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
    singleTransaction: false,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  })
  return ran.map((migration) => migration.name)
}
