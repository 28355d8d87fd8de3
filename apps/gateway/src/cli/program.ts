import { Command, type ErrorOptions } from 'commander'
import { VERSION } from '../platform/version.ts'
import { addAccountCommands } from './commands/accounts.ts'
import { addAuditCommands } from './commands/audit.ts'
import { addBalanceCommands } from './commands/balances.ts'
import { addBankChannelCommands } from './commands/bank-channels.ts'
import { addCallbackCommands } from './commands/callbacks.ts'
import { addCatalogueCommands } from './commands/catalogue.ts'
import { addCellCommands } from './commands/cells.ts'
import { addCertifyCommand } from './commands/certify.ts'
import { addChainCommands } from './commands/chains.ts'
import { addClockCommands } from './commands/clock.ts'
import { addConfirmationCommands } from './commands/confirmations.ts'
import { addCustomerCommands } from './commands/customers.ts'
import { addInstallationCommands } from './commands/installation.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addLedgerCommands } from './commands/ledger.ts'
import { addMerchantCommands } from './commands/merchants.ts'
import { addNotificationCommands } from './commands/notifications.ts'
import { addOperatorCommands } from './commands/operators.ts'
import { addPaymentCommands } from './commands/payments.ts'
import { addPayoutFileCommands } from './commands/payout-files.ts'
import { addPayoutCommands, addPayoutRuleCommand } from './commands/payouts.ts'
import { addRailCommands } from './commands/rails.ts'
import { addRateCommands } from './commands/rates.ts'
import { addRestoreGapCommands } from './commands/restore-gap.ts'
import { addRetentionCommands } from './commands/retention.ts'
import { addReviewCommands } from './commands/reviews.ts'
import { addSettlementCommands } from './commands/settlements.ts'
import { addSignCommand } from './commands/sign.ts'
import { addSignerCommands } from './commands/signer.ts'
import { addSimulatorCommands } from './commands/simulator.ts'
import { addStatementCommands } from './commands/statements.ts'
import { addTermsCommands } from './commands/terms.ts'
import { addTokenCommands } from './commands/tokens.ts'
import { addTopUpCommands } from './commands/topups.ts'
import { addTriggerCommand } from './commands/trigger.ts'
import { CommandFailure } from './failure.ts'
import type { Shell } from './shell.ts'

/** The tree of commands. Building it is cheap: what a command does is imported when it runs. */
export function createProgram(shell: Shell): Command {
  const program = new SpokenCommand('tollgate')
    .description('Runs and manages a Tollgate payment gateway.')
    .version(VERSION)
    .option('--json', 'write one JSON document instead of text')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
  addInstallationCommands(program, shell)
  const merchants = addMerchantCommands(program, shell)
  addTermsCommands(merchants, shell)
  addPayoutRuleCommand(merchants, shell)
  addCatalogueCommands(program, shell)
  addTokenCommands(program, shell)
  addKeyCommands(program, shell)
  addOperatorCommands(program, shell)
  addSignCommand(program, shell)
  addCallbackCommands(program, shell)
  addCertifyCommand(program, shell)
  addPaymentCommands(program, shell)
  addPayoutCommands(program, shell)
  addTopUpCommands(program, shell)
  addCustomerCommands(program, shell)
  addLedgerCommands(program, shell)
  addAuditCommands(program, shell)
  addBalanceCommands(program, shell)
  addSettlementCommands(program, shell)
  addRateCommands(program, shell)
  addRailCommands(program, shell)
  addNotificationCommands(program, shell)
  addAccountCommands(program, shell)
  addPayoutFileCommands(program, shell)
  addBankChannelCommands(program, shell)
  addChainCommands(program, shell)
  addReviewCommands(program, shell)
  addRestoreGapCommands(program, shell)
  addConfirmationCommands(program, shell)
  addRetentionCommands(program, shell)
  addCellCommands(program, shell)
  addSignerCommands(program, shell)
  addSimulatorCommands(program, shell)
  addStatementCommands(program, shell)
  addTriggerCommand(program, shell)
  addClockCommands(program, shell)
  return program
}

/** Commander with its complaints as sentences. */
class SpokenCommand extends Command {
  override createCommand(name?: string): SpokenCommand {
    return new SpokenCommand(name).helpCommand(false)
  }

  override error(message: string, _options?: ErrorOptions): never {
    const sentence = MISSING.test(message) ? missingFrom(this) : spoken(message)
    throw new CommandFailure('USAGE', `${sentence} See \`${pathOf(this)} --help\`.`)
  }
}

const MISSING = /^error: (missing required argument '.*'|required option '.*' not specified)$/s

/** Commander stops at the first one; whoever types learns of all at once. */
function missingFrom(command: Command): string {
  const missing = [
    ...command.registeredArguments
      .slice(command.args.length)
      .filter(({ required }) => required)
      .map((argument) => `<${argument.name()}>`),
    ...command.options
      .filter((option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined)
      .map(({ flags }) => flags),
  ]
  return `${new Intl.ListFormat('en-GB').format(missing)} ${missing.length > 1 ? 'are' : 'is'} missing.`
}

const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^unknown command '(.*)'/s, 'There is no command "$1".'],
  [/^unknown option '(.*)'/s, 'There is no option $1.'],
  [/^option '(.*)' argument missing$/s, '$1 lacks its value.'],
  [
    /^too many arguments.* Expected (\d+) arguments? but got (\d+).*$/s,
    'There are $2 arguments, but $1 can be used.',
  ],
]

function spoken(message: string): string {
  const [first = '', hint] = message.replace(/^error: /, '').split(/\n(?=\(Did you mean )/)
  const known = SENTENCES.find(([pattern]) => pattern.test(first))
  const sentence = known === undefined ? `${first.replace(/\.$/, '')}.` : first.replace(known[0], known[1])
  const suggestion = hint === undefined ? '' : ` ${hint.replace(/^\(|\)$/g, '')}`
  return `${sentence}${suggestion}`
}

/** `tollgate merchants create`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}
