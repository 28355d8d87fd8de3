import { numberOfReference } from './references.ts'

/** Both halves of a reference fit into indexes without the private key: those end at 2^31. */
const HALF_BITS = 30n
const HALF_MASK = (1n << HALF_BITS) - 1n

/** Two steps below the key of an account (BIP-32), neither of them hardened. */
export type EvmPath = readonly [number, number]

/** Where the key of a payment's address on a chain is. Throws for what is no reference of ours. */
export function evmPathOf(reference: string): EvmPath {
  const value = numberOfReference(reference)
  if (value === undefined) throw new Error(`${JSON.stringify(reference)} is no reference of a payment`)
  return [Number(value >> HALF_BITS), Number(value & HALF_MASK)]
}

/** Where the key of the address is that pays for sweeps: behind all references. */
export const EVM_GAS_PATH: EvmPath = [Number(1n << HALF_BITS), 0]
