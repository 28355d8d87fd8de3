import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { WallClock } from '@tollgate/runtime'
import { createJournal } from '@tollgate/runtime/journal'

// The sandbox's chain: made like Ethereum as far as a reader of token transfers sees it. A block comes every two seconds, and holds what
// was paid since the one before. It runs no contracts, knows no keys and no gas, and is never reorganised.

/** Coins of a token that somebody paid. Addresses and hashes are `0x` and digits in lower case. */
export interface CoinTransfer {
  readonly blockNumber: number
  readonly txHash: string
  readonly token: string
  readonly from: string
  readonly to: string
  /** In the token's smallest units, as digits. */
  readonly units: string
}

interface Block {
  readonly number: number
  readonly hash: string
  readonly timeSeconds: number
}

/** A chain that goes on by itself. */
export interface TestChain {
  readonly headNumber: () => number
  /** Undefined for one that is not there yet. */
  readonly block: (number: number) => Block | undefined
  readonly transfers: (from: number, to: number, tokens: ReadonlySet<string>) => readonly CoinTransfer[]
  /** Puts a transfer into the next block; resolves when it is on the disk. */
  pay(payment: Pick<CoinTransfer, 'token' | 'to' | 'units'>): Promise<void>
  /** Reads what was paid before. */
  open(): Promise<void>
  close(): Promise<void>
}

/** As the gateway's settings for the sandbox name it. */
export const TEST_CHAIN_ID = 7_357
/** Of every token here. */
export const TOKEN_DECIMALS = 6
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
  const headNumber = (): number => Math.floor((clock.nowMs() - FIRST_BLOCK_MS) / BLOCK_MS)
  function keep(transfer: CoinTransfer): void {
    const known = byBlock.get(transfer.blockNumber)
    if (known === undefined) byBlock.set(transfer.blockNumber, [transfer])
    else known.push(transfer)
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
      keep(transfer)
      journal.append(transfer)
      await journal.settled()
    },
    async open() {
      for (const transfer of (await journal.open()).lines) keep(transfer)
    },
    close: () => journal.close(),
  }
}

function hashOf(number: number, transfers: readonly CoinTransfer[]): string {
  const hashes = transfers.map(({ txHash }) => txHash)
  return `0x${createHash('sha256')
    .update(['test chain', number, ...hashes].join(' '))
    .digest('hex')}`
}

function readTransfer(value: unknown): CoinTransfer | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { blockNumber, txHash, token, from, to, units } = { ...EMPTY, ...value }
  const isTransfer = [txHash, token, from, to, units].every((each) => typeof each === 'string' && each !== '')
  return isTransfer && Number.isSafeInteger(blockNumber)
    ? { blockNumber, txHash, token, from, to, units }
    : undefined
}

const EMPTY = { blockNumber: Number.NaN, txHash: '', token: '', from: '', to: '', units: '' }
