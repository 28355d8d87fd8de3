import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { TestLife } from './test-life.ts'

// A chain that is made like Ethereum, as far as a reader of token transfers sees it, and nodes that answer for it by JSON-RPC. What it is
// not: it runs no contracts, checks no signatures and knows no gas. It mines when it is told to, and can be made to reorganise, and its
// nodes to lag, to lie, to be of another chain and to answer only so much at once, which a real one does not do on demand.

/** A transfer of a token. Addresses are `0x` and 40 digits. */
interface TestTransfer {
  readonly token: string
  readonly from?: string
  readonly to: string
  /** In the token's smallest units. */
  readonly units: bigint
}

/** A transaction: its transfers stand or fall together. */
export interface TestTransaction {
  readonly hash: string
  readonly transfers: readonly TestTransfer[]
}

interface TestBlock {
  readonly number: number
  readonly hash: string
  readonly timeSeconds: number
  readonly transactions: readonly TestTransaction[]
}

/** A chain whose blocks a test makes. */
export interface TestChain {
  readonly head: () => number
  /** A block with these transactions, and empty ones after it, so many in all. */
  mine(transactions?: readonly TestTransaction[], blocks?: number): void
  /** Takes the last blocks away; whatever is mined then is another chain. Answers the transactions that were in them. */
  reorganise(depth: number): readonly TestTransaction[]
  readonly blocks: () => readonly TestBlock[]
}

const hashOf = (...parts: readonly (string | number)[]): string =>
  `0x${createHash('sha256').update(parts.join(' ')).digest('hex')}`

let transactionCount = 0

/** A transaction with a hash of its own. */
export function transaction(...transfers: readonly TestTransfer[]): TestTransaction {
  transactionCount += 1
  return { hash: hashOf('transaction', process.pid, transactionCount), transfers }
}

const START_SECONDS = 1_790_000_000
const BLOCK_SECONDS = 2

export function createTestChain({
  chainId,
  height = 10,
}: {
  readonly chainId: number
  readonly height?: number
}): TestChain {
  const blocks: TestBlock[] = []
  // Blocks that are mined after a reorganisation have other hashes than those that they take the place of.
  let fork = 0
  function mineOne(transactions: readonly TestTransaction[]): void {
    const number = blocks.length
    const parent = blocks.at(-1)?.hash ?? ''
    blocks.push({
      ...{ number, transactions, timeSeconds: START_SECONDS + number * BLOCK_SECONDS },
      hash: hashOf(chainId, parent, number, fork, ...transactions.map(({ hash }) => hash)),
    })
  }
  const chain: TestChain = {
    head: () => blocks.length - 1,
    mine(transactions = [], count = 1) {
      for (let made = 0; made < count; made += 1) mineOne(made === 0 ? transactions : [])
    },
    reorganise(depth) {
      fork += 1
      return blocks.splice(-depth).flatMap(({ transactions }) => transactions)
    },
    blocks: () => blocks,
  }
  chain.mine([], height)
  return chain
}

/** How a node is other than it should be. May be changed while it runs. */
interface TestNodeMoods {
  chainId?: number
  decimals?: number
  /** Blocks that it has not heard of yet. */
  lag?: number
  /** Answers nothing but 503. */
  isDown?: boolean
  /** The most logs of one answer. */
  logsMax?: number
  /** Transfers that it does not tell of, by their transaction. */
  readonly hidden?: Set<string>
  /** Is told of each request before it is answered. */
  onRequest?: (method: string) => unknown
}

/** A node that runs. */
export interface TestNode {
  readonly url: string
  readonly moods: TestNodeMoods
  /** Requests by method. */
  readonly counts: Map<string, number>
}

/** Starts a node of the chain on a free port of the loopback. */
export async function startTestNode(
  life: TestLife,
  chain: TestChain,
  given: { readonly chainId: number; readonly decimals?: number },
): Promise<TestNode> {
  const moods: TestNodeMoods = { ...given, hidden: new Set() }
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, params } = readQuestion(Buffer.concat(chunks).toString())
      counts.set(method, (counts.get(method) ?? 0) + 1)
      // What a test does meanwhile is done before the answer.
      void Promise.resolve(moods.onRequest?.(method)).then(() => {
        const isDown = moods.isDown === true
        response.statusCode = isDown ? 503 : 200
        response.setHeader('content-type', 'application/json')
        const answered = isDown ? {} : { jsonrpc: '2.0', id: 1, ...answer(chain, moods, method, params) }
        response.end(JSON.stringify(answered))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  life.after(() => close(server))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a node without a port')
  return { url: `http://127.0.0.1:${address.port}/a-key-of-ours`, moods, counts }
}

interface Question {
  readonly method: string
  readonly params: readonly unknown[]
}

function readQuestion(text: string): Question {
  const question: unknown = JSON.parse(text)
  if (typeof question !== 'object' || question === null || !('method' in question) || !('params' in question))
    throw new Error(`no question: ${text}`)
  const { method, params } = question
  if (typeof method !== 'string' || !Array.isArray(params)) throw new Error(`no question: ${text}`)
  return { method, params }
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

const hex = (number: number): string => `0x${number.toString(16)}`
const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const ANYBODY = '0x00000000000000000000000000000000000000aa'
const DECIMALS = 6

function answer(chain: TestChain, moods: TestNodeMoods, method: string, params: readonly unknown[]): object {
  const head = chain.head() - (moods.lag ?? 0)
  switch (method) {
    case 'eth_chainId':
      return { result: hex(moods.chainId ?? 0) }
    case 'eth_blockNumber':
      return { result: hex(head) }
    case 'eth_call':
      return { result: `0x${(moods.decimals ?? DECIMALS).toString(16).padStart(64, '0')}` }
    case 'eth_getBlockByNumber': {
      const number = Number(params[0])
      const block = number > head ? undefined : chain.blocks()[number]
      if (block === undefined) return { result: null }
      return { result: { number: hex(number), hash: block.hash, timestamp: hex(block.timeSeconds) } }
    }
    case 'eth_getLogs':
      return logsOf(chain, moods, readFilter(params[0]))
    default:
      return { error: { code: -32601, message: `the method ${method} does not exist` } }
  }
}

interface LogFilter {
  readonly fromBlock: string
  readonly toBlock: string
  readonly address: readonly string[]
}

function readFilter(filter: unknown): LogFilter {
  if (typeof filter !== 'object' || filter === null) throw new Error('no filter of logs')
  const { fromBlock, toBlock, address } = { fromBlock: '', toBlock: '', address: [], ...filter }
  return { fromBlock, toBlock, address }
}

function logsOf(chain: TestChain, { hidden, logsMax, lag = 0 }: TestNodeMoods, filter: LogFilter): object {
  const tokens = new Set(filter.address.map((token) => token.toLowerCase()))
  const blocks = chain
    .blocks()
    .slice(Number(filter.fromBlock), Math.min(Number(filter.toBlock), chain.head() - lag) + 1)
  const logs = blocks.flatMap(({ number, hash, transactions }) => {
    let logIndex = 0
    return transactions.flatMap((each) =>
      each.transfers.flatMap((transfer) => {
        const index = logIndex
        logIndex += 1
        if (!tokens.has(transfer.token.toLowerCase()) || hidden?.has(each.hash) === true) return []
        return [
          {
            address: transfer.token,
            topics: [TRANSFER_TOPIC, topicOf(transfer.from ?? ANYBODY), topicOf(transfer.to)],
            data: `0x${transfer.units.toString(16).padStart(64, '0')}`,
            transactionHash: each.hash,
            logIndex: hex(index),
            blockNumber: hex(number),
            blockHash: hash,
            removed: false,
          },
        ]
      }),
    )
  })
  if (logsMax !== undefined && logs.length > logsMax)
    return { error: { code: -32005, message: `query returned more than ${logsMax} results` } }
  return { result: logs }
}
