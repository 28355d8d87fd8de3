import { type Amount, fractionDigits } from '@tollgate/money'
import { demand, withTwoDecimals } from './checks.ts'
import { isIban } from './iban.ts'
import { readCreditorReference } from './references.ts'

/** The creditor's address, structured. */
interface SwissAddress {
  readonly name: string
  readonly street?: string
  readonly buildingNumber?: string
  readonly postalCode: string
  readonly town: string
  /** Two capital letters. */
  readonly country: string
}

/** A Swiss QR bill, for its code alone. */
interface SwissBill {
  readonly iban: string
  readonly creditor: SwissAddress
  readonly amount: Amount
  readonly currencyCode: 'CHF' | 'EUR'
  /** An RF creditor reference. Accounts that need a QR reference (QR-IBAN) are not served. */
  readonly creditorReference?: string
  /** At most 140 characters. */
  readonly message?: string
}

const NO_PARTY = Array.from({ length: 7 }, () => '')

/** The text of a Swiss QR code, version 2.0. Throws PaymentCodeInvalid. */
export function swissQrCode(bill: SwissBill): string {
  const { iban, creditor, amount, currencyCode, creditorReference, message = '' } = bill
  demand(
    isIban(iban) && /^(?:CH|LI)/.test(iban),
    'iban: of Switzerland or Liechtenstein, with right check digits',
  )
  demand(!isQrIban(iban), 'iban: a QR-IBAN takes QR references only')
  demand(fractionDigits(amount) <= 2 && amount.length <= 12, 'amount: at most 999999999.99')
  demand(
    creditorReference === undefined || readCreditorReference(creditorReference) !== undefined,
    'creditorReference: RF and right check digits',
  )
  demand(message.length <= 140 && !/[\r\n]/.test(message), 'message: one line of at most 140 characters')
  const lines = [
    'SPC',
    '0200',
    '1',
    iban,
    ...addressLines(creditor),
    ...NO_PARTY,
    withTwoDecimals(amount),
    currencyCode,
    ...NO_PARTY,
    ...(creditorReference === undefined ? ['NON', ''] : ['SCOR', creditorReference]),
    message,
    'EPD',
  ]
  return lines.join('\n')
}

function addressLines(address: SwissAddress): readonly string[] {
  const { name, street = '', buildingNumber = '', postalCode, town, country } = address
  demand(name.length >= 1 && name.length <= 70, 'creditor.name: 1 to 70 characters')
  demand(
    street.length <= 70 && buildingNumber.length <= 16,
    'creditor.street: at most 70 characters, number 16',
  )
  demand(postalCode.length >= 1 && postalCode.length <= 16, 'creditor.postalCode: 1 to 16 characters')
  demand(town.length >= 1 && town.length <= 35, 'creditor.town: 1 to 35 characters')
  demand(/^[A-Z]{2}$/.test(country), 'creditor.country: two capital letters')
  const lines = ['S', name, street, buildingNumber, postalCode, town, country]
  demand(!lines.some((line) => /[\r\n]/.test(line)), 'creditor: one line each')
  return lines
}

/** The number of the institution tells accounts that need QR references. */
function isQrIban(iban: string): boolean {
  const institution = Number(iban.slice(4, 9))
  return institution >= 30_000 && institution <= 31_999
}
