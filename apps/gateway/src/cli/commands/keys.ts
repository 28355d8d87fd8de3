import type { Command } from 'commander'
import type { Shell } from '../shell.ts'

/** The keys that sign auth tokens, and the change of the master key. */
export function addKeyCommands(program: Command, shell: Shell): void {
  const keys = program
    .command('keys')
    .description('the keys that sign auth tokens, and the change of the master key')
  keys
    .command('list')
    .description('list all signing keys, the newest first')
    .action(shell.act(async () => (await import('../actions/keys.ts')).list(shell)))
  keys
    .command('rotate')
    .description(
      'publish a new key, which signs new tokens 3 minutes later; older tokens stay valid until they expire',
    )
    .option(
      '--now',
      'it signs at once, for a key that leaked: those who verify tokens by our published keys may refuse new ones for a minute',
    )
    .action(
      shell.act(async (options: { now?: true }) =>
        (await import('../actions/keys.ts')).rotate(shell, options),
      ),
    )
  keys
    .command('rewrap')
    .description('seal the root key with the new master key, when all processes know both')
    .action(shell.act(async () => (await import('../actions/keys.ts')).rewrap(shell)))
}
