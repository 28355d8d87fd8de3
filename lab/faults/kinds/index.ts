import { badBank } from './bad-bank.ts'
import { badDisk } from './bad-disk.ts'
import { badNetwork } from './bad-network.ts'
import { badReceivers } from './bad-receivers.ts'
import { diskFull } from './disk-full.ts'
import { freezeProcesses } from './freeze-processes.ts'
import { jumpingClocks } from './jumping-clocks.ts'
import { killApprovals } from './kill-approvals.ts'
import { killAtPoints } from './kill-at-points.ts'
import { killDatabase } from './kill-database.ts'
import { killProcesses } from './kill-processes.ts'
import { killRefunds } from './kill-refunds.ts'
import { killUploads } from './kill-uploads.ts'
import type { FaultKind } from './kind.ts'
import { littleMemory } from './little-memory.ts'
import { partition } from './partition.ts'
import { rollingRestart } from './rolling-restart.ts'
import { schemaChange } from './schema-change.ts'
import { takenSessions } from './taken-sessions.ts'
import { twoVersions } from './two-versions.ts'
import { wrongClocks } from './wrong-clocks.ts'

export type { FaultKind, Prepared } from './kind.ts'

/** All there are, in the order of a run. */
export const FAULT_KINDS: readonly FaultKind[] = [
  killProcesses,
  killAtPoints,
  killUploads,
  killApprovals,
  killRefunds,
  killDatabase,
  badNetwork,
  partition,
  diskFull,
  badDisk,
  takenSessions,
  freezeProcesses,
  badReceivers,
  badBank,
  wrongClocks,
  jumpingClocks,
  rollingRestart,
  schemaChange,
  twoVersions,
  littleMemory,
]
