import type { Command } from 'commander'
import type { Shell } from '../shell.ts'
import { wholeNumber } from '../values.ts'

const WORKERS_MAX = 64

/** Commands for the installation as a whole: its schema, its processes, its health, its settings. */
export function addInstallationCommands(program: Command, shell: Shell): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to date')
    .action(shell.act(async () => (await import('../actions/migrate.ts')).migrateSchema(shell)))
  addProcessCommands(program, shell)
  addBackupCommands(program, shell)
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

function addBackupCommands(program: Command, shell: Shell): void {
  program
    .command('backup <folder>')
    .description('copy the database into a new folder, while the gateway goes on; without the master key')
    .action(shell.act(async (folder: string) => (await import('../actions/backup.ts')).backUp(shell, folder)))
  program
    .command('restore <folder>')
    .description('restore a backup into an empty data directory or database, and check it')
    .action(
      shell.act(async (folder: string) => (await import('../actions/restore.ts')).restore(shell, folder)),
    )
}

/** Those that run until a signal ends them. */
function addProcessCommands(program: Command, shell: Shell): void {
  program
    .command('serve')
    .description('run the API alone; logs go to standard error')
    .option(
      '--workers <count>',
      `processes that share the work and the ports, 1 to ${WORKERS_MAX}; default 1`,
      wholeNumber('--workers', 1, WORKERS_MAX),
    )
    .action(
      shell.act(async (wish: { workers?: number }) =>
        (await import('../actions/serve.ts')).serve(shell, wish.workers ?? 1),
      ),
    )
  program
    .command('worker')
    .description('run the workers alone: payments under way, callbacks')
    .action(shell.act(async () => (await import('../actions/serve.ts')).work(shell)))
  program
    .command('checkout')
    .description('run the hosted payment page alone; logs go to standard error')
    .option(
      '--settings',
      'write the settings of a page that runs elsewhere, keys included, and start nothing',
    )
    .action(
      shell.act(async (wish: { settings?: true }) =>
        (await import('../actions/checkout.ts')).run(shell, wish),
      ),
    )
}
