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
