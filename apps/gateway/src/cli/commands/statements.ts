import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { type OperatorOptions, takesOperatorKey } from '../operator-key.ts'
import type { Shell } from '../shell.ts'
import { gather, idPayment, oneOf, wholeNumber } from '../values.ts'

const LISTED_MAX = 500
const LISTED_DEFAULT = 50

const work = () => import('../actions/statements.ts')

interface ImportOptions extends OperatorOptions {
  mapping?: string
  strict?: true
  account?: string
  encoding?: string
}
interface ListOptions {
  files?: true
  all?: true
  state?: readonly string[]
  limit: number
}
interface ShowOptions extends OperatorOptions {
  full?: true
}
interface DecideOptions extends OperatorOptions {
  reason: string
  merchant?: string
  kind?: string
  payment?: string
  with?: readonly string[]
}

/** Statements of banks: what came, what went, and whose it is. */
export function addStatementCommands(program: Command, shell: Shell): void {
  const statements = program
    .command('statements')
    .description('what banks say arrived and left, and what becomes of it')
  takesOperatorKey(statements.command('import <file>'))
    .description('take a file of a bank: camt.053, camt.054, MT940, or CSV with a mapping')
    .option('--mapping <file>', 'for CSV: JSON that says what is in which column')
    .option('--account <account>', 'your account, for statements that name none of yours')
    .option('--encoding <name>', 'of the letters, where the file does not say it: cp850, windows-1250, …')
    .option('--strict', 'refuse a file whose sums do not agree')
    .action(
      shell.act(async (file: string, options: ImportOptions) =>
        (await work()).importStatement(shell, { file, ...options }, options),
      ),
    )
  statements
    .command('list')
    .description('list the lines that wait for a decision, masked, the newest first')
    .option('--state <state>', 'lines in this state instead; may be given several times', gather)
    .option('--all', 'lines in every state')
    .option('--files', 'the files that were taken instead')
    .option('--limit <count>', 'at most so many', wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(shell.act(async (options: ListOptions) => (await work()).list(shell, options)))
  takesOperatorKey(statements.command('show <line>'))
    .description('show a line with what was decided about it, and the payments that it may be for')
    .option('--full', 'with name, account and texts in full; takes an operator, and is noted')
    .action(
      shell.act(async (line: string, { full, ...options }: ShowOptions) =>
        full === true
          ? (await work()).showInFull(shell, lineId(line), options)
          : (await work()).show(shell, lineId(line)),
      ),
    )
  statements
    .command('match')
    .description('look at the lines that nobody has looked at, as the worker does by itself')
    .action(shell.act(async () => (await work()).match(shell)))
  addDecide(statements, shell)
}

const DECISIONS = ['accept', 'cover', 'same-money', 'return', 'returned', 'note'] as const
const KINDS = ['PAYIN', 'TOPUP'] as const

function addDecide(statements: Command, shell: Shell): void {
  takesOperatorKey(statements.command('decide <line> <decision>'))
    .description('say what becomes of money whose place is not clear')
    .requiredOption('--reason <text>', 'for the record')
    .option('--merchant <code>', 'with --payment: whose payment')
    .option('--kind <kind>', 'with --payment: payin (the default) or topup', oneOf('--kind', KINDS))
    .option('--payment <id>', 'the payment, where the line does not name the right one', idPayment)
    .option(
      '--with <line>',
      'a further line that makes the payment together with this one; several times',
      gather,
    )
    .action(
      shell.act(async (line: string, decision: string, options: DecideOptions) =>
        (await work()).decide(
          shell,
          {
            ...{ lineId: lineId(line), decision: oneOf('<decision>', DECISIONS)(decision) },
            ...{
              reason: options.reason,
              withLineIds: (options.with ?? []).map(lineId),
              payment: paymentOf(options),
            },
          },
          options,
        ),
      ),
    )
}

function paymentOf({ merchant, kind = 'PAYIN', payment }: DecideOptions) {
  if (payment === undefined && merchant === undefined) return undefined
  if (payment === undefined || merchant === undefined)
    throw new CommandFailure('USAGE', '--payment and --merchant go together.')
  return { merchantCode: merchant, kind, idPayment: payment }
}

function lineId(text: string): string {
  if (/^\d{1,18}$/.test(text)) return text
  throw new CommandFailure(
    'USAGE',
    `A statement line has a number; \`tollgate statements list\` shows them. This is ${JSON.stringify(text)}.`,
  )
}
