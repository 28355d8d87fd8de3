import type { Amount } from '@tollgate/money'

export type SweepStep = 'FUND' | 'MOVE'

/** A signed transaction that brings coins home, or pays for that. */
export interface SweepTransaction {
  readonly txHash: string
  readonly step: SweepStep
  readonly reference: string
  /** In lower case. */
  readonly sender: string
  readonly nonce: bigint
  /** As nodes take it. */
  readonly signed: string
}

/** The same as it is kept. */
export interface StoredSweep extends SweepTransaction {
  readonly transactionNo: string
  readonly state: 'WAITING' | 'DONE' | 'FAILED' | 'SUPERSEDED'
  readonly givenBy: string
  readonly givenAt: Date
  readonly sentSeconds: number | undefined
  readonly problem: string | undefined
  readonly blockNumber: number | undefined
  readonly networkFee: Amount | undefined
  readonly endedAt: Date | undefined
}
