import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultKind } from './kind.ts'

const PAUSE_MS_MAX = 3_000

/** The database is killed, in whole or in part; the processes of the gateway stay, and have to find their way back. */
export const killDatabase: FaultKind = {
  name: 'kill-database',
  isKill: true,
  title: 'SIGKILL of PostgreSQL, of one of its sessions, or the end of all sessions',
  async strike({ database }, random) {
    await sleep(random.below(PAUSE_MS_MAX))
    switch (random.pick(['SERVER', 'SESSION', 'SESSIONS'])) {
      case 'SERVER':
        return database.killServer()
      case 'SESSION':
        return database.killSession(random)
      case 'SESSIONS':
        return database.terminateSessions(0)
    }
  },
}
