import type { Printed, RailListSchema } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { get } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { addRailHealthCommands } from './rail-health.ts'

type Rail = Printed<typeof RailListSchema>['data'][number]

const list = clientCommand({
  command: 'list',
  says: 'list the rails and their capabilities',
  permission: 'institutions.read',
  asks: () => get('/operator/rails'),
  shows: ({ data }: Printed<typeof RailListSchema>, pen) =>
    pen.table(
      ['RAIL', 'DIRECTIONS', 'FLOWS', 'CANCELS', 'NOTIFIES', 'PAYS OUT BY'],
      data.map((rail) => [
        rail.railCode,
        rail.directions.join(' '),
        rail.flows.join(' '),
        rail.cancels ? 'yes' : 'no',
        rail.notifies ? 'yes' : 'no',
        paysOutBy(rail),
      ]),
      'No rails.',
    ),
})

function paysOutBy({ directions, handsOverByFile }: Rail): string {
  if (!directions.includes('PAYOUT')) return ''
  return handsOverByFile ? 'file' : 'request'
}

/** Banks, wallets and schemes that this installation can talk to. */
export function addRailCommands(program: Command, shell: Shell): void {
  const rails = program.command('rails').description('connections to banks, wallets and schemes')
  list.addTo(rails, shell)
  addRailHealthCommands(rails, shell)
}
