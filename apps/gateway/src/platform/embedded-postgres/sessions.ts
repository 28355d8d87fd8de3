import pg from 'pg'
import { type Credentials, DATABASE, databaseUrl } from './credentials.ts'
import { EmbeddedPostgresFailure } from './failure.ts'

const CONNECT_TIMEOUT_MS = 10_000
const PROBE_TIMEOUT_MS = 3_000
const PASSWORD_REFUSED = '28P01'

/** Makes the database of Tollgate unless it is there. Throws when the server does not know our password. */
export async function ensureDatabase(credentials: Credentials): Promise<void> {
  const client = session(databaseUrl(credentials, 'postgres'), CONNECT_TIMEOUT_MS)
  try {
    await client.connect()
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== PASSWORD_REFUSED) throw error
    throw new EmbeddedPostgresFailure(
      'The embedded database refuses the password in database.json. Delete that file and start again: a new password will be set.',
      { cause: error },
    )
  } finally {
    await client.end()
  }
}

/** True when the server lets us in now. SCRAM makes it prove, too, that it knows the password. */
export async function answers(credentials: Credentials): Promise<boolean> {
  const client = session(databaseUrl(credentials), PROBE_TIMEOUT_MS)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

function session(url: string, timeoutMs: number): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tollgate start',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  // A lost connection also fails the statement under way, which is where we look.
  client.on('error', () => undefined)
  return client
}
