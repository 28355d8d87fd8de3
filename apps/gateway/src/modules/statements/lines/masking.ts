import { isIban, maskName, maskNamedAccount } from '@tollgate/payment-codes'
import { detailsOf, type PartDetails } from '../formats/parsed.ts'
import type { StatementLine } from '../model.ts'

const HIDDEN = '…'
const hide = (texts: readonly string[] | undefined): readonly string[] => (texts ?? []).map(() => HIDDEN)

/**
 * What everybody who may see the line may see of the person at its other end: the first letter of a name and the end of an
 * account. Nothing that a payer could write is shown, references among it; ours that it names are in the reasons of the line.
 */
export function maskDetails(line: Pick<StatementLine, 'currencyCode'>, details: PartDetails): PartDetails {
  const { partyName, partyAccount, partyBank, endToEndId, texts } = details
  const { currencyCode } = line
  const account =
    partyAccount && maskNamedAccount({ accountNumber: partyAccount, bankCode: partyBank, currencyCode })
  return detailsOf({
    partyName: partyName && maskName(partyName),
    partyAccount: account ? account.accountNumber : undefined,
    partyBank: partyBank && (BANK_CODE.test(partyBank) ? partyBank : HIDDEN),
    references: hide([...(endToEndId === undefined ? [] : [endToEndId]), ...referencesOf(details)]),
    texts: hide(texts),
  })
}

/** BICs and national codes. */
const BANK_CODE = /^(?:[A-Z]{6}[A-Z0-9]{2,5}|[A-Z]{0,4}\d{3,9})$/

function referencesOf({ structuredReferences, references, ...symbols }: PartDetails): readonly string[] {
  const { variableSymbol, specificSymbol, constantSymbol } = symbols
  const given = [variableSymbol, specificSymbol, constantSymbol].filter((each) => each !== undefined)
  return [...(structuredReferences ?? []), ...given, ...(references ?? [])]
}

/** The bank's own reference, unless somebody else wrote it: by it people ask the bank about the line. */
export function maskBankReference(reference: string, details: PartDetails): string {
  return isOfBank(reference) && !namesParty(reference, details) ? reference : HIDDEN
}

const isOfBank = (reference: string): boolean => /^[!-~]+$/.test(reference) && /\d/.test(reference)

/** An account in a reference is recognised from so many characters on. */
const ACCOUNT_LENGTH_MIN = 6
const WORD_LENGTH_MIN = 3
const IBAN_LENGTH_MIN: number = 15
const IBAN_LENGTH_MAX: number = 34

function namesParty(reference: string, { partyName = '', partyAccount = '' }: PartDetails): boolean {
  const compact = compactOf(reference)
  const account = compactOf(partyAccount)
  const words = partyName.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= WORD_LENGTH_MIN)
  return (
    (account.length >= ACCOUNT_LENGTH_MIN && compact.includes(account)) ||
    words.some((word) => compact.includes(compactOf(word))) ||
    hasIban(compact)
  )
}

const compactOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()

function hasIban(compact: string): boolean {
  for (const { index } of compact.matchAll(/(?=[A-Z]{2}\d{2})/g))
    for (let length = IBAN_LENGTH_MIN; length <= IBAN_LENGTH_MAX; length += 1)
      if (isIban(compact.slice(index, index + length))) return true
  return false
}
