import {
  type Amount,
  addAmounts,
  compareAmounts,
  isNegative,
  isPositive,
  isZero,
  parsePlainAmount,
  sumAmounts,
  ZERO,
} from '@tollgate/money'
import {
  isFinal,
  isOutgoing,
  OPERATOR_ACTOR_PREFIX,
  type PaymentStatus,
} from '../../modules/payments/model.ts'
import { toPayment } from '../../modules/payments/rows.ts'
import { contentHashOf } from '../../modules/payouts/index.ts'
import type {
  BalanceRecord,
  Disk,
  EventRecord,
  PaymentRecord,
  PostingRecord,
  TimelineRecord,
  TransferRecord,
} from './disk.ts'
import { APPROVED_FROM } from './shop.ts'
import { keyText } from './statements.ts'
import { balanceText } from './statements-ledger.ts'
import { rowOf } from './statements-payments.ts'

/** What is not as it must be: the property of the README, and what was seen. */
export interface Breach {
  readonly property: string
  readonly what: string
}

const nameOf = ({ merchant_id, kind, id_payment }: PaymentRecord): string =>
  keyText(merchant_id, kind, id_payment)

/** What must hold of the tables at every moment. */
export function findBreaches(disk: Disk): readonly Breach[] {
  return [
    ...ofLedger(disk),
    ...ofPayments(disk),
    ...ofFees(disk),
    ...ofCallbacks(disk),
    ...ofHolds(disk),
    ...ofApprovals(disk),
    ...ofDocuments(disk),
  ]
}

const KEPT = {
  AVAILABLE: 'available',
  NOT_SETTLED: 'not_settled',
  RESERVED: 'reserved',
  RECEIVABLE: 'receivable',
} as const

/**
 * S4: every transfer sums to zero, and so do all accounts. S5: nothing that is held is below zero after any transfer.
 * S7: the balances are what the transfers, one after the other, come to.
 */
function ofLedger(disk: Disk): readonly Breach[] {
  const lines = Map.groupBy(disk.postings.values(), ({ transfer_id }) => transfer_id)
  const held: Held = new Map()
  const ofTransfers = [...disk.transfers.values()].flatMap((transfer) =>
    ofTransfer(held, transfer, lines.get(transfer.transfer_id) ?? []),
  )
  return [...ofTransfers, ...[...disk.balances.values()].flatMap((balance) => ofBalance(held, balance))]
}

/** What is in the accounts after the transfers so far. */
type Held = Map<string, Amount>

const accountOf = ({ merchant_id, currency_code, account }: PostingRecord): string =>
  `${balanceText(merchant_id, currency_code)} ${account}`

function ofTransfer(
  held: Held,
  transfer: TransferRecord,
  postings: readonly PostingRecord[],
): readonly Breach[] {
  for (const posting of postings) {
    const key = accountOf(posting)
    held.set(key, addAmounts(held.get(key) ?? ZERO, parsePlainAmount(posting.amount)))
  }
  const { transfer_id, event } = transfer
  const isBalanced = isZero(sumAmounts(postings.map(({ amount }) => parsePlainAmount(amount))))
  const outside = postings.filter((each) => isOutOfBounds(each.account, held.get(accountOf(each)) ?? ZERO))
  return [
    ...(isBalanced ? [] : [{ property: 'S4', what: `the transfer ${transfer_id} does not sum to zero` }]),
    ...outside.map((each) => ({
      property: 'S5',
      what: `${accountOf(each)} is ${held.get(accountOf(each))} after ${event}`,
    })),
  ]
}

function ofBalance(held: Held, balance: BalanceRecord): readonly Breach[] {
  const key = balanceText(balance.merchant_id, balance.currency_code)
  return Object.entries(KEPT).flatMap(([account, member]) => {
    const replayed = held.get(`${key} ${account}`) ?? ZERO
    if (compareAmounts(parsePlainAmount(balance[member]), replayed) === 0) return []
    return [{ property: 'S7', what: `${key} has ${member} ${balance[member]}, postings say ${replayed}` }]
  })
}

function isOutOfBounds(account: string, amount: Amount): boolean {
  if (account === 'RECEIVABLE') return isPositive(amount)
  return (
    (account === 'AVAILABLE' || account === 'NOT_SETTLED' || account === 'RESERVED') && isNegative(amount)
  )
}

/** The edges by which a payment that nobody corrects by hand goes from status to status. */
const EDGES: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  CREATED: ['CREATED', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED'],
  SUCCESS: ['SUCCESS', 'REVERSED'],
  FAILED: ['FAILED', 'SUCCESS'],
  EXPIRED: ['EXPIRED', 'SUCCESS'],
  CANCELLED: ['CANCELLED', 'SUCCESS'],
  REVERSED: ['REVERSED'],
}

/** S3: the history is a path of the table of edges, in order of time. S8: each payment is booked as its status says. */
function ofPayments(disk: Disk): readonly Breach[] {
  const histories = Map.groupBy(disk.timeline.values(), (entry) =>
    keyText(entry.merchant_id, entry.kind, entry.id_payment),
  )
  const bookings = Map.groupBy(disk.transfers.values(), (transfer) =>
    keyText(transfer.merchant_id, transfer.kind, transfer.id_payment),
  )
  return [...disk.payments.values()].flatMap((payment) => {
    const name = nameOf(payment)
    const events = (bookings.get(name) ?? []).map(({ event }) => event)
    const entries = (histories.get(name) ?? []).sort((a, b) => a.entry_no - b.entry_no)
    const expected = eventsOf(payment, entries)
    const isBooked = events.toSorted().join() === expected.toSorted().join()
    return [
      ...ofHistory(payment, entries).map((what) => ({ property: 'S3', what: `${name} ${what}` })),
      ...(isBooked
        ? []
        : [{ property: 'S8', what: `${name} is ${payment.status} and booked as ${events.join()}` }]),
    ]
  })
}

/**
 * What each proof makes of a payment here, told anew: an institution's word and two operators anything, the clock the end of
 * the time to pay, and one operator nothing.
 */
function isProved(
  { is_test, submitted_at }: PaymentRecord,
  { status, evidence_class, operators }: TimelineRecord,
): boolean {
  switch (evidence_class) {
    case 'RAIL':
      return status !== 'EXPIRED'
    case 'PEOPLE':
      // What no institution has got one operator may call off.
      if (status === 'CANCELLED' && submitted_at === null) return new Set(operators).size >= 1
      return status !== 'EXPIRED' && new Set(operators).size >= 2
    case 'BANK_UPLOAD':
      return status === 'SUCCESS' && new Set(operators).size >= 2
    case 'CLOCK':
      return status === 'EXPIRED'
    case 'SANDBOX':
      return is_test
    default:
      return false
  }
}

function ofHistory(payment: PaymentRecord, entries: readonly TimelineRecord[]): readonly string[] {
  const faults: string[] = []
  const last = entries.at(-1)
  if (entries.length !== payment.timeline_count || last?.status !== payment.status)
    faults.push(`is ${payment.status}, and its history ends otherwise`)
  if (isFinal(payment.status) !== (payment.processed_at !== null)) faults.push('has the wrong processedAt')
  entries.forEach((entry, index) => {
    const before = entries[index - 1]
    if (entry.entry_no !== index + 1) faults.push(`lacks the entry ${index + 1}`)
    if (before === undefined) return
    if (!EDGES[before.status].includes(entry.status))
      faults.push(`went from ${before.status} to ${entry.status}`)
    if (before.status !== entry.status && !isProved(payment, entry)) {
      const { evidence_class, operators } = entry
      faults.push(`became ${entry.status} on ${evidence_class} of ${operators?.join(' and ') ?? 'nobody'}`)
    }
    if (entry.happened_at < before.happened_at) faults.push('went back in time')
  })
  return faults
}

/** The transfers that a payment in its status has. */
function eventsOf({ kind, status }: PaymentRecord, entries: readonly TimelineRecord[]): readonly string[] {
  const isPaid = status === 'SUCCESS' || status === 'REVERSED'
  if (!isOutgoing(kind))
    return [...(isPaid ? [`${kind}_SUCCESS`] : []), ...(status === 'REVERSED' ? [`${kind}_REVERSED`] : [])]
  // What was held goes back when it ends without money. Two people may say then that it was paid all the same.
  const isReleased = entries.some(
    (entry) => entry.status === 'FAILED' || entry.status === 'CANCELLED' || entry.status === 'EXPIRED',
  )
  return [
    'PAYOUT_HELD',
    ...(isPaid ? [isReleased ? 'PAYOUT_SUCCESS_LATE' : 'PAYOUT_SUCCESS'] : []),
    ...(isReleased ? ['PAYOUT_RELEASED'] : []),
    ...(status === 'REVERSED' ? ['PAYOUT_REVERSED'] : []),
  ]
}

/** S6: what a payment cost is the fee that it was accepted with, whatever became of it and of the fees since. */
function ofFees(disk: Disk): readonly Breach[] {
  const lines = Map.groupBy(disk.postings.values(), ({ transfer_id }) => transfer_id)
  const earned = new Map<string, Amount>()
  for (const { merchant_id, kind, id_payment, transfer_id } of disk.transfers.values()) {
    const name = keyText(merchant_id, kind, id_payment)
    for (const { account, amount } of lines.get(transfer_id) ?? [])
      if (account === 'FEES') earned.set(name, addAmounts(earned.get(name) ?? ZERO, parsePlainAmount(amount)))
  }
  return [...disk.payments.values()].flatMap((payment) => {
    const name = nameOf(payment)
    const isPaid = payment.status === 'SUCCESS' || payment.status === 'REVERSED'
    const expected = isPaid ? parsePlainAmount(payment.fee_amount) : ZERO
    const found = earned.get(name) ?? ZERO
    if (compareAmounts(found, expected) === 0) return []
    return [{ property: 'S6', what: `${name} was accepted for a fee of ${expected}, and ${found} was taken` }]
  })
}

/** S19: from a hold a payment is let go by another operator, or ends; no institution gets it meanwhile. */
function ofHolds(disk: Disk): readonly Breach[] {
  return [...disk.timeline.values()].flatMap((entry) => {
    const name = keyText(entry.merchant_id, entry.kind, entry.id_payment)
    const held = disk.holds.get(`${name} ${entry.entry_no - 1}`)
    if (held?.event !== 'HELD') return []
    const end = disk.holds.get(`${name} ${entry.entry_no}`)
    const isOver = entry.status === 'EXPIRED' || end?.event === 'CANCELLED'
    const isReleased = end?.event === 'RELEASED' && end.operator_code !== held.operator_code
    if (isOver || isReleased) return []
    return [{ property: 'S19', what: `${name} was on hold, and became ${entry.processor_status}` }]
  })
}

/**
 * S20: who approves is asked from the amount on; no institution gets a payout before two operators have approved just what it
 * says, nor after one has rejected it.
 */
function ofApprovals(disk: Disk): readonly Breach[] {
  return [...disk.payments.values()]
    .filter(({ kind }) => isOutgoing(kind))
    .flatMap((payment) =>
      ofApproval(disk, payment).map((what) => ({ property: 'S20', what: `${nameOf(payment)} ${what}` })),
    )
}

function ofApproval(disk: Disk, payment: PaymentRecord): readonly string[] {
  const name = nameOf(payment)
  const isAsked = disk.timeline.get(`${name} 1`)?.processor_status === 'AWAITING_APPROVAL'
  const mustAsk = compareAmounts(parsePlainAmount(payment.amount), parsePlainAmount(APPROVED_FROM)) >= 0
  const wrong = isAsked === mustAsk ? [] : [`was${isAsked ? '' : ' not'} put to operators`]
  const { submitted_at: submittedAt } = payment
  if (!isAsked || submittedAt === null) return wrong
  const said = [...disk.approvals.values()].filter(
    ({ merchant_id, kind, id_payment }) => keyText(merchant_id, kind, id_payment) === name,
  )
  const content = contentOf(disk, payment)
  const approvers = said.filter(
    (each) =>
      each.decision === 'APPROVED' && each.decided_at <= submittedAt && each.content_hash.equals(content),
  )
  const isApproved = new Set(approvers.map(({ operator_code }) => operator_code)).size >= 2
  const isRejected = said.some(({ decision }) => decision === 'REJECTED')
  return [
    ...wrong,
    ...(isApproved ? [] : ['was handed over, and two operators have not approved what it says']),
    ...(isRejected ? ['was handed over, and was rejected'] : []),
  ]
}

function contentOf(disk: Disk, record: PaymentRecord): Buffer {
  const data = disk.personalData.get(`${nameOf(record)} REQUEST`)
  const sealed = data && { dataKey: data.data_key, sealed: data.sealed }
  return contentHashOf({ payment: toPayment(rowOf(record, record.created_at)), sealed })
}

/** S21: a payment that a document ended was ended under the names of who proposed it and of another one, who confirmed it. */
function ofDocuments(disk: Disk): readonly Breach[] {
  const confirmed = [...disk.confirmations.values()].filter(({ state }) => state === 'CONFIRMED')
  const operator = (actor: string | null): string => (actor ?? '').slice(OPERATOR_ACTOR_PREFIX.length)
  const isNamed = ({ operators, happened_at }: TimelineRecord): boolean =>
    confirmed.some(
      ({ actor, ended_by, ended_at, proposed_at }) =>
        actor !== ended_by &&
        operators?.join() === [operator(actor), operator(ended_by)].join() &&
        ended_at !== null &&
        proposed_at <= happened_at &&
        happened_at <= ended_at,
    )
  return [...disk.timeline.values()]
    .filter((entry) => entry.evidence_class === 'BANK_UPLOAD' && !isNamed(entry))
    .map((entry) => ({
      property: 'S21',
      what: `${entryText(entry)} rests on a document that no two operators brought`,
    }))
}

const INTERVAL_MICROSECONDS = 120_000_000
const ATTEMPTS_MAX = 5

/**
 * S11: each change of a status has exactly one callback; its attempts keep their distance, end with the first 200, and are
 * five when there never is one.
 */
function ofCallbacks(disk: Disk): readonly Breach[] {
  const changes = [...disk.timeline.values()].filter(({ entry_no }) => entry_no > 1)
  const notified = changes.filter((entry) => isNotified(disk, entry)).map(entryText)
  const told = [...disk.events.values()].map((event) =>
    [keyText(event.merchant_id, event.kind, event.id_entity), event.timeline_entry_no].join(' '),
  )
  const attempts = Map.groupBy(disk.attempts.values(), ({ event_id }) => event_id)
  const breaches = [...disk.events.values()].flatMap((event) =>
    ofSeries(event, attempts.get(event.event_id) ?? []),
  )
  const isTold = notified.toSorted().join() === told.toSorted().join()
  return [
    ...breaches.map((what) => ({ property: 'S11', what })),
    ...(isTold ? [] : [{ property: 'S11', what: `changes ${notified.join()}, callbacks ${told.join()}` }]),
  ]
}

const entryText = (entry: TimelineRecord): string =>
  `${keyText(entry.merchant_id, entry.kind, entry.id_payment)} ${entry.entry_no}`

function isNotified(disk: Disk, entry: TimelineRecord): boolean {
  const name = keyText(entry.merchant_id, entry.kind, entry.id_payment)
  const before = disk.timeline.get(`${name} ${entry.entry_no - 1}`)
  return before?.status !== entry.status && (disk.payments.get(name)?.callback_url ?? null) !== null
}

type Attempts = readonly {
  readonly attempt_no: number
  readonly started_at: number
  readonly outcome: string | null
}[]

function ofSeries(event: EventRecord, unordered: Attempts): readonly string[] {
  const attempts = unordered.toSorted((a, b) => a.attempt_no - b.attempt_no)
  const faults: string[] = []
  const say = (what: string): void => void faults.push(`the callback ${event.event_id} ${what}`)
  attempts.forEach(({ started_at, outcome, attempt_no }, index) => {
    const before = attempts[index - 1]
    if (attempt_no !== index + 1) say(`lacks the attempt ${index + 1}`)
    if (outcome === 'OK' && (index < attempts.length - 1 || event.state !== 'DELIVERED'))
      say('went on after a 200')
    if (before !== undefined && started_at - before.started_at < INTERVAL_MICROSECONDS)
      say(`was made again after ${(started_at - before.started_at) / 1_000} ms`)
  })
  if (attempts.length > ATTEMPTS_MAX) say(`was made ${attempts.length} times`)
  if (event.state === 'EXHAUSTED' && attempts.length !== ATTEMPTS_MAX) say('ended early')
  return faults
}
