import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import type { Shell } from '../shell.ts'
import { code, idPayment, wholeNumber } from '../values.ts'

const LISTED_MAX = 500
const LISTED_DEFAULT = 50

const work = () => import('../actions/settlements.ts')
const settings = () => import('../actions/settlement-settings.ts')

interface RunOptions {
  merchant?: string
  all?: true
  currency?: string
  until?: Date | 'NOW'
  dryRun?: true
}
interface ListOptions {
  currency?: string
  limit: number
}
interface CycleOptions {
  currency: string
  cycle: string
  minimum?: string
  settleIn?: string
  rateList?: string
}
interface AccountOptions {
  currency: string
  method: string
  operator?: string
  accountFile: string
}

/** Settlements: when merchants' money becomes free, and where it is paid out to. */
export function addSettlementCommands(program: Command, shell: Shell): void {
  const settlements = program
    .command('settlements')
    .description('when merchants’ money becomes available, and where it is paid out to')
  settlements
    .command('run')
    .description('settle the periods that are due now, as the worker does by itself')
    .option('--merchant <code>', 'of this merchant')
    .option('--all', 'of all merchants')
    .option('--currency <currency>', 'only this currency', code)
    .option(
      '--until <date>',
      'one period that ends there, whatever the cycle says: 00:00 UTC of a day, a moment in UTC, or now',
      until,
    )
    .option('--dry-run', 'say what would happen, and change nothing')
    .action(
      shell.act(async ({ all, ...options }: RunOptions) => {
        requireExtent(all, options.merchant)
        return (await work()).run(shell, options)
      }),
    )
  settlements
    .command('list <merchant>')
    .description('list the settlements of a merchant, the newest first')
    .option('--currency <currency>', 'only this currency', code)
    .option('--limit <count>', 'at most so many', wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(
      shell.act(async (merchant: string, options: ListOptions) =>
        (await work()).list(shell, { merchant, ...options }),
      ),
    )
  settlements
    .command('show <merchant> [id]')
    .description('show a settlement; without an id, the merchant’s cycles and accounts')
    .action(
      shell.act(async (merchant: string, id: string | undefined) =>
        id === undefined
          ? (await settings()).showTerms(shell, merchant)
          : (await work()).show(shell, { merchant, id: idPayment(id) }),
      ),
    )
  addSettings(settlements, shell)
}

/** Whoever forgets the merchant must not settle everybody's money. */
function requireExtent(all: true | undefined, merchant: string | undefined): void {
  if (all === undefined && merchant === undefined)
    throw new CommandFailure('USAGE', 'Name the merchant (--merchant <code>), or all of them (--all).')
  if (all !== undefined && merchant !== undefined)
    throw new CommandFailure('USAGE', '--merchant and --all exclude each other.')
}

function addSettings(settlements: Command, shell: Shell): void {
  settlements
    .command('set-cycle <merchant>')
    .description('say when the merchant’s money of a currency becomes available')
    .requiredOption('--currency <currency>', 'the currency in which it is earned', code)
    .requiredOption('--cycle <cycle>', 't+2, daily, weekly:mon or monthly; periods end at 00:00 UTC')
    .option('--minimum <amount>', 'less than this is carried to the next period')
    .option('--settle-in <currency>', 'make it available in another currency', code)
    .option('--rate-list <code>', 'by the prices of this rate list', code)
    .action(
      shell.act(async (merchant: string, options: CycleOptions) =>
        (await settings()).setCycle(shell, { merchant, ...options }),
      ),
    )
  settlements
    .command('set-account <merchant>')
    .description('register the account that the merchant is paid out to in a currency')
    .requiredOption('--currency <currency>', 'the currency that is paid out', code)
    .requiredOption('--method <method>', 'the payment method that pays out, such as BANK_TRANSFER', code)
    .option('--operator <operator>', 'the bank or wallet, where the method has several', code)
    .requiredOption(
      '--account-file <file>',
      'JSON with accountNumber and, as the method needs them, accountName, bankCode and emailAddress; - for standard input',
    )
    .action(
      shell.act(async (merchant: string, options: AccountOptions) =>
        (await settings()).setAccount(shell, { merchant, ...options }),
      ),
    )
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_LENGTH = 10
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.]\d{1,3})?)?Z$/

function until(text: string): Date | 'NOW' {
  if (text.toLowerCase() === 'now') return 'NOW'
  const moment = new Date(DAY.test(text) ? `${text}T00:00:00Z` : text)
  const isReal =
    (DAY.test(text) || MOMENT.test(text)) &&
    !Number.isNaN(moment.getTime()) &&
    moment.toISOString().startsWith(text.slice(0, DAY_LENGTH))
  if (isReal) return moment
  throw new CommandFailure(
    'USAGE',
    `--until must be a day such as 2026-11-20, a moment in UTC, or now; it is ${JSON.stringify(text)}.`,
  )
}
