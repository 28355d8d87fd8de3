import { demand } from './checks.ts'
import { mod97 } from './iban.ts'

const BODY = /^[A-Z0-9]{1,21}$/

/**
 * The RF creditor reference (ISO 11649) of a reference of ours: banks check its digits, and it travels as structured data.
 * @param reference 1 to 21 capital letters and digits
 */
export function toCreditorReference(reference: string): string {
  demand(BODY.test(reference), 'reference: 1 to 21 capital letters and digits')
  const check = 98 - mod97(`${reference}RF00`)
  return `RF${String(check).padStart(2, '0')}${reference}`
}

/** Our reference out of an RF creditor reference, in whatever spelling; undefined when its digits are wrong. */
export function readCreditorReference(text: string): string | undefined {
  const compact = text.replace(/\s/g, '').toUpperCase()
  if (!/^RF\d{2}[A-Z0-9]{1,21}$/.test(compact)) return undefined
  const body = compact.slice(4)
  return mod97(`${body}${compact.slice(0, 4)}`) === 1 ? body : undefined
}

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

/** A reference as a number of 60 bits, which no other reference has; undefined for anything that is no reference of ours. */
export function numberOfReference(reference: string): bigint | undefined {
  if (!REFERENCE.test(reference)) return undefined
  let value = 0n
  for (const character of reference) value = (value << 5n) | BigInt(ALPHABET.indexOf(character))
  return value
}

/**
 * The forms of a reference of a payment, of which each is found in bank statements.
 * @param reference 12 characters of our alphabet; undefined for anything else
 */
export function referenceFormsOf(reference: string): ReferenceForms | undefined {
  const value = numberOfReference(reference)
  if (value === undefined) return undefined
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
