import {
  type BankAccount,
  type BankAccountDraft,
  createBankAccountAdministration,
  type UseChange,
} from '../../modules/bank-accounts/index.ts'
import { inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { table } from '../text.ts'

/** `tollgate accounts list`. */
export function list(shell: Shell, wish: { readonly all?: true }): Promise<Report> {
  return inHouse(shell, async (house) => {
    const accounts = await createBankAccountAdministration(house).list()
    const shown = accounts.filter(({ status }) => wish.all === true || status === 'ACTIVE')
    return { json: shown.map(present), text: accountTable(shown) }
  })
}

/** `tollgate accounts add`. */
export function add(shell: Shell, draft: BankAccountDraft, isDefault: boolean): Promise<Report> {
  return inHouse(shell, async (house) => {
    const account = await createBankAccountAdministration(house).add(draft, isDefault)
    const role = account.isDefault ? `, where ${account.currencyCode} goes from now on` : ''
    return { json: present(account), text: `${account.code} is there${role}.` }
  })
}

/** `tollgate accounts set`. */
export function set(shell: Shell, account: string, change: UseChange): Promise<Report> {
  return inHouse(shell, async (house) => {
    const changed = await createBankAccountAdministration(house).set(account, change)
    return { json: present(changed), text: accountTable([changed]) }
  })
}

/** `tollgate accounts retire`. */
export function retire(shell: Shell, account: string): Promise<Report> {
  return inHouse(shell, async (house) => {
    const retired = await createBankAccountAdministration(house).retire(account)
    return {
      json: present(retired),
      text: `${retired.code} is retired.`,
      notes: ['Customers who were told to pay there may still do so: keep reading its statements.'],
    }
  })
}

const formatOf = ({ payoutFormat }: BankAccount): string | null =>
  payoutFormat === undefined ? null : payoutFormat.toLowerCase().replaceAll('_', '.')

function present(account: BankAccount): Record<string, unknown> {
  return {
    code: account.code,
    currencyCode: account.currencyCode,
    isDefault: account.isDefault,
    status: account.status,
    holder: account.holder,
    bankName: account.bankName,
    iban: account.iban ?? null,
    bic: account.bic ?? null,
    accountNumber: account.accountNumber ?? null,
    bankCode: account.bankCode ?? null,
    upiAddress: account.upiAddress ?? null,
    pixKey: account.pixKey ?? null,
    bitcoinAddress: account.bitcoinAddress ?? null,
    payoutFormat: formatOf(account),
    createdAt: account.createdAt,
  }
}

const numberOf = (account: BankAccount): string =>
  account.iban ??
  (account.accountNumber === undefined
    ? (account.upiAddress ?? account.pixKey ?? account.bitcoinAddress ?? '')
    : `${account.accountNumber} / ${account.bankCode ?? ''}`)

const stateOf = ({ isDefault, status }: BankAccount): string => {
  if (status === 'RETIRED') return 'retired'
  return isDefault ? 'default' : ''
}

function accountTable(accounts: readonly BankAccount[]): string {
  return table(
    ['CODE', 'CURRENCY', 'HOLDER', 'ACCOUNT', 'BIC', 'BANK', 'PAYOUT FILES', 'USE'],
    accounts.map((account) => [
      account.code,
      account.currencyCode,
      account.holder,
      numberOf(account),
      account.bic ?? '',
      account.bankName,
      formatOf(account) ?? 'none',
      stateOf(account),
    ]),
    'There is no account. `tollgate accounts add` adds one.',
  )
}
