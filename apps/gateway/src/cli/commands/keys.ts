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
    .description('sign new tokens by a new key; older tokens stay valid until they expire')
    .action(shell.act(async () => (await import('../actions/keys.ts')).rotate(shell)))
  keys
    .command('rewrap')
    .description('seal the root key with the new master key, when all processes know both')
    .action(shell.act(async () => (await import('../actions/keys.ts')).rewrap(shell)))
}
