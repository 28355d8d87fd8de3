import { badBank } from './bad-bank.ts'
import { badNetwork } from './bad-network.ts'
import { badReceivers } from './bad-receivers.ts'
import { freezeProcesses } from './freeze-processes.ts'
import { killDatabase } from './kill-database.ts'
import { killProcesses } from './kill-processes.ts'
import type { FaultKind } from './kind.ts'
import { partition } from './partition.ts'
import { rollingRestart } from './rolling-restart.ts'
import { takenSessions } from './taken-sessions.ts'

export type { FaultKind } from './kind.ts'

/** All there are, in the order of a run. */
export const FAULT_KINDS: readonly FaultKind[] = [
  killProcesses,
  killDatabase,
  badNetwork,
  partition,
  takenSessions,
  freezeProcesses,
  badReceivers,
  badBank,
  rollingRestart,
]
