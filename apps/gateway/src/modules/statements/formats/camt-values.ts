import type { Amount } from '@tollgate/money'
import { elementAt, pathOf, textAt, type XmlElement } from '../../../platform/xml/index.ts'
import { FileProblem } from '../errors.ts'
import { isoDay, readAmount } from './amounts.ts'
import type { LineDirection } from './parsed.ts'

/** An amount with its currency, of the element under the name. Throws when it is not there, or is no amount. */
export function readMoney(
  element: XmlElement,
  name: string,
): { readonly amount: Amount; readonly currencyCode: string } {
  const found = elementAt(element, name)
  if (found === undefined) throw new FileProblem(`${name} is missing.`, pathOf(element))
  const currencyCode = found.attributes.get('Ccy')
  if (currencyCode === undefined || !/^[A-Z]{3}$/.test(currencyCode))
    throw new FileProblem('the amount has no currency (Ccy).', pathOf(found))
  return { amount: readAmount(found.text, { decimalSign: '.' }, pathOf(found)), currencyCode }
}

/** Throws when CdtDbtInd says neither. */
export function directionOf(element: XmlElement): LineDirection {
  const said = textAt(element, 'CdtDbtInd')
  if (said === 'CRDT') return 'CREDIT'
  if (said === 'DBIT') return 'DEBIT'
  throw new FileProblem('CdtDbtInd says neither CRDT nor DBIT.', pathOf(element))
}

/** The day of a date, or of a moment: as the bank wrote it, which is the bank's own day. */
export function dayOf(text: string, where: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined)
    throw new FileProblem(`${JSON.stringify(text)} is no date.`, where)
  return isoDay({ year, month, day }, where)
}
