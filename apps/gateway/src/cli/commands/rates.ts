import type { Command } from 'commander'
import type { Shell } from '../shell.ts'
import { code, oneOf, wholeNumber } from '../values.ts'

const DAYS_MAX = 3650
const UNIT_MAX = 1_000_000_000
const FORMATS = ['CSV', 'JSON', 'ECB'] as const
const QUOTATIONS = ['DIRECT', 'INDIRECT'] as const
const SIDES = ['BUY', 'SELL', 'MID'] as const

const work = () => import('../actions/rates.ts')

interface CreateOptions {
  name: string
  base: string
  staleAfterDays?: number
  neverStale?: boolean
}
interface ImportOptions {
  format: (typeof FORMATS)[number]
  validFrom?: string
  publishedAt?: string
  again?: boolean
}
interface SetOptions {
  buy?: string
  sell?: string
  mid?: string
  unit?: number
  quotation?: (typeof QUOTATIONS)[number]
  validFrom?: string
}
interface ConvertOptions {
  side: (typeof SIDES)[number]
  date?: string
}

/** Rate lists: what currencies are worth, sheet by sheet. */
export function addRateCommands(program: Command, shell: Shell): void {
  const rates = program.command('rates').description('rate lists (foreign exchange)')
  addReading(rates, shell)
  addMaking(rates, shell)
  addSheets(rates, shell)
}

function addReading(rates: Command, shell: Shell): void {
  rates
    .command('list')
    .description('list all rate lists with the age of their sheets')
    .action(shell.act(async () => (await work()).list(shell)))
  rates
    .command('show <code>')
    .description('show the sheet of a rate list that is in force')
    .option('--date <date>', 'at this day or moment (UTC); default: now')
    .action(
      shell.act(async (list: string, options: { date?: string }) =>
        (await work()).show(shell, { list: code(list), ...options }),
      ),
    )
  rates
    .command('convert <code> <amount> <from> <to>')
    .description('say what money is worth in another currency')
    .option(
      '--side <side>',
      'buy (you give the money to the house), sell (you get it from there) or mid',
      oneOf('--side', SIDES),
      'MID',
    )
    .option('--date <date>', 'by the sheet of this day or moment (UTC); default: now')
    .action(
      shell.act(
        async (...[list, amount, from, to, options]: [string, string, string, string, ConvertOptions]) => {
          const wish = { list: code(list), amount, from: code(from), to: code(to), ...options }
          return (await import('../actions/rate-conversion.ts')).convert(shell, wish)
        },
      ),
    )
}

function addMaking(rates: Command, shell: Shell): void {
  rates
    .command('create <code>')
    .description('make a rate list, without a sheet at first')
    .requiredOption('--name <name>', 'for people')
    .requiredOption('--base <currency>', 'the currency in which the others are quoted; it stays', code)
    .option(
      '--stale-after-days <days>',
      'from this age on a sheet is stale; default: 4, a weekend and a day',
      wholeNumber('--stale-after-days', 1, DAYS_MAX),
    )
    .option('--never-stale', 'a sheet is never stale')
    .action(
      shell.act(async (list: string, options: CreateOptions) =>
        (await work()).create(shell, { list: code(list), ...options }),
      ),
    )
  for (const [name, isEnabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    rates
      .command(`${name} <code>`)
      .description(
        isEnabled ? 'take the list into use again' : 'nobody reads or converts by the list any more',
      )
      .action(
        shell.act(async (list: string) => (await work()).setEnabled(shell, { list: code(list), isEnabled })),
      )
  }
}

function addSheets(rates: Command, shell: Shell): void {
  rates
    .command('import <code> <file>')
    .description('store the sheets of a file, or of standard input for `-`: all of them, or none')
    .requiredOption('--format <format>', 'csv, json, or ecb (eurofxref XML)', oneOf('--format', FORMATS))
    .option('--valid-from <date>', 'day or moment (UTC) from which the sheet is in force; a file may say it')
    .option('--published-at <date>', 'when its source published it; default: now')
    .option('--again', 'store it as another version even if the list has had the same before')
    .action(
      shell.act(async (list: string, file: string, options: ImportOptions) =>
        (await work()).importFile(shell, { list: code(list), file, ...options }),
      ),
    )
  rates
    .command('set <code> <currency>')
    .description('store a new sheet: the one in force, with the row of one currency replaced')
    .option('--buy <rate>', 'at which the house buys the currency')
    .option('--sell <rate>', 'at which the house sells it')
    .option('--mid <rate>', 'between the two; alone, it is all three')
    .option(
      '--unit <units>',
      'how many units the numbers are for; default: as before, else 1',
      wholeNumber('--unit', 1, UNIT_MAX),
    )
    .option(
      '--quotation <quotation>',
      'direct or indirect; default: as before, else direct',
      oneOf('--quotation', QUOTATIONS),
    )
    .option('--valid-from <date>', 'day or moment (UTC) from which the sheet is in force; default: now')
    .action(
      shell.act(async (list: string, currency: string, options: SetOptions) =>
        (await work()).set(shell, { list: code(list), currency: code(currency), ...options }),
      ),
    )
}
