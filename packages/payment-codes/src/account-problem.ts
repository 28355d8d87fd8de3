import { isBitcoinAddress } from './bitcoin-address.ts'
import { isEvmAddress } from './ethereum-address.ts'
import { compactIban, looksLikeIban } from './iban.ts'
import { problemOfIban } from './iban-problem.ts'
import { isVpa, type NamedAccount } from './payee.ts'
import { readPixKey } from './pix-key.ts'

/** The rules by which accounts of a payment method are named. */
export type AccountScheme = 'IBAN' | 'VPA' | 'PIX' | 'CRYPTO'

/**
 * What is wrong with an account by its scheme, as a sentence that says what would be right; undefined when nothing is, or where
 * the scheme has no rule for it: a domestic account number, an address of an unknown chain.
 */
export function problemOfAccount(scheme: AccountScheme, account: NamedAccount): string | undefined {
  return PROBLEMS[scheme](account)
}

const PROBLEMS: Readonly<Record<AccountScheme, (account: NamedAccount) => string | undefined>> = {
  IBAN({ accountNumber }) {
    const iban = compactIban(accountNumber)
    return looksLikeIban(iban) ? problemOfIban(iban) : undefined
  },
  VPA: ({ accountNumber }) => (isVpa(accountNumber.trim()) ? undefined : VPA_WRONG),
  // With a bank code it is an account at that bank, and no key.
  PIX: ({ accountNumber, bankCode = '' }) =>
    bankCode.trim() !== '' || readPixKey(accountNumber) !== undefined ? undefined : pixProblem(accountNumber),
  CRYPTO: ({ accountNumber, currencyCode }) => addressProblem(accountNumber.trim(), currencyCode),
}

const VPA_WRONG =
  'accountNumber is no UPI address: write it as name@handle, such as jana@okbank. The name has 2 to 256 letters, digits, dots, hyphens and underscores; the handle has 2 to 64 letters and digits and begins with a letter.'

function pixProblem(text: string): string {
  const trimmed = text.trim()
  if (trimmed.includes('@'))
    return 'accountNumber is no PIX key: an e-mail address has the form name@domain and at most 77 characters.'
  if (trimmed.startsWith('+'))
    return 'accountNumber is no PIX key: a phone number is written as +55, the area code of two digits, and eight or nine digits.'
  const { length } = trimmed.replace(/[\s./-]/g, '')
  const taxNumber = { 11: 'CPF', 14: 'CNPJ' }[length]
  return taxNumber === undefined
    ? 'accountNumber is no PIX key: give a CPF of 11 digits, a CNPJ of 14 characters, an e-mail address, a phone number that begins with +55, or a random key (a UUID).'
    : `accountNumber is no PIX key: as a ${taxNumber} its check digits are wrong. Correct the ${taxNumber}; a phone number begins with +55.`
}

const EVM_FORM = /^0x[0-9a-f]{40}$/i

function addressProblem(text: string, currencyCode: string | undefined): string | undefined {
  if (currencyCode === 'BTC')
    return isBitcoinAddress(text)
      ? undefined
      : 'accountNumber is no Bitcoin address: its form or its checksum is wrong. Copy the whole address again.'
  if (EVM_FORM.test(text))
    return isEvmAddress(text)
      ? undefined
      : 'accountNumber has a wrong checksum (EIP-55): a character, or its case, is wrong. Copy the whole address again.'
  return currencyCode === 'ETH'
    ? 'accountNumber is no Ethereum address: it must be 0x and 40 hexadecimal digits.'
    : undefined
}
