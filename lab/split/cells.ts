import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GatewayProcess, startGateway, startWorker } from '../rig/gateway.ts'
import { cleanEnvironment, type Program, ROOT } from '../rig/programs.ts'
import type { DurableServer } from '../rig/server.ts'
import { createSql, sqlNumber } from '../rig/sql.ts'
import { type RunningServer, startStandby } from '../rig/standby.ts'

const COMMAND = 'apps/gateway/bin/tollgate.mjs'
const POLL_MS = 20

/** A server that is a cell's, or will be. */
type CellServer = Pick<DurableServer, 'url' | 'dataDir'>

/** The processes of a cell. */
interface Cell {
  readonly api: GatewayProcess
  readonly worker: Program
  stop(): Promise<void>
}

/** First what answers merchants; `onApi` is told its port. */
export async function startCell(
  server: DurableServer,
  letter: string,
  onApi?: (port: number) => void,
): Promise<Cell> {
  const settings = { TOLLGATE_CELL: letter }
  const api = await startGateway(server, { name: `cell ${letter}`, settings })
  onApi?.(api.port)
  const worker = await startWorker(server, settings)
  return {
    api,
    worker,
    async stop() {
      await Promise.all([api.stop(), worker.stop()])
    },
  }
}

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

/** What came of a command. */
interface Ran {
  /** Undefined: it was killed. */
  readonly exitCode: number | undefined
  readonly said: string
}

/** `tollgate <parts>` at a server, killed after so many milliseconds where they are given. */
export async function command(
  { url, dataDir }: CellServer,
  letter: string,
  parts: readonly string[],
  killAfterMs?: number,
): Promise<Ran> {
  const child = spawn(process.execPath, [join(ROOT, COMMAND), ...parts], {
    cwd: ROOT,
    env: {
      ...cleanEnvironment(),
      TOLLGATE_DATA_DIR: dataDir,
      TOLLGATE_DATABASE_URL: url,
      TOLLGATE_CELL: letter,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  await once(child, 'close')
  clearTimeout(timer)
  return { exitCode: child.exitCode ?? undefined, said }
}

/** The same, which must succeed. */
export async function mustRun(server: CellServer, letter: string, parts: readonly string[]): Promise<string> {
  const { exitCode, said } = await command(server, letter, parts)
  if (exitCode !== 0) throw new Error(`tollgate ${parts.join(' ')} ended with ${String(exitCode)}: ${said}`)
  return said
}
