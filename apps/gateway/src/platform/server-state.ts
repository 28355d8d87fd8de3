import type { Statement, Tx } from './database.ts'

const FIND: Statement = {
  name: 'server_state_find',
  // Others than the owner of a session do not see what program it belongs to.
  text: `select current_setting('server_version') as version, statement_timestamp() as now,
      coalesce((select json_agg(c order by c.program) from (
        select application_name as program, count(*)::int as count, min(backend_start) as since from pg_stat_activity
        where datname = current_database() and usename = current_user and application_name like 'tollgate %' group by 1) c), '[]') as connections`,
}

interface StateRow {
  readonly version: string
  readonly now: Date
  readonly connections: readonly {
    readonly program: string
    readonly count: number
    readonly since: string
  }[]
}

/** The database server, and the connections that processes of the gateway hold there. */
interface ServerState {
  readonly version: string
  readonly now: Date
  readonly connections: readonly { readonly program: string; readonly count: number; readonly since: Date }[]
}

export async function findServerState(tx: Tx): Promise<ServerState> {
  const [row] = await tx.rows<StateRow>(FIND, [])
  if (row === undefined) throw new Error('a statement without a table gave no row')
  return {
    ...row,
    connections: row.connections.map(({ since, ...rest }) => ({ ...rest, since: new Date(since) })),
  }
}
