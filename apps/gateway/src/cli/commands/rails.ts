import type { Command } from 'commander'
import type { Shell } from '../shell.ts'
import { addRailHealthCommands } from './rail-health.ts'

/** Banks, wallets and schemes that this installation can talk to. */
export function addRailCommands(program: Command, shell: Shell): void {
  const rails = program.command('rails').description('the banks, wallets and schemes that payments go by')
  rails
    .command('list')
    .description('list the rails and what each can do')
    .action(shell.act(async () => (await import('../actions/rails.ts')).list(shell)))
  addRailHealthCommands(rails, shell)
}
