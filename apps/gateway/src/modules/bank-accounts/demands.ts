import { type Amount, fractionDigits } from '@tollgate/money'
import {
  compactIban,
  domesticOf,
  isBic,
  isBitcoinAddress,
  isCountryCode,
  isVpa,
  PaymentCodeInvalid,
  pixCode,
  problemOfIban,
  readPixKey,
} from '@tollgate/payment-codes'
import { BankAccountProblem } from './errors.ts'
import type { NewBankAccount, PayoutFormat } from './model.ts'

/** An account as an operator types it, in any spelling. */
export interface BankAccountDraft extends Omit<NewBankAccount, 'payoutFormat'> {
  /** Undefined: files for an account with an IBAN, none otherwise. */
  readonly payoutFormat?: PayoutFormat | 'NONE' | undefined
}

const TEXT_CHARACTERS_MAX = 70

/** What a draft becomes. Throws BankAccountProblem with the sentence for the first thing that cannot be right. */
export function readDraft(draft: BankAccountDraft): NewBankAccount {
  const account = normalised(draft)
  for (const { field, sentence } of problemsOf(account)) throw new BankAccountProblem(sentence).about(field)
  return account
}

function normalised({ instantMax: typedMax, ...draft }: BankAccountDraft): NewBankAccount {
  const instantMax = instantOf(typedMax)
  return {
    ...draft,
    code: draft.code.toUpperCase(),
    currencyCode: draft.currencyCode.toUpperCase(),
    holder: draft.holder.trim(),
    bankName: draft.bankName.trim(),
    bic: compact(draft.bic),
    ...numbersOf(draft),
    upiAddress: draft.upiAddress?.trim().toLowerCase(),
    pixKey: draft.pixKey && (readPixKey(draft.pixKey)?.key ?? draft.pixKey.trim()),
    bitcoinAddress: draft.bitcoinAddress?.trim(),
    payoutFormat: formatOf(draft),
    ...(instantMax !== undefined && { instantMax }),
  }
}

/** Beside an IBAN, bank code and number as its country writes them, where nobody gave them. */
function numbersOf(draft: BankAccountDraft): Pick<NewBankAccount, 'iban' | 'accountNumber' | 'bankCode'> {
  const iban = draft.iban === undefined ? undefined : compactIban(draft.iban)
  const domestic = iban === undefined ? undefined : domesticOf(iban)
  const accountNumber = compact(draft.accountNumber)
  const bankCode = compact(draft.bankCode)
  return accountNumber === undefined
    ? { iban, accountNumber: domestic?.accountNumber, bankCode: bankCode ?? domestic?.bankCode }
    : { iban, accountNumber, bankCode }
}

const compact = (text: string | undefined): string | undefined => text?.replace(/\s/g, '').toUpperCase()

/** Zero: none. */
export const instantOf = (amount: Amount | undefined): Amount | undefined =>
  amount === '0' ? undefined : amount

function formatOf({ payoutFormat, iban }: BankAccountDraft): PayoutFormat | undefined {
  if (payoutFormat === 'NONE') return undefined
  return payoutFormat ?? (iban === undefined ? undefined : 'PAIN_001_001_09')
}

/** One thing that is wrong, and the field that it is wrong with. */
interface Fault {
  readonly field: string
  readonly sentence: string
}

function problemsOf(account: NewBankAccount): readonly Fault[] {
  return [...problemsOfTexts(account), ...problemsOfNumbers(account), ...problemsOfWays(account)]
}

function problemsOfTexts({ code, holder, bankName, address }: NewBankAccount): readonly Fault[] {
  const isLine = (text: string): boolean =>
    text !== '' && text.length <= TEXT_CHARACTERS_MAX && !/\p{Cc}/u.test(text)
  const lines = Object.values(address).filter((each) => each !== undefined)
  return said([
    [
      /^[A-Z0-9_]{1,32}$/.test(code),
      'code',
      'The code takes 1 to 32 capital letters, digits and underscores.',
    ],
    [isLine(holder), 'holder', 'The holder is one line of 1 to 70 characters.'],
    [isLine(bankName), 'bankName', 'The name of the bank is one line of 1 to 70 characters.'],
    [lines.every(isLine), 'address', 'The address has lines of 1 to 70 characters.'],
    [
      address.countryCode === undefined || isCountryCode(address.countryCode),
      'address.countryCode',
      'The country of the address is a code of ISO 3166-1: two capital letters, such as CZ.',
    ],
  ])
}

function problemsOfNumbers({ iban, bic, accountNumber, bankCode }: NewBankAccount): readonly Fault[] {
  const ibanProblem = iban === undefined ? undefined : problemOfIban(iban)
  return said([
    [ibanProblem === undefined, 'iban', ibanProblem ?? ''],
    [
      bic === undefined || isBic(bic),
      'bic',
      `${bic} is no BIC: it has 8 or 11 characters with the country (ISO 3166) in the middle, such as TGSBDE99.`,
    ],
    [
      accountNumber === undefined || /^[A-Z0-9-]{1,34}$/.test(accountNumber),
      'accountNumber',
      'The account number has 1 to 34 letters, digits and hyphens.',
    ],
    [
      bankCode === undefined || /^[A-Z0-9]{1,11}$/.test(bankCode),
      'bankCode',
      'The bank code has 1 to 11 letters and digits.',
    ],
    [
      accountNumber === undefined || bankCode !== undefined,
      'bankCode',
      'An account number goes with the code of its bank.',
    ],
    [
      iban === undefined || bankCode !== undefined || bic !== undefined,
      'bic',
      'An IBAN goes with the BIC or the code of its bank.',
    ],
  ])
}

/** At least one way to pay, and those that belong to one currency. */
function problemsOfWays(account: NewBankAccount): readonly Fault[] {
  const { iban, accountNumber, upiAddress, pixKey, bitcoinAddress, payoutFormat } = account
  const isBank = iban !== undefined || accountNumber !== undefined
  const hasWay = [iban, accountNumber, upiAddress, pixKey, bitcoinAddress].some((way) => way !== undefined)
  return [
    ...said([
      [
        hasWay,
        'iban',
        'Say where money goes: an IBAN, an account number with its bank code, or an address of the currency.',
      ],
    ]),
    ...problemsOfInstant(account),
    ...problemsOfUpi(account),
    ...problemsOfPix(account),
    ...problemsOfBitcoin(account),
    ...said([
      [
        payoutFormat === undefined || isBank,
        'payoutFormat',
        'Files of payouts need an IBAN or an account number.',
      ],
    ]),
  ]
}

const EURO_DECIMALS = 2
export const INSTANT_MAX_SENTENCE = 'What the bank moves at once is an amount in EUR, such as 100000.'

export function problemsOfInstant({
  instantMax,
  currencyCode,
  payoutFormat,
}: Pick<NewBankAccount, 'instantMax' | 'currencyCode' | 'payoutFormat'>): readonly Fault[] {
  if (instantMax === undefined) return []
  return said([
    [currencyCode === 'EUR', 'instantMax', 'Instant transfers (SEPA Instant) are in EUR.'],
    [payoutFormat !== undefined, 'instantMax', 'Instant transfers leave by files: set their format first.'],
    [
      !instantMax.startsWith('-') && fractionDigits(instantMax) <= EURO_DECIMALS,
      'instantMax',
      INSTANT_MAX_SENTENCE,
    ],
  ])
}

function problemsOfUpi({ upiAddress, currencyCode }: NewBankAccount): readonly Fault[] {
  if (upiAddress === undefined) return []
  return said([
    [currencyCode === 'INR', 'upiAddress', 'A UPI address is for INR.'],
    [isVpa(upiAddress), 'upiAddress', `${upiAddress} is no UPI address: it looks like name@bank.`],
  ])
}

function problemsOfPix(account: NewBankAccount): readonly Fault[] {
  const { pixKey, currencyCode } = account
  if (pixKey === undefined) return []
  return said([
    [currencyCode === 'BRL', 'pixKey', 'A PIX key is for BRL.'],
    [
      readPixKey(pixKey) !== undefined,
      'pixKey',
      `${pixKey} is no PIX key: an e-mail address, +55 and a phone, a CPF or CNPJ with its check digits, or a UUID.`,
    ],
    [
      carriesPix(account),
      'address.town',
      'A PIX code needs a town of at most 15 and a holder of at most 25 characters.',
    ],
  ])
}

function problemsOfBitcoin({ bitcoinAddress, currencyCode }: NewBankAccount): readonly Fault[] {
  return said([
    [
      (bitcoinAddress === undefined) === (currencyCode !== 'BTC'),
      'bitcoinAddress',
      'A Bitcoin address is for BTC, and BTC needs one.',
    ],
    [
      bitcoinAddress === undefined || isBitcoinAddress(bitcoinAddress),
      'bitcoinAddress',
      `${bitcoinAddress} is no Bitcoin address: its checksum is wrong.`,
    ],
  ])
}

/** Whether a code can be made of it: the same rules as will be asked of every payment. */
function carriesPix({ pixKey, holder, address }: NewBankAccount): boolean {
  if (pixKey === undefined || readPixKey(pixKey) === undefined) return true
  try {
    pixCode({ key: pixKey, payeeName: holder, payeeCity: address.town ?? '' })
    return true
  } catch (error) {
    if (error instanceof PaymentCodeInvalid) return false
    throw error
  }
}

/** The sentences of the conditions that do not hold. */
function said(demands: readonly (readonly [boolean, string, string])[]): readonly Fault[] {
  return demands.flatMap(([holds, field, sentence]) => (holds ? [] : [{ field, sentence }]))
}
