import { toCreditorReference } from './creditor-reference.ts'

/** The forms in which one reference of ours travels, by what banks of a country can carry. */
export interface ReferenceForms {
  /** As it is, for banks that carry a text. */
  readonly reference: string
  /** RF creditor reference (ISO 11649). */
  readonly creditorReference: string
  /**
   * Czech and Slovak symbols. Both together say everything; the variable symbol alone is shared by one in nine thousand
   * million references, so whoever goes by it alone has to look whether there are several.
   */
  readonly variableSymbol: string
  readonly specificSymbol: string
}

/** Upper-case letters and digits without look-alikes, in which references are made: 5 bits each. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{12}$/
const REFERENCE_LENGTH = 12
const REFERENCES = 1n << 60n
/** Variable symbols of ten digits, of which the first is no zero: leading zeros get lost. */
const VARIABLE_FROM = 1_000_000_000n
const VARIABLE_COUNT = 9_000_000_000n

/**
 * The forms of a reference of a payment, of which each is found in bank statements.
 * @param reference 12 characters of our alphabet; undefined for anything else
 */
export function referenceFormsOf(reference: string): ReferenceForms | undefined {
  if (!REFERENCE.test(reference)) return undefined
  let value = 0n
  for (const character of reference) value = (value << 5n) | BigInt(ALPHABET.indexOf(character))
  return {
    reference,
    creditorReference: toCreditorReference(reference),
    variableSymbol: String(VARIABLE_FROM + (value % VARIABLE_COUNT)),
    specificSymbol: String(value / VARIABLE_COUNT + 1n),
  }
}

/** Our reference out of both symbols; undefined when they are not those of one. */
export function referenceOfSymbols(variableSymbol: string, specificSymbol: string): string | undefined {
  if (!/^0*\d{1,10}$/.test(variableSymbol) || !/^0*\d{1,10}$/.test(specificSymbol)) return undefined
  const variable = BigInt(variableSymbol) - VARIABLE_FROM
  const specific = BigInt(specificSymbol) - 1n
  if (variable < 0n || variable >= VARIABLE_COUNT || specific < 0n) return undefined
  let value = specific * VARIABLE_COUNT + variable
  if (value >= REFERENCES) return undefined
  let reference = ''
  for (let place = 0; place < REFERENCE_LENGTH; place += 1) {
    reference = ALPHABET.charAt(Number(value & 31n)) + reference
    value >>= 5n
  }
  return reference
}
