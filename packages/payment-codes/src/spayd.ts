import { type Amount, fractionDigits } from '@tollgate/money'
import { demand } from './checks.ts'
import { isIban } from './iban.ts'

/** A Czech or Slovak payment to be scanned (Short Payment Descriptor 1.0). */
interface SpaydPayment {
  readonly iban: string
  readonly bic?: string
  readonly amount: Amount
  readonly currencyCode: string
  /** Up to ten digits. */
  readonly variableSymbol?: string
  /** Up to ten digits. */
  readonly specificSymbol?: string
  /** At most 60 characters. */
  readonly message?: string
  /** At most 35 characters. */
  readonly recipientName?: string
}

/** Characters that mean something in a descriptor, or that not every reader knows. */
const encoded = (text: string): string =>
  Array.from(text)
    .map((each) => (/[A-Za-z0-9 $+\-./:]/.test(each) ? each : encodeURIComponent(each).replace('*', '%2A')))
    .join('')

/** The text of a SPAYD code. Throws PaymentCodeInvalid. */
export function spaydCode(payment: SpaydPayment): string {
  const { iban, bic, amount, currencyCode, variableSymbol, specificSymbol, message, recipientName } = payment
  demand(isIban(iban), 'iban: an IBAN without spaces, with right check digits')
  demand(fractionDigits(amount) <= 2 && amount.length <= 10, 'amount: at most 10 characters, 2 decimals')
  demand(/^[A-Z]{3}$/.test(currencyCode), 'currencyCode: three capital letters')
  demand(variableSymbol === undefined || /^\d{1,10}$/.test(variableSymbol), 'variableSymbol: 1 to 10 digits')
  demand(specificSymbol === undefined || /^\d{1,10}$/.test(specificSymbol), 'specificSymbol: 1 to 10 digits')
  demand((message ?? '').length <= 60, 'message: at most 60 characters')
  demand((recipientName ?? '').length <= 35, 'recipientName: at most 35 characters')
  const members: readonly (readonly [string, string | undefined])[] = [
    ['ACC', bic === undefined ? iban : `${iban}+${bic}`],
    ['AM', amount],
    ['CC', currencyCode],
    ['RN', recipientName],
    ['X-VS', variableSymbol],
    ['X-SS', specificSymbol],
    ['MSG', message],
  ]
  const given = members.flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [`${key}:${encoded(value)}`],
  )
  return ['SPD', '1.0', ...given].join('*')
}
