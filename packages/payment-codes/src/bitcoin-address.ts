import { createHash } from 'node:crypto'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const BECH32_RESIDUE = 1
const BECH32M_RESIDUE = 0x2bc830a3
const ADDRESS_LENGTH_MAX = 90

/** True for an address of Bitcoin, or of its test network, whose checksum is right (Base58Check; BIP-173, BIP-350). */
export function isBitcoinAddress(text: string): boolean {
  if (text.length > ADDRESS_LENGTH_MAX) return false
  return /^(?:bc1|tb1)/i.test(text) ? isSegwit(text) : isBase58Check(text)
}

const hash = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

function isBase58Check(text: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,35}$/.test(text)) return false
  let value = 0n
  for (const each of text) value = value * 58n + BigInt(BASE58.indexOf(each))
  const bytes = Buffer.from(value.toString(16).padStart(50, '0'), 'hex')
  if (bytes.length !== 25) return false
  return hash(hash(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21))
}

function isSegwit(text: string): boolean {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return false
  const address = text.toLowerCase()
  const human = address.slice(0, 2)
  const data = Array.from(address.slice(3), (each) => BECH32.indexOf(each))
  const version = data[0]
  if (data.length < 8 || data.includes(-1) || version === undefined || version > 16) return false
  const residue = polymod([...expand(human), ...data])
  return residue === (version === 0 ? BECH32_RESIDUE : BECH32M_RESIDUE)
}

const expand = (human: string): readonly number[] => [
  ...Array.from(human, (each) => each.charCodeAt(0) >> 5),
  0,
  ...Array.from(human, (each) => each.charCodeAt(0) & 31),
]

function polymod(values: readonly number[]): number {
  let check = 1
  for (const value of values) {
    const top = check >>> 25
    check = ((check & 0x1ffffff) << 5) ^ value
    for (const [index, generator] of GENERATORS.entries()) if ((top >> index) & 1) check ^= generator
  }
  return check >>> 0
}
