import { isBitcoinAddress } from './bitcoin-address.ts'
import { isBic } from './countries.ts'
import {
  type DomesticAccount,
  domesticCountryOf,
  domesticOf,
  ibanOfDomestic,
  possibleIbans,
} from './domestic.ts'
import { isEvmAddress } from './ethereum-address.ts'
import { compactIban, isIban } from './iban.ts'
import { readPixKey } from './pix-key.ts'

/** By which rules an account is named. */
export type PayeeScheme = 'IBAN' | 'ACCOUNT' | 'VPA' | 'PIX' | 'CRYPTO' | 'WALLET' | 'OTHER'

/** An account as somebody wrote it: a merchant, an operator, or a bank's statement. */
export interface NamedAccount {
  readonly accountNumber: string
  /** National code or BIC. */
  readonly bankCode?: string | undefined
  /** The payment operator (specification 1) that keeps the account. */
  readonly operatorCode?: string | undefined
  /** Of the payment. Says how a domestic account, or a PIX key, is to be read. */
  readonly currencyCode?: string | undefined
}

/**
 * Who is paid, in one form: two payees are equal exactly when the message to the bank would name the same account. Compare by
 * {@link samePayee}, keep by {@link payeeText}.
 */
export interface PayeeIdentity {
  readonly scheme: PayeeScheme
  /** As it is to be written: a compact IBAN, a VPA in lower case, an address of a chain, a number without spaces. */
  readonly account: string
  /** Code of the bank, BIC, or payment operator; only where the account says nothing without it. */
  readonly bank?: string
}

/**
 * The identity of a payee. Pure: neither catalogue nor settings can change who somebody is. What no scheme explains is taken
 * exactly as it is written (`OTHER`). Undefined for an empty text.
 */
export function payeeIdentity(named: NamedAccount): PayeeIdentity | undefined {
  const text = named.accountNumber.normalize('NFKC').trim()
  if (text === '') return undefined
  return (
    ibanPayee(text, named) ?? chainPayee(text) ?? payeeAtOperator(text, named) ?? payeeAtBank(text, named)
  )
}

/** True when both are there and name the same account. */
export function samePayee(left: PayeeIdentity | undefined, right: PayeeIdentity | undefined): boolean {
  return left !== undefined && right !== undefined && payeeText(left) === payeeText(right)
}

/** The identity as one text, for digests. Its meaning never changes: another one needs another first word. */
export function payeeText({ scheme, account, bank }: PayeeIdentity): string {
  return JSON.stringify(['payee 2', scheme, account, bank ?? null])
}

/** An IBAN, or a domestic account that is written as one. */
function ibanPayee(text: string, named: NamedAccount): PayeeIdentity | undefined {
  const iban = compactIban(text)
  if (isIban(iban)) return ofIban(iban)
  const country = domesticCountryOf(named.currencyCode)
  if (country === undefined || named.operatorCode !== undefined) return undefined
  const converted = ibanOfDomestic(country, domesticIn(text, named))
  return converted === undefined ? undefined : ofIban(converted)
}

/** British IBANs repeat the bank that the sort code says already, so sort code and number alone can be compared. */
function ofIban(iban: string): PayeeIdentity {
  const british = iban.startsWith('GB') ? domesticOf(iban) : undefined
  return british === undefined
    ? { scheme: 'IBAN', account: iban }
    : { scheme: 'ACCOUNT', account: british.accountNumber, bank: sortCode(british.bankCode) }
}

/** With a space, which no code that a merchant sends keeps. */
const sortCode = (digits: string): string => `GB ${digits}`

function domesticIn(text: string, { bankCode }: NamedAccount): DomesticAccount {
  const bank = bankOf(bankCode)
  return { accountNumber: text, ...(bank !== undefined && { bankCode: bank }) }
}

/** An address whose checksum says that it is one, whatever the currency. */
function chainPayee(text: string): PayeeIdentity | undefined {
  if (isEvmAddress(text)) return { scheme: 'CRYPTO', account: text.toLowerCase() }
  if (!isBitcoinAddress(text)) return undefined
  const isBech32 = /^(?:bc1|tb1)/i.test(text)
  return { scheme: 'CRYPTO', account: isBech32 ? text.toLowerCase() : text }
}

/** Wallets name accounts as they please: only an e-mail address is the same in both cases. */
function payeeAtOperator(text: string, { operatorCode, bankCode }: NamedAccount): PayeeIdentity | undefined {
  if (operatorCode === undefined) return undefined
  const bank = bankOf(bankCode)
  return {
    scheme: 'WALLET',
    account: text.includes('@') ? text.toLowerCase() : text,
    bank: bank === undefined ? operatorCode : `${operatorCode} ${bank}`,
  }
}

const VPA = /^[a-z0-9._-]{2,256}@[a-z][a-z0-9]{1,63}$/

function payeeAtBank(text: string, { bankCode, currencyCode }: NamedAccount): PayeeIdentity {
  const bank = bankOf(bankCode)
  if (text.includes('@')) return addressPayee(text.toLowerCase(), bank, currencyCode)
  const pixKey = currencyCode === 'BRL' && bank === undefined ? readPixKey(text) : undefined
  if (pixKey !== undefined) return { scheme: 'PIX', account: pixKey.key }
  if (bank === undefined) return { scheme: 'OTHER', account: text }
  const account = plainNumber(text)
  const isBritish = currencyCode === 'GBP' && /^\d{6}$/.test(bank) && /^\d{1,8}$/.test(account)
  return isBritish
    ? { scheme: 'ACCOUNT', account: account.padStart(8, '0'), bank: sortCode(bank) }
    : { scheme: 'ACCOUNT', account, bank }
}

/** Dots and hyphens are parts of an address; capitals are not. */
function addressPayee(
  text: string,
  bank: string | undefined,
  currencyCode: string | undefined,
): PayeeIdentity {
  if (currencyCode === 'BRL' && bank === undefined) return { scheme: 'PIX', account: text }
  if (VPA.test(text)) return { scheme: 'VPA', account: text }
  return { scheme: 'OTHER', account: text, ...(bank !== undefined && { bank }) }
}

/** An account number without what people put between its digits. */
const plainNumber = (text: string): string => text.replace(/[\s./-]/g, '').toUpperCase()

/** A code of a bank without spaces and hyphens; a head office by its BIC of eight characters. */
function bankOf(bankCode: string | undefined): string | undefined {
  const code = bankCode?.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase()
  if (code === undefined || code === '') return undefined
  return isBic(code) && code.length === 11 && code.endsWith('XXX') ? code.slice(0, 8) : code
}

/**
 * Every payee that the account may be, for a block-list: with and without its bank and its payment operator, and as a domestic
 * account of each country. Who adds a bank code that nobody asked for, or another currency, is still found.
 */
export function possiblePayees(named: NamedAccount): readonly PayeeIdentity[] {
  const own = payeeIdentity(named)
  if (own?.scheme === 'IBAN' || own?.scheme === 'CRYPTO') return [own]
  const found = new Map<string, PayeeIdentity>()
  for (const each of spellingsOf(named)) keep(found, payeeIdentity(each))
  keep(found, anywherePayee(named.accountNumber))
  keepDomestic(found, named)
  return [...found.values()]
}

function spellingsOf({ accountNumber, ...places }: NamedAccount): readonly NamedAccount[] {
  const { bankCode, operatorCode, currencyCode } = places
  return [bankCode, undefined].flatMap((bank) =>
    [operatorCode, undefined].flatMap((operator) =>
      [currencyCode, undefined].map((currency) => ({
        accountNumber,
        bankCode: bank,
        operatorCode: operator,
        currencyCode: currency,
      })),
    ),
  )
}

/** The account in each country whose domestic form it has. */
function keepDomestic(found: Map<string, PayeeIdentity>, { accountNumber, bankCode }: NamedAccount): void {
  const text = accountNumber.normalize('NFKC').trim()
  for (const iban of possibleIbans(domesticIn(text, { accountNumber, bankCode }))) keep(found, ofIban(iban))
  if (bankCode !== undefined) keep(found, payeeIdentity({ accountNumber, bankCode, currencyCode: 'GBP' }))
}

function keep(found: Map<string, PayeeIdentity>, payee: PayeeIdentity | undefined): void {
  if (payee !== undefined) found.set(payeeText(payee), payee)
}

/** A number without a bank stands for that number at every bank and at every payment operator. */
function anywherePayee(accountNumber: string): PayeeIdentity | undefined {
  const payee = payeeIdentity({ accountNumber })
  return payee?.scheme === 'OTHER' && !payee.account.includes('@')
    ? { scheme: 'OTHER', account: plainNumber(payee.account) }
    : payee
}

/**
 * The payees that a line of a block-list means: an account, or `account;bank code or payment operator`. An account that says
 * by itself whose it is, such as an IBAN, is that one. A number alone is meant at every bank and every payment operator; a
 * domestic number is meant as the IBAN, too. Empty when the line names no account.
 */
export function payeesOfLine(line: string): readonly PayeeIdentity[] {
  const [accountNumber = '', place = ''] = line.split(/[;\t]/)
  if (accountNumber.trim() === '') return []
  if (place.trim() === '') return bareLine(accountNumber)
  const bankCode = place.trim()
  const found = new Map<string, PayeeIdentity>()
  keep(found, payeeIdentity({ accountNumber, bankCode }))
  keep(found, payeeIdentity({ accountNumber, operatorCode: bankCode.toUpperCase() }))
  keepDomestic(found, { accountNumber, bankCode })
  return [...found.values()]
}

function bareLine(accountNumber: string): readonly PayeeIdentity[] {
  const found = new Map<string, PayeeIdentity>()
  keep(found, anywherePayee(accountNumber))
  const [only] = found.values()
  if (only?.scheme !== 'OTHER' && only?.scheme !== 'VPA') return [...found.values()]
  keepDomestic(found, { accountNumber })
  const pixKey = readPixKey(accountNumber)
  if (pixKey !== undefined) keep(found, { scheme: 'PIX', account: pixKey.key })
  return [...found.values()]
}
