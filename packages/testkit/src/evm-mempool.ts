import { EVM_COIN } from '@tollgate/payment-codes'
import { readTransferCall } from '@tollgate/signer-protocol'
import { Transaction } from 'micro-eth-signer'

/** A transaction that was sent to a node: a transfer of a token, or of the chain's own coin. Addresses and hashes in lower case. */
export interface Sent {
  readonly raw: string
  readonly hash: string
  readonly from: string
  readonly nonce: number
  /** Its contract, or `coin`. */
  readonly token: string
  readonly payee: string
  readonly units: bigint
  readonly gasLimit: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** What nodes have and no block has. */
export interface Mempool {
  /** As a node answers `eth_sendRawTransaction`: it reads the signature, the number and the fees as a real one does. */
  take(
    raw: string,
  ): { readonly result: string } | { readonly error: { readonly code: number; readonly message: string } }
  /** Takes out what may be in the next block: of each sender from its next number on, without a gap. */
  takeNext(max: number): readonly Sent[]
  /** Gives back what was in a block that is gone. */
  giveBack(sent: readonly Sent[]): void
  readonly waiting: () => readonly Sent[]
  /** How many transactions of a sender are in blocks, up to one. */
  countOf(address: string, upTo?: number): number
  /** Forgets all that waits, as nodes may. */
  clear(): void
}

const refuse = (message: string) => ({ error: { code: -32_000, message } })

export function createMempool({
  chainId,
  countOf,
  coinsOf,
}: {
  readonly chainId: number
  readonly countOf: (address: string, upTo?: number) => number
  /** What an address has of the chain's own coin. */
  readonly coinsOf: (address: string) => bigint
}): Mempool {
  const waiting = new Map<string, Sent>()
  const nameOf = ({ from, nonce }: Pick<Sent, 'from' | 'nonce'>): string => `${from} ${nonce}`
  return {
    countOf,
    waiting: () => [...waiting.values()],
    clear: () => waiting.clear(),
    take(raw) {
      const sent = readSent(raw, chainId)
      if (typeof sent === 'string') return refuse(sent)
      if (sent.nonce < countOf(sent.from)) return refuse('nonce too low')
      const given = sent.token === EVM_COIN ? sent.units : 0n
      if (coinsOf(sent.from) < sent.gasLimit * sent.maxFeePerGas + given)
        return refuse('insufficient funds for gas * price + value')
      const before = waiting.get(nameOf(sent))
      if (before?.hash === sent.hash) return refuse('already known')
      if (before !== undefined && !isRaised(before, sent))
        return refuse('replacement transaction underpriced')
      waiting.set(nameOf(sent), sent)
      return { result: sent.hash }
    },
    takeNext(max) {
      const taken: Sent[] = []
      for (const from of new Set([...waiting.values()].map((each) => each.from)))
        for (let nonce = countOf(from); taken.length < max; nonce += 1) {
          const next = waiting.get(nameOf({ from, nonce }))
          if (next === undefined) break
          waiting.delete(nameOf(next))
          taken.push(next)
        }
      return taken
    },
    giveBack(sent) {
      for (const each of sent) if (!waiting.has(nameOf(each))) waiting.set(nameOf(each), each)
    },
  }
}

const isRaised = (before: Sent, after: Sent): boolean =>
  after.maxFeePerGas * 100n >= before.maxFeePerGas * 110n &&
  after.maxPriorityFeePerGas * 100n >= before.maxPriorityFeePerGas * 110n

/** Why it is none, as a text. */
function readSent(raw: string, chainId: number): Sent | string {
  try {
    const transaction = Transaction.fromHex(raw)
    const fields = transaction.raw
    if (!('maxFeePerGas' in fields) || !('chainId' in fields)) return 'transaction type not supported'
    if (fields.chainId !== BigInt(chainId)) return 'invalid chain id for signer'
    const call = readTransferCall(fields.data)
    const to = fields.to.toLowerCase()
    const isPlain = fields.data.replace(/^0x/, '') === ''
    if (call === undefined && !isPlain) return 'execution reverted'
    return {
      raw,
      ...(call ?? { payee: to, units: fields.value }),
      token: isPlain ? EVM_COIN : to,
      gasLimit: fields.gasLimit,
      hash: `0x${transaction.hash.replace(/^0x/, '')}`,
      from: transaction.sender.toLowerCase(),
      nonce: Number(fields.nonce),
      maxFeePerGas: fields.maxFeePerGas,
      maxPriorityFeePerGas: fields.maxPriorityFeePerGas,
    }
  } catch (error) {
    return `invalid transaction: ${error instanceof Error ? error.message : ''}`
  }
}
