import pg from 'pg'

// A pooler that hands each transaction to another session cannot serve us: sessions have settings, prepared statements, LISTEN
// and advisory locks of their own.

const ROUNDS = 3
const CONNECT_TIMEOUT_MS = 10_000
const QUERY_TIMEOUT_MS = 5_000

/** A pooler in front of PostgreSQL shares sessions. The message says what to do. */
export class SessionsShared extends Error {
  override readonly name = 'SessionsShared'

  constructor() {
    super(
      'A pooler before the database (pgbouncer?) shares sessions between transactions, which loses settings, prepared statements and LISTEN: ' +
        'set pool_mode = session for this database, or name PostgreSQL itself in TOLLGATE_DATABASE_URL.',
    )
  }
}

/**
 * Whether two connections are two sessions, and stay the same ones. While both are open, no server gives two sessions one process;
 * a pooler that is at leisure serves both by the session that is free, and one that is busy serves one of them by several.
 */
export async function hasSessionsOfItsOwn(url: string): Promise<boolean> {
  const clients = [newClient(url), newClient(url)]
  try {
    await Promise.all(clients.map((client) => client.connect()))
    const seen = clients.map(() => new Set<number>())
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, client] of clients.entries()) {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        for (const { pid } of rows) seen[index]?.add(pid)
      }
    const [one = new Set(), other = new Set()] = seen
    return one.size === 1 && other.size === 1 && one.isDisjointFrom(other)
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tollgate pooler',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  })
  // A connection that breaks also fails what is under way, which is where we look.
  client.on('error', () => undefined)
  return client
}
