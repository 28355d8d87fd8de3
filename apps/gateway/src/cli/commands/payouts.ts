import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { type OperatorOptions, takesOperatorKey } from '../operator-key.ts'
import type { Shell } from '../shell.ts'
import { code, idPayment, wholeNumber } from '../values.ts'

const LISTED_MAX = 500
const LISTED_DEFAULT = 50
const REASON_CHARACTERS_MAX = 250

const work = () => import('../actions/payouts.ts')
const settings = () => import('../actions/payout-settings.ts')

/** Money that leaves: looking at it, letting it go, and keeping it from some accounts. */
export function addPayoutCommands(program: Command, shell: Shell): void {
  const payouts = program
    .command('payouts')
    .description('outgoing payments, their approval, and accounts that are blocked')
  addLooks(payouts, shell)
  addPayee(payouts, shell)
  addDecisions(payouts, shell)
  addBlocks(payouts, shell)
}

const SETTLEMENT = [
  '--settlement',
  'settlements that merchants asked to be paid out, instead of payouts',
] as const

interface ListOptions {
  settlement?: true
  merchant?: string
  awaitingApproval?: true
  onHold?: true
  limit: number
}

function addLooks(payouts: Command, shell: Shell): void {
  payouts
    .command('show <merchant> <id>')
    .description('show a payout with everything that happened to it')
    .action(
      shell.act(async (merchant: string, id: string) =>
        (await import('../actions/payments.ts')).showPayment(shell, {
          merchant,
          kind: 'PAYOUT',
          id: idPayment(id),
        }),
      ),
    )
  payouts
    .command('list')
    .description('list payouts, the newest first, with the content hash that an approval has to name')
    .option('--merchant <code>', 'only of this merchant')
    .option('--awaiting-approval', 'only those that wait for approval')
    .option('--on-hold', 'only those on hold')
    .option(...SETTLEMENT)
    .option('--limit <count>', 'at most so many', wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(shell.act(async (options: ListOptions) => (await work()).list(shell, options)))
}

interface PayeeOptions extends OperatorOptions {
  readonly settlement?: true
}

function addPayee(payouts: Command, shell: Shell): void {
  takesOperatorKey(payouts.command('payee <merchant> <id>'))
    .description(
      'show whom a payout pays, in full, with what was paid there before; who has read it is noted',
    )
    .option(...SETTLEMENT)
    .action(
      shell.act(async (merchant: string, id: string, options: PayeeOptions) =>
        (await work()).payee(shell, { merchant, id: idPayment(id), ...options }, options),
      ),
    )
}

interface DecisionOptions extends OperatorOptions {
  readonly settlement?: true
  readonly content: string
  readonly reason?: string
}

function addDecisions(payouts: Command, shell: Shell): void {
  takesOperatorKey(payouts.command('approve <merchant> <id>'))
    .description('approve a payout as it is now; the second operator’s approval sends it off')
    .requiredOption('--content <hash>', 'the content hash that `payouts list` shows', contentHash)
    .option(...SETTLEMENT)
    .option('--reason <text>', 'for the record', reason)
    .action(
      shell.act(async (merchant: string, id: string, options: DecisionOptions) =>
        (await work()).approve(shell, { merchant, id: idPayment(id), ...options }, options),
      ),
    )
  takesOperatorKey(payouts.command('reject <merchant> <id>'))
    .description('call a payout off that waits for approval; its money is released')
    .requiredOption('--content <hash>', 'the content hash that `payouts list` shows', contentHash)
    .option(...SETTLEMENT)
    .requiredOption('--reason <text>', 'the merchant reads it', reason)
    .action(
      shell.act(async (merchant: string, id: string, options: DecisionOptions & { reason: string }) =>
        (await work()).reject(shell, { merchant, id: idPayment(id), ...options }, options),
      ),
    )
}

interface BlockedOptions {
  merchant?: string
  limit: number
}

function addBlocks(payouts: Command, shell: Shell): void {
  const file = 'one account number a line; - is standard input'
  takesOperatorKey(payouts.command('block'))
    .argument('<code|house>', 'for this merchant, or (`house`) for everybody')
    .argument('<file>', file)
    .description('let nobody pay to these accounts any more')
    .option('--note <text>', 'why, for whoever reads the list')
    .action(
      shell.act(async (merchant: string, from: string, options: OperatorOptions & { note?: string }) =>
        (await settings()).block(shell, { merchant, file: from, note: options.note }, options),
      ),
    )
  takesOperatorKey(payouts.command('unblock'))
    .argument('<code|house>', 'for this merchant, or (`house`) for everybody')
    .argument('<file>', file)
    .description('take these accounts off the block-list')
    .action(
      shell.act(async (merchant: string, from: string, options: OperatorOptions) =>
        (await settings()).unblock(shell, { merchant, file: from }, options),
      ),
    )
  payouts
    .command('blocked')
    .description('list who blocked how many accounts and why; the accounts themselves are not kept')
    .option('--merchant <code|house>', 'only of this merchant, or of the house')
    .option('--limit <count>', 'at most so many', wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(shell.act(async (options: BlockedOptions) => (await settings()).listBlocked(shell, options)))
}

interface RuleOptions {
  currency: string
  amountFrom?: string
  newBeneficiary?: true
  dailySumFrom?: string
}

/** `tollgate merchants set-payout-rule`. */
export function addPayoutRuleCommand(merchants: Command, shell: Shell): void {
  merchants
    .command('set-payout-rule <code>')
    .description(
      'replace what makes payouts in a currency wait for approval; what is left out makes none wait',
    )
    .requiredOption('--currency <currency>', 'for example EUR', code)
    .option('--amount-from <amount>', 'this amount and more')
    .option('--new-beneficiary', 'when the merchant has never paid the account')
    .option('--daily-sum-from <amount>', 'when the payouts of the day (UTC) make this sum or more')
    .action(
      shell.act(async (merchant: string, options: RuleOptions) =>
        (await settings()).setRule(shell, { merchant, ...options }),
      ),
    )
}

function contentHash(text: string): string {
  const hash = text.toLowerCase()
  if (/^[0-9a-f]{12,64}$/.test(hash)) return hash
  throw new CommandFailure(
    'USAGE',
    `--content takes 12 to 64 hex digits, as \`tollgate payouts list\` shows them; it is ${JSON.stringify(text)}.`,
  )
}

function reason(text: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length <= REASON_CHARACTERS_MAX) return trimmed
  throw new CommandFailure('USAGE', `--reason takes 1 to ${REASON_CHARACTERS_MAX} characters.`)
}
