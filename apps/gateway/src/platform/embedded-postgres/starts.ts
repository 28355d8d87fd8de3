import { setTimeout as sleep } from 'node:timers/promises'
import { choosePort } from './ports.ts'
import {
  type Postmaster,
  type PostmasterRequest,
  PostmasterStartFailure,
  startPostmaster,
} from './postmaster.ts'

export interface StartRequest extends Omit<PostmasterRequest, 'port'> {
  readonly port: number | undefined
  /** True: clients know the port already, so wait for it; false: take another one when it is taken. */
  readonly keepPort: boolean
}

const PATIENCE_MS = 30_000
const PAUSE_MS = 100

/**
 * Starts the server and tries again where that helps: a port that another program took, sessions of a killed server that
 * are still ending. Throws what the last attempt threw when that has not helped after half a minute.
 */
export async function startWithRetries(
  request: StartRequest,
): Promise<{ postmaster: Postmaster; port: number }> {
  const deadline = performance.now() + PATIENCE_MS
  let wanted = request.port
  for (;;) {
    const port = request.keepPort && wanted !== undefined ? wanted : await choosePort(wanted)
    try {
      return { postmaster: await startPostmaster({ ...request, port }), port }
    } catch (error) {
      const hopeless = !(error instanceof PostmasterStartFailure) || error.reason === 'other'
      if (hopeless || performance.now() > deadline) throw error
      if (error.reason === 'port-taken' && !request.keepPort) wanted = undefined
      await sleep(PAUSE_MS)
    }
  }
}
