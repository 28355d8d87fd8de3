/** ISO 7064 mod 97-10 of digits and capital letters, where A counts as 10 and Z as 35. */
export function mod97(text: string): number {
  let rest = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const value = code <= DIGIT_NINE ? code - DIGIT_ZERO : code - LETTER_TEN
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}

const DIGIT_ZERO = 48
const DIGIT_NINE = 57
/** Ten less than the code of A. */
const LETTER_TEN = 55

/** True for an IBAN without spaces, in capitals, whose check digits are right. */
export function isIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && mod97(text.slice(4) + text.slice(0, 4)) === 1
}

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
