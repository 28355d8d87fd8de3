import type { BankAccountListSchema, BankAccountSchema, Printed } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand, type OptionRow, type Pen } from '../client-command.ts'
import { get, type OperatorOptions, pathOf, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { asNumber, code, nonNegativeNumber, oneOf } from '../values.ts'

type Account = Printed<typeof BankAccountSchema>

const PAYOUT_FORMAT: OptionRow = {
  flags: '--payout-format <format>',
  says: 'format of payout files: pain.001.001.09, pain.001.001.03 or none',
  read: oneOf('--payout-format', ['pain.001.001.03', 'pain.001.001.09', 'none']),
}

const INSTANT_MAX: OptionRow = {
  flags: '--instant-max <amount>',
  says: 'largest instant transfer (SEPA Instant) that the bank takes, in EUR; 0 for none',
  read: nonNegativeNumber('--instant-max'),
}

const list = clientCommand({
  command: 'list',
  says: 'list your accounts by currency, the default first',
  options: [{ flags: '--all', says: 'include retired accounts' }],
  permission: 'bank-accounts.read',
  asks: (_typed, { all }: OperatorOptions & { all?: true }) => ({
    ...get('/operator/bank-accounts', { all }),
  }),
  shows: ({ data }: Printed<typeof BankAccountListSchema>, pen) => accountTable(data, pen),
})

interface AddOptions extends OperatorOptions {
  readonly currency: string
  readonly holder: string
  readonly bankName: string
  readonly iban?: string
  readonly bic?: string
  readonly accountNumber?: string
  readonly bankCode?: string
  readonly upiAddress?: string
  readonly pixKey?: string
  readonly bitcoinAddress?: string
  readonly street?: string
  readonly buildingNumber?: string
  readonly postalCode?: string
  readonly town?: string
  readonly country?: string
  readonly payoutFormat?: string
  readonly instantMax?: string
  readonly default?: true
}

const add = clientCommand({
  command: 'add <account>',
  says: 'add an account under a code of your choice; the first of a currency becomes its default',
  options: [
    { flags: '--currency <currency>', says: 'for example EUR', read: code, isRequired: true },
    { flags: '--holder <name>', says: 'account holder, as the bank writes it', isRequired: true },
    { flags: '--bank-name <name>', says: 'name of the bank', isRequired: true },
    { flags: '--iban <iban>', says: 'IBAN; its check digits must match' },
    { flags: '--bic <bic>', says: 'BIC of the bank' },
    { flags: '--account-number <number>', says: 'account number, if there is no IBAN' },
    {
      flags: '--bank-code <code>',
      says: 'bank code of the account number: sort code, routing number, IFSC',
    },
    { flags: '--upi-address <address>', says: 'UPI address (name@bank), for INR' },
    { flags: '--pix-key <key>', says: 'Pix key, for BRL' },
    { flags: '--bitcoin-address <address>', says: 'address, for BTC' },
    { flags: '--street <street>', says: 'street of the holder, for payment codes that carry it' },
    { flags: '--building-number <number>', says: 'building number of the holder' },
    { flags: '--postal-code <code>', says: 'postal code of the holder' },
    { flags: '--town <town>', says: 'town of the holder' },
    { flags: '--country <country>', says: 'country of the holder, two letters', read: code },
    PAYOUT_FORMAT,
    INSTANT_MAX,
    { flags: '--default', says: 'make it the default of its currency' },
  ],
  permission: 'bank-accounts.change',
  asks: (typed, options: AddOptions) => {
    const { currency, holder, bankName, iban, bic, accountNumber, bankCode, payoutFormat } = options
    const { upiAddress, pixKey, bitcoinAddress, street, buildingNumber, postalCode, town, country } = options
    const body = {
      code: code(typed.account),
      currencyCode: currency,
      holder,
      bankName,
      iban,
      bic,
      accountNumber,
      bankCode,
      upiAddress,
      pixKey,
      bitcoinAddress,
      address: { street, buildingNumber, postalCode, town, countryCode: country },
      payoutFormat,
      instantMax: asNumber(options.instantMax),
      isDefault: options.default,
    }
    return post('/operator/bank-accounts', body)
  },
  shows: (account: Account) =>
    `Added ${account.code}${account.isDefault ? ` as the default ${account.currencyCode} account` : ''}.`,
})

const set = clientCommand({
  command: 'set <account>',
  says: 'change the use of an account',
  options: [{ flags: '--default', says: 'make it the default of its currency' }, PAYOUT_FORMAT, INSTANT_MAX],
  permission: 'bank-accounts.change',
  asks: (
    typed,
    options: Pick<AddOptions, keyof OperatorOptions | 'default' | 'payoutFormat' | 'instantMax'>,
  ) =>
    post(pathOf`/operator/bank-accounts/${code(typed.account)}/!change`, {
      isDefault: options.default,
      payoutFormat: options.payoutFormat,
      instantMax: asNumber(options.instantMax),
    }),
  shows: (account: Account, pen) => accountTable([account], pen),
})

const retire = clientCommand({
  command: 'retire <account>',
  says: 'stop offering an account to payers; money that arrives there is still matched',
  permission: 'bank-accounts.change',
  asks: (typed) => post(pathOf`/operator/bank-accounts/${code(typed.account)}/!retire`),
  shows: (account: Account) => ({
    text: `${account.code} is retired.`,
    notes: ['Customers may still pay to it: keep importing its statements.'],
  }),
})

const numberOf = (account: Account): string =>
  account.iban ??
  (account.accountNumber === undefined
    ? (account.upiAddress ?? account.pixKey ?? account.bitcoinAddress ?? '')
    : `${account.accountNumber} / ${account.bankCode ?? ''}`)

function accountTable(accounts: readonly Account[], pen: Pen): string {
  return pen.table(
    ['CODE', 'CURRENCY', 'HOLDER', 'ACCOUNT', 'BIC', 'BANK', 'PAYOUT FILES', 'AT ONCE UP TO', 'USE'],
    accounts.map((account) => [
      account.code,
      account.currencyCode,
      account.holder,
      numberOf(account),
      account.bic ?? '',
      account.bankName,
      account.payoutFormat ?? 'none',
      account.instantMax === undefined ? '' : pen.amount(account.instantMax),
      account.status === 'RETIRED' ? 'retired' : account.isDefault ? 'default' : '',
    ]),
    'No accounts. `tollgate accounts add` adds one.',
  )
}

/** The operator's own accounts. */
export function addAccountCommands(program: Command, shell: Shell): void {
  const accounts = program.command('accounts').description('your own bank accounts, for payins and payouts')
  for (const command of [list, add, set, retire]) command.addTo(accounts, shell)
}
