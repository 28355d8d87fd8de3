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
type PayeeScheme = 'IBAN' | 'ACCOUNT' | 'VPA' | 'PIX' | 'CRYPTO' | 'WALLET' | 'OTHER'

/** An account as somebody wrote it: a merchant, an operator, or a bank's statement. */
export interface NamedAccount {
  readonly accountNumber: string
  /** National code or BIC. */
  readonly bankCode?: string | undefined
  /** The payment operator (specification 1) that keeps the account. */
  readonly operatorCode?: string | undefined
  /** By which rules the payment method names accounts, where it has such: then the payment operator says nothing of who is paid. */
  readonly accountScheme?: 'IBAN' | 'VPA' | 'PIX' | 'CRYPTO' | undefined
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
  const bank = compactBankCode(bankCode)
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
function payeeAtOperator(
  text: string,
  { operatorCode, bankCode, accountScheme }: NamedAccount,
): PayeeIdentity | undefined {
  // A UPI address or PIX key is the same account through whichever payment operator it is paid.
  if (operatorCode === undefined || accountScheme !== undefined) return undefined
  const bank = compactBankCode(bankCode)
  return {
    scheme: 'WALLET',
    account: text.includes('@') ? text.toLowerCase() : text,
    bank: bank === undefined ? operatorCode : `${operatorCode} ${bank}`,
  }
}

/** True for a UPI address: name@handle. */
export const isVpa = (text: string): boolean => VPA.test(text.toLowerCase())

const VPA = /^[a-z0-9._-]{2,256}@[a-z][a-z0-9]{1,63}$/

function payeeAtBank(text: string, { bankCode, currencyCode }: NamedAccount): PayeeIdentity {
  const bank = compactBankCode(bankCode)
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
export function compactBankCode(bankCode: string | undefined): string | undefined {
  const code = bankCode?.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase()
  if (code === undefined || code === '') return undefined
  return isBic(code) && code.length === 11 && code.endsWith('XXX') ? code.slice(0, 8) : code
}

/** So long are names of accounts that say by themselves where they are, such as addresses of chains. */
const TELLING_LENGTH = 20

/**
 * The payees that a line of a block-list means: an account, or `account;bank code or payment operator`. An account that says
 * by itself whose it is, such as an IBAN or a PIX key, stands alone. A domestic number is meant as the IBAN in each country
 * whose form it has. Empty when the line names no account, or one that says nothing without its bank or payment operator.
 */
export function payeesOfLine(line: string): readonly PayeeIdentity[] {
  const [accountNumber = '', place = ''] = line.split(/[;\t]/)
  const found = new Map<string, PayeeIdentity>()
  const keep = (payee: PayeeIdentity | undefined): void => {
    if (payee !== undefined) found.set(payeeText(payee), payee)
  }
  if (place.trim() === '') for (const each of alone(accountNumber)) keep(each)
  else for (const each of atPlace(accountNumber, place.trim())) keep(each)
  return [...found.values()]
}

function atPlace(accountNumber: string, place: string): readonly (PayeeIdentity | undefined)[] {
  return [
    payeeIdentity({ accountNumber, bankCode: place }),
    payeeIdentity({ accountNumber, operatorCode: place.toUpperCase() }),
    payeeIdentity({ accountNumber, bankCode: place, currencyCode: 'GBP' }),
    ...inEachCountry(accountNumber, place),
  ]
}

function alone(accountNumber: string): readonly PayeeIdentity[] {
  const payee = payeeIdentity({ accountNumber })
  if (payee === undefined) return []
  if (payee.scheme !== 'OTHER' && payee.scheme !== 'VPA') return [payee]
  const pixKey = readPixKey(accountNumber)
  const others = [
    ...inEachCountry(accountNumber, undefined),
    ...(pixKey === undefined ? [] : [{ scheme: 'PIX', account: pixKey.key } as const]),
  ]
  const isTelling = payee.scheme === 'VPA' || payee.account.length >= TELLING_LENGTH
  return isTelling || (others.length > 0 && payee.account.includes('@')) ? [payee, ...others] : others
}

const inEachCountry = (accountNumber: string, bankCode: string | undefined): readonly PayeeIdentity[] =>
  possibleIbans(domesticIn(accountNumber.normalize('NFKC').trim(), { accountNumber, bankCode })).map(ofIban)
