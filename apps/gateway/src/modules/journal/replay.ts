import { type Amount, addAmounts, isNegative, negateAmount, ZERO } from '@tollgate/money'
import type { Tx } from '../../platform/database.ts'
import type { BalanceDelta } from '../ledger/index.ts'
import { type AccountSum, findDip, findPageEnd, listSums, type OwnAccount } from './replay-store.ts'

const ENTRIES_PER_PAGE = 5_000

const MEMBER = {
  AVAILABLE: 'available',
  NOT_SETTLED: 'notSettled',
  RESERVED: 'reserved',
  RECEIVABLE: 'receivable',
} as const satisfies Record<OwnAccount, string>

/** What one account of a merchant came to; RECEIVABLE with the opposite sign. */
interface Account extends Pick<BalanceDelta, 'merchantId' | 'currencyCode'> {
  readonly account: OwnAccount
  readonly sum: Amount
  readonly mayHaveDipped: boolean
}

/**
 * Walks the journal in its order and adds up what every merchant has, from the chained transfers alone. In the order of
 * merchant and currency. Memory grows with the number of balances, not with the journal.
 */
export async function replayBalances(tx: Tx): Promise<readonly BalanceDelta[]> {
  const balances = new Map<string, BalanceDelta>()
  for (const { merchantId, currencyCode, account, sum } of await replayAccounts(tx)) {
    const key = `${merchantId.padStart(20, '0')} ${currencyCode}`
    const balance = balances.get(key) ?? {
      merchantId,
      currencyCode,
      available: ZERO,
      notSettled: ZERO,
      reserved: ZERO,
      receivable: ZERO,
    }
    balances.set(key, { ...balance, [MEMBER[account]]: account === 'RECEIVABLE' ? negateAmount(sum) : sum })
  }
  return [...balances.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, balance]) => balance)
}

/** Accounts that were below zero at some point of the journal, each with its first one, at most so many. */
export async function listDips(tx: Tx, dipsMax: number): Promise<readonly string[]> {
  const dips: string[] = []
  for (const { merchantId, currencyCode, account, mayHaveDipped } of await replayAccounts(tx)) {
    if (!mayHaveDipped || dips.length >= dipsMax) continue
    const dip = await findDip(tx, { merchantId, currencyCode, account })
    if (dip === undefined) continue
    const shown = account === 'RECEIVABLE' ? negateAmount(dip.reached) : dip.reached
    dips.push(`merchant ${merchantId}: ${account} was ${shown} ${currencyCode} at entry ${dip.entryNo}`)
  }
  return dips
}

async function replayAccounts(tx: Tx): Promise<Iterable<Account>> {
  const accounts = new Map<string, Account>()
  let afterNo = 0
  for (;;) {
    const untilNo = await findPageEnd(tx, afterNo, ENTRIES_PER_PAGE)
    if (untilNo === undefined) return accounts.values()
    for (const sum of await listSums(tx, afterNo, untilNo)) {
      const key = `${sum.merchantId} ${sum.currencyCode} ${sum.account}`
      accounts.set(key, addUp(accounts.get(key), sum))
    }
    afterNo = untilNo
  }
}

function addUp(before: Account | undefined, page: AccountSum): Account {
  const sum = before?.sum ?? ZERO
  return {
    merchantId: page.merchantId,
    currencyCode: page.currencyCode,
    account: page.account,
    sum: addAmounts(sum, page.total),
    mayHaveDipped: before?.mayHaveDipped === true || isNegative(addAmounts(sum, page.lowest)),
  }
}
