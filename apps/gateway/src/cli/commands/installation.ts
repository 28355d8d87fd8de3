import type { Command } from 'commander'
import type { LinkWish } from '../actions/checkout-link.ts'
import type { Shell } from '../shell.ts'
import { code, gather, httpUrl, idPayment, wholeNumber } from '../values.ts'

const WORKERS_MAX = 64

/** Commands for the installation as a whole: its schema, its processes, its health, its settings. */
export function addInstallationCommands(program: Command, shell: Shell): void {
  program
    .command('migrate')
    .description('run missing database migrations')
    .action(shell.act(async () => (await import('../actions/migrate.ts')).migrateSchema(shell)))
  addProcessCommands(program, shell)
  addBackupCommands(program, shell)
  program
    .command('doctor')
    .description('check the installation and suggest fixes')
    .action(shell.act(async () => (await import('../doctor/examine.ts')).examine(shell)))
  program
    .command('config')
    .description('show all settings with values and meanings')
    .action(shell.act(async () => (await import('../actions/settings.ts')).showSettings(shell)))
}

function addBackupCommands(program: Command, shell: Shell): void {
  program
    .command('backup <folder>')
    .description('copy the database into a new folder while the gateway runs; without the master key')
    .action(shell.act(async (folder: string) => (await import('../actions/backup.ts')).backUp(shell, folder)))
  program
    .command('restore <folder>')
    .description('restore a backup into an empty data directory or database and check it')
    .action(
      shell.act(async (folder: string) => (await import('../actions/restore.ts')).restore(shell, folder)),
    )
  program
    .command('upgrade')
    .description('rehearse the upgrade to this version on a backup: time, locks, books')
    .requiredOption('--rehearse <backup>', 'folder of a backup; it stays as it is')
    .option('--place <folder>', 'new folder for the rehearsal; default: beside the backup')
    .action(
      shell.act(async (wish: { rehearse: string; place?: string }) =>
        (await import('../actions/upgrade.ts')).rehearseUpgrade(shell, wish),
      ),
    )
}

/** Those that run until a signal ends them. */
function addProcessCommands(program: Command, shell: Shell): void {
  program
    .command('serve')
    .description('run only the API; logs go to standard error')
    .option(
      '--workers <count>',
      `number of processes behind the same ports, 1 to ${WORKERS_MAX}; default 1`,
      wholeNumber('--workers', 1, WORKERS_MAX),
    )
    .action(
      shell.act(async (wish: { workers?: number }) =>
        (await import('../actions/serve.ts')).serve(shell, wish.workers ?? 1),
      ),
    )
  program
    .command('worker')
    .description('run only the workers: payments in progress, callbacks')
    .action(shell.act(async () => (await import('../actions/serve.ts')).work(shell)))
  const checkout = program
    .command('checkout')
    .description('run only the hosted payment page; logs go to standard error')
    .option('--settings', 'only print the settings for a page on another machine, including its keys')
    .action(
      shell.act(async (wish: { settings?: true }) =>
        (await import('../actions/checkout.ts')).run(shell, wish),
      ),
    )
  addLinkCommand(checkout, shell)
  program
    .command('console')
    .description('run only the operators’ console; logs go to standard error')
    .option(
      '--url <url>',
      'address of the operator API; default: that of this installation',
      httpUrl('--url'),
    )
    .action(
      shell.act(async (wish: { url?: string }) => (await import('../actions/console.ts')).run(shell, wish)),
    )
}

function addLinkCommand(checkout: Command, shell: Shell): void {
  checkout
    .command('link <idPayin>')
    .description('print the address of the payment page for a new payment, as a shop would make it')
    .requiredOption('--amount <amount>', 'amount, for example 149.90')
    .requiredOption('--currency <currency>', 'its currency', code)
    .option('--method <code>', 'payment method that the shop has chosen', code)
    .option('--operator <code>', 'bank or wallet that the shop has chosen', code)
    .option('--options-available', 'the customer may take another method')
    .option('--data <name=value>', "for example accountName='Jane Doe'; may be repeated", gather)
    .option('--allow-data-change', 'the customer may change --data')
    .option('--return-url <url>', 'default: the shop of the sandbox', httpUrl('--return-url'))
    .option('--callback-url <url>', 'default: the shop of the sandbox', httpUrl('--callback-url'))
    .option('--merchant <code>', 'merchant; default: the sandbox’s demo merchant')
    .option(
      '--private-key-file <file>',
      'RSA private key (PEM) of the merchant; default: the demo merchant’s',
    )
    .option('--api-url <url>', 'address of the API; default: that of this installation', httpUrl('--api-url'))
    .option(
      '--checkout-url <url>',
      'address of the payment page; default: that of this installation',
      httpUrl('--checkout-url'),
    )
    .option('--open', 'open it in the browser, too')
    .action(
      shell.act(async (id: string, options: LinkWish) =>
        (await import('../actions/checkout-link.ts')).linkToPage(shell, idPayment(id), options),
      ),
    )
}
