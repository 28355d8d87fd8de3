import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { WallClock } from '@tollgate/runtime'
import { createJournal } from '@tollgate/runtime/journal'

// The sandbox's chain: made like Ethereum as far as a reader of token transfers sees it. A block comes every two seconds, and holds what
// was paid since the one before. It runs no contracts and is never reorganised. A wallet has coins without end, unless it got some before it sent any:
// then it has what it got. Each transfer that is sent to its node costs the same.

/** Coins of a token that somebody paid. Addresses and hashes are `0x` and digits in lower case. */
export interface CoinTransfer {
  readonly blockNumber: number
  readonly txHash: string
  readonly token: string
  readonly from: string
  readonly to: string
  /** In the token's smallest units, as digits. */
  readonly units: string
  /** Of one that was sent to the node: its sender's number, and what it offered for gas, in wei, as digits. */
  readonly sent?: { readonly nonce: number; readonly price: string } | undefined
}

interface Block {
  readonly number: number
  readonly hash: string
  readonly timeSeconds: number
}

/** What came to an address in a block, or left it. */
interface Move extends Pick<CoinTransfer, 'blockNumber' | 'token'> {
  readonly units: bigint
}

/** A chain that goes on by itself. */
export interface TestChain {
  readonly headNumber: () => number
  /** Undefined for one that is not there yet. */
  readonly block: (number: number) => Block | undefined
  readonly transfers: (from: number, to: number, tokens: ReadonlySet<string>) => readonly CoinTransfer[]
  /** Puts a transfer into the next block; resolves when it is on the disk. */
  pay(payment: Pick<CoinTransfer, 'token' | 'to' | 'units'>): Promise<void>
  /** Puts a transaction of a wallet into the next block, if its number is the wallet's next; otherwise answers why it does not. */
  send(transfer: Omit<CoinTransfer, 'blockNumber'>): Promise<string | undefined>
  /** How many of a wallet's transactions are in blocks, up to one. */
  readonly countOf: (address: string, upTo: number) => number
  readonly transfer: (txHash: string) => CoinTransfer | undefined
  /** What an address has of a token in a block. */
  readonly balance: (token: string, address: string, block: number) => bigint
  /** Reads what was paid before. */
  open(): Promise<void>
  close(): Promise<void>
}

/** As the gateway's settings for the sandbox name it. */
export const TEST_CHAIN_ID = 7_357
/** Of every token here. */
export const TOKEN_DECIMALS = 6
/** More than anybody spends, of a token and of the chain's own coin. */
export const COINS_OF_EVERYBODY = 10n ** 24n
const FIRST_BLOCK_MS = Date.UTC(2026, 0, 1)
const BLOCK_MS = 2_000

export function createTestChain({
  dataDir,
  clock,
}: {
  readonly dataDir: string
  readonly clock: WallClock
}): TestChain {
  const journal = createJournal(join(dataDir, 'chain.jsonl'), readTransfer)
  const byBlock = new Map<number, CoinTransfer[]>()
  const byHash = new Map<string, CoinTransfer>()
  const blocksOfSender = new Map<string, number[]>()
  const moves = new Map<string, readonly Move[]>()
  const headNumber = (): number => Math.floor((clock.nowMs() - FIRST_BLOCK_MS) / BLOCK_MS)
  function keep(transfer: CoinTransfer): void {
    const known = byBlock.get(transfer.blockNumber)
    if (known === undefined) byBlock.set(transfer.blockNumber, [transfer])
    else known.push(transfer)
    byHash.set(transfer.txHash, transfer)
    for (const [address, move] of movesOf(transfer)) moves.set(address, [...(moves.get(address) ?? []), move])
    if (transfer.sent === undefined) return
    const blocks = blocksOfSender.get(transfer.from) ?? []
    blocksOfSender.set(transfer.from, [...blocks, transfer.blockNumber])
  }
  async function add(transfer: CoinTransfer): Promise<void> {
    keep(transfer)
    journal.append(transfer)
    await journal.settled()
  }
  return {
    headNumber,
    block(number) {
      if (number < 0 || number > headNumber()) return undefined
      return {
        number,
        hash: hashOf(number, byBlock.get(number) ?? []),
        timeSeconds: Math.floor((FIRST_BLOCK_MS + number * BLOCK_MS) / 1000),
      }
    },
    transfers: (from, to, tokens) =>
      [...byBlock.values()]
        .flat()
        .filter(
          ({ blockNumber, token }) =>
            blockNumber >= from && blockNumber <= Math.min(to, headNumber()) && tokens.has(token),
        ),
    async pay({ token, to, units }) {
      const transfer = {
        blockNumber: headNumber() + 1,
        txHash: `0x${randomBytes(32).toString('hex')}`,
        from: `0x${randomBytes(20).toString('hex')}`,
        ...{ token, to, units },
      }
      await add(transfer)
    },
    async send(transfer) {
      if (byHash.has(transfer.txHash)) return 'already known'
      const next = blocksOfSender.get(transfer.from)?.length ?? 0
      const nonce = transfer.sent?.nonce ?? 0
      if (nonce < next) return 'nonce too low'
      // A real node would wait for those that are missing; here they come in order.
      if (nonce > next) return `nonce too high: the next one is ${next}`
      await add({ ...transfer, blockNumber: headNumber() + 1 })
      return undefined
    },
    countOf: (address, upTo) => (blocksOfSender.get(address) ?? []).filter((block) => block <= upTo).length,
    transfer: (txHash) => byHash.get(txHash),
    balance: (token, address, block) => balanceOf(moves.get(address) ?? [], token, block),
    async open() {
      for (const transfer of (await journal.open()).lines) keep(transfer)
    },
    close: () => journal.close(),
  }
}

const movesOf = ({
  blockNumber,
  token,
  from,
  to,
  units,
}: CoinTransfer): readonly (readonly [string, Move])[] => [
  [from, { blockNumber, token, units: -BigInt(units) }],
  [to, { blockNumber, token, units: BigInt(units) }],
]

/** Of an address with these moves, the oldest first. */
function balanceOf(moves: readonly Move[], token: string, block: number): bigint {
  const [first] = moves
  return moves
    .filter((move) => move.token === token && move.blockNumber <= block)
    .reduce(
      (sum, { units }) => sum + units,
      first !== undefined && first.units > 0n ? 0n : COINS_OF_EVERYBODY,
    )
}

function hashOf(number: number, transfers: readonly CoinTransfer[]): string {
  const hashes = transfers.map(({ txHash }) => txHash)
  return `0x${createHash('sha256')
    .update(['test chain', number, ...hashes].join(' '))
    .digest('hex')}`
}

function readTransfer(value: unknown): CoinTransfer | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { blockNumber, txHash, token, from, to, units, sent } = { ...EMPTY, ...value }
  const isTransfer = [txHash, token, from, to, units].every((each) => typeof each === 'string' && each !== '')
  return isTransfer && Number.isSafeInteger(blockNumber)
    ? { blockNumber, txHash, token, from, to, units, sent }
    : undefined
}

const EMPTY: CoinTransfer = { blockNumber: Number.NaN, txHash: '', token: '', from: '', to: '', units: '' }
