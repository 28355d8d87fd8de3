import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../rig/random.ts'
import type { DurableServer } from '../../rig/server.ts'
import { processesOf, signalProcess } from '../../rig/server-processes.ts'
import type { Sql } from '../../rig/sql.ts'
import type { Kills } from './kills.ts'

/** Ends PostgreSQL, or parts of it, in all the bad ways. */
export interface DatabaseFaults {
  /** SIGKILL of the server with all its processes, then a start, which recovers. */
  killServer(): Promise<void>
  /** SIGKILL of the process of one session of the gateway: the server throws out everybody and recovers. */
  killSession(random: Random): Promise<void>
  /** Ends all sessions of the gateway, as an administrator would, so many seconds from now. */
  terminateSessions(afterSeconds: number): Promise<void>
}

const GATEWAY_SESSIONS = `from pg_stat_activity where application_name like 'tollgate%' and backend_type = 'client backend'`

export function createDatabaseFaults(server: DurableServer, kills: Kills): DatabaseFaults {
  const sql = createPatientSql(server)
  return {
    async killServer() {
      const pids = await processesOf(server.dataDir, sql)
      kills.note('PostgreSQL')
      for (const pid of pids) signalProcess(pid, 'SIGKILL')
      await server.restart()
    },
    async killSession(random) {
      const sessions = await sql(`select pid ${GATEWAY_SESSIONS}`)
      const [first, ...others] = sessions.map(({ pid }) => Number(pid))
      if (first === undefined) return
      kills.note('session')
      signalProcess(random.pick([first, ...others]), 'SIGKILL')
    },
    async terminateSessions(afterSeconds) {
      await sql(`select pg_sleep(${afterSeconds}); select pg_terminate_backend(pid) ${GATEWAY_SESSIONS}`)
    },
  }
}

const RECOVERY_TIMEOUT_MS = 60_000
const RECOVERY_POLL_MS = 100

/** Runs statements that may be run twice, again while the server recovers; throws what the last of them threw after a minute. */
export function createPatientSql({ sql }: DurableServer): Sql {
  return async (text, values) => {
    const deadlineMs = performance.now() + RECOVERY_TIMEOUT_MS
    for (;;) {
      try {
        return await sql(text, values)
      } catch (error) {
        if (performance.now() > deadlineMs) throw error
        await sleep(RECOVERY_POLL_MS)
      }
    }
  }
}
