import type { TestContext } from 'node:test'
import { runSql, type SqlRow, waitUntil } from '@tollgate/testkit'
import { RUNTIME_USER } from '../../platform/embedded-postgres/index.ts'
import { testDirectory } from '../../platform/embedded-postgres/test/support.ts'
import { migrate } from '../../platform/migrate.ts'

const TIMEOUT_MS = 10_000
const PROBE = `select pg_logical_emit_message(true, 'probe', '')`
const WAITING = `from pg_stat_activity where wait_event = 'SyncRep' and application_name = $1`

/** A server of the test's own, whose commits can be made to wait for a standby that is away. */
export interface LonelyServer {
  readonly url: string
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
  /** Until a session of the service waits for the standby. */
  untilWaiting(): Promise<void>
  /** Resolves when commits wait. */
  loseStandby(): Promise<void>
  findStandby(): Promise<void>
  /** Ends the waits with the outcome that nobody knows: what was written can be seen. */
  breakOff(end?: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void>
  /** Kills the primary, which recovers. */
  crash(): Promise<void>
}

/** With a database that is migrated. `applicationName` is that of the sessions that are waited for. */
export async function openLonelyServer(t: TestContext, applicationName: string): Promise<LonelyServer> {
  const server = await testDirectory(t).start({ settings: { fsync: 'off', shared_buffers: '64MB' } })
  await migrate({ url: server.ownerUrl, runtimeUser: RUNTIME_USER })
  const sql: LonelyServer['sql'] = (text, values) => runSql(server.adminUrl, text, values)
  const isWaiting = async (name: string): Promise<boolean> =>
    (await sql(`select pid ${WAITING}`, [name])).length > 0
  const until = (name: string): Promise<void> =>
    waitUntil(() => isWaiting(name), { timeoutMs: TIMEOUT_MS, what: `a session of ${name} that waits` })
  return {
    url: server.url,
    sql,
    untilWaiting: () => until(applicationName),
    async loseStandby() {
      await sql(`alter system set synchronous_standby_names = 'nobody'`)
      await sql('select pg_reload_conf()')
      // The first commits may come before the setting does.
      const probes = new Set<Promise<unknown>>()
      const probing = setInterval(() => {
        const probe = sql(PROBE).finally(() => probes.delete(probe))
        probes.add(probe)
      }, 20)
      await until('testkit').finally(() => clearInterval(probing))
      const endProbes = async (): Promise<boolean> => {
        await sql(`select pg_cancel_backend(pid) ${WAITING}`, ['testkit'])
        return probes.size === 0
      }
      await waitUntil(endProbes, { timeoutMs: TIMEOUT_MS, what: 'the end of the probes' })
    },
    async findStandby() {
      await sql('alter system reset synchronous_standby_names')
      await sql('select pg_reload_conf()')
    },
    async breakOff(end = 'pg_cancel_backend') {
      await sql(
        end === 'pg_cancel_backend'
          ? `select pg_cancel_backend(pid) ${WAITING}`
          : `select pg_terminate_backend(pid) ${WAITING}`,
        [applicationName],
      )
    },
    async crash() {
      const [row] = await sql(`select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`)
      process.kill(Number(row?.['pid']), 'SIGKILL')
      await server.restart()
    },
  }
}

export const isUnsafe = (error: unknown): boolean =>
  error instanceof Error && error.name === 'CommitUnknown' && 'mayBeResolved' in error && !error.mayBeResolved
