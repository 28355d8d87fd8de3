import { EVM_COIN } from '@tollgate/payment-codes'
import { readTransferCall } from '@tollgate/signer-protocol'
import { Transaction } from 'micro-eth-signer'
import { ChainProblem } from '../errors.ts'
import type { Chain } from '../model.ts'
import type { SweepTransaction } from './model.ts'

interface Reader {
  readonly chain: Pick<Chain, 'chainId' | 'assets' | 'treasury' | 'code' | 'gasAddress'>
  /** The payment that an address is of; in lower case. */
  readonly referenceOf: (address: string) => string | undefined
}

interface Fields {
  readonly sender: string
  readonly txHash: string
  readonly nonce: bigint
  readonly to: string
  readonly value: bigint
  readonly data: string
}

/** A transaction as it was signed, before it is known what it is about. Throws ChainProblem. */
export function openSweep(signed: string, place: number, chainId: number): Fields {
  const problem = (says: string): ChainProblem =>
    new ChainProblem(`The transaction ${place + 1} ${says}.`, 'INVALID')
  try {
    const transaction = Transaction.fromHex(signed)
    const fields = transaction.raw
    if (!('maxFeePerGas' in fields) || !('chainId' in fields))
      throw problem('is not of the type that is signed here')
    if (fields.chainId !== BigInt(chainId)) throw problem(`is of the chain ${fields.chainId}`)
    const { nonce, value, data } = fields
    return {
      nonce,
      value,
      data,
      to: fields.to.toLowerCase(),
      sender: transaction.sender.toLowerCase(),
      txHash: `0x${transaction.hash.replace(/^0x/, '')}`.toLowerCase(),
    }
  } catch (error) {
    if (error instanceof ChainProblem) throw error
    throw problem('cannot be read, or its signature is wrong')
  }
}

/** Nothing but coins that go home, and what pays for that. Throws ChainProblem for all else. */
export function toSweepTransaction(
  { chain, referenceOf }: Reader,
  fields: Fields,
  { signed, place }: { readonly signed: string; readonly place: number },
): SweepTransaction {
  const { sender, txHash, nonce, to, value, data } = fields
  const refuse = (says: string): never => {
    throw new ChainProblem(`The transaction ${place + 1} ${says}. Nothing of the file was taken.`, 'INVALID')
  }
  const isFund = sender === chain.gasAddress
  const reference = referenceOf(isFund ? to : sender)
  if (reference === undefined)
    return refuse(
      isFund
        ? `gives coins to ${to}, which is no address of a payment`
        : `is from ${sender}, which is no address of a payment`,
    )
  const common = { txHash, reference, sender, nonce, signed }
  if (isFund) {
    if (value === 0n || data.replace(/^0x/, '') !== '') return refuse('gives nothing, or does more than that')
    return { ...common, step: 'FUND' }
  }
  const why = objectionToMove(chain, fields)
  return why === undefined ? { ...common, step: 'MOVE' } : refuse(`of the payment ${reference} ${why}`)
}

function objectionToMove(
  { assets, treasury }: Reader['chain'],
  { to, value, data }: Fields,
): string | undefined {
  const isPlain = data.replace(/^0x/, '') === '' && value > 0n
  const call = isPlain ? { payee: to, units: value } : readTransferCall(data)
  const token = isPlain ? EVM_COIN : to
  const isOurs = assets.some((asset) => asset.token.toLowerCase() === token) && (isPlain || value === 0n)
  if (call === undefined || !isOurs) return 'is no transfer of a coin or token of the settings'
  return treasury.includes(call.payee) ? undefined : `brings coins to ${call.payee}, which is not in treasury`
}
