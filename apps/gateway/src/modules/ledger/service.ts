import type { Amount } from '@tollgate/money'
import type { Database, Tx } from '../../platform/database.ts'
import {
  assertBalanced,
  type Balance,
  type BalanceSum,
  balanceDeltas,
  inLockOrder,
  type LedgerEntry,
  planTransfers,
  takesFromBalance,
} from './model.ts'
import {
  type BalancePage,
  insertTransfers,
  listAllBalances,
  listBalances,
  lockBalances,
  sumBalances,
  updateBalances,
  upsertBalances,
} from './store.ts'

/**
 * Books what happened, in order, and moves the balances, inside the caller's transaction. A second booking of the same
 * event of the same payment fails, and so does one that would make a balance negative: both are bugs, never an input.
 */
export async function bookEntries(tx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return
  const takes = entries.some((entry) => takesFromBalance(entry.event))
  const transfers = planTransfers(entries, takes ? await lockBalances(tx, inLockOrder(entries)) : [])
  for (const transfer of transfers) assertBalanced(transfer)
  const deltas = balanceDeltas(transfers)
  await Promise.all([
    insertTransfers(tx, transfers),
    takes ? updateBalances(tx, deltas) : upsertBalances(tx, deltas),
  ])
}

/** Locks the merchant's balances of the currencies until the transaction ends; what is owed in each, zero or negative. */
export async function lockReceivables(
  tx: Tx,
  merchantId: string,
  currencyCodes: readonly string[],
): Promise<ReadonlyMap<string, Amount>> {
  const keys = currencyCodes.map((currencyCode) => ({ merchantId, currencyCode }))
  const balances = await lockBalances(tx, inLockOrder(keys))
  return new Map(balances.map(({ currencyCode, receivable }) => [currencyCode, receivable]))
}

/** What merchants read of their balances. */
export interface BalanceService {
  /** GET /balances (specification 4.4): all balances, or those of the currencies asked for, in one snapshot. */
  list(merchantId: string, currencyCodes: readonly string[] | undefined): Promise<readonly Balance[]>
}

/** What operators read of all balances. */
export interface BalanceReader {
  /** By merchant and currency, from after the last one of the page before. */
  list(page: BalancePage): Promise<readonly Balance[]>
  /** All merchants together, in one snapshot. */
  sum(): Promise<readonly BalanceSum[]>
}

export const createBalanceReader = ({ db }: { readonly db: Database }): BalanceReader => ({
  list: (page) => listAllBalances(db, page),
  sum: () => sumBalances(db),
})

export function createBalanceService({ db }: { readonly db: Database }): BalanceService {
  return {
    list: (merchantId, currencyCodes) => listBalances(db, merchantId, currencyCodes),
  }
}
