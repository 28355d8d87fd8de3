import { parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { BankAccount, NewBankAccount, PayoutFormat } from './model.ts'

const COLUMNS = `account_code, currency_code, holder, bank_name, iban, account_number, bank_code, bic, upi_address, pix_key,
  bitcoin_address, street, building_number, postal_code, town, country_code, payout_format, instant_max, is_default, status, created_at`

const LIST: Statement = {
  name: 'bank_accounts_list',
  text: `select ${COLUMNS} from bank_accounts
    order by currency_code collate "C", is_default desc, status, created_at, account_code collate "C"`,
}
const LIST_WITH_FILES: Statement = {
  name: 'bank_accounts_list_with_files',
  text: `select account_code, currency_code from bank_accounts
    where payout_format is not null and (retired_at is null or retired_at >= $1) order by account_code collate "C"`,
}
const LOCK_CURRENCY: Statement = {
  name: 'bank_accounts_lock_currency',
  text: 'select currency_code from currencies where currency_code = $1 for no key update',
}
const INSERT: Statement = {
  name: 'bank_accounts_insert',
  text: `insert into bank_accounts (account_code, currency_code, holder, bank_name, iban, account_number, bank_code, bic,
      upi_address, pix_key, bitcoin_address, street, building_number, postal_code, town, country_code, payout_format, is_default, instant_max)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
    on conflict do nothing returning account_code`,
}
const UPDATE_DEFAULTS_TAKEN: Statement = {
  name: 'bank_accounts_update_defaults_taken',
  text: 'update bank_accounts set is_default = false where currency_code = $1 and is_default and account_code <> $2',
}
const UPDATE_USE: Statement = {
  name: 'bank_accounts_update_use',
  text: `update bank_accounts set is_default = $2, payout_format = $3, instant_max = $4 where account_code = $1 and status = 'ACTIVE'
    returning account_code`,
}
const UPDATE_RETIRED: Statement = {
  name: 'bank_accounts_update_retired',
  text: `update bank_accounts set status = 'RETIRED', is_default = false, retired_at = clock_timestamp()
    where account_code = $1 and status = 'ACTIVE' returning account_code`,
}

const LOCK_ACCOUNTS: Statement = {
  name: 'bank_accounts_lock',
  text: `select account_code from bank_accounts where account_code = any($1) order by account_code collate "C" for no key update`,
}

interface BankAccountRow {
  readonly account_code: string
  readonly currency_code: string
  readonly holder: string
  readonly bank_name: string
  readonly iban: string | null
  readonly account_number: string | null
  readonly bank_code: string | null
  readonly bic: string | null
  readonly upi_address: string | null
  readonly pix_key: string | null
  readonly bitcoin_address: string | null
  readonly street: string | null
  readonly building_number: string | null
  readonly postal_code: string | null
  readonly town: string | null
  readonly country_code: string | null
  readonly payout_format: PayoutFormat | null
  readonly instant_max: string | null
  readonly is_default: boolean
  readonly status: 'ACTIVE' | 'RETIRED'
  readonly created_at: Date
}

/** All accounts, the retired ones too: by currency, the default first. */
export async function listBankAccounts(tx: Tx): Promise<readonly BankAccount[]> {
  return (await tx.rows<BankAccountRow>(LIST, [])).map(toAccount)
}

/** An account that payouts leave from by files. */
type PayoutAccount = Pick<BankAccount, 'code' | 'currencyCode'>

/** Accounts that payouts may have left from by files since the moment. */
export async function listPayoutAccounts(tx: Tx, since: Date): Promise<readonly PayoutAccount[]> {
  const rows = await tx.rows<Pick<BankAccountRow, 'account_code' | 'currency_code'>>(LIST_WITH_FILES, [since])
  return rows.map((row) => ({ code: row.account_code, currencyCode: row.currency_code }))
}

/** Holds the accounts until the transaction ends: what is known of their lines must not change while lines are imported. */
export async function lockBankAccounts(tx: Tx, accountCodes: readonly string[]): Promise<void> {
  await tx.rows(LOCK_ACCOUNTS, [accountCodes])
}

/** Holds the currency, so that nobody else changes which of its accounts is the default; answers whether there is one. */
export async function lockCurrency(tx: Tx, currencyCode: string): Promise<boolean> {
  return (await tx.rows(LOCK_CURRENCY, [currencyCode])).length > 0
}

/** Adds an account; answers whether its code and its numbers were free. */
export async function insertBankAccount(
  tx: Tx,
  account: NewBankAccount & { readonly isDefault: boolean },
): Promise<boolean> {
  const { street, buildingNumber, postalCode, town, countryCode } = account.address
  const rows = await tx.rows(INSERT, [
    account.code,
    account.currencyCode,
    account.holder,
    account.bankName,
    account.iban ?? null,
    account.accountNumber ?? null,
    account.bankCode ?? null,
    account.bic ?? null,
    account.upiAddress ?? null,
    account.pixKey ?? null,
    account.bitcoinAddress ?? null,
    ...[street, buildingNumber, postalCode, town, countryCode].map((each) => each ?? null),
    account.payoutFormat ?? null,
    account.isDefault,
    account.instantMax ?? null,
  ])
  return rows.length > 0
}

/** Takes the place of the default away from whichever account of the currency has it, but for this one. */
export async function updateDefaultsTaken(tx: Tx, currencyCode: string, exceptCode: string): Promise<void> {
  await tx.rows(UPDATE_DEFAULTS_TAKEN, [currencyCode, exceptCode])
}

/** Sets what the account is used for; answers whether there is such an account in use. */
export async function updateUse(
  tx: Tx,
  {
    code,
    isDefault,
    payoutFormat,
    instantMax,
  }: Pick<BankAccount, 'code' | 'isDefault' | 'payoutFormat' | 'instantMax'>,
): Promise<boolean> {
  return (await tx.rows(UPDATE_USE, [code, isDefault, payoutFormat ?? null, instantMax ?? null])).length > 0
}

/** Takes an account out of use; answers whether it was in use. */
export async function updateRetired(tx: Tx, code: string): Promise<boolean> {
  return (await tx.rows(UPDATE_RETIRED, [code])).length > 0
}

function toAccount(row: BankAccountRow): BankAccount {
  return {
    code: row.account_code,
    currencyCode: row.currency_code,
    holder: row.holder,
    bankName: row.bank_name,
    iban: row.iban ?? undefined,
    accountNumber: row.account_number ?? undefined,
    bankCode: row.bank_code ?? undefined,
    bic: row.bic ?? undefined,
    upiAddress: row.upi_address ?? undefined,
    pixKey: row.pix_key ?? undefined,
    bitcoinAddress: row.bitcoin_address ?? undefined,
    address: addressOf(row),
    payoutFormat: row.payout_format ?? undefined,
    ...(row.instant_max !== null && { instantMax: parsePlainAmount(row.instant_max) }),
    isDefault: row.is_default,
    status: row.status,
    createdAt: row.created_at,
  }
}

function addressOf(row: BankAccountRow): BankAccount['address'] {
  return {
    street: row.street ?? undefined,
    buildingNumber: row.building_number ?? undefined,
    postalCode: row.postal_code ?? undefined,
    town: row.town ?? undefined,
    countryCode: row.country_code ?? undefined,
  }
}
