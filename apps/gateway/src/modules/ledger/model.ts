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
 * owes us, CLEARING what institutions hold for us, FEES what we have earned, SUSPENSE money whose owner is not known yet,
 * EXCHANGE where money leaves in one currency and comes back in another.
 */
export const LEDGER_ACCOUNTS = [
  'AVAILABLE',
  'NOT_SETTLED',
  'RESERVED',
  'RECEIVABLE',
  'CLEARING',
  'FEES',
  'SUSPENSE',
  'EXCHANGE',
] as const
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

/** One line of a transfer. Positive is credit, negative is debit. */
export interface Posting {
  readonly account: LedgerAccount
  readonly amount: Amount
}

/** What happened, once per payment: the ledger refuses a second transfer for the same payment and event. */
export const LEDGER_EVENTS = [
  'PAYIN_SUCCESS',
  'PAYIN_REVERSED',
  'PAYOUT_HELD',
  'PAYOUT_SUCCESS',
  /** An operator corrected a failure: the hold was released before, so the money is taken anew. */
  'PAYOUT_SUCCESS_LATE',
  'PAYOUT_RELEASED',
  'PAYOUT_REVERSED',
  'TOPUP_SUCCESS',
  'TOPUP_REVERSED',
  'SETTLED',
  'SETTLED_SOLD',
  'SETTLED_BOUGHT',
  /** Money arrived at a bank, and whose it is is not clear. */
  'SUSPENSE_RECEIVED',
  /** It is the money of a payment: the payment's own success takes it from clearing. */
  'SUSPENSE_APPLIED',
  /** What a payment lacked, given by the house. */
  'SUSPENSE_COVERED',
  /** It went back to where it came from. */
  'SUSPENSE_RETURNED',
  /** What a chain's network took for carrying a payout out, in the chain's own coin. */
  'NETWORK_FEE',
] as const
export type LedgerEvent = (typeof LEDGER_EVENTS)[number]

/** Something that happened to a payment, before it is booked. */
export interface LedgerEntry {
  readonly transferId: string
  readonly merchantId: string
  readonly event: LedgerEvent
  readonly kind: string
  readonly idPayment: string
  readonly currencyCode: string
  /** What the customer paid or is paid, or what is settled. */
  readonly gross: Amount
  /** What is ours: a part of money that comes in, on top of money that goes out. */
  readonly fee: Amount
}

/** A movement of money in one currency; its postings sum to zero. */
export interface Transfer extends Omit<LedgerEntry, 'gross' | 'fee'> {
  readonly postings: readonly Posting[]
}

/** What all merchants together have in a currency. */
export interface BalanceSum extends Omit<Balance, 'merchantId' | 'updatedAt'> {
  /** How many have a balance in it. */
  readonly merchants: number
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

/** What a merchant has: some postings depend on it. */
type Holdings = Pick<Balance, 'notSettled' | 'available' | 'receivable'>
type Money = Pick<LedgerEntry, 'gross' | 'fee'>

/** The postings of each event. They sum to zero, whatever the amounts and the holdings are. */
const POSTINGS: Readonly<Record<LedgerEvent, (money: Money, has: Holdings) => readonly Posting[]>> = {
  // Money of a customer arrived: gross into clearing, the fee to us, the rest to the merchant, not yet settled.
  PAYIN_SUCCESS: ({ gross, fee }) => [
    debit('CLEARING', gross),
    credit('NOT_SETTLED', subtractAmounts(gross, fee)),
    credit('FEES', fee),
  ],
  // A recall: the institution took the gross back. The fee stays earned.
  PAYIN_REVERSED: ({ gross }, has) => [
    credit('CLEARING', gross),
    ...take(gross, has, ['NOT_SETTLED', 'AVAILABLE']),
  ],
  // Accepted: nobody else can spend it any more.
  PAYOUT_HELD: (money) => [debit('AVAILABLE', total(money)), credit('RESERVED', total(money))],
  PAYOUT_SUCCESS: (money) => [
    debit('RESERVED', total(money)),
    credit('CLEARING', money.gross),
    credit('FEES', money.fee),
  ],
  PAYOUT_SUCCESS_LATE: (money, has) => [
    ...take(total(money), has, ['AVAILABLE', 'NOT_SETTLED']),
    credit('CLEARING', money.gross),
    credit('FEES', money.fee),
  ],
  PAYOUT_RELEASED: (money) => [debit('RESERVED', total(money)), credit('AVAILABLE', total(money))],
  // The money came back from the institution. The fee stays earned: the work was done.
  PAYOUT_REVERSED: ({ gross }) => [debit('CLEARING', gross), credit('AVAILABLE', gross)],
  // The merchant's own money: it can be spent at once.
  TOPUP_SUCCESS: ({ gross, fee }) => [
    debit('CLEARING', gross),
    credit('AVAILABLE', subtractAmounts(gross, fee)),
    credit('FEES', fee),
  ],
  TOPUP_REVERSED: ({ gross }, has) => [
    credit('CLEARING', gross),
    ...take(gross, has, ['AVAILABLE', 'NOT_SETTLED']),
  ],
  // What is owed is paid first; the rest can be spent.
  SETTLED: ({ gross }, has) => [debit('NOT_SETTLED', gross), ...give(gross, has)],
  SETTLED_SOLD: ({ gross }) => [debit('NOT_SETTLED', gross), credit('EXCHANGE', gross)],
  SETTLED_BOUGHT: ({ gross }, has) => [debit('EXCHANGE', gross), ...give(gross, has)],
  SUSPENSE_RECEIVED: ({ gross }) => [debit('CLEARING', gross), credit('SUSPENSE', gross)],
  SUSPENSE_APPLIED: ({ gross }) => [debit('SUSPENSE', gross), credit('CLEARING', gross)],
  SUSPENSE_COVERED: ({ gross }) => [debit('FEES', gross), credit('CLEARING', gross)],
  SUSPENSE_RETURNED: ({ gross }) => [debit('SUSPENSE', gross), credit('CLEARING', gross)],
  NETWORK_FEE: ({ gross }) => [debit('FEES', gross), credit('CLEARING', gross)],
}

/** The postings of an event, for a merchant that has this. */
export function postingsOf(event: LedgerEvent, money: Money, has: Holdings): readonly Posting[] {
  return POSTINGS[event](money, has).filter((posting) => !isZero(posting.amount))
}

const credit = (account: LedgerAccount, amount: Amount): Posting => ({ account, amount })
const debit = (account: LedgerAccount, amount: Amount): Posting => ({ account, amount: negateAmount(amount) })
const total = ({ gross, fee }: Money): Amount => addAmounts(gross, fee)

const HELD_IN = { AVAILABLE: 'available', NOT_SETTLED: 'notSettled' } as const

/** Takes from the accounts in this order what they have; what is left the merchant owes. */
function take(
  amount: Amount,
  has: Holdings,
  accounts: readonly (keyof typeof HELD_IN)[],
): readonly Posting[] {
  let left = amount
  const postings = accounts.map((account) => {
    const taken = smaller(left, has[HELD_IN[account]])
    left = subtractAmounts(left, taken)
    return debit(account, taken)
  })
  return [...postings, debit('RECEIVABLE', left)]
}

/** Pays what the merchant owes, and makes the rest available. */
function give(amount: Amount, { receivable }: Holdings): readonly Posting[] {
  const repaid = smaller(amount, negateAmount(receivable))
  return [credit('RECEIVABLE', repaid), credit('AVAILABLE', subtractAmounts(amount, repaid))]
}

const smaller = (a: Amount, b: Amount): Amount => (compareAmounts(a, b) < 0 ? a : b)

/** The change of one merchant's balance in one currency. */
export type BalanceDelta = Omit<Balance, 'updatedAt'>

/** Names a balance. */
export type BalanceKey = Pick<Balance, 'merchantId' | 'currencyCode'>

const ONLY_ADDS: ReadonlySet<LedgerEvent> = new Set(['PAYIN_SUCCESS', 'TOPUP_SUCCESS', 'PAYOUT_REVERSED'])

/** Of the house alone: money in suspense is nobody's yet, and no merchant's balance knows of it. */
export const HOUSE_MERCHANT_ID = '0'

/** Whether an event takes from what the merchant has, or depends on it: the balance must then be locked before. */
export function takesFromBalance(event: LedgerEvent): boolean {
  return !ONLY_ADDS.has(event) && !event.startsWith('SUSPENSE_') && event !== 'NETWORK_FEE'
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
    const postings = postingsOf(entry.event, { gross, fee }, has)
    running.set(key, postings.reduce(addPosting, has))
    return { ...entry, postings }
  })
}

/** Adds up what the transfers do to merchants' balances, in one order for everyone, so that batches never deadlock. */
export function balanceDeltas(transfers: readonly Transfer[]): readonly BalanceDelta[] {
  const deltas = new Map<string, BalanceDelta>()
  for (const transfer of transfers) {
    if (transfer.merchantId === HOUSE_MERCHANT_ID) continue
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

const DELTA_MEMBER: Readonly<
  Partial<Record<LedgerAccount, 'available' | 'notSettled' | 'reserved' | 'receivable'>>
> = {
  AVAILABLE: 'available',
  NOT_SETTLED: 'notSettled',
  RESERVED: 'reserved',
  RECEIVABLE: 'receivable',
}

/** The balance after the posting. The house's own accounts keep none. */
function addPosting(balance: BalanceDelta, { account, amount }: Posting): BalanceDelta {
  const member = DELTA_MEMBER[account]
  if (member === undefined) return balance
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
