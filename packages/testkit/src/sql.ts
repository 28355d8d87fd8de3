import pg from 'pg'
import { keptSessions } from './sessions.ts'

/** A row as the driver reads it; big integers and numerics come as text. */
export type SqlRow = Readonly<Record<string, unknown>>

/**
 * Runs one statement, for what a test prepares or looks at behind the product's back.
 * Without values the text may hold several statements; the rows are those of the last one. One that locks rows in another
 * order than the gateway at work may be chosen to give way: it is run again.
 */
export async function runSql(
  url: string,
  text: string,
  values?: readonly unknown[],
): Promise<readonly SqlRow[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(url, text, values)
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isDeadlock(error)) throw error
    }
  }
}

const ATTEMPTS_MAX = 5

const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '40P01'

/** One statement of which nothing stays with its session, so that the next may use it. */
const LEAVES_NOTHING =
  /^\s*(?:select|insert|update|delete|with)\b(?!.*(?:;|advisory|set_config|pg_terminate))/is

async function runOnce(
  url: string,
  text: string,
  values: readonly unknown[] | undefined,
): Promise<readonly SqlRow[]> {
  if (isOnTestServer(url) && LEAVES_NOTHING.test(text)) {
    return rowsOf(await keptSessions(url).query(text, values === undefined ? undefined : [...values]))
  }
  const session = await openSession(url)
  try {
    return await session.run(text, values)
  } finally {
    await session.close()
  }
}

/** The server that the test runner keeps, which nobody restarts. */
function isOnTestServer(url: string): boolean {
  const { TOLLGATE_TEST_SERVER_URL: serverUrl } = process.env
  return serverUrl !== undefined && new URL(url).host === new URL(serverUrl).host
}

/** One connection, for statements that belong together: settings, a transaction. */
interface SqlSession {
  /** As `runSql`, and without running it again. */
  run(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
  close(): Promise<void>
}

/** Opens a session behind the product's back; whoever opens it closes it. */
export async function openSession(url: string): Promise<SqlSession> {
  const client = new pg.Client({ connectionString: url, application_name: 'testkit' })
  // A connection that is lost fails the statement under way, too.
  client.on('error', () => undefined)
  await client.connect()
  return {
    async run(text, values) {
      const result: unknown = await client.query(text, values === undefined ? undefined : [...values])
      return rowsOf(Array.isArray(result) ? result.at(-1) : result)
    },
    close: () => client.end(),
  }
}

function rowsOf(result: unknown): readonly SqlRow[] {
  if (typeof result !== 'object' || result === null || !('rows' in result) || !Array.isArray(result.rows))
    return []
  return result.rows
}
