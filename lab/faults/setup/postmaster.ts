import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../rig/programs.ts'
import type { DurableServer } from '../../rig/server.ts'
import { postmasterPid } from '../../rig/server-processes.ts'
import { createPatientSql } from './database.ts'

const STOP_TIMEOUT_MS = 30_000
const POLL_MS = 10

export const clusterOf = ({ dataDir }: DurableServer): string => join(dataDir, 'postgres')

/** Lets the server end in peace, so that its files can be moved; `restart` of the server brings it back. */
export async function stopPostmaster(server: DurableServer): Promise<void> {
  if (!existsSync(join(clusterOf(server), 'postmaster.pid'))) return
  const pid = postmasterPid(server.dataDir)
  const deadlineMs = performance.now() + STOP_TIMEOUT_MS
  for (let isFirst = true; signal(pid, isFirst ? 'SIGINT' : 0); isFirst = false) {
    if (performance.now() > deadlineMs) throw new Error(`PostgreSQL (${pid}) does not stop`)
    await sleep(POLL_MS)
  }
}

/**
 * Ends the server in peace and starts it again as it was, in another environment. It is stopped by `stopPostmaster`; then
 * `restart` of the server brings back the usual one. Linux only.
 */
export async function restartPostmasterWith(server: DurableServer, environment: Settings): Promise<void> {
  const cluster = clusterOf(server)
  const order = readFileSync(`/proc/${postmasterPid(server.dataDir)}/cmdline`, 'utf8')
    .split('\0')
    .slice(0, -1)
  const [program, ...args] = order
  if (program === undefined) throw new Error('PostgreSQL does not run')
  await stopPostmaster(server)
  const { uid, gid } = statSync(cluster)
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...environment }
  spawn(program, args, { ...(process.getuid?.() === 0 && { uid, gid }), cwd: cluster, env, stdio: 'ignore' })
  await createPatientSql(server)('select 1')
}

/** Whether there was such a process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}
