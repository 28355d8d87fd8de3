import { EVM_COIN } from '@tollgate/payment-codes'

/** `transfer(address,uint256)`. */
const SELECTOR = 'a9059cbb'
const WORD_DIGITS = 64
const ADDRESS_DIGITS = 40
const PATTERN = new RegExp(
  `^0x${SELECTOR}0{${WORD_DIGITS - ADDRESS_DIGITS}}([0-9a-f]{${ADDRESS_DIGITS}})([0-9a-f]{${WORD_DIGITS}})$`,
  'i',
)

/** A transfer of a token: `units` in its smallest units. */
interface TransferCall {
  /** `0x` and 40 digits. */
  readonly payee: string
  readonly units: bigint
}

/** What is called of a token's contract so that coins move. Throws RangeError for an amount that no word holds. */
export function transferCall({ payee, units }: TransferCall): string {
  const digits = units.toString(16)
  if (units < 0n || digits.length > WORD_DIGITS) throw new RangeError('an amount has at most 256 bits')
  return `0x${SELECTOR}${payee.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')}${digits.padStart(WORD_DIGITS, '0')}`
}

/** Coins that move: of a token, or the chain's own. */
interface Transfer extends TransferCall {
  /** The contract, or `EVM_COIN`. */
  readonly token: string
}

/** A transfer as a transaction: of a token a call of its contract, of the chain's own coin nothing but its value. */
export function transferTransaction({ token, payee, units }: Transfer): {
  readonly to: string
  readonly value: bigint
  readonly data: string
} {
  return token === EVM_COIN
    ? { to: payee, value: units, data: '' }
    : { to: token, value: 0n, data: transferCall({ payee, units }) }
}

/** Undefined for another call. */
export function readTransferCall(data: string): TransferCall | undefined {
  const [, payee, units] = PATTERN.exec(data) ?? []
  if (payee === undefined || units === undefined) return undefined
  return { payee: `0x${payee.toLowerCase()}`, units: BigInt(`0x${units}`) }
}
