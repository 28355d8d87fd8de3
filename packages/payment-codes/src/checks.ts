import { type Amount, toMinorUnits } from '@tollgate/money'

/** CRC-16/CCITT-FALSE of the UTF-8 bytes, as four capital hexadecimal digits (EMV merchant-presented codes). */
export function crc16(text: string): string {
  let crc = 0xffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    crc &= 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

/** A value that a standard does not admit. The message names the member and what would be right. */
export class PaymentCodeInvalid extends Error {
  override readonly name = 'PaymentCodeInvalid'
}

/** Throws PaymentCodeInvalid unless the condition holds. */
export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new PaymentCodeInvalid(message)
}

const MINOR_UNITS = 2

/** The amount with exactly two decimals, as `10.50`. It must not have more. */
export function withTwoDecimals(amount: Amount): string {
  const digits = toMinorUnits(amount, MINOR_UNITS)
    .toString()
    .padStart(MINOR_UNITS + 1, '0')
  return `${digits.slice(0, -MINOR_UNITS)}.${digits.slice(-MINOR_UNITS)}`
}
