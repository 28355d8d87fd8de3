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
