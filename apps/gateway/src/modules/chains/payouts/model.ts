import type { Amount } from '@tollgate/money'
import type { PaymentKey } from '../../payments/index.ts'

export type ChainPayoutState = 'QUEUED' | 'NUMBERED' | 'SENT' | 'PAID' | 'FAILED' | 'DECIDED'

/** A payout on a chain as it is stored. */
export interface ChainPayout {
  readonly payoutNo: string
  readonly reference: string
  readonly code: string
  /** In lower case. */
  readonly wallet: string
  readonly payment: PaymentKey
  readonly currencyCode: string
  readonly amount: Amount
  readonly seal: string
  readonly state: ChainPayoutState
  /** The number that its transactions have; undefined until it has one. */
  readonly nonce: bigint | undefined
  readonly problem: string | undefined
  readonly isUnclear: boolean
  readonly takenAt: Date
  readonly endedAt: Date | undefined
  /** The transaction that is in a block. */
  readonly txHash: string | undefined
  readonly blockNumber: number | undefined
  /** In the chain's own coin. */
  readonly networkFee: Amount | undefined
}

/** A transaction that was signed for a payout. */
export interface SignedTransaction {
  readonly txHash: string
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** A payout whose transactions nodes may have. */
export interface PayoutOnItsWay extends ChainPayout {
  /** The latest first. */
  readonly transactions: readonly SignedTransaction[]
  /** Since the latest was signed. */
  readonly signedSeconds: number
  /** Since a node took the latest; undefined: none did. */
  readonly sentSeconds: number | undefined
}

/** What a wallet is and does. */
export interface ChainWallet {
  readonly code: string
  readonly address: string
  /** Why nothing leaves at present. */
  readonly problem: { readonly message: string; readonly since: Date } | undefined
  readonly queuedCount: number
  /** Numbered or sent, and not ended. */
  readonly onItsWayCount: number
  /** With a problem of their own. */
  readonly troubledCount: number
}
