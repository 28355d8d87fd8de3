import { type Amount, ZERO } from '@tollgate/money'
import type { Database, Tx } from '../../platform/database.ts'
import {
  assertBalanced,
  type Balance,
  balanceDeltas,
  type Posting,
  payinReversedPostings,
  type Transfer,
} from './model.ts'
import { findBalanceForUpdate, insertTransfers, listBalances, updateBalances } from './store.ts'

/** Books transfers and moves balances, inside the caller's transaction. A second booking of the same event fails. */
export async function bookTransfers(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length === 0) return
  for (const transfer of transfers) assertBalanced(transfer)
  await insertTransfers(tx, transfers)
  const deltas = balanceDeltas(transfers)
  if (deltas.length > 0) await updateBalances(tx, deltas)
}

/** The postings of a recall, against the balance that the merchant has now; the balance stays locked. */
export async function reversalPostings(
  tx: Tx,
  payment: { readonly merchantId: string; readonly currencyCode: string; readonly gross: Amount },
): Promise<readonly Posting[]> {
  const balance = await findBalanceForUpdate(tx, payment.merchantId, payment.currencyCode)
  return payinReversedPostings(payment.gross, balance ?? { notSettled: ZERO, available: ZERO })
}

const CURRENCIES_ASKED_MAX = 100

/** GET /balances (specification 4.4): all balances, or those of the currencies asked for, in one snapshot. */
export async function readBalances(
  db: Database,
  merchantId: string,
  currencyCodes: readonly string[] | undefined,
): Promise<readonly Balance[]> {
  return listBalances(db, merchantId, currencyCodes?.slice(0, CURRENCIES_ASKED_MAX))
}
