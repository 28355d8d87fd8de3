import type { Printed, RetentionListSchema } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { get } from '../operator-call.ts'
import type { Shell } from '../shell.ts'

const show = clientCommand({
  command: 'show',
  says: 'show retention periods and how much has expired',
  permission: 'retention.read',
  asks: () => get('/operator/retention'),
  shows: ({ data }: Printed<typeof RetentionListSchema>, pen) =>
    pen.table(
      ['CLASS', 'KEPT', 'OVER', 'OLDEST', 'REMOVED UNTIL'],
      data.map(({ class: name, days, over, oldestAt, removedUntil }) => [
        name,
        days === 0 ? 'for ever' : `${days} days`,
        String(over),
        pen.momentOf(oldestAt) ?? '',
        pen.momentOf(removedUntil) ?? 'never',
      ]),
      'Nothing expires.',
    ),
})

/** What is kept for a time only. */
export function addRetentionCommands(program: Command, shell: Shell): void {
  show.addTo(program.command('retention').description('data retention'), shell)
}
