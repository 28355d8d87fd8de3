import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from './sql.ts'

/** The processes of a server that runs, the one in charge first. Those of sessions may have ended by then. */
export async function processesOf(dataDir: string, sql: Sql): Promise<readonly number[]> {
  const rows = await sql('select pid from pg_stat_activity where pid <> pg_backend_pid()')
  return [postmasterPid(dataDir), ...rows.map(({ pid }) => Number(pid))]
}

/** The process of the server, or the one that was it when it ended otherwise than in peace. */
export function postmasterPid(dataDir: string): number {
  const [line] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return Number(line)
}

/** Sends a signal to a process of a server. One that has ended by itself meanwhile is no matter. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  if (!Number.isSafeInteger(pid) || pid <= 1) throw new Error(`${pid} is no process of the server`)
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

const SHARED_MEMORY = /\/dev\/shm\/PostgreSQL\.\d+/g

/** The files of shared memory that a server has open. The next start removes them; nothing else does once its folder is gone. */
export function sharedMemoryOf(pid: number): readonly string[] {
  try {
    return [...new Set(readFileSync(`/proc/${pid}/maps`, 'utf8').match(SHARED_MEMORY) ?? [])]
  } catch {
    return []
  }
}

/** Of a server that was killed and whose files are removed. */
export function removeSharedMemory(files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true })
}
