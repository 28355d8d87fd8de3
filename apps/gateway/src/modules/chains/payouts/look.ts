import type { Ids, Log } from '@tollgate/runtime'
import type { Database, Tx } from '../../../platform/database.ts'
import { listPaymentsByReference, type PaymentKey } from '../../payments/index.ts'
import type { Agreement } from '../agreement.ts'
import { type Chain, type ChainPayoutSettings, LeaseLost, type WatchedAsset } from '../model.ts'
import type { ChainPayout } from './model.ts'
import { holdLease, type PayoutEnd, type WalletKey } from './payout-store.ts'

/** A look at what leaves by a chain. */
export interface SendLook {
  readonly db: Database
  readonly ids: Ids
  readonly log: Log
  readonly chain: Chain
  readonly payouts: ChainPayoutSettings
  readonly leaseNo: string
  readonly agreement: Agreement
  readonly signal: AbortSignal
  /** Whom a payout goes to, as its payment has it; undefined when that was erased. */
  readonly payeeOf: (payment: PaymentKey) => Promise<string | undefined>
}

export const walletOf = ({ chain, payouts }: Pick<SendLook, 'chain' | 'payouts'>): WalletKey => ({
  code: chain.code,
  address: payouts.wallet,
})

/** In one transaction with what it writes: nothing counts of a process whose lease is another's by now. */
export function fenced<Result>(
  { db, chain, leaseNo }: Pick<SendLook, 'db' | 'chain' | 'leaseNo'>,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    if (!(await holdLease(tx, chain.code, leaseNo))) throw new LeaseLost()
    return work(tx)
  })
}

export const assetOf = (
  { assets }: Pick<Chain, 'assets'>,
  { currencyCode }: Pick<ChainPayout, 'currencyCode'>,
): WatchedAsset | undefined => assets.find((asset) => asset.currencyCode === currencyCode)

/** Of numbers that a double may not hold. Throws for none. */
export const largest = (numbers: readonly bigint[]): bigint => outermost(numbers, (one, other) => one > other)
export const smallest = (numbers: readonly bigint[]): bigint =>
  outermost(numbers, (one, other) => one < other)

function outermost(
  [first, ...rest]: readonly bigint[],
  isBefore: (one: bigint, other: bigint) => boolean,
): bigint {
  if (first === undefined) throw new Error('none of no numbers is the outermost')
  let found = first
  for (const each of rest) if (isBefore(each, found)) found = each
  return found
}

/** Whether its payment still waits to be paid, or people said meanwhile what became of it. Then nothing more is done for it. */
export async function isOpen(
  { db }: Pick<SendLook, 'db'>,
  { reference }: Pick<ChainPayout, 'reference'>,
): Promise<boolean> {
  const found = (await listPaymentsByReference(db, [reference])).find((each) => each.reference === reference)
  return found?.status === 'CREATED'
}

/** How a payout ends about which people decided before the chain did. */
export const DECIDED: PayoutEnd = {
  state: 'DECIDED',
  inBlock: undefined,
  why: 'People decided what became of its payment.',
}
