import { cancelledWaits } from './loads.ts'
import type { Mutant } from './mutant.ts'

/** What goes wrong only when the primary is lost and its standby takes over. */
export const STANDBY_MUTANTS: readonly Mutant[] = [
  {
    name: 'ignore-commit-warning',
    title:
      'a payment counts as accepted though the database warned, at the COMMIT, that its standby has not got it',
    patches: [
      {
        file: 'apps/gateway/src/platform/database.ts',
        find: 'if (warning !== undefined) throw new CommitUnknown(warning, { mayBeResolved: false })',
        replace: 'warning = undefined',
      },
    ],
    kind: cancelledWaits,
    mustBreak: 'I10',
  },
  {
    name: 'async-standby',
    title: 'no commit waits for the standby',
    patches: [
      {
        file: 'lab/faults/setup/server-pair.ts',
        find: 'if (!isSynchronous) return',
        replace: 'if (isSynchronous) return',
      },
    ],
    kind: cancelledWaits,
    mustBreak: 'I10',
  },
]
