import type { Command } from 'commander'
import type { Shell } from '../shell.ts'

/** The keys that sign auth tokens, and the change of the master key. */
export function addKeyCommands(program: Command, shell: Shell): void {
  const keys = program.command('keys').description('keys that sign auth tokens; changing the master key')
  keys
    .command('list')
    .description('list all signing keys, the newest first')
    .action(shell.act(async () => (await import('../actions/keys.ts')).showKeys(shell)))
  keys
    .command('rotate')
    .description(
      'publish a new key, which signs new tokens after 3 minutes; existing tokens stay valid until they expire',
    )
    .option(
      '--now',
      'sign with it at once, if a key leaked; verifiers that cache the published keys may refuse new tokens for a minute',
    )
    .action(
      shell.act(async (options: { now?: true }) =>
        (await import('../actions/keys.ts')).rotate(shell, options),
      ),
    )
  keys
    .command('rewrap')
    .description('encrypt the root key with the new master key, once all processes have both')
    .action(shell.act(async () => (await import('../actions/keys.ts')).rewrap(shell)))
}
