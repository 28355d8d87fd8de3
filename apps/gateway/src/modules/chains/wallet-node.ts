import { Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { ChainFault } from './errors.ts'
import { balanceCall, createRpc, Hash, Quantity, type RpcOptions, toHex, Word } from './json-rpc.ts'
import { type Receipt, receiptFrom } from './receipts.ts'

/** What the network asks for gas, in wei. */
export interface GasPrice {
  readonly baseFee: bigint
  readonly tip: bigint
}

/** What would be called, and by whom. */
interface GasCall {
  readonly from: string
  readonly to: string
  readonly data: string
}

/** A node of a chain, as whoever sends by it sees it. Whatever goes wrong is a ChainFault that names it. */
export interface WalletNode {
  readonly name: string
  /** How many transactions of the address are in blocks: the number of its next one. Without a block, up to the newest. */
  transactionCount(address: string, block: number | undefined, signal: AbortSignal): Promise<bigint>
  /** Undefined while it is in no block. */
  receipt(txHash: string, signal: AbortSignal): Promise<Receipt | undefined>
  /** Hands a transaction over; undefined when the node has it now, otherwise its own words. What they are worth, the chain tells. */
  send(transaction: string, signal: AbortSignal): Promise<string | undefined>
  coins(address: string, signal: AbortSignal): Promise<bigint>
  /** How much gas a call would use. */
  estimate(call: GasCall, signal: AbortSignal): Promise<bigint>
  tokens(token: string, address: string, signal: AbortSignal): Promise<bigint>
  gasPrice(signal: AbortSignal): Promise<GasPrice>
}

const quantity = Compile(Quantity)
const word = Compile(Word)
const hash = Compile(Hash)
const head = Compile(Type.Object({ baseFeePerGas: Quantity }))
/** Words of nodes that have the transaction, or that have its number in a block already. */
const HAVE_IT =
  /already known|known transaction|already imported|nonce too low|nonce is too low|transaction already exists/i

export function createWalletNode(options: RpcOptions): WalletNode {
  const rpc = createRpc(options)
  return {
    name: rpc.name,
    async transactionCount(address, block, signal) {
      const at = block === undefined ? 'latest' : toHex(block)
      return BigInt(await rpc.result(quantity, ['eth_getTransactionCount', [address, at]], signal))
    },
    receipt: receiptFrom(rpc),
    async send(transaction, signal) {
      const reply = await rpc.ask('eth_sendRawTransaction', [transaction], signal)
      if (!reply.ok) return HAVE_IT.test(reply.message) ? undefined : reply.message
      rpc.understood(hash, 'eth_sendRawTransaction', reply.result)
      return undefined
    },
    coins: async (address, signal) =>
      BigInt(await rpc.result(quantity, ['eth_getBalance', [address, 'latest']], signal)),
    estimate: async (call, signal) => BigInt(await rpc.result(quantity, ['eth_estimateGas', [call]], signal)),
    tokens: async (token, address, signal) =>
      BigInt(await rpc.result(word, ['eth_call', [balanceCall(token, address), 'latest']], signal)),
    async gasPrice(signal) {
      const newest = await rpc.result(head, ['eth_getBlockByNumber', ['latest', false]], signal)
      const tip = await rpc.result(quantity, ['eth_maxPriorityFeePerGas', []], signal)
      return { baseFee: BigInt(newest.baseFeePerGas), tip: BigInt(tip) }
    },
  }
}

/** Hands a transaction to every node. Undefined when one has it now; otherwise what they say. What that is worth, the chain tells. */
export async function sendToAll(
  nodes: readonly WalletNode[],
  transaction: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const words = await Promise.all(
    nodes.map(async (node) => {
      try {
        const said = await node.send(transaction, signal)
        return said === undefined ? undefined : `${node.name}: ${said}`
      } catch (error) {
        if (error instanceof ChainFault) return error.message
        throw error
      }
    }),
  )
  return words.includes(undefined) ? undefined : words.join('; ')
}
