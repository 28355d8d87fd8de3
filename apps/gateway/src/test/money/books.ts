import { addAmounts, compareAmounts, type Money, ZERO } from '@tollgate/money'
import {
  type BalanceDelta,
  balanceDeltas,
  type LedgerEntry,
  type LedgerEvent,
  planTransfers,
  type Transfer,
  takesFromBalance,
} from '../../modules/ledger/model.ts'
import {
  decide,
  isOutgoing,
  type Payment,
  type PaymentKey,
  type PaymentStatus,
  textOf,
} from '../../modules/payments/model.ts'
import {
  type Change,
  type Command,
  type Creation,
  feeOf,
  outcomeOfSettling,
  type PhaseChange,
  proposalOf,
  type Settled,
  type Settling,
  settledOf,
  unitsOf,
} from './commands.ts'

/** A payment as far as money goes. */
export type BookedPayment = Pick<
  Payment,
  | keyof PaymentKey
  | 'status'
  | 'processorStatus'
  | 'isDue'
  | 'money'
  | 'fee'
  | 'received'
  | 'submittedAt'
  | 'isTest'
>

/** Money of one currency that became money of another. */
interface Exchange {
  readonly merchantId: string
  readonly sold: Money
  readonly bought: Money
}

/** The whole installation in memory, made of the product's own pure functions. Nothing is changed in place. */
export interface Books {
  readonly payments: ReadonlyMap<string, BookedPayment>
  /** By merchant and currency; what is not there is zero. */
  readonly balances: ReadonlyMap<string, BalanceDelta>
  /** Every transfer, in the order in which it was booked. */
  readonly transfers: readonly Transfer[]
  readonly exchanges: readonly Exchange[]
}

export const EMPTY_BOOKS: Books = {
  payments: new Map(),
  balances: new Map(),
  transfers: [],
  exchanges: [],
}

interface Applied {
  readonly books: Books
  /** What the command was answered: one text, or one per change of PROPOSE. */
  readonly outcomes: readonly string[]
}

/** The books after a command, and its answers. */
export function apply(books: Books, command: Command): Applied {
  switch (command.name) {
    case 'CREATE':
      return create(books, command)
    case 'PROPOSE':
      return propose(books, command.changes)
    case 'PHASE':
      return changePhase(books, command)
    case 'TIME':
      return { books: endTimeToPay(books), outcomes: ['OVER'] }
    case 'SETTLE':
      return settle(books, command)
  }
}

/** Names a balance in `Books`. */
export const balanceKey = (merchantId: string, currencyCode: string): string =>
  `${merchantId} ${currencyCode}`

function create(books: Books, command: Creation): Applied {
  const { key, money } = command
  if (books.payments.has(textOf(key))) return { books, outcomes: ['DUPLICATE'] }
  const fee = feeOf(command)
  const isOut = isOutgoing(key.kind)
  const available = books.balances.get(balanceKey(key.merchantId, money.currencyCode))?.available ?? ZERO
  if (isOut && compareAmounts(available, addAmounts(money.amount, fee.amount)) < 0)
    return { books, outcomes: ['INSUFFICIENT'] }
  const payment: BookedPayment = {
    ...key,
    status: 'CREATED',
    processorStatus: isOut ? 'QUEUED' : 'AWAITING_CUSTOMER',
    isDue: false,
    submittedAt: undefined,
    received: undefined,
    isTest: true,
    money,
    fee,
  }
  const accepted = withPayments(books, [payment])
  return {
    books: isOut ? book(accepted, [entryOf(payment, 'PAYOUT_HELD')]) : accepted,
    outcomes: ['ACCEPTED'],
  }
}

/** Each change finds its payment as it was before the batch; the entries are booked together. */
function propose(books: Books, changes: readonly Change[]): Applied {
  const changed: BookedPayment[] = []
  const entries: LedgerEntry[] = []
  const outcomes = changes.map(({ key, report }) => {
    const payment = books.payments.get(textOf(key))
    if (payment === undefined) return 'MISSING'
    const decision = decide(payment, proposalOf(report, payment.money))
    if (decision.kind !== 'CHANGE') return decision.kind
    changed.push({ ...payment, status: decision.status, processorStatus: decision.processorStatus })
    const event = eventOf(payment, decision.status)
    if (event !== undefined) entries.push(entryOf(payment, event))
    return `CHANGED ${decision.status}`
  })
  return { books: book(withPayments(books, changed), entries), outcomes }
}

/** What a change of status moves, told anew: against the database it must be what the transitions book. */
function eventOf({ kind, status }: BookedPayment, after: PaymentStatus): LedgerEvent | undefined {
  const hasNoMoney = after !== 'SUCCESS' && after !== 'REVERSED'
  if (!isOutgoing(kind)) {
    if (hasNoMoney) return undefined
    const family = kind === 'TOPUP' ? 'TOPUP' : 'PAYIN'
    return `${family}_${after}`
  }
  if (hasNoMoney) return 'PAYOUT_RELEASED'
  if (after === 'REVERSED') return 'PAYOUT_REVERSED'
  return status === 'CREATED' ? 'PAYOUT_SUCCESS' : 'PAYOUT_SUCCESS_LATE'
}

function entryOf(payment: BookedPayment, event: LedgerEvent): LedgerEntry {
  const { merchantId, kind, idPayment, money, fee } = payment
  return {
    transferId: `${textOf(payment)} ${event}`,
    merchantId,
    event,
    kind,
    idPayment,
    currencyCode: money.currencyCode,
    gross: money.amount,
    fee: fee.amount,
  }
}

function changePhase(books: Books, { key, phase }: PhaseChange): Applied {
  const payment = books.payments.get(textOf(key))
  if (payment?.status !== 'CREATED' || (phase === 'SUBMITTED' && !isOutgoing(payment.kind)))
    return { books, outcomes: ['NOTHING'] }
  const submittedAt = phase === 'SUBMITTED' ? new Date(0) : payment.submittedAt
  return {
    books: withPayments(books, [{ ...payment, processorStatus: phase, submittedAt }]),
    outcomes: ['DONE'],
  }
}

const endTimeToPay = (books: Books): Books =>
  withPayments(
    books,
    [...books.payments.values()].map((payment) => ({ ...payment, isDue: true })),
  )

function settle(books: Books, settling: Settling): Applied {
  const { merchantId, currencyCode } = settling
  const held = books.balances.get(balanceKey(merchantId, currencyCode))?.notSettled ?? ZERO
  const found = settledOf(settling, unitsOf({ amount: held, currencyCode }))
  const outcomes = [outcomeOfSettling(found)]
  if (found === undefined) return { books, outcomes }
  const idPayment = `cycle-${books.transfers.length}`
  const entries = settledEntries(found, { merchantId, idPayment, idOf: (event) => `${idPayment} ${event}` })
  const booked = book(books, entries)
  if (found.bought === undefined) return { books: booked, outcomes }
  const exchange = { merchantId, sold: found.settled, bought: found.bought }
  return { books: { ...booked, exchanges: [...booked.exchanges, exchange] }, outcomes }
}

/** The entries of a settlement: one, or two with an exchange between them. */
export function settledEntries(
  { settled, bought }: Settled,
  by: {
    readonly merchantId: string
    readonly idPayment: string
    readonly idOf: (event: LedgerEvent) => string
  },
): readonly LedgerEntry[] {
  const entry = (event: LedgerEvent, { amount, currencyCode }: Money): LedgerEntry => ({
    transferId: by.idOf(event),
    merchantId: by.merchantId,
    event,
    kind: 'SETTLEMENT',
    idPayment: by.idPayment,
    currencyCode,
    gross: amount,
    fee: ZERO,
  })
  return bought === undefined
    ? [entry('SETTLED', settled)]
    : [entry('SETTLED_SOLD', settled), entry('SETTLED_BOUGHT', bought)]
}

function withPayments(books: Books, changed: readonly BookedPayment[]): Books {
  const payments = new Map(books.payments)
  for (const payment of changed) payments.set(textOf(payment), payment)
  return { ...books, payments }
}

/** Books entries as the ledger's service does: what is taken from is known, what is only added to is not looked at. */
function book(books: Books, entries: readonly LedgerEntry[]): Books {
  const isKnown = entries.some((entry) => takesFromBalance(entry.event))
  const known = isKnown ? [...books.balances.values()] : []
  const transfers = planTransfers(
    entries,
    known.map((balance) => ({ ...balance, updatedAt: new Date(0) })),
  )
  return {
    ...books,
    balances: addDeltas(books.balances, transfers),
    transfers: [...books.transfers, ...transfers],
  }
}

/** The balances after these transfers. */
export function addDeltas(
  before: ReadonlyMap<string, BalanceDelta>,
  transfers: readonly Transfer[],
): ReadonlyMap<string, BalanceDelta> {
  const balances = new Map(before)
  for (const delta of balanceDeltas(transfers)) {
    const key = balanceKey(delta.merchantId, delta.currencyCode)
    const has = balances.get(key)
    balances.set(key, {
      ...delta,
      available: addAmounts(has?.available ?? ZERO, delta.available),
      notSettled: addAmounts(has?.notSettled ?? ZERO, delta.notSettled),
      reserved: addAmounts(has?.reserved ?? ZERO, delta.reserved),
      receivable: addAmounts(has?.receivable ?? ZERO, delta.receivable),
    })
  }
  return balances
}
