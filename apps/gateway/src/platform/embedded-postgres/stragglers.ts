import { readdirSync, realpathSync } from 'node:fs'
import { systemCode } from './failure.ts'
import { liveServer } from './postmaster-file.ts'
import { commandLine, workingFolder } from './processes.ts'

/**
 * Kills what is left of a server of the cluster that is dead itself, and gives the number of processes. A session that
 * waited for a lock of one that was killed with the server waits for ever: it neither sees that the server is gone nor
 * hears a gentle signal in every state, and as long as it is there no new server starts. It has nothing that can be lost,
 * because the next server recovers from the log. Only where the system shows who works in which folder (Linux).
 */
export function killStragglers(cluster: string): number {
  if (liveServer(cluster) !== undefined) return 0
  const folder = realpathSync(cluster)
  return processes().filter((pid) => isSessionIn(pid, folder) && isKilled(pid)).length
}

function processes(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isSafeInteger)
  } catch {
    return []
  }
}

function isSessionIn(pid: number, folder: string): boolean {
  return workingFolder(pid) === folder && commandLine(pid).startsWith('postgres: ')
}

function isKilled(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch (error) {
    if (systemCode(error) === 'ESRCH' || systemCode(error) === 'EPERM') return false
    throw error
  }
}
