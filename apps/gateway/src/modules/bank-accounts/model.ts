/** The forms of the files by which payouts leave an account. */
export const PAYOUT_FORMATS = ['PAIN_001_001_03', 'PAIN_001_001_09'] as const
export type PayoutFormat = (typeof PAYOUT_FORMATS)[number]

/** The holder's address, for codes that carry one. */
export interface HolderAddress {
  readonly street?: string | undefined
  readonly buildingNumber?: string | undefined
  readonly postalCode?: string | undefined
  readonly town?: string | undefined
  /** Two capital letters. */
  readonly countryCode?: string | undefined
}

/** An account of the operator's in one currency, as it is to be stored: without spaces, in capitals. */
export interface NewBankAccount {
  /** The operator's name for it. */
  readonly code: string
  readonly currencyCode: string
  readonly holder: string
  readonly bankName: string
  readonly iban?: string | undefined
  readonly accountNumber?: string | undefined
  readonly bankCode?: string | undefined
  readonly bic?: string | undefined
  /** `name@handle`, in INR. */
  readonly upiAddress?: string | undefined
  /** E-mail, phone, tax number or random key, in BRL. */
  readonly pixKey?: string | undefined
  /** In BTC. */
  readonly bitcoinAddress?: string | undefined
  readonly address: HolderAddress
  /** Undefined: no files are made for it. */
  readonly payoutFormat: PayoutFormat | undefined
}

/** The same once it is there. */
export interface BankAccount extends NewBankAccount {
  /** Whether money of the currency goes here. */
  readonly isDefault: boolean
  readonly status: 'ACTIVE' | 'RETIRED'
  readonly createdAt: Date
}

/** How somebody else names an account: a statement, a report, an institution. In any spelling. */
export type AccountName = (
  | { readonly iban: string }
  | { readonly accountNumber: string; readonly bankCode?: string | undefined }
) & {
  /** Where one account holds several currencies, which of them. */
  readonly currencyCode?: string | undefined
}

const compact = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toUpperCase()

/** A number with its prefix, as banks pad it: `19-2000145399` and `0000192000145399` are the same account. */
function bareNumber(text: string): string {
  const parts = /^\s*(\d{1,6})-(\d{2,10})\s*$/.exec(text)
  const whole = parts === null ? compact(text) : `${parts[1] ?? ''}${(parts[2] ?? '').padStart(10, '0')}`
  return whole.replace(/^0+(?=.)/, '')
}

/** Whether the name is that of the account. */
export function isNamed(account: BankAccount, name: AccountName): boolean {
  if (name.currencyCode !== undefined && name.currencyCode !== account.currencyCode) return false
  if ('iban' in name) return account.iban !== undefined && account.iban === compact(name.iban)
  const { accountNumber } = account
  if (accountNumber === undefined || bareNumber(accountNumber) !== bareNumber(name.accountNumber))
    return false
  return name.bankCode === undefined || isBankOf(account, compact(name.bankCode))
}

const BIC_WITHOUT_BRANCH = 8

/** By the bank's code, or by its BIC with or without the branch. */
function isBankOf({ bankCode, bic }: BankAccount, given: string): boolean {
  return given === bankCode || (bic !== undefined && [bic, bic.slice(0, BIC_WITHOUT_BRANCH)].includes(given))
}

/**
 * The account that is meant. Retired ones are among them, because money may still arrive there. Undefined when there is
 * none, or when the name fits several.
 */
export function chooseNamed(accounts: readonly BankAccount[], name: AccountName): BankAccount | undefined {
  const found = accounts.filter((account) => isNamed(account, name))
  return found.length === 1 ? found[0] : undefined
}
