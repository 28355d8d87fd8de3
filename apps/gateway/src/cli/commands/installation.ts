import type { Command } from 'commander'
import type { Shell } from '../shell.ts'

/** Commands for the installation as a whole: its schema, its processes, its health, its settings. */
export function addInstallationCommands(program: Command, shell: Shell): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to date')
    .action(shell.act(async () => (await import('../actions/migrate.ts')).migrateSchema(shell)))
  program
    .command('serve')
    .description('run the API alone; logs go to standard error')
    .action(shell.act(async () => (await import('../actions/serve.ts')).run(shell, 'api')))
  program
    .command('worker')
    .description('run the workers alone: payments under way, callbacks')
    .action(shell.act(async () => (await import('../actions/serve.ts')).run(shell, 'worker')))
  program
    .command('doctor')
    .description('look for what is wrong with the installation, and say how to mend it')
    .action(shell.act(async () => (await import('../doctor/examine.ts')).examine(shell)))
  program
    .command('verify')
    .description('recompute the books and compare; exit code 1 when something does not agree')
    .option('--head <entryNo:hash>', 'a head of the journal that `ledger head` showed once')
    .action(
      shell.act(async (wish: { head?: string }) =>
        (await import('../actions/verify.ts')).verify(shell, wish),
      ),
    )
  program
    .command('config')
    .description('show every setting with its value and meaning')
    .action(shell.act(async () => (await import('../actions/settings.ts')).showSettings(shell)))
}
