import { type Amount, compareAmounts, fractionDigits, parsePlainAmount } from '@tollgate/money'
import { demand } from './checks.ts'
import { isIban } from './iban.ts'
import { readCreditorReference } from './references.ts'

/** A SEPA credit transfer to be scanned. */
interface EpcTransfer {
  /** At most 70 characters. */
  readonly name: string
  /** Without spaces. */
  readonly iban: string
  readonly bic?: string
  /** In EUR. */
  readonly amount: Amount
  /** Four letters of ISO 20022, such as CHAR. */
  readonly purpose?: string
  /** An RF creditor reference; not together with `text`. */
  readonly creditorReference?: string
  /** At most 140 characters. */
  readonly text?: string
  /** Shown to the payer, and not sent: at most 70 characters. */
  readonly hint?: string
}

const BYTES_MAX = 331
const LEAST = parsePlainAmount('0.01')
const MOST = parsePlainAmount('999999999.99')

/** The text of an EPC069-12 code, version 002, UTF-8. Throws PaymentCodeInvalid. */
export function epcCode(transfer: EpcTransfer): string {
  demandParties(transfer)
  demandAmount(transfer.amount)
  demandTexts(transfer)
  const {
    name,
    iban,
    bic = '',
    amount,
    purpose = '',
    creditorReference = '',
    text = '',
    hint = '',
  } = transfer
  const lines = [
    'BCD',
    '002',
    '1',
    'SCT',
    bic,
    name,
    iban,
    `EUR${amount}`,
    purpose,
    creditorReference,
    text,
    hint,
  ]
  const code = lines.join('\n').replace(/\n+$/, '')
  demand(
    new TextEncoder().encode(code).length <= BYTES_MAX,
    `all together: at most ${String(BYTES_MAX)} bytes`,
  )
  return code
}

function demandParties({ name, iban, bic }: EpcTransfer): void {
  demand(/^[^\r\n]{1,70}$/.test(name), 'name: one line of 1 to 70 characters')
  demand(isIban(iban), 'iban: an IBAN without spaces, with right check digits')
  demand(bic === undefined || /^[A-Z0-9]{8}(?:[A-Z0-9]{3})?$/.test(bic), 'bic: 8 or 11 characters')
}

function demandAmount(amount: Amount): void {
  demand(fractionDigits(amount) <= 2 && compareAmounts(amount, MOST) <= 0, 'amount: at most 999999999.99')
  demand(compareAmounts(amount, LEAST) >= 0, 'amount: at least 0.01')
}

function demandTexts({ creditorReference, text = '', hint = '' }: EpcTransfer): void {
  demand(creditorReference === undefined || text === '', 'text: not together with a creditor reference')
  demand(
    creditorReference === undefined || readCreditorReference(creditorReference) !== undefined,
    'creditorReference: RF and right check digits',
  )
  demand(/^[^\r\n]{0,140}$/.test(text), 'text: one line of at most 140 characters')
  demand(/^[^\r\n]{0,70}$/.test(hint), 'hint: one line of at most 70 characters')
}
