import pg from 'pg'

const CONNECT_TIMEOUT_MS = 10_000
const PROBE_TIMEOUT_MS = 3_000
/** Giving a large schema to another owner waits for nobody, but takes longer than a question. */
const WORK_TIMEOUT_MS = 60_000

/** Runs work on a session of its own. */
export async function inSession<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = session(url, CONNECT_TIMEOUT_MS, WORK_TIMEOUT_MS)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

/** True when the server lets us in now. SCRAM makes it prove, too, that it knows the password. */
export async function answers(url: string): Promise<boolean> {
  const client = session(url, PROBE_TIMEOUT_MS, PROBE_TIMEOUT_MS)
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

function session(url: string, connectTimeoutMs: number, queryTimeoutMs: number): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tollgate start',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
  })
  // A lost connection also fails the statement under way, which is where we look.
  client.on('error', () => undefined)
  return client
}
