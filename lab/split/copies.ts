import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DurableServer } from '../rig/server.ts'
import { createSql, sqlNumber } from '../rig/sql.ts'
import { type RunningServer, startStandby } from '../rig/standby.ts'

const POLL_MS = 20

/** The same server at another address: keys and settings are those of the cell that it was copied from. */
export const serverAt = (server: DurableServer, url: string): DurableServer => ({
  ...server,
  url,
  sql: createSql(url),
})

/** A standby of the cell's server, in a folder below its own. */
export function copyOf(server: DurableServer, name: string): Promise<RunningServer> {
  return startStandby({
    dataDir: join(server.dataDir, name),
    primaryUrl: server.url,
    logUrl: server.url,
    settings: {
      timezone: 'UTC',
      log_timezone: 'UTC',
      max_connections: server.settings['max_connections'] ?? '',
    },
  })
}

/** Makes a server of its own of the standby once it has everything that its server has at this moment. */
export async function promote(server: DurableServer, copy: RunningServer): Promise<void> {
  const [position] = await server.sql('select pg_current_wal_lsn()::text as lsn')
  const sql = createSql(copy.url)
  const behind = 'select (pg_last_wal_replay_lsn() < $1::pg_lsn)::int'
  // What it replays may be at odds with a question, which ends then.
  const isBehind = (): Promise<boolean> =>
    sqlNumber(sql, behind, [position?.['lsn']]).then(
      (found) => found > 0,
      () => true,
    )
  while (await isBehind()) await sleep(POLL_MS)
  await sql('select pg_promote()')
}
