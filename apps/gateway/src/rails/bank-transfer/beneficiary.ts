import {
  compactIban,
  countryOfBic,
  domesticCountryOf,
  domesticExample,
  hasIbans,
  isBic,
  isIban,
  isInSepa,
  payeeIdentity,
  problemOfIban,
} from '@tollgate/payment-codes'
import type { RailObjection, RailQuestion } from '../rail.ts'

/**
 * Why no file can carry a payout to the account. Refused while somebody is there who can correct it, and so that one account has
 * one way to be written: whoever is on a block-list could otherwise be paid under another name.
 */
export function objectionToBeneficiary(
  currencyCode: string,
  customer: NonNullable<RailQuestion['customer']>,
): RailObjection | undefined {
  const message = problemOf(currencyCode, customer)
  return message === undefined ? undefined : { code: 'ACCOUNT_INVALID', message }
}

function problemOf(
  currencyCode: string,
  { accountNumber = '', bankCode }: NonNullable<RailQuestion['customer']>,
): string | undefined {
  const iban = compactIban(accountNumber)
  if (currencyCode === 'EUR') return problemInEuro(iban)
  if (isIban(iban) || payeeIdentity({ accountNumber, bankCode, currencyCode })?.scheme === 'IBAN')
    return undefined
  if (bankCode === undefined)
    return `A payout in ${currencyCode} goes to an IBAN, or to an account number with a bankCode.`
  return problemOfNumber(currencyCode, bankCode.replace(/\s/g, '').toUpperCase())
}

function problemInEuro(iban: string): string | undefined {
  const problem = problemOfIban(iban)
  if (problem !== undefined) return `A payout in EUR goes to an IBAN. ${problem}`
  if (isInSepa(iban)) return undefined
  return `A payout in EUR goes to an account in SEPA, and ${iban.slice(0, 2)} is outside.`
}

/** A number that is no IBAN, with its bank. */
function problemOfNumber(currencyCode: string, bankCode: string): string | undefined {
  const bicCountry = isBic(bankCode) ? countryOfBic(bankCode) : undefined
  if (bicCountry !== undefined)
    return hasIbans(bicCountry)
      ? `The bank ${bankCode} is in ${bicCountry}, where accounts have IBANs: give the IBAN.`
      : undefined
  const country = domesticCountryOf(currencyCode)
  return country === undefined
    ? undefined
    : `The account number is none of ${country}: give an IBAN, or ${domesticExample(country)}.`
}
