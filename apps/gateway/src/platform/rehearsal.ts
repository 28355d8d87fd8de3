import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { migrationFile, pendingOf } from './migrate.ts'
import { inMigrationSession } from './privileges.ts'

/** What others cannot do with a table until a migration is over. */
interface TableLock {
  readonly table: string
  readonly stops: 'WRITES' | 'READS_AND_WRITES'
}

/** What a migration did to a database that nobody else used. */
export interface RehearsedMigration {
  readonly name: string
  readonly milliseconds: number
  /** Tables with rows that were there before. Held for as long as the migration took, at most. */
  readonly locks: readonly TableLock[]
}

/** A migration that does not run on this database, with PostgreSQL's words. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed'
}

/** Of the locks that a session has: the strongest of each table with rows, of those that keep others from anything that the gateway does. */
const LIST_LOCKS = `select c.relname as table, bool_or(l.mode = 'AccessExclusiveLock') as stops_reads
  from pg_locks l join pg_class c on c.oid = l.relation
  where l.pid = pg_backend_pid() and l.locktype = 'relation' and l.granted and c.relkind in ('r', 'p') and c.relname = any ($1)
    and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  group by c.relname order by c.relname collate "C"`

/** Estimates, as of the last analysis; a table that was never analysed counts as one with rows. */
const LIST_TABLES = `select relname as table from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
  and reltuples <> 0`

/**
 * Runs every migration that the database lacks, as `migrate` does, one by one in transactions of their own, and tells how long each took
 * and what it kept from others. Throws MigrationFailed; what ran before it has been committed.
 */
export function rehearseMigrations(
  url: string,
  hear: (migration: RehearsedMigration) => void,
): Promise<readonly RehearsedMigration[]> {
  return inMigrationSession(url, async (client) => {
    const rehearsed: RehearsedMigration[] = []
    for (const name of await pendingOf(client)) {
      const migration = await rehearse(client, name)
      hear(migration)
      rehearsed.push(migration)
    }
    return rehearsed
  })
}

async function rehearse(client: Pick<pg.Client, 'query'>, name: string): Promise<RehearsedMigration> {
  const before = await client.query<{ table: string }>(LIST_TABLES)
  const startedMs = performance.now()
  try {
    await client.query('begin')
    await client.query(readFileSync(migrationFile(name), 'utf8'))
    await client.query('insert into schema_migrations (name, run_on) values ($1, now())', [name])
    const held = await client.query<{ table: string; stops_reads: boolean }>(LIST_LOCKS, [
      before.rows.map(({ table }) => table),
    ])
    await client.query('commit')
    return {
      name,
      milliseconds: Math.round(performance.now() - startedMs),
      locks: held.rows.map(({ table, stops_reads }) => ({
        table,
        stops: stops_reads ? 'READS_AND_WRITES' : 'WRITES',
      })),
    }
  } catch (error) {
    throw new MigrationFailed(`${name}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
