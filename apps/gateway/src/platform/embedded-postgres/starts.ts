import { readdirSync, realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode } from './failure.ts'
import { choosePort } from './ports.ts'
import {
  type Postmaster,
  type PostmasterRequest,
  PostmasterStartFailure,
  startPostmaster,
} from './postmaster.ts'
import { liveServer } from './postmaster-file.ts'
import { commandLine, workingFolder } from './processes.ts'

interface StartRequest extends Omit<PostmasterRequest, 'port'> {
  readonly port: number | undefined
  /** True: clients know the port already, so wait for it; false: take another one when it is taken. */
  readonly keepPort: boolean
}

const PATIENCE_MS = 30_000
/** Sessions of a killed server see its end and go within a moment, but for some, which are helped then. */
const STRAGGLERS_MS = 2_000
const PAUSE_MS = 100

/**
 * Starts the server and tries again where that helps: a port that another program took, sessions of a killed server that
 * are still ending. Throws what the last attempt threw when that has not helped after half a minute.
 */
export async function startWithRetries(
  request: StartRequest,
): Promise<{ postmaster: Postmaster; port: number }> {
  const startMs = performance.now()
  let wanted = request.port
  for (;;) {
    const port = await portFor(request, wanted)
    try {
      return { postmaster: await startPostmaster({ ...request, port }), port }
    } catch (error) {
      const problem = error instanceof PostmasterStartFailure ? error.reason : 'other'
      const waitedMs = performance.now() - startMs
      if (problem === 'other' || waitedMs > PATIENCE_MS) throw error
      if (problem === 'port-taken') wanted = request.keepPort ? wanted : undefined
      else if (waitedMs > STRAGGLERS_MS) killStragglers(request.place.cluster)
      await sleep(PAUSE_MS)
    }
  }
}

async function portFor({ keepPort }: StartRequest, wanted: number | undefined): Promise<number> {
  return keepPort && wanted !== undefined ? wanted : await choosePort(wanted)
}

/**
 * Kills what is left of a server of the cluster that is dead itself, and gives the number of processes. A session that
 * waited for a lock of one that was killed with the server waits for ever: it neither sees that the server is gone nor
 * hears a gentle signal in every state, and as long as it is there no new server starts. It has nothing that can be lost,
 * because the next server recovers from the log. Only where the system shows who works in which folder (Linux).
 */
function killStragglers(cluster: string): number {
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
