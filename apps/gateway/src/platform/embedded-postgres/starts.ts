import { setTimeout as sleep } from 'node:timers/promises'
import { choosePort } from './ports.ts'
import {
  type Postmaster,
  type PostmasterRequest,
  PostmasterStartFailure,
  startPostmaster,
} from './postmaster.ts'
import { killStragglers } from './stragglers.ts'

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
