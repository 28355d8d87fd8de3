import type { Command } from 'commander'
import type { BankAccountDraft, PayoutFormat } from '../../modules/bank-accounts/index.ts'
import { CommandFailure } from '../failure.ts'
import type { Shell } from '../shell.ts'
import { code } from '../values.ts'

const work = () => import('../actions/accounts.ts')

interface AddOptions {
  currency: string
  holder: string
  bankName: string
  iban?: string
  bic?: string
  accountNumber?: string
  bankCode?: string
  upiAddress?: string
  pixKey?: string
  bitcoinAddress?: string
  street?: string
  buildingNumber?: string
  postalCode?: string
  town?: string
  country?: string
  payoutFormat?: PayoutFormat | 'NONE'
  default?: true
}

const FORMAT_OPTION = '--payout-format <format>'
const FORMAT_MEANING = 'files of payouts: pain.001.001.09, pain.001.001.03 or none'

/** The operator's own accounts. */
export function addAccountCommands(program: Command, shell: Shell): void {
  const accounts = program
    .command('accounts')
    .description('your own bank accounts: where customers pay to, and payouts leave from')
  accounts
    .command('list')
    .description('list your accounts, by currency, the default first')
    .option('--all', 'the retired ones, too')
    .action(shell.act(async (options: { all?: true }) => (await work()).list(shell, options)))
  addAdding(accounts, shell)
  accounts
    .command('set <account>')
    .description('change what an account is used for')
    .option('--default', 'money of its currency goes here from now on')
    .option(FORMAT_OPTION, FORMAT_MEANING, payoutFormat)
    .action(
      shell.act(async (account: string, options: Pick<AddOptions, 'default' | 'payoutFormat'>) =>
        (await work()).set(shell, code(account), {
          isDefault: options.default,
          payoutFormat: options.payoutFormat,
        }),
      ),
    )
  accounts
    .command('retire <account>')
    .description('tell nobody to pay to the account any more; what arrives there is still found')
    .action(shell.act(async (account: string) => (await work()).retire(shell, code(account))))
}

function addAdding(accounts: Command, shell: Shell): void {
  accounts
    .command('add <account>')
    .description('add an account under a code of your own; the first one of a currency is its default')
    .requiredOption('--currency <currency>', 'for example EUR', code)
    .requiredOption('--holder <name>', 'to whom it belongs, as the bank writes it')
    .requiredOption('--bank-name <name>', 'for people')
    .option('--iban <iban>', 'its check digits are looked at')
    .option('--bic <bic>', 'of the bank')
    .option('--account-number <number>', 'where there is no IBAN')
    .option('--bank-code <code>', 'that goes with the number: sort code, routing number, IFSC')
    .option('--upi-address <address>', 'name@bank, for INR')
    .option('--pix-key <key>', 'for BRL')
    .option('--bitcoin-address <address>', 'for BTC')
    .option('--street <street>', 'of the holder, for codes that carry it')
    .option('--building-number <number>', 'of the holder')
    .option('--postal-code <code>', 'of the holder')
    .option('--town <town>', 'of the holder')
    .option('--country <country>', 'of the holder, two letters', code)
    .option(FORMAT_OPTION, FORMAT_MEANING, payoutFormat)
    .option('--default', 'in place of the present default of its currency')
    .action(
      shell.act(async (account: string, options: AddOptions) =>
        (await work()).add(shell, draftOf(account, options), options.default === true),
      ),
    )
}

function draftOf(account: string, options: AddOptions): BankAccountDraft {
  const { currency, street, buildingNumber, postalCode, town, country, default: _, ...rest } = options
  return {
    ...rest,
    code: code(account),
    currencyCode: currency,
    address: { street, buildingNumber, postalCode, town, countryCode: country },
  }
}

const FORMATS: ReadonlyMap<string, PayoutFormat | 'NONE'> = new Map([
  ['pain.001.001.03', 'PAIN_001_001_03'],
  ['pain.001.001.09', 'PAIN_001_001_09'],
  ['none', 'NONE'],
])

function payoutFormat(text: string): PayoutFormat | 'NONE' {
  const format = FORMATS.get(text.toLowerCase())
  if (format !== undefined) return format
  throw new CommandFailure(
    'USAGE',
    `--payout-format must be one of ${[...FORMATS.keys()].join(', ')}; it is ${JSON.stringify(text)}.`,
  )
}
