import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { EVM_COIN } from '@tollgate/payment-codes'
import type { WallClock } from '@tollgate/runtime'
import { createJournal } from '@tollgate/runtime/journal'

// The sandbox's chain: made like Ethereum as far as a reader of transfers sees it. A block comes every two seconds, and holds what
// was paid since the one before. It runs no contracts and is never reorganised. Of a token, a wallet has coins without end, unless it got some
// before it sent any: then it has what it got. Of the chain's own coin everybody has what they got, but for the wallets of the sandbox.
// The network takes the same for each transfer of a kind.

/** Coins that somebody paid. Addresses and hashes are `0x` and digits in lower case. */
export interface CoinTransfer {
  readonly blockNumber: number
  readonly txHash: string
  /** Its contract, or `coin`. */
  readonly token: string
  readonly from: string
  readonly to: string
  /** In the smallest units, as digits. */
  readonly units: string
  /** Of one that was sent to the node: its sender's number, and what it pays for gas, in wei, as digits. */
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
  /** All of a block. */
  readonly transactions: (number: number) => readonly CoinTransfer[]
  /** Puts a transfer into the next block; resolves when it is on the disk. */
  pay(payment: Pick<CoinTransfer, 'token' | 'to' | 'units'>): Promise<void>
  /** Puts a transaction of a wallet into the next block, if its number is the wallet's next; otherwise answers why it does not. */
  send(transfer: Omit<CoinTransfer, 'blockNumber'>): Promise<string | undefined>
  /** How many of a wallet's transactions are in blocks, up to one. */
  readonly countOf: (address: string, upTo: number) => number
  readonly transfer: (txHash: string) => CoinTransfer | undefined
  /** What an address has of a token, or of the chain's own coin, in a block. */
  readonly balance: (token: string, address: string, block: number) => bigint
  /** Reads what was paid before. */
  open(): Promise<void>
  close(): Promise<void>
}

/** As the gateway's settings for the sandbox name it. */
export const TEST_CHAIN_ID = 7_357
/** Of every token here. */
export const TOKEN_DECIMALS = 6
/** Of the chain's own coin. */
export const COIN_DECIMALS = 18
/** More than anybody spends. */
const COINS_WITHOUT_END = 10n ** 24n
/**
 * Who has the chain's own coin without end, as the gateway's settings for the sandbox name them: the wallet of payouts, and the address that
 * pays for bringing coins home. Everybody has their keys.
 */
const WALLETS_OF_THE_SANDBOX: ReadonlySet<string> = new Set([
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x3027e8d7a38ba5c682852fd39f737ae264b5e342',
])
/** What a transfer uses of gas: of a token, and of the coin. */
export const gasUsedBy = ({ token }: Pick<CoinTransfer, 'token'>): number =>
  token === EVM_COIN ? 21_000 : 50_000
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
    transactions: (number) => byBlock.get(number) ?? [],
    async pay({ token, to, units }) {
      const transfer = {
        blockNumber: headNumber() + 1,
        txHash: `0x${randomBytes(32).toString('hex')}`,
        from: `0x${randomBytes(20).toString('hex')}`,
        token,
        to,
        units,
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
    balance: (token, address, block) =>
      (token === EVM_COIN ? coinsAtFirst(address) : tokensAtFirst(moves.get(address) ?? [], token)) +
      (moves.get(address) ?? [])
        .filter((move) => move.token === token && move.blockNumber <= block)
        .reduce((sum, { units }) => sum + units, 0n),
    async open() {
      for (const transfer of (await journal.open()).lines) keep(transfer)
    },
    close: () => journal.close(),
  }
}

function movesOf(transfer: CoinTransfer): readonly (readonly [string, Move])[] {
  const { blockNumber, token, from, to, units, sent } = transfer
  const fee = BigInt(gasUsedBy(transfer)) * BigInt(sent?.price ?? 0)
  return [
    [from, { blockNumber, token, units: -BigInt(units) }],
    [from, { blockNumber, token: EVM_COIN, units: -fee }],
    [to, { blockNumber, token, units: BigInt(units) }],
  ]
}

const coinsAtFirst = (address: string): bigint =>
  WALLETS_OF_THE_SANDBOX.has(address) ? COINS_WITHOUT_END : 0n

/** Of an address with these moves, the oldest first. */
function tokensAtFirst(moves: readonly Move[], token: string): bigint {
  const first = moves.find((move) => move.token === token)
  return first !== undefined && first.units > 0n ? 0n : COINS_WITHOUT_END
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
