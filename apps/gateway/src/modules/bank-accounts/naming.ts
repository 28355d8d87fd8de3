import { domesticOf } from '@tollgate/payment-codes'
import type { AccountName, BankAccount } from './model.ts'

const compact = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toUpperCase()

/** A number with its prefix, as banks pad it: `19-2000145399` and `0000192000145399` are the same account. */
function bareNumber(text: string): string {
  const parts = /^\s*(\d{1,6})-(\d{2,10})\s*$/.exec(text)
  const whole = parts === null ? compact(text) : `${parts[1] ?? ''}${(parts[2] ?? '').padStart(10, '0')}`
  return whole.replace(/^0+(?=.)/, '')
}

/** Whether the name is that of the account. */
function isNamed(account: BankAccount, name: AccountName): boolean {
  if (name.currencyCode !== undefined && name.currencyCode !== account.currencyCode) return false
  if ('iban' in name) return isNamedByIban(account, compact(name.iban))
  const given = bareNumber(name.accountNumber)
  const bank = name.bankCode === undefined ? undefined : compact(name.bankCode)
  return numbersOf(account).some(
    ({ accountNumber, bankCode }) =>
      bareNumber(accountNumber) === given && (bank === undefined || isBankOf(account, bankCode, bank)),
  )
}

function isNamedByIban(account: BankAccount, iban: string): boolean {
  if (account.iban !== undefined) return account.iban === iban
  const domestic = domesticOf(iban)
  const { accountNumber, bankCode } = account
  return (
    domestic !== undefined &&
    accountNumber !== undefined &&
    bareNumber(accountNumber) === bareNumber(domestic.accountNumber) &&
    bankCode === domestic.bankCode
  )
}

/** The numbers by which the account is called at home: as it was registered, and as its IBAN is made of. */
function numbersOf({
  iban,
  accountNumber,
  bankCode,
}: BankAccount): readonly { readonly accountNumber: string; readonly bankCode: string | undefined }[] {
  const domestic = iban === undefined ? undefined : domesticOf(iban)
  return [
    ...(accountNumber === undefined ? [] : [{ accountNumber, bankCode }]),
    ...(domestic === undefined ? [] : [domestic]),
    // Bank and account in one, as in Poland: the IBAN without country and check digits, or without the country alone.
    ...(iban === undefined ? [] : [{ accountNumber: iban.slice(4), bankCode }]),
    ...(iban === undefined ? [] : [{ accountNumber: iban.slice(2), bankCode }]),
  ]
}

const BIC_WITHOUT_BRANCH = 8

/** By the bank's code, or by its BIC with or without the branch. */
function isBankOf({ bic }: BankAccount, bankCode: string | undefined, given: string): boolean {
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
