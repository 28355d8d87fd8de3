import { keccak_256 } from '@noble/hashes/sha3.js'

/** True for an address of Ethereum and the chains that are made like it: all in one case, or with the checksum of EIP-55. */
export function isEvmAddress(text: string): boolean {
  if (!/^0x[0-9A-Fa-f]{40}$/.test(text)) return false
  const digits = text.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || digits === checksummed(digits)
}

/** The address with its checksum, which wallets compare. @param digits 40 hexadecimal digits, in any case, without 0x */
export function toEvmAddress(digits: string): string {
  return `0x${checksummed(digits)}`
}

/** Where the hash of the digits in lower case has a digit from 8 on, a letter is a capital (EIP-55). */
function checksummed(digits: string): string {
  const lower = digits.toLowerCase()
  const hash = keccak_256(Buffer.from(lower, 'latin1'))
  return Array.from(lower, (digit, index) => {
    const byte = hash[index >> 1] ?? 0
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 0xf
    return nibble >= 8 ? digit.toUpperCase() : digit
  }).join('')
}
