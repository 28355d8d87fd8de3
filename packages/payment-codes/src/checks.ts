/** The text with letters as numbers (A is 10), as ISO 7064 wants them. */
function digitsOf(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
}

/** ISO 7064 mod 97-10 of digits and capital letters. */
export function mod97(text: string): number {
  let rest = 0
  for (const digit of digitsOf(text)) rest = (rest * 10 + Number(digit)) % 97
  return rest
}

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
