import { type NamedAccount, type PayeeIdentity, payeeIdentity } from './payee.ts'

const SHOWN_CHARACTERS_MAX = 4
/** Spaces, what cannot be seen, and what people put between digits. */
const NOT_SHOWN = /[\s\p{C}\p{Z}\p{DI}\u2800./-]/gu

/** The end of an account number, and never more than half of it: enough to compare, too little to use. */
export function maskAccountNumber(accountNumber: string): string {
  const characters = Array.from(accountNumber.replace(NOT_SHOWN, ''))
  const shown = Math.min(SHOWN_CHARACTERS_MAX, Math.floor(characters.length / 2))
  return `…${characters.slice(characters.length - shown).join('')}`
}

/** The first letter of a name: enough to compare with a name that one knows. */
export function maskName(name: string): string {
  const [first = ''] = Array.from(name.normalize('NFKC').replace(NOT_SHOWN, '').toUpperCase())
  return `${first}…`
}

/** An account of which only the end is shown. */
export interface MaskedPayee {
  readonly accountNumber: string
  /** Where the account says nothing without its bank. */
  readonly bankCode?: string
}

/** A payee as it may be listed. It is made of the identity alone, so payees that are equal look equal, however they are written. */
export function maskPayee({ scheme, account, bank }: PayeeIdentity): MaskedPayee {
  const isBank = scheme === 'ACCOUNT' || scheme === 'OTHER'
  return {
    accountNumber: maskAccountNumber(account),
    ...(isBank && bank !== undefined && { bankCode: bank }),
  }
}

/** The same of an account as somebody wrote it; undefined for an empty text. */
export function maskNamedAccount(named: NamedAccount): MaskedPayee | undefined {
  const payee = payeeIdentity(named)
  return payee && maskPayee(payee)
}
