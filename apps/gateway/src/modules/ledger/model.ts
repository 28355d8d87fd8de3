import {
  type Amount,
  addAmounts,
  compareAmounts,
  isZero,
  negateAmount,
  subtractAmounts,
  sumAmounts,
  ZERO,
} from '@tollgate/money'

/**
 * Accounts of the ledger. AVAILABLE, NOT_SETTLED and RESERVED are what we owe the merchant, RECEIVABLE what the merchant
 * owes us, CLEARING what institutions hold for us, FEES what we have earned, SUSPENSE money whose owner is not known yet.
 */
export const LEDGER_ACCOUNTS = [
  'AVAILABLE',
  'NOT_SETTLED',
  'RESERVED',
  'RECEIVABLE',
  'CLEARING',
  'FEES',
  'SUSPENSE',
] as const
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

/** One line of a transfer. Positive is credit, negative is debit. */
export interface Posting {
  readonly account: LedgerAccount
  readonly amount: Amount
}

/** What happened, once per payment: the ledger refuses a second transfer for the same payment and event. */
export type LedgerEvent = 'PAYIN_SUCCESS' | 'PAYIN_REVERSED'

/** Something that happened to a payment, before it is booked. */
export interface LedgerEntry {
  readonly transferId: string
  readonly merchantId: string
  readonly event: LedgerEvent
  readonly kind: string
  readonly idPayment: string
  readonly currencyCode: string
  /** What the customer paid. */
  readonly gross: Amount
  /** What of it is ours. */
  readonly fee: Amount
}

/** A movement of money in one currency; its postings sum to zero. */
export interface Transfer extends Omit<LedgerEntry, 'gross' | 'fee'> {
  readonly postings: readonly Posting[]
}

/** A merchant's balance in one currency. `receivable` is zero or negative. */
export interface Balance {
  readonly merchantId: string
  readonly currencyCode: string
  readonly available: Amount
  readonly notSettled: Amount
  readonly reserved: Amount
  readonly receivable: Amount
  readonly updatedAt: Date
}

/** balance = available + notSettled + reserved. */
export function totalBalance(balance: Balance): Amount {
  return sumAmounts([balance.available, balance.notSettled, balance.reserved])
}

/** Money of a customer arrived: gross into clearing, the fee to us, the rest to the merchant, not yet settled. */
export function payinSuccessPostings(gross: Amount, fee: Amount): readonly Posting[] {
  return withoutZeros([
    { account: 'CLEARING', amount: negateAmount(gross) },
    { account: 'NOT_SETTLED', amount: subtractAmounts(gross, fee) },
    { account: 'FEES', amount: fee },
  ])
}

/**
 * A recall: the institution took the gross back. The fee stays earned. What the merchant no longer has, neither unsettled
 * nor available, it owes.
 */
export function payinReversedPostings(
  gross: Amount,
  has: Pick<Balance, 'notSettled' | 'available'>,
): readonly Posting[] {
  const fromNotSettled = smaller(gross, has.notSettled)
  const afterNotSettled = subtractAmounts(gross, fromNotSettled)
  const fromAvailable = smaller(afterNotSettled, has.available)
  const owed = subtractAmounts(afterNotSettled, fromAvailable)
  return withoutZeros([
    { account: 'CLEARING', amount: gross },
    { account: 'NOT_SETTLED', amount: negateAmount(fromNotSettled) },
    { account: 'AVAILABLE', amount: negateAmount(fromAvailable) },
    { account: 'RECEIVABLE', amount: negateAmount(owed) },
  ])
}

const smaller = (a: Amount, b: Amount): Amount => (compareAmounts(a, b) < 0 ? a : b)

function withoutZeros(postings: readonly Posting[]): readonly Posting[] {
  return postings.filter((posting) => !isZero(posting.amount))
}

/** The change of one merchant's balance in one currency. */
export type BalanceDelta = Omit<Balance, 'updatedAt'>

/** Names a balance. */
export type BalanceKey = Pick<Balance, 'merchantId' | 'currencyCode'>

/** Whether the postings of an event depend on what the merchant has: the balance must then be locked before. */
export function takesFromBalance(event: LedgerEvent): boolean {
  return event === 'PAYIN_REVERSED'
}

/**
 * Turns entries into transfers, one after the other: each finds the balances as those before it left them.
 * `balances` holds the locked ones; what is not there is zero.
 */
export function planTransfers(
  entries: readonly LedgerEntry[],
  balances: readonly Balance[],
): readonly Transfer[] {
  const running = new Map<string, BalanceDelta>(balances.map((balance) => [textOf(balance), balance]))
  return entries.map(({ gross, fee, ...entry }) => {
    const key = textOf(entry)
    const has = running.get(key) ?? emptyBalance(entry)
    const postings =
      entry.event === 'PAYIN_SUCCESS' ? payinSuccessPostings(gross, fee) : payinReversedPostings(gross, has)
    running.set(key, postings.reduce(addPosting, has))
    return { ...entry, postings }
  })
}

/** Adds up what the transfers do to merchants' balances, in one order for everyone, so that batches never deadlock. */
export function balanceDeltas(transfers: readonly Transfer[]): readonly BalanceDelta[] {
  const deltas = new Map<string, BalanceDelta>()
  for (const transfer of transfers) {
    const key = textOf(transfer)
    deltas.set(key, transfer.postings.reduce(addPosting, deltas.get(key) ?? emptyBalance(transfer)))
  }
  return inLockOrder([...deltas.values()])
}

/** Each key once, in the order in which everyone locks balances. */
export function inLockOrder<Key extends BalanceKey>(keys: readonly Key[]): readonly Key[] {
  const distinct = new Map(keys.map((key) => [textOf(key), key]))
  return [...distinct.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key)
}

const DELTA_MEMBER = {
  AVAILABLE: 'available',
  NOT_SETTLED: 'notSettled',
  RESERVED: 'reserved',
  RECEIVABLE: 'receivable',
} as const

/** The balance after the posting. The house's own accounts keep none. */
function addPosting(balance: BalanceDelta, { account, amount }: Posting): BalanceDelta {
  if (account === 'CLEARING' || account === 'FEES' || account === 'SUSPENSE') return balance
  const member = DELTA_MEMBER[account]
  return { ...balance, [member]: addAmounts(balance[member], amount) }
}

const emptyBalance = ({ merchantId, currencyCode }: BalanceKey): BalanceDelta => ({
  merchantId,
  currencyCode,
  available: ZERO,
  notSettled: ZERO,
  reserved: ZERO,
  receivable: ZERO,
})

const textOf = (key: BalanceKey): string => `${key.merchantId} ${key.currencyCode}`

/** Throws when the postings do not sum to zero: a bug, never an input. */
export function assertBalanced(transfer: Transfer): void {
  const sum = sumAmounts(transfer.postings.map((posting) => posting.amount))
  if (!isZero(sum))
    throw new Error(`transfer ${transfer.transferId} does not balance: ${sum} ${transfer.currencyCode}`)
}
