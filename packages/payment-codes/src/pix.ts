import { type Amount, fractionDigits } from '@tollgate/money'
import { crc16, demand, withTwoDecimals } from './checks.ts'

/** A PIX payment (Brazil) as a merchant-presented EMV code. */
interface PixPayment {
  /** The payee's PIX key: e-mail, phone, tax number or random key. */
  readonly key: string
  /** In BRL; left out, the payer types it. */
  readonly amount?: Amount
  /** At most 25 characters once it is written without accents. */
  readonly payeeName: string
  /** At most 15 characters once it is written without accents. */
  readonly payeeCity: string
  /** Up to 25 letters and digits. */
  readonly reference?: string
}

const CRC_HEAD = '6304'

/** The text of a PIX BR Code ("copia e cola"). Throws PaymentCodeInvalid. */
export function pixCode({ key, amount, payeeName, payeeCity, reference }: PixPayment): string {
  demand(/^[\x21-\x7e]{1,77}$/.test(key), 'key: 1 to 77 printable characters')
  demand(
    amount === undefined || (fractionDigits(amount) <= 2 && withTwoDecimals(amount).length <= 13),
    'amount: at most 2 decimals, and 13 characters with them',
  )
  demand(
    reference === undefined || /^[A-Za-z0-9]{1,25}$/.test(reference),
    'reference: 1 to 25 letters and digits',
  )
  const name = plain(payeeName)
  const city = plain(payeeCity)
  demand(name.length >= 1 && name.length <= 25, 'payeeName: 1 to 25 characters')
  demand(city.length >= 1 && city.length <= 15, 'payeeCity: 1 to 15 characters')
  const code = [
    member('00', '01'),
    member('26', member('00', 'br.gov.bcb.pix') + member('01', key)),
    member('52', '0000'),
    member('53', '986'),
    ...(amount === undefined ? [] : [member('54', withTwoDecimals(amount))]),
    member('58', 'BR'),
    member('59', name),
    member('60', city),
    member('62', member('05', reference ?? '***')),
    CRC_HEAD,
  ].join('')
  return code + crc16(code)
}

/** Identifier, length in two digits, value. */
function member(identifier: string, value: string): string {
  demand(value.length <= 99, `member ${identifier}: at most 99 characters`)
  return `${identifier}${String(value.length).padStart(2, '0')}${value}`
}

/** Without accents, because banks differ in how they read them. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
}
