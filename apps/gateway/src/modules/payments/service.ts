import type { Clock, Ids } from '@tollgate/runtime'
import { createBatcher } from '../../platform/batch.ts'
import { confirmSeen } from '../../platform/confirm-seen.ts'
import {
  apartIn,
  awayForAll,
  CommitUnknown,
  type Database,
  resolveUnknown,
  type Tx,
} from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { FreshCallbacks } from '../callbacks/index.ts'
import { type AcceptTerms, acceptOnTerms, acceptOutgoing } from './accept/accepting.ts'
import {
  type AcceptVerdict,
  type CapQuestion,
  insertPayments,
  listUsedUp,
  type NewPayment,
} from './accept/store.ts'
import {
  isOutgoing,
  type Payment,
  type PaymentKey,
  type PaymentStatus,
  type Proposal,
  textOf,
} from './model.ts'
import { type ApprovalDecision, type ApprovalJudge, decideApproval } from './people/approval.ts'
import { cancelHeld, type HoldOrder, holdPayment, releasePayment } from './people/holding.ts'
import { decideReview, type ReviewOrder, type ReviewRules, type ReviewVerdict } from './people/review.ts'
import { openPersonalData, type PersonalData } from './privacy/personal-data.ts'
import { type DataSource, listPersonalData, type StoredPersonalData } from './privacy/personal-data-store.ts'
import { cancelUnpaid } from './progress/cancelling.ts'
import { type Inquiry, insertInquiries, listInquiries, type NewInquiry } from './progress/inquiry-store.ts'
import { storeReference } from './progress/references.ts'
import {
  type ProposedChange,
  type TransitionDeps,
  type TransitionOutcome,
  transition,
} from './progress/transitions.ts'
import { listPayments, listTimeline, type TimelineEntry } from './store.ts'

interface PaymentDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: Secrets
  readonly metrics: Metrics
  readonly batchRowsMax: number
  readonly batchesInFlightMax: number
  /** Where the process has a worker that may send the callbacks of a change itself. */
  readonly openFreshCallbacks?: () => FreshCallbacks
}

/** Personal data of a payment, by where it came from. */
export interface CollectedData {
  readonly source: DataSource
  readonly collectedAt: Date
  readonly data: PersonalData
}

/** What payins, payouts and top-ups do with payments. Concurrent calls share round trips. */
export interface PaymentService {
  /**
   * Accepts a payment durably, or says that its id is taken or its balance too small. On terms that count it has a
   * transaction of its own, and throws CapExceeded when the day's cap is used up.
   */
  accept(payment: NewPayment, terms?: AcceptTerms): Promise<AcceptVerdict>
  find(key: PaymentKey): Promise<Payment | undefined>
  /** The methods whose cap of the day has no room for this payment. A payment may be accepted meanwhile: `accept` decides. */
  listUsedUp(question: CapQuestion): Promise<ReadonlySet<string>>
  /** The payment that has the id, for a refusal that acknowledges it; see `confirmSeen`. */
  findHolder(key: PaymentKey): Promise<Payment | undefined>
  /** Puts a change of status forward; it happens if the state machine has the edge. */
  propose(key: PaymentKey, proposal: Proposal): Promise<TransitionOutcome>
  /**
   * Lets people decide about an outgoing payment that waits for them, under its lock; see `decideApproval`.
   * Throws ENTITY_NOT_FOUND, APPROVAL_NOT_OPEN and whatever the judge throws.
   */
  decideApproval(key: PaymentKey, judge: ApprovalJudge): Promise<ApprovalDecision>
  /**
   * Stores the reference that a customer supplied (specification 4.1): the last one wins, all are kept. After expiry it is
   * kept for review; after another end only the equal value is accepted.
   * Throws ENTITY_NOT_FOUND, INVALID_REF_NUM and ENTITY_EXPIRED.
   */
  setExternalReference(key: PaymentKey, externalReference: string): Promise<void>
  /** Cancels a payin for its merchant while nothing was paid; see `cancelUnpaid`. */
  cancel(key: PaymentKey): Promise<void>
  /** What is known of the persons, REQUEST before PROCESS; empty when nothing was collected or all was erased. */
  listPersonalData(key: PaymentKey): Promise<readonly CollectedData[]>
  listTimeline(key: PaymentKey): Promise<readonly TimelineEntry[]>
  /** Keeps what was asked and answered about a payment. Kept twice when the database broke off meanwhile. */
  keepInquiry(inquiry: NewInquiry): Promise<void>
  /** Everything that institutions were asked and answered about the payment, and what operators decided, in order. */
  listInquiries(key: PaymentKey): Promise<readonly Inquiry[]>
  /** Takes an operator's word about what became of a payment; see `decideReview`. */
  decideReview(key: PaymentKey, order: ReviewOrder, rules?: ReviewRules): Promise<ReviewVerdict>
  /** Stops an outgoing payment before its hand-over; see `holdPayment`. */
  hold(key: PaymentKey, order: HoldOrder): Promise<void>
  /** Lets it go on; see `releasePayment`. */
  release(key: PaymentKey, order: HoldOrder): Promise<void>
  /** Ends it while it is on hold; see `cancelHeld`. */
  cancelHeld(key: PaymentKey, order: HoldOrder): Promise<void>
}

/** Requests that may wait for a batch; beyond it they are told to come back. */
const WAITING_MAX = 5_000

export function createPaymentService(deps: PaymentDeps): PaymentService {
  const batched = batcherFor(deps)
  const incoming = batched<NewPayment, AcceptVerdict>('accept', insertPayments)
  const outgoing = batched<NewPayment, AcceptVerdict>('accept-outgoing', acceptOutgoing)
  const find = batched('find', findBatch)
  const confirm = batched('confirm', (db, keys: readonly PaymentKey[]) =>
    confirmSeen(db, (tx) => findBatch(tx, keys)),
  )
  const propose = batched<ProposedChange, TransitionOutcome>('propose', (db, changes) =>
    proposeBatch({ ...deps, db }, changes),
  )
  return {
    async accept(payment, terms) {
      const counts = terms?.cap !== undefined || terms?.prepare !== undefined
      const verdict = await (counts
        ? resolveUnknown(deps.clock, () => acceptOnTerms(deps.db, payment, terms))
        : (isOutgoing(payment.kind) ? outgoing : incoming)(payment))
      if (isEarlier(verdict)) requireSame(verdict, await confirm(payment))
      if (verdict.kind === 'ACCEPTED') countEntry(deps, payment, 'CREATED')
      return verdict
    },
    find,
    listUsedUp: (question) => listUsedUp(deps.db, question),
    async findHolder(key) {
      const holder = await find(key)
      return holder && confirm(key)
    },
    async propose(key, proposal) {
      const outcome = await propose({ key, proposal })
      if (outcome.kind === 'CHANGED') countEntry(deps, outcome.payment, outcome.status)
      return outcome
    },
    setExternalReference: (key, externalReference) =>
      resolveUnknown(deps.clock, () =>
        deps.db.transaction((tx) => storeReference(tx, key, externalReference)),
      ),
    async cancel(key) {
      const { payment, isNew } = await resolveUnknown(deps.clock, () => cancelUnpaid(deps, key))
      if (isNew) countEntry(deps, payment, 'CANCELLED')
    },
    ...decisions(deps),
    ...records(deps, batched),
  }
}

type Earlier = Extract<AcceptVerdict, { readonly acceptedAt: Date }>

/** Whether the payment was there before the request. */
const isEarlier = (verdict: AcceptVerdict): verdict is Earlier =>
  verdict.kind === 'DUPLICATE' || (verdict.kind === 'ACCEPTED' && !verdict.isNew)

/** Throws CommitUnknown when the payment that was found is gone, or another one has its id. */
function requireSame({ acceptedAt }: Earlier, confirmed: Payment | undefined): void {
  if (confirmed?.createdAt.getTime() !== acceptedAt.getTime())
    throw new CommitUnknown('the payment that was found went with its primary', { mayBeResolved: false })
}

/** What people decide, each in a transaction of its own. */
function decisions(
  deps: PaymentDeps,
): Pick<PaymentService, 'decideApproval' | 'decideReview' | 'hold' | 'release' | 'cancelHeld'> {
  return {
    hold: (key, order) => holdPayment(deps.db, key, order),
    release: (key, order) => releasePayment(deps.db, key, order),
    async cancelHeld(key, order) {
      countEntry(deps, await cancelHeld(deps, key, order), 'CANCELLED')
    },
    async decideApproval(key, judge) {
      const { payment, decision } = await decideApproval(deps, key, judge)
      if (decision.kind === 'REJECT') countEntry(deps, payment, 'CANCELLED')
      return decision
    },
    async decideReview(key, order, rules) {
      const verdict = await decideReview(deps, key, order, rules)
      if (verdict.changedTo !== undefined) countEntry(deps, verdict.payment, verdict.changedTo)
      return verdict
    },
  }
}

/** What is known of a payment beside its row. */
function records(
  deps: PaymentDeps,
  batched: ReturnType<typeof batcherFor>,
): Pick<PaymentService, 'listPersonalData' | 'listTimeline' | 'keepInquiry' | 'listInquiries'> {
  const keep = batched('inquiries', async (db, inquiries: readonly NewInquiry[]) => {
    await insertInquiries(db, inquiries)
    return inquiries.map(() => true)
  })
  const listSealed = batched('personal-data', personalDataBatch)
  return {
    async listPersonalData(key) {
      const rows = await listSealed(key)
      return rows.map((row) => ({
        source: row.source,
        collectedAt: row.collectedAt,
        data: openPersonalData(deps.secrets, row, row),
      }))
    },
    listTimeline: (key) => listTimeline(deps.db, key),
    async keepInquiry(inquiry) {
      await keep(inquiry)
    },
    listInquiries: (key) => listInquiries(deps.db, key),
  }
}

/**
 * Makes batchers: concurrent calls of one kind share a round trip, and a lost answer is resolved. One row that others keep locked does
 * not fail those who share it.
 */
function batcherFor(deps: PaymentDeps) {
  const { isPoison, dbAfter } = apartIn(deps.db)
  return <Item, Verdict>(
    name: string,
    run: (db: Database, items: readonly Item[]) => Promise<readonly Verdict[]>,
  ): ((item: Item) => Promise<Verdict>) =>
    createBatcher<Item, Verdict>({
      limits: { rowsMax: deps.batchRowsMax, inFlightMax: deps.batchesInFlightMax, waitingMax: WAITING_MAX },
      isPoison,
      refusalForAll: awayForAll,
      run: (items, cause) => {
        deps.metrics.batchRows.observe({ batch: name }, items.length)
        return resolveUnknown(deps.clock, () => run(dbAfter(cause), items))
      },
    })
}

/** Counted once it is durable: a transaction that was rolled back changed nothing. */
function countEntry(
  { metrics }: PaymentDeps,
  { kind, methodCode }: Pick<Payment, 'kind' | 'methodCode'>,
  status: PaymentStatus,
): void {
  metrics.payments.inc({ kind, method: methodCode, status })
}

async function findBatch(tx: Tx, keys: readonly PaymentKey[]): Promise<readonly (Payment | undefined)[]> {
  const payments = await listPayments(tx, keys)
  const byKey = new Map(payments.map((payment) => [textOf(payment), payment]))
  return keys.map((key) => byKey.get(textOf(key)))
}

/** Still sealed: what cannot be opened is the fault of one payment, not of its batch. */
async function personalDataBatch(
  tx: Tx,
  keys: readonly PaymentKey[],
): Promise<readonly (readonly StoredPersonalData[])[]> {
  const distinct = new Map(keys.map((key) => [textOf(key), key]))
  const rows = Map.groupBy(await listPersonalData(tx, [...distinct.values()]), textOf)
  return keys.map((key) => rows.get(textOf(key)) ?? [])
}

/**
 * All in one transaction, so that a try that failed left nothing behind. Two proposals for one payment go one after the
 * other: the second must see what the first did.
 */
async function proposeBatch(
  deps: PaymentDeps,
  changes: readonly ProposedChange[],
): Promise<readonly TransitionOutcome[]> {
  const fresh = deps.openFreshCallbacks?.()
  try {
    const outcomes = await deps.db.transaction((tx) => proposeRounds({ ...deps, fresh }, tx, changes))
    fresh?.send()
    return outcomes
  } finally {
    fresh?.drop()
  }
}

async function proposeRounds(
  deps: TransitionDeps,
  tx: Tx,
  changes: readonly ProposedChange[],
): Promise<readonly TransitionOutcome[]> {
  const outcomes = new Map<ProposedChange, TransitionOutcome>()
  for (const round of roundsOf(changes)) {
    const results = await transition(deps, tx, round)
    for (const [index, result] of results.entries()) {
      const change = round[index]
      if (change !== undefined) outcomes.set(change, result)
    }
  }
  return changes.map((change) => {
    const outcome = outcomes.get(change)
    if (outcome === undefined) throw new Error('a proposal was left without an outcome')
    return outcome
  })
}

/** The first proposal for each payment, then the second for each, and so on. */
function roundsOf(changes: readonly ProposedChange[]): readonly (readonly ProposedChange[])[] {
  const rounds: ProposedChange[][] = []
  const seen = new Map<string, number>()
  for (const change of changes) {
    const key = textOf(change.key)
    const round = seen.get(key) ?? 0
    seen.set(key, round + 1)
    const existing = rounds[round]
    if (existing === undefined) rounds.push([change])
    else existing.push(change)
  }
  return rounds
}
