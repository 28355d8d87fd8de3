import type { FaultKind } from './kind.ts'

/** Every process of the gateway in turn is asked to finish, and started again. */
export const rollingRestart: FaultKind = {
  name: 'rolling-restart',
  title: 'SIGTERM of one process after another, each started again',
  async strike({ apis, workers }) {
    for (const member of [...apis, ...workers]) {
      await member.stop()
      await member.revive()
    }
  },
}
