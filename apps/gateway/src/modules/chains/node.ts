import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { BALANCES_AT_ONCE, balancesProgram, readBalances } from './balances-program.ts'
import { ChainFault } from './errors.ts'
import {
  Address,
  Bytes,
  balanceCall,
  createRpc,
  Hash,
  Quantity,
  type RpcOptions,
  toHex,
  toNumber,
  Word,
} from './json-rpc.ts'
import { type Receipt, receiptFrom } from './receipts.ts'
import { readMove, type TokenMove, TRANSFER_TOPIC } from './transfer-log.ts'

/** A block by its number, as a node has it. */
export interface Block {
  readonly number: number
  /** `0x` and 64 digits in lower case, as all hashes here. */
  readonly hash: string
  readonly timeSeconds: number
}

/** A transaction of a block. Whether it did what it says, its receipt tells. Addresses in lower case. */
export interface BlockTransaction {
  readonly txHash: string
  readonly from: string
  /** Undefined for one that makes a contract. */
  readonly to: string | undefined
  /** Of the chain's own coin, in its smallest units. */
  readonly units: bigint
  readonly blockNumber: number
  readonly blockHash: string
}

/** A transfer of a token, as the token's contract logged it; or of the chain's own coin, as a transaction of the block. */
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
  /** Every transaction of the blocks; undefined when that is more than the node answers at once. */
  transactions(range: BlockRange, signal: AbortSignal): Promise<readonly BlockTransaction[] | undefined>
  /** Undefined while the transaction is in no block. */
  receipt(txHash: string, signal: AbortSignal): Promise<Receipt | undefined>
  decimals(token: string, signal: AbortSignal): Promise<number>
  /** What each address has of a token at a block, in its smallest units. */
  balances(at: BalancesAt, signal: AbortSignal): Promise<readonly bigint[]>
  /** What each address has of the chain's own coin at a block. */
  coins(addresses: readonly string[], block: number, signal: AbortSignal): Promise<readonly bigint[]>
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
const BytesSchema = Compile(Bytes)
const BlockSchema = Compile(
  Type.Union([Type.Null(), Type.Object({ number: Quantity, hash: Hash, timestamp: Quantity })]),
)
const WholeBlock = Type.Object({
  number: Quantity,
  hash: Hash,
  transactions: Type.Array(
    Type.Object({
      hash: Hash,
      from: Address,
      to: Type.Optional(Type.Union([Type.Null(), Address])),
      value: Quantity,
    }),
  ),
})
const WholeBlockSchema = Compile(Type.Union([Type.Null(), WholeBlock]))
const LogsSchema = Compile(
  Type.Array(
    Type.Object({
      address: Address,
      topics: Type.Array(Hash),
      data: Bytes,
      transactionHash: Hash,
      logIndex: Quantity,
      blockNumber: Quantity,
      blockHash: Hash,
      removed: Type.Optional(Type.Boolean()),
    }),
  ),
)

export function createChainNode({ url, client }: RpcOptions): ChainNode {
  const rpc = createRpc({ url, client })
  const { name, ask, result, results, understood } = rpc
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
        fromBlock: toHex(from),
        toBlock: toHex(to),
        address: tokens,
        topics: [TRANSFER_TOPIC],
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
    async transactions({ from, to }, signal) {
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
      const questions = numbers.map((number) => [toHex(number), true])
      const blocks = await rpc.resultsIfFew(WholeBlockSchema, ['eth_getBlockByNumber', questions], signal)
      return blocks?.flatMap((block, index) => toTransactions(name, numbers[index] ?? 0, block))
    },
    receipt: receiptFrom(rpc),
    async coins(addresses, block, signal) {
      const [first, second] = addresses
      // A question that every node knows.
      if (first !== undefined && second === undefined)
        return [BigInt(await result(QuantitySchema, ['eth_getBalance', [first, toHex(block)]], signal))]
      const found: bigint[] = []
      for (let start = 0; start < addresses.length; start += BALANCES_AT_ONCE) {
        const asked = addresses.slice(start, start + BALANCES_AT_ONCE)
        const call = { data: balancesProgram(asked) }
        const balances = readBalances(
          await result(BytesSchema, ['eth_call', [call, toHex(block)]], signal),
          asked.length,
        )
        if (balances === undefined)
          throw new ChainFault('REFUSED', `${name} does not say what ${asked.length} addresses have.`)
        found.push(...balances)
      }
      return found
    },
  }
}

function toTransactions(
  name: string,
  number: number,
  block: Static<typeof WholeBlock> | null,
): readonly BlockTransaction[] {
  if (block === null || toNumber(block.number) !== number)
    throw new ChainFault('UNREACHABLE', `${name} does not have the block ${number}. It is asked again.`)
  return block.transactions.map(({ hash, from, to, value }) => ({
    txHash: hash.toLowerCase(),
    from: from.toLowerCase(),
    to: to?.toLowerCase(),
    units: BigInt(value),
    blockNumber: number,
    blockHash: block.hash.toLowerCase(),
  }))
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
      ...move,
      txHash: log.transactionHash.toLowerCase(),
      logIndex: toNumber(log.logIndex),
      blockNumber: toNumber(log.blockNumber),
      blockHash: log.blockHash.toLowerCase(),
    },
  ]
}
