import { type Amount, compareAmounts, fromMinorUnits } from '@tollgate/money'
import type { PaymentKey } from '../payments/index.ts'
import type { ChainFaultKind } from './errors.ts'
import type { ChainNode, TokenTransfer } from './node.ts'
import type { SignerClient } from './payouts/signer-client.ts'
import type { WalletNode } from './wallet-node.ts'

/** How many blocks a transfer waits for, the one that it is in among them. */
export interface ConfirmationRule {
  /** For amounts up to here; undefined: for all the others. */
  readonly upTo: Amount | undefined
  readonly blocks: number
}

/** A coin or token, and when an amount of it counts. */
export interface WatchedAsset {
  readonly currencyCode: string
  /** The contract of the token, or `EVM_COIN`. */
  readonly token: string
  /** By how many decimals the smallest unit is smaller than one. */
  readonly decimals: number
  /** By amount, the smallest first; the last one has no bound. */
  readonly confirmations: readonly ConfirmationRule[]
}

/** A chain that is read. */
export interface Chain {
  readonly code: string
  readonly chainId: number
  readonly assets: readonly WatchedAsset[]
  /** Each says the same of a block, or the block does not count. */
  readonly nodes: readonly ChainNode[]
  /** Blocks that are asked for at once, at most. */
  readonly rangeBlocks: number
  readonly everySeconds: number
  /** Where reading begins when the chain was never read; undefined: at its end. */
  readonly startBlock: number | undefined
  /** That pays for what leaves addresses of payments; in lower case. */
  readonly gasAddress: string
  /** Where coins of payments are brought to, beside the wallet of payouts; in lower case. */
  readonly treasury: readonly string[]
  /** Undefined: nothing is paid out on it. */
  readonly payouts?: ChainPayoutSettings | undefined
  /** Undefined where nobody said where coins go, or in what the network is paid. */
  readonly sweeps?: ChainSweepSettings | undefined
}

/** How coins are brought home from addresses of payments. */
export interface ChainSweepSettings {
  readonly nodes: readonly WalletNode[]
  readonly coin: ChainPayoutSettings['coin']
}

/** How payouts leave by a chain. */
export interface ChainPayoutSettings {
  /** From which they leave; in lower case. */
  readonly wallet: string
  readonly signer: SignerClient
  readonly nodes: readonly WalletNode[]
  /** The chain's own coin, in which it is paid for. */
  readonly coin: { readonly currencyCode: string; readonly decimals: number }
  readonly gasLimit: bigint
  /** In wei; nothing is sent while the network asks for more. */
  readonly maxFeePerGas: bigint
  /** What is in no block after so long offers more. */
  readonly raiseAfterSeconds: number
}

/** A transfer to an address of a payment. */
export interface SeenTransfer {
  readonly txHash: string
  readonly ordinal: number
  readonly currencyCode: string
  readonly amount: Amount
  readonly address: string
  readonly payment: PaymentKey
  readonly reference: string
  readonly isElsewhere: boolean
  readonly confirmations: number
  readonly blockNumber: number
  readonly blockHash: string
}

export type TransferState = 'SEEN' | 'BOOKED' | 'GONE' | 'MISSING'

/** The same as it is stored. */
export interface StoredTransfer extends SeenTransfer {
  readonly transferNo: string
  readonly state: TransferState
  readonly seenAt: Date
  readonly bookedAt: Date | undefined
}

/** What became of the latest looks at a chain. */
export interface ChainState {
  readonly code: string
  readonly lookedAt: Date | undefined
  readonly succeededAt: Date | undefined
  readonly failures: number
  readonly fault:
    | { readonly kind: ChainFaultKind; readonly message: string; readonly since: Date }
    | undefined
  readonly headBlock: number | undefined
  readonly scannedBlock: number | undefined
  /** Seen and not booked yet. */
  readonly waitingCount: number
  /** Booked, and the chain does not have them any more. */
  readonly missingCount: number
}

/** How many blocks an amount waits for. */
export function confirmationsFor({ confirmations }: WatchedAsset, amount: Amount): number {
  const rule = confirmations.find(({ upTo }) => upTo === undefined || compareAmounts(amount, upTo) <= 0)
  if (rule === undefined) throw new Error('the last rule of confirmations has a bound')
  return rule.blocks
}

/** The most blocks that any amount waits for. */
export const confirmationsMax = ({ assets }: Pick<Chain, 'assets'>): number =>
  Math.max(1, ...assets.flatMap(({ confirmations }) => confirmations.map(({ blocks }) => blocks)))

/** A transfer with its currency, and its place among those of its token in its transaction. */
export interface NumberedTransfer extends TokenTransfer {
  readonly asset: WatchedAsset
  readonly ordinal: number
  readonly amount: Amount
}

/**
 * Numbers transfers by their order in their transaction: that stays when a transaction moves to another block, where the number of its log
 * does not. Transfers of nothing, which anybody can make in anybody's name, are counted and left out.
 */
export function numberTransfers(
  assets: readonly WatchedAsset[],
  transfers: readonly TokenTransfer[],
): readonly NumberedTransfer[] {
  const byToken = new Map(assets.map((asset) => [asset.token.toLowerCase(), asset]))
  const counts = new Map<string, number>()
  const inOrder = [...transfers].sort(
    (one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex,
  )
  return inOrder.flatMap((transfer) => {
    const asset = byToken.get(transfer.token)
    const name = `${transfer.txHash} ${transfer.token}`
    const ordinal = counts.get(name) ?? 0
    counts.set(name, ordinal + 1)
    if (asset === undefined || transfer.units === 0n) return []
    return [{ ...transfer, asset, ordinal, amount: fromMinorUnits(transfer.units, asset.decimals) }]
  })
}

const RETRY_SECONDS_MAX = 60

/** How long after so many failures in a row a chain is read again. */
export const retrySeconds = (failures: number, everySeconds: number): number =>
  Math.min(RETRY_SECONDS_MAX, Math.max(everySeconds, 1) * 2 ** Math.min(failures - 1, 10))

/** Another process has the lease by now: what this one found no longer counts. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
