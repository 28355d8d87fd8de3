import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { type OperatorOptions, takesOperatorKey } from '../operator-key.ts'
import type { Shell } from '../shell.ts'
import { code, gather } from '../values.ts'

const REASON_CHARACTERS_MAX = 250
const DIGEST = /^[0-9a-f]{12,64}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?Z$/

const work = () => import('../actions/restore-gap.ts')

interface WordOptions extends OperatorOptions {
  readonly reason: string
}

interface CloseOptions extends WordOptions {
  readonly digest: string
  readonly without?: readonly string[]
}

/** What happened between a backup and the loss of the database: no money leaves until two operators have closed that gap. */
export function addRestoreGapCommands(program: Command, shell: Shell): void {
  const gap = program
    .command('restore-gap')
    .description('after a restore: find out what was paid since the backup, then let money leave again')
  gap
    .command('show')
    .description(
      'show the open gap: accounts whose statements are missing, named ids, debits that belong to no payment, the digest',
    )
    .action(shell.act(async () => (await work()).show(shell)))
  takesOperatorKey(gap.command('open'))
    .description('stop all outgoing money after a restore that was not made by `tollgate restore`')
    .requiredOption(
      '--since <moment>',
      'from when on the database lacks what happened, e.g. 2026-11-21T03:00:00Z',
      moment,
    )
    .action(
      shell.act(async (options: OperatorOptions & { since: Date }) =>
        (await work()).open(shell, options.since, options),
      ),
    )
  takesOperatorKey(gap.command('ids <merchant> <file>'))
    .description(
      'name ids of payouts that were accepted in the gap, one a line; they are never accepted again',
    )
    .option('--settlement', 'ids of settlements instead of payouts')
    .action(
      shell.act(async (merchant: string, file: string, options: OperatorOptions & { settlement?: true }) =>
        (await work()).name(
          shell,
          { merchant: code(merchant), file, isSettlement: options.settlement === true },
          options,
        ),
      ),
    )
  takesOperatorKey(gap.command('waive <account>'))
    .description('wait for no statement of an account; who closes the gap has to name it')
    .requiredOption('--reason <text>', 'why there is none, for the record', reason)
    .action(
      shell.act(async (account: string, options: WordOptions) =>
        (await work()).waive(shell, { accountCode: code(account), reason: options.reason }, options),
      ),
    )
  takesOperatorKey(gap.command('propose'))
    .description('propose to close the gap; another operator closes it')
    .requiredOption('--reason <text>', 'what was compared, for the record', reason)
    .action(shell.act(async (options: WordOptions) => (await work()).propose(shell, options.reason, options)))
  takesOperatorKey(gap.command('close'))
    .description('close the gap that another operator proposed to close; outgoing money flows again')
    .requiredOption(
      '--digest <digits>',
      'the digest that you have seen, at least its first 12 digits',
      digest,
    )
    .requiredOption('--reason <text>', 'what was compared, for the record', reason)
    .option('--without <account>', 'an account whose statement is waived; may be given several times', gather)
    .action(
      shell.act(async (options: CloseOptions) =>
        (await work()).close(
          shell,
          {
            digest: options.digest,
            reason: options.reason,
            withoutAccounts: (options.without ?? []).map(code),
          },
          options,
        ),
      ),
    )
}

function moment(text: string): Date {
  if (MOMENT.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text)
  throw new CommandFailure('USAGE', '--since takes a moment in UTC, e.g. 2026-11-21T03:00:00Z.')
}

function digest(text: string): string {
  if (DIGEST.test(text)) return text
  throw new CommandFailure('USAGE', 'A digest is given by 12 to 64 hexadecimal digits.')
}

function reason(text: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= REASON_CHARACTERS_MAX) return trimmed
  throw new CommandFailure('USAGE', `--reason takes 1 to ${REASON_CHARACTERS_MAX} characters.`)
}
