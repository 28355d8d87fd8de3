import { readCreditorReference, referenceOfSymbols } from '@tollgate/payment-codes'
import type { PartDetails } from '../formats/parsed.ts'
import { isPlaceholderReference } from '../formats/references.ts'

/** What a line may name a payment by. */
export interface Tokens {
  /** References of ours, in the forms in which they travel. */
  readonly references: readonly string[]
  /** What banks and payers call the payment in fields of their own: a customer may have typed one of them. */
  readonly externals: readonly string[]
}

const REFERENCE_LENGTH = 12
const WORD_LENGTH_MIN = 4
const WORD_LENGTH_MAX = 35
/** A reference that a customer typed counts from this length on: shorter ones are on too many lines. */
const EXTERNAL_LENGTH_MIN = 6
/** Of a line; the texts of banks have at most a few hundred characters. */
const TOKENS_MAX = 2_000

/**
 * Everything in a line that could be a reference. Ours has twelve characters without look-alikes: it is found in any
 * text, also broken up by spaces or run together with other words, and with O typed for 0, or I and L for 1.
 */
export function tokensOf(details: PartDetails, bankReference: string | undefined): Tokens {
  const {
    endToEndId,
    references = [],
    transferReferences = [],
    structuredReferences = [],
    texts = [],
  } = details
  const all = [endToEndId ?? '', ...references, ...structuredReferences, ...texts].map((text) =>
    text.toUpperCase(),
  )
  const words = distinct(all.flatMap(wordsOf))
  const found = [
    ...symbolReferences(details),
    ...words,
    ...all.map(compactOf).flatMap((compact) => [...creditorReferencesIn(compact), ...windowsOf(compact)]),
  ]
  // Never words of a text, nor mandates and creditors' ids: anybody can type PAYMENT, or what is on every invoice of a company,
  // and wait for a stranger's transfer.
  const externals = [endToEndId ?? '', ...transferReferences, bankReference ?? ''].map((each) => each.trim())
  return {
    references: distinct(found).slice(0, TOKENS_MAX),
    externals: distinct(externals.filter(mayBeTyped).flatMap((each) => [each, each.toUpperCase()])).slice(
      0,
      TOKENS_MAX,
    ),
  }
}

/** A reference of a bank has a digit; a word has none. */
const mayBeTyped = (text: string): boolean =>
  text.length >= EXTERNAL_LENGTH_MIN && /\d/.test(text) && !isPlaceholderReference(text)

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)]

const wordsOf = (text: string): readonly string[] =>
  text.split(/[^A-Z0-9]+/).filter((word) => word.length >= WORD_LENGTH_MIN && word.length <= WORD_LENGTH_MAX)

/** Both symbols are a reference; the variable symbol alone is what was printed for the customer. */
function symbolReferences({ variableSymbol, specificSymbol }: PartDetails): readonly string[] {
  if (variableSymbol === undefined) return []
  const whole = specificSymbol === undefined ? undefined : referenceOfSymbols(variableSymbol, specificSymbol)
  return whole === undefined ? [variableSymbol] : [whole, variableSymbol]
}

const compactOf = (text: string): string => text.replace(/[^A-Z0-9]+/g, '')

/** RF creditor references in whatever spelling, whose digits are right. */
function creditorReferencesIn(compact: string): readonly string[] {
  const found: string[] = []
  for (const { index } of compact.matchAll(/RF\d{2}/g)) {
    const reference = readCreditorReference(compact.slice(index, index + 4 + REFERENCE_LENGTH))
    if (reference !== undefined) found.push(reference)
  }
  return found
}

/**
 * Every stretch of a text that has the length of a reference, look-alikes read as what they are taken for. No reference has a
 * U: nothing else stands for it, so none reaches across one.
 */
function windowsOf(compact: string): readonly string[] {
  const found: string[] = []
  for (const stretch of compact.replaceAll('O', '0').replace(/[IL]/g, '1').split('U'))
    for (let start = 0; start + REFERENCE_LENGTH <= stretch.length; start += 1)
      found.push(stretch.slice(start, start + REFERENCE_LENGTH))
  return found
}
