import { setTimeout as sleep } from 'node:timers/promises'
import type { PlainFault } from './kind.ts'

const PAUSE_MS_MAX = 1_500

/** A process of the API, a worker, or one of each is killed wherever it stands, and started again. */
export const killProcesses: PlainFault = {
  name: 'kill-processes',
  isKill: true,
  title: 'SIGKILL of a process of the API, of a worker, or of both',
  async strike({ apis, workers }, random) {
    await sleep(random.below(PAUSE_MS_MAX))
    const [api, worker] = [random.pick(apis), random.pick(workers)]
    const victims = random.pick([[api], [worker], [api, worker]])
    await Promise.all(victims.map((victim) => victim.kill()))
    await Promise.all(victims.map((victim) => victim.revive()))
  },
}
