import type { Command } from 'commander'
import type { Shell } from '../shell.ts'

/** What is kept for a time only. */
export function addRetentionCommands(program: Command, shell: Shell): void {
  program
    .command('retention')
    .description('what is kept for a time only')
    .command('show')
    .description('show for how long what is kept, and how much of it is over')
    .action(shell.act(async () => (await import('../actions/retention.ts')).show(shell)))
}
