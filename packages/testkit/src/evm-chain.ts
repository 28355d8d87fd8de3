import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { EVM_COIN } from '@tollgate/payment-codes'
import { createMempool, type Mempool, type Sent } from './evm-mempool.ts'
import type { TestLife } from './test-life.ts'

// A chain that is made like Ethereum, as far as a reader of transfers and a sender of them see it, and nodes that answer for it by
// JSON-RPC. What it is not: it runs no contracts, and gas costs what was offered. It mines when it is told to, and can be made to
// reorganise, and its nodes to lag, to lie, to be of another chain and to answer only so much at once, which a real one does not do on demand.

/** A transfer of a token, or of the chain's own coin. Addresses are `0x` and 40 digits. */
interface TestTransfer {
  /** Its contract, or `coin`. */
  readonly token: string
  readonly from?: string
  readonly to: string
  /** In the smallest units. */
  readonly units: bigint
  /** Of the coin: a contract gives it, in the middle of a transaction that itself gives nothing. */
  readonly isInternal?: true
}

/** A transaction: its transfers stand or fall together. */
export interface TestTransaction {
  readonly hash: string
  readonly transfers: readonly TestTransfer[]
  /** It is in its block, and did nothing. */
  readonly isUndone?: true
  /** Of one that came by a node; its sender's number and its fees are checked. */
  readonly sent?: Sent
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
  /** Takes the last blocks away; whatever is mined then is another chain. Answers the transactions that were in them; those that were sent wait again. */
  reorganise(depth: number): readonly TestTransaction[]
  readonly blocks: () => readonly TestBlock[]
  /** What was sent to nodes and is in no block yet. */
  readonly mempool: Mempool
  /** A block with what was sent, by each sender in the order of its numbers, so many at most; and empty ones after it. */
  minePending(blocks?: number, transactionsMax?: number): void
  /** What every address has that never got any, of each token and of the chain's own coin, in the smallest units; nothing is taken from it. */
  readonly funds: { token: bigint; coin: bigint }
  /** Transfers to these addresses are undone, as a token's contract may do. In lower case. */
  readonly refusedPayees: Set<string>
  /** These have none of the chain's own coin but what they are given. In lower case. */
  readonly withoutCoins: Set<string>
  /** What an address has of the chain's own coin, up to a block: what it was given, without what its transactions gave and cost. */
  readonly coinsOf: (address: string, upTo?: number) => bigint
  /** Transfers to these are carried out and move nothing, as a token without care may do. In lower case. */
  readonly silentPayees: Set<string>
}

const hashOf = (...parts: readonly (string | number)[]): string =>
  `0x${createHash('sha256').update(parts.join(' ')).digest('hex')}`

let transactionCount = 0

/** A transaction with a hash of its own. */
export function transaction(...transfers: readonly TestTransfer[]): TestTransaction {
  transactionCount += 1
  return { hash: hashOf('transaction', process.pid, transactionCount), transfers }
}

/** Of the chain's own coin, what a transaction gave to whom; below zero what it took from them, and cost them. */
function coinsMoved({
  transfers,
  sent,
  isUndone,
}: TestTransaction): readonly (readonly [address: string, units: bigint])[] {
  const moved = isUndone === true ? [] : transfers.filter(({ token }) => token === EVM_COIN)
  const parts = moved.flatMap(({ from, to, units }): (readonly [string, bigint])[] => [
    [to.toLowerCase(), units],
    ...(from === undefined ? [] : [[from.toLowerCase(), -units] as const]),
  ])
  return sent === undefined ? parts : [...parts, [sent.from, -costOf(sent)]]
}

const gasOf = (sent: Sent | undefined): bigint => BigInt(sent?.token === EVM_COIN ? PLAIN_GAS : GAS_USED)
/** What was offered, and not what the network asked for: this chain has no market. */
const costOf = (sent: Sent): bigint => gasOf(sent) * sent.maxFeePerGas

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
      number,
      transactions,
      timeSeconds: START_SECONDS + number * BLOCK_SECONDS,
      hash: hashOf(chainId, parent, number, fork, ...transactions.map(({ hash }) => hash)),
    })
    for (const [address, units] of transactions.flatMap(coinsMoved)) {
      const known = coinMoves.get(address)
      if (known === undefined) coinMoves.set(address, [{ number, units }])
      else known.push({ number, units })
    }
  }
  const countOf = (address: string, upTo = blocks.length - 1): number =>
    blocks
      .slice(0, upTo + 1)
      .reduce(
        (count, block) => count + block.transactions.filter(({ sent }) => sent?.from === address).length,
        0,
      )
  const withoutCoins = new Set<string>()
  // Looked up by thousands of addresses at once.
  const coinMoves = new Map<string, { readonly number: number; readonly units: bigint }[]>()
  const coinsOf = (address: string, upTo = blocks.length - 1): bigint =>
    (coinMoves.get(address) ?? [])
      .filter(({ number }) => number <= upTo)
      .reduce((sum, { units }) => sum + units, withoutCoins.has(address) ? 0n : chain.funds.coin)
  const mempool = createMempool({ chainId, countOf, coinsOf })
  const refusedPayees = new Set<string>()
  const silentPayees = new Set<string>()
  const chain: TestChain = {
    mempool,
    refusedPayees,
    silentPayees,
    withoutCoins,
    coinsOf,
    funds: { token: 10n ** 15n, coin: 10n ** 21n },
    minePending(count = 1, transactionsMax = Number.POSITIVE_INFINITY) {
      const taken = mempool.takeNext(transactionsMax)
      chain.mine(
        taken.map((sent) => ({
          hash: sent.hash,
          sent,
          transfers:
            refusedPayees.has(sent.payee) || silentPayees.has(sent.payee)
              ? []
              : [{ token: sent.token, from: sent.from, to: sent.payee, units: sent.units }],
          ...(refusedPayees.has(sent.payee) && { isUndone: true }),
        })),
        count,
      )
    },
    head: () => blocks.length - 1,
    mine(transactions = [], count = 1) {
      for (let made = 0; made < count; made += 1) mineOne(made === 0 ? transactions : [])
    },
    reorganise(depth) {
      fork += 1
      const gone = blocks.splice(-depth).flatMap(({ transactions }) => transactions)
      for (const [address, moves] of coinMoves)
        coinMoves.set(
          address,
          moves.filter(({ number }) => number < blocks.length),
        )
      mempool.giveBack(gone.flatMap(({ sent }) => sent ?? []))
      return gone
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
  /** Transfers and receipts that it does not tell of, by their transaction. */
  readonly hidden?: Set<string>
  /** Coins that it says an address has more than it has; below zero, fewer. Addresses in lower case. */
  surplus?: ReadonlyMap<string, bigint>
  /** The same of the chain's own coin. */
  coinSurplus?: ReadonlyMap<string, bigint>
  /** It ends in the middle of a question: before it did what it was asked, or after. */
  ends?: 'BEFORE' | 'AFTER' | undefined
  /** It says that it took a transaction, and forgets it. */
  forgets?: boolean
  /** What the network asks for gas, in wei. */
  baseFee?: bigint
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
      const asked: unknown = JSON.parse(Buffer.concat(chunks).toString())
      const questions = (Array.isArray(asked) ? asked : [asked]).map(readQuestion)
      for (const { method } of questions) counts.set(method, (counts.get(method) ?? 0) + 1)
      // What a test does meanwhile is done before the answer.
      void Promise.resolve(moods.onRequest?.(questions[0]?.method ?? '')).then(() => {
        const isDown = moods.isDown === true
        response.statusCode = isDown ? 503 : 200
        response.setHeader('content-type', 'application/json')
        if (moods.ends === 'BEFORE') return response.destroy()
        const answers = questions.map((each) =>
          isDown ? {} : { jsonrpc: '2.0', id: each.id, ...answer(chain, moods, each.method, each.params) },
        )
        const answered = Array.isArray(asked) ? answers : answers[0]
        return moods.ends === 'AFTER' ? response.destroy() : response.end(JSON.stringify(answered))
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
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

function readQuestion(question: unknown): Question {
  if (typeof question !== 'object' || question === null || !('method' in question) || !('params' in question))
    throw new Error(`no question: ${JSON.stringify(question)}`)
  const { id, method, params } = { id: undefined, ...question }
  if (typeof method !== 'string' || !Array.isArray(params)) throw new Error(`no question: ${method}`)
  return { id, method, params }
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
      return { result: balancesOf(chain, moods, params) ?? word(called(chain, moods, params)) }
    case 'eth_getBlockByNumber': {
      const number = params[0] === 'latest' ? head : Number(params[0])
      const block = number > head ? undefined : chain.blocks()[number]
      if (block === undefined) return { result: null }
      const baseFeePerGas = `0x${(moods.baseFee ?? BASE_FEE).toString(16)}`
      return {
        result: {
          number: hex(number),
          hash: block.hash,
          timestamp: hex(block.timeSeconds),
          baseFeePerGas,
          ...(params[1] === true && { transactions: transactionsOf(block, moods) }),
        },
      }
    }
    case 'eth_getLogs':
      return logsOf(chain, moods, readFilter(params[0]))
    default:
      return walletAnswer(chain, moods, method, params)
  }
}

const numberIn = (block: string, head: number): number => (block === 'latest' ? head : Number(block))

/** Questions of whoever sends. */
function walletAnswer(
  chain: TestChain,
  moods: TestNodeMoods,
  method: string,
  params: readonly unknown[],
): object {
  const head = chain.head() - (moods.lag ?? 0)
  const [first = '', second = ''] = params.map(String)
  switch (method) {
    case 'eth_getBalance':
      return { result: quantity(coinsAt(chain, moods, first.toLowerCase(), numberIn(second, head))) }
    case 'eth_estimateGas':
      return { result: hex(Reflect.get(Object(params[0]), 'data') === '0x' ? PLAIN_GAS : GAS_USED) }
    case 'eth_maxPriorityFeePerGas':
      return { result: hex(TIP) }
    case 'eth_getTransactionCount':
      return { result: hex(chain.mempool.countOf(first.toLowerCase(), numberIn(second, head))) }
    case 'eth_sendRawTransaction':
      return moods.forgets === true ? { result: hashOf('forgotten') } : chain.mempool.take(first)
    case 'eth_getTransactionReceipt':
      return {
        result: receiptOf(chain, head, moods.hidden?.has(first) === true ? '' : first),
      }
    default:
      return { error: { code: -32601, message: `the method ${method} does not exist` } }
  }
}

const BASE_FEE = 1_000_000_000n
const TIP = 100_000_000
const GAS_USED = 52_000
const PLAIN_GAS = 21_000
/** `balanceOf(address)`. */
const BALANCE_CALL = '0x70a08231'
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

function called(chain: TestChain, moods: TestNodeMoods, [call, block]: readonly unknown[]): bigint {
  const { to, data } = { to: '', data: '', ...(typeof call === 'object' && call) }
  if (!data.startsWith(BALANCE_CALL)) return BigInt(moods.decimals ?? DECIMALS)
  const head = block === 'latest' ? chain.head() - (moods.lag ?? 0) : Number(block)
  const address = `0x${data.slice(-ADDRESS_DIGITS)}`
  return balanceOf(chain, to.toLowerCase(), address, head) + (moods.surplus?.get(address) ?? 0n)
}

const ADDRESS_DIGITS = 40

/** Who never got coins by a block has the funds that everybody has; whoever did has what came and did not leave. */
function balanceOf(chain: TestChain, token: string, address: string, head: number): bigint {
  const moves = chain
    .blocks()
    .slice(0, head + 1)
    .flatMap(({ transactions }) => transactions.flatMap(({ transfers }) => transfers))
    .filter((transfer) => transfer.token.toLowerCase() === token)
  const came = moves.filter(({ to }) => to.toLowerCase() === address)
  if (came.length === 0) return chain.funds.token
  const left = moves.filter(({ from }) => from?.toLowerCase() === address)
  const sum = (list: typeof moves): bigint => list.reduce((total, { units }) => total + units, 0n)
  return sum(came) - sum(left)
}

/** Null while it is in no block. */
function receiptOf(chain: TestChain, head: number, hash: string): object | null {
  for (const block of chain.blocks().slice(0, head + 1)) {
    const found = block.transactions.find((each) => each.hash === hash)
    if (found === undefined) continue
    return {
      transactionHash: hash,
      blockNumber: hex(block.number),
      blockHash: block.hash,
      status: found.isUndone === true ? '0x0' : '0x1',
      gasUsed: `0x${gasOf(found.sent).toString(16)}`,
      effectiveGasPrice: `0x${(found.sent?.maxFeePerGas ?? BASE_FEE).toString(16)}`,
      logs: logged(found).map((transfer) => ({
        address: transfer.token,
        topics: [TRANSFER_TOPIC, topicOf(transfer.from ?? ANYBODY), topicOf(transfer.to)],
        data: word(transfer.units),
      })),
    }
  }
  return null
}

/** What contracts log: the chain's own coin has none. */
const logged = ({ transfers, isUndone }: TestTransaction): readonly TestTransfer[] =>
  isUndone === true ? [] : transfers.filter(({ token }) => token !== EVM_COIN)

/** What a block says of its transactions: to whom, and what of the coin each gives by itself. */
const transactionsOf = ({ transactions }: TestBlock, { hidden }: TestNodeMoods): readonly object[] =>
  transactions
    .filter(({ hash }) => hidden?.has(hash) !== true)
    .map(({ hash, transfers: [first], sent }) => {
      const plain = sent === undefined ? plainOf(first) : toPlain(sent)
      return { hash, from: sent?.from ?? first?.from ?? ANYBODY, ...plain }
    })

const toPlain = ({ token, payee, units }: Sent) =>
  token === EVM_COIN ? { to: payee, value: quantity(units) } : { to: token, value: quantity(0n) }
const plainOf = (first: TestTransfer | undefined) =>
  first?.token === EVM_COIN && first.isInternal !== true
    ? { to: first.to, value: quantity(first.units) }
    : { to: CONTRACT, value: quantity(0n) }
const quantity = (units: bigint): string => `0x${units.toString(16)}`

const CONTRACT = '0x00000000000000000000000000000000000000cc'
/** The gateway's program that answers with balances: 49 bytes, and then addresses of 20 bytes. */
const BALANCES = /^0x603160205b388210[0-9a-f]{82}((?:[0-9a-f]{40})+)$/
const BALANCE_DIGITS = 32

/** Undefined for another call. A chain without an EVM knows this one program, and answers it as it would be carried out. */
function balancesOf(
  chain: TestChain,
  moods: TestNodeMoods,
  [call, block]: readonly unknown[],
): string | undefined {
  const [, digits] = BALANCES.exec(String(Reflect.get(Object(call), 'data')).toLowerCase()) ?? []
  const addresses = digits?.match(/.{40}/g)?.map((each) => `0x${each}`)
  const balances = addresses?.map((address) =>
    coinsAt(chain, moods, address, Number(block)).toString(16).padStart(BALANCE_DIGITS, '0'),
  )
  return balances && `0x${balances.join('')}`
}

const coinsAt = (chain: TestChain, moods: TestNodeMoods, address: string, upTo: number): bigint =>
  chain.coinsOf(address, upTo) + (moods.coinSurplus?.get(address) ?? 0n)

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
      logged(each).flatMap((transfer) => {
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
