import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { ChainFault } from './errors.ts'
import {
  Address,
  balanceCall,
  createRpc,
  Hash,
  Quantity,
  type RpcOptions,
  toHex,
  toNumber,
  Word,
} from './json-rpc.ts'
import { readMove, type TokenMove, TRANSFER_TOPIC } from './transfer-log.ts'

/** A block by its number, as a node has it. */
export interface Block {
  readonly number: number
  /** `0x` and 64 digits in lower case, as all hashes here. */
  readonly hash: string
  readonly timeSeconds: number
}

/** A transfer of a token, as the token's contract logged it. */
export interface TokenTransfer extends TokenMove {
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: number
  readonly blockHash: string
}

/** Blocks from one to another, both included. */
export interface BlockRange {
  readonly from: number
  readonly to: number
}

/** A node of a chain, asked by JSON-RPC. Whatever goes wrong is a ChainFault that names it. */
export interface ChainNode {
  /** For people: its host, never the path, which often has a key in it. */
  readonly name: string
  chainId(signal: AbortSignal): Promise<number>
  headNumber(signal: AbortSignal): Promise<number>
  /** Undefined when the node has no such block yet. */
  block(number: number, signal: AbortSignal): Promise<Block | undefined>
  /** Every transfer of the tokens in the blocks; undefined when that is more than the node answers at once. */
  transfers(
    range: BlockRange,
    tokens: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly TokenTransfer[] | undefined>
  decimals(token: string, signal: AbortSignal): Promise<number>
  /** What each address has of a token at a block, in its smallest units. */
  balances(at: BalancesAt, signal: AbortSignal): Promise<readonly bigint[]>
  /** What an address has of the chain's own coin at a block. */
  coins(address: string, block: number, signal: AbortSignal): Promise<bigint>
}

/** Whose coins of which token, and when. */
interface BalancesAt {
  readonly token: string
  readonly addresses: readonly string[]
  readonly block: number
}

/** `decimals()`. */
const DECIMALS_CALL = '0x313ce567'

const QuantitySchema = Compile(Quantity)
const WordSchema = Compile(Word)
const BlockSchema = Compile(
  Type.Union([Type.Null(), Type.Object({ number: Quantity, hash: Hash, timestamp: Quantity })]),
)
const LogsSchema = Compile(
  Type.Array(
    Type.Object({
      address: Address,
      topics: Type.Array(Hash),
      data: Type.String({ pattern: '^0x[0-9a-fA-F]*$' }),
      transactionHash: Hash,
      logIndex: Quantity,
      blockNumber: Quantity,
      blockHash: Hash,
      removed: Type.Optional(Type.Boolean()),
    }),
  ),
)

export function createChainNode({ url, client }: RpcOptions): ChainNode {
  const { name, ask, result, results, understood } = createRpc({ url, client })
  return {
    name,
    chainId: async (signal) => toNumber(await result(QuantitySchema, ['eth_chainId', []], signal)),
    headNumber: async (signal) => toNumber(await result(QuantitySchema, ['eth_blockNumber', []], signal)),
    async block(number, signal) {
      const found = await result(BlockSchema, ['eth_getBlockByNumber', [toHex(number), false]], signal)
      if (found === null) return undefined
      return {
        number: toNumber(found.number),
        hash: found.hash.toLowerCase(),
        timeSeconds: toNumber(found.timestamp),
      }
    },
    async transfers({ from, to }, tokens, signal) {
      const method = 'eth_getLogs'
      const filter = {
        ...{ fromBlock: toHex(from), toBlock: toHex(to), address: tokens, topics: [TRANSFER_TOPIC] },
      }
      const reply = await ask(method, [filter], signal)
      if (!reply.ok && reply.isTooMuch) return undefined
      if (!reply.ok) throw new ChainFault('REFUSED', `${name} refuses ${method}: ${reply.message}`)
      const logs = understood(LogsSchema, method, reply.result)
      return logs.filter(({ removed }) => removed !== true).flatMap(toTransfer)
    },
    async decimals(token, signal) {
      const called = await result(
        QuantitySchema,
        ['eth_call', [{ to: token, data: DECIMALS_CALL }, 'latest']],
        signal,
      )
      return toNumber(called)
    },
    async balances({ token, addresses, block }, signal) {
      const questions = addresses.map((address) => [balanceCall(token, address), toHex(block)])
      return (await results(WordSchema, ['eth_call', questions], signal)).map(BigInt)
    },
    coins: async (address, block, signal) =>
      BigInt(await result(QuantitySchema, ['eth_getBalance', [address, toHex(block)]], signal)),
  }
}

function toTransfer(log: {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly transactionHash: string
  readonly logIndex: string
  readonly blockNumber: string
  readonly blockHash: string
}): readonly TokenTransfer[] {
  const move = readMove(log)
  if (move === undefined) return []
  return [
    {
      ...{ ...move, txHash: log.transactionHash.toLowerCase() },
      logIndex: toNumber(log.logIndex),
      blockNumber: toNumber(log.blockNumber),
      blockHash: log.blockHash.toLowerCase(),
    },
  ]
}
