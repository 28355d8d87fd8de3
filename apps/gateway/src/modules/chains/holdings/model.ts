import type { Amount } from '@tollgate/money'

/** What there is of a currency on a chain, and what our rows say. */
export interface HeldAsset {
  readonly currencyCode: string
  /** Arrived and booked, without what payouts paid: for this the books answer. */
  readonly booked: Amount
  /** Arrived, with too few blocks on top of it. */
  readonly waiting: Amount
  /** Addresses of payments that have some, and how much it is in all. */
  readonly addressCount: number
  readonly atAddresses: Amount
  /** Went from addresses of payments to where the settings say. */
  readonly swept: Amount
  /** Undefined where nothing is paid out. */
  readonly inWallet: Amount | undefined
  /** Undefined where the settings name none. */
  readonly inTreasury: Amount | undefined
}

/** What was counted on a chain, all at one block. */
export interface Holdings {
  readonly blockNumber: number
  readonly assets: readonly HeldAsset[]
  /** Of the chain's own coin, in the wallet of payouts. */
  readonly coin: { readonly currencyCode: string; readonly amount: Amount } | undefined
  /** What does not agree, a sentence each. */
  readonly findings: readonly string[]
}

/** The latest count as it is kept. */
export interface KeptHoldings {
  readonly counted: { readonly at: Date; readonly holdings: Holdings } | undefined
  readonly findingsSince: Date | undefined
  /** Why there is no newer one. */
  readonly problem: { readonly message: string; readonly since: Date } | undefined
}
