import { type Amount, fractionDigits, toMinorUnits } from '@tollgate/money'
import { demand } from './checks.ts'
import { isEvmAddress } from './ethereum-address.ts'

/** A payment by UPI (India). */
interface UpiPayment {
  /** The virtual payment address, such as shop@bank. */
  readonly payeeAddress: string
  readonly payeeName: string
  /** In INR. */
  readonly amount: Amount
  /** At most 35 letters, digits and hyphens. */
  readonly reference: string
  readonly note?: string
}

/** The link of a UPI payment; the same text is its QR code. Throws PaymentCodeInvalid. */
export function upiLink(payment: UpiPayment): string {
  const { payeeAddress, payeeName, amount, reference, note } = payment
  demand(/^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9]{1,63}$/.test(payeeAddress), 'payeeAddress: name@handle')
  demand(payeeName.length >= 1 && payeeName.length <= 99, 'payeeName: 1 to 99 characters')
  demand(fractionDigits(amount) <= 2, 'amount: at most 2 decimals')
  demand(/^[A-Za-z0-9-]{1,35}$/.test(reference), 'reference: 1 to 35 letters, digits and hyphens')
  return `upi://pay?${query([
    ['pa', payeeAddress],
    ['pn', payeeName],
    ['tr', reference],
    ['am', amount],
    ['cu', 'INR'],
    ['tn', note],
  ])}`
}

/** A payment in bitcoin. */
interface BitcoinPayment {
  readonly address: string
  /** In BTC. */
  readonly amount: Amount
  readonly label?: string
  readonly message?: string
}

const SATOSHI_DECIMALS = 8

/** The link of BIP-21; the same text is its QR code. Throws PaymentCodeInvalid. */
export function bitcoinLink({ address, amount, label, message }: BitcoinPayment): string {
  demand(/^[A-Za-z0-9]{14,90}$/.test(address), 'address: letters and digits')
  demand(fractionDigits(amount) <= SATOSHI_DECIMALS, 'amount: at most 8 decimals')
  return `bitcoin:${address}?${query([
    ['amount', amount],
    ['label', label],
    ['message', message],
  ])}`
}

/** In place of a token's contract: the chain's own coin. */
export const EVM_COIN = 'coin'

/** A payment in coins or tokens of a chain that is made like Ethereum. */
interface EvmPayment {
  readonly chainId: number
  /** The contract of the token, or `EVM_COIN`. */
  readonly token: string
  readonly address: string
  readonly amount: Amount
  /** Of the token, or of the coin. */
  readonly decimals: number
}

/** The link of EIP-681; the same text is its QR code. It names the chain, so that no wallet pays on another. Throws PaymentCodeInvalid. */
export function evmLink({ chainId, token, address, amount, decimals }: EvmPayment): string {
  demand(isEvmAddress(address), 'address: 0x and 40 hexadecimal digits')
  demand(token === EVM_COIN || isEvmAddress(token), 'token: 0x and 40 hexadecimal digits')
  demand(fractionDigits(amount) <= decimals, `amount: at most ${decimals} decimals`)
  const units = toMinorUnits(amount, decimals)
  return token === EVM_COIN
    ? `ethereum:${address}@${chainId}?value=${units}`
    : `ethereum:${token}@${chainId}/transfer?address=${address}&uint256=${units}`
}

/** `%20` for a space: readers of these links do not know the plus sign. */
function query(members: readonly (readonly [string, string | undefined])[]): string {
  return members
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`]))
    .join('&')
    .replaceAll('%40', '@')
}
