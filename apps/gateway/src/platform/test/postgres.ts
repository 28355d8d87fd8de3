import { Writable } from 'node:stream'
import { createLog, type Log } from '@tollgate/runtime/log'
import { type TestLife, testDatabase } from '@tollgate/testkit'
import pg from 'pg'
import { type Database, openDatabase, type Statement, type Tx } from '../database.ts'

/** A log that nobody reads. */
export const SILENT: Log = createLog({ level: 'silent' })

/** A log whose lines the test reads. */
export function testLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: createLog({ level: 'info', destination }), lines }
}

/** A database of the test's own, opened as the gateway opens it, and a session beside it for what happens behind its back. */
export interface TestPostgres {
  readonly url: string
  readonly db: Database
  readonly outside: pg.Client
}

export async function testPostgres(t: TestLife, poolMax = 4): Promise<TestPostgres> {
  const { url } = await testDatabase(t)
  const outside = new pg.Client({ connectionString: url, application_name: 'outside' })
  await outside.connect()
  const db = openTestDatabase(t, url, poolMax)
  t.after(() => outside.end())
  return { url, db, outside }
}

/** One more process of the gateway on the same database. */
export function openTestDatabase(t: TestLife, url: string, poolMax = 4): Database {
  const db = openDatabase({ url, poolMax, log: SILENT, applicationName: 'gateway' })
  t.after(() => db.close())
  return db
}

let statements = 0

/** A statement of the test's own; each text is prepared once. */
function statement(text: string): Statement {
  statements += 1
  return { name: `test_${statements}`, text }
}

export const run = (tx: Tx, text: string, values: readonly unknown[] = []): ReturnType<Tx['rows']> =>
  tx.rows(statement(text), values)

/** Cuts every connection of the database that carries the application's name. */
export async function cutConnections(outside: pg.Client, applicationName: string): Promise<number> {
  const { rowCount } = await outside.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
    [applicationName],
  )
  return rowCount ?? 0
}
