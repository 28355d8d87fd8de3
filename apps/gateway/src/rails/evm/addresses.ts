import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'
import { EVM_GAS_PATH, type EvmPath, evmPathOf, toEvmAddress } from '@tollgate/payment-codes'

/** Addresses of payments, each derived from the payment's reference. */
export interface Addresses {
  /** The address that coins of this payment go to. Throws for what is no reference of ours. */
  addressOf(reference: string): string
  /** That pays for the transactions by which coins are brought home. */
  readonly gasAddress: string
}

/** Why a text is no key to derive addresses from, as a sentence for operators. */
export class XpubProblem extends Error {
  override readonly name = 'XpubProblem'
}

/** Below the key of the account, where a reference's coins are: whoever has the private key finds them there. */
export function derivationPathOf(reference: string): string {
  const [high, low] = evmPathOf(reference)
  return `m/${high}/${low}`
}

/**
 * The addresses below an extended public key. References are unique, so no address is used twice, and there is no counter to lose:
 * whoever has the payments has the addresses. Throws XpubProblem; one that can spend is refused.
 */
export function createAddresses(xpub: string): Addresses {
  const account = readXpub(xpub)
  return {
    addressOf: (reference) => addressAt(account, evmPathOf(reference)),
    gasAddress: addressAt(account, EVM_GAS_PATH),
  }
}

function addressAt(account: HDKey, [high, low]: EvmPath): string {
  const { publicKey } = account.deriveChild(high).deriveChild(low)
  if (publicKey === null) throw new Error('a derived key has no public part')
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return toEvmAddress(Buffer.from(keccak_256(point.subarray(1)).subarray(ADDRESS_FROM)).toString('hex'))
}

/** Of the hash of a public key, what is the address begins here. */
const ADDRESS_FROM = 12

function readXpub(text: string): HDKey {
  if (/^[xyzt]prv/i.test(text))
    throw new XpubProblem(
      'this is a private key (xprv): with it everything can be spent. It was on this machine, so it is burnt: make a new one, move the coins, and give the xpub.',
    )
  try {
    return HDKey.fromExtendedKey(text)
  } catch {
    throw new XpubProblem(
      'this is no extended public key: it begins with xpub and has 111 characters, of which the last ones are a checksum.',
    )
  }
}
