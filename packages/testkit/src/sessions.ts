import pg from 'pg'

const SESSIONS_MAX = 20
const IDLE_MS = 30_000

const pools = new Map<string, pg.Pool>()

/**
 * Sessions on this address that are kept for a moment, since opening one costs thirty times what a statement does. They never keep the
 * process alive, and the server may end before them: nobody asks it anything then.
 */
export function keptSessions(url: string, { idleMs = IDLE_MS }: { readonly idleMs?: number } = {}): pg.Pool {
  const known = pools.get(url)
  if (known !== undefined) return known
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'testkit',
    allowExitOnIdle: true,
    max: SESSIONS_MAX,
    idleTimeoutMillis: idleMs,
  })
  pool.on('error', () => undefined)
  pools.set(url, pool)
  return pool
}

/** Ends the kept sessions on a database, whoever they are of. */
export async function endSessions(database: string): Promise<void> {
  const ended = [...pools].filter(([url]) => new URL(url).pathname === `/${database}`)
  for (const [url] of ended) pools.delete(url)
  await Promise.all(ended.map(([, pool]) => pool.end()))
}
