import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Statement, Tx } from './database.ts'
import { grantRuntime, inMigrationSession } from './privileges.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Which database to bring up to date, and who will use it. */
export interface MigrationTarget {
  /** Of the user who owns the schema, or will. */
  readonly url: string
  /** Who runs the gateway, where that is another: this user is granted what the gateway needs, and no more. */
  readonly runtimeUser?: string | undefined
}

/**
 * Brings the schema up to date: every file in migrations/ that has not run yet, in order, each in its own transaction. Then
 * brings the privileges of the gateway's user up to date. Safe to call from several processes at once: an advisory lock lets
 * one of them work while the others wait. Returns the names of the migrations that ran.
 */
export async function migrate({ url, runtimeUser }: MigrationTarget): Promise<readonly string[]> {
  const ran = (await isUpToDate(url)) ? [] : await runMigrations(url)
  if (runtimeUser !== undefined) await grantRuntime(url, runtimeUser)
  return ran
}

/** The database user may not change the schema. The message says what to do. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

const MAY_MIGRATE = `select current_user as name, has_schema_privilege(current_schema(), 'create') and not exists (
    select 1 from pg_class where relnamespace = current_schema()::regnamespace and relname = 'schema_migrations'
      and not pg_has_role(relowner, 'usage')) as may`

async function requirePrivileges(client: Pick<pg.Client, 'query'>): Promise<void> {
  const { rows } = await client.query<{ name: string; may: boolean | null }>(MAY_MIGRATE)
  if (rows[0]?.may === true) return
  throw new MigrationRefused(
    `The schema is not up to date, and the database user ${rows[0]?.name ?? ''} may not change it. ` +
      'Run `tollgate migrate` with TOLLGATE_MIGRATE_DATABASE_URL set to the same database with the user that owns the schema.',
  )
}

async function runMigrations(databaseUrl: string): Promise<readonly string[]> {
  // Not loaded for the many starts that find all as it should be.
  const { runner } = await import('node-pg-migrate')
  const silent = (): void => undefined
  const ran = await inMigrationSession(databaseUrl, async (client) => {
    await requirePrivileges(client)
    return runner({
      dbClient: client,
      dir: MIGRATIONS,
      migrationsTable: 'schema_migrations',
      direction: 'up',
      checkOrder: true,
      advisoryLockMode: 'wait',
      singleTransaction: false,
      logger: { debug: silent, info: silent, warn: silent, error: silent },
    })
  })
  return ran.map((migration) => migration.name)
}

/**
 * True when the database has run exactly our migrations first, in our order: there is nothing to run, and nothing the
 * runner would object to. Whatever is otherwise, it shall find out and say.
 */
async function isUpToDate(databaseUrl: string): Promise<boolean> {
  try {
    return await inMigrationSession(databaseUrl, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'select name from schema_migrations order by run_on, id',
      )
      return knownMigrations().every((name, index) => rows[index]?.name === name)
    })
  } catch {
    return false
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
  return missingIn(await tx.rows<{ name: string }>(LIST_APPLIED, []))
}

/** The same over a session. */
export async function pendingOf(client: Pick<pg.Client, 'query'>): Promise<readonly string[]> {
  return missingIn((await client.query<{ name: string }>(LIST_APPLIED.text)).rows)
}

function missingIn(rows: readonly { readonly name: string }[]): readonly string[] {
  const applied = new Set(rows.map(({ name }) => name))
  return knownMigrations().filter((name) => !applied.has(name))
}

/** Where a migration is. */
export const migrationFile = (name: string): string => join(MIGRATIONS, `${name}.sql`)

/** The migrations that this version has, in their order. */
export function knownMigrations(): readonly string[] {
  known ??= readdirSync(MIGRATIONS)
    .filter((file) => /^\d{4}_.*\.sql$/.test(file))
    .map((file) => file.replace(/\.sql$/, ''))
    .sort()
  return known
}
