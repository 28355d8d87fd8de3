import { buildRestoreGap, FILE_RAILS } from '../../rooms/restore-gap.ts'
import { CommandFailure } from '../failure.ts'
import type { OperatorOptions } from '../operator-call.ts'
import { withOperator } from '../operator-identity.ts'
import type { Report, Shell } from '../shell.ts'

/** `tollgate restore-gap open`. In the database itself: money has to stop before the gateway starts. */
export function open(shell: Shell, lostFrom: Date, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'payments.hold',
    work: async (house, { code }) => {
      if (lostFrom.getTime() > shell.clock.nowMs())
        throw new CommandFailure('USAGE', '--since is in the future.')
      const opened = await buildRestoreGap(house).open({
        lostFrom,
        operatorCode: code,
        fileRails: FILE_RAILS,
      })
      return {
        json: opened,
        text: `A restore gap is open: no money leaves. ${opened.held} payments are on hold; institutions are asked about ${opened.asked}.`,
        notes: ['Next: docs/backup.md, "After a restore".'],
      }
    },
  })
}
