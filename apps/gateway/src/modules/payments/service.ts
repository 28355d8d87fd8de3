import { createBatcher } from '../../platform/batch.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Database, isDataFault, resolveUnknown } from '../../platform/database.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Secrets } from '../../platform/secrets.ts'
import {
  type AcceptVerdict,
  type Cap,
  insertCappedPayment,
  insertPayments,
  type NewPayment,
} from './accept-store.ts'
import type { Payment, PaymentKey, Proposal } from './model.ts'
import { openPersonalData, type PersonalData } from './personal-data.ts'
import { listPayments, listPersonalData, listTimeline, type TimelineEntry } from './store.ts'
import { type ProposedChange, type TransitionOutcome, textOf, transition } from './transitions.ts'

export interface PaymentDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: Secrets
  readonly metrics: Metrics
  readonly batchRowsMax: number
  readonly batchesInFlightMax: number
}

/** Personal data of a payment, by where it came from. */
export interface CollectedData {
  readonly source: 'REQUEST' | 'PROCESS'
  readonly collectedAt: Date
  readonly data: PersonalData
}

/** What payins, payouts and top-ups do with payments. Concurrent calls share round trips. */
export interface PaymentService {
  /** Accepts a payment durably, or says that its id is taken. With a cap: throws CapExceeded when the day's cap is used up. */
  accept(payment: NewPayment, cap?: Cap): Promise<AcceptVerdict>
  find(key: PaymentKey): Promise<Payment | undefined>
  /** Puts a change of status forward; it happens if the state machine has the edge. */
  propose(key: PaymentKey, proposal: Proposal): Promise<TransitionOutcome>
  listPersonalData(key: PaymentKey): Promise<readonly CollectedData[]>
  listTimeline(key: PaymentKey): Promise<readonly TimelineEntry[]>
}

/** Requests that may wait for a batch; beyond it they are told to come back. */
const WAITING_MAX = 5_000

export function createPaymentService(deps: PaymentDeps): PaymentService {
  const limits = { rowsMax: deps.batchRowsMax, inFlightMax: deps.batchesInFlightMax, waitingMax: WAITING_MAX }
  const accept = createBatcher<NewPayment, AcceptVerdict>({
    limits,
    isPoison: isDataFault,
    run: (payments) => acceptBatch(deps, payments),
  })
  const find = createBatcher<PaymentKey, Payment | undefined>({
    limits,
    isPoison: isDataFault,
    run: (keys) => findBatch(deps, keys),
  })
  const propose = createBatcher<ProposedChange, TransitionOutcome>({
    limits,
    isPoison: isDataFault,
    run: (changes) => proposeBatch(deps, changes),
  })
  return {
    accept: (payment, cap) =>
      cap === undefined
        ? accept(payment)
        : resolveUnknown(deps.clock, () => insertCappedPayment(deps.db, payment, cap)),
    find,
    propose: (key, proposal) => propose({ key, proposal }),
    async listPersonalData(key) {
      const rows = await listPersonalData(deps.db, [key])
      return rows.map((row) => ({
        source: row.source,
        collectedAt: row.collectedAt,
        data: openPersonalData(deps.secrets, row, row),
      }))
    },
    listTimeline: (key) => listTimeline(deps.db, key),
  }
}

async function acceptBatch(
  deps: PaymentDeps,
  payments: readonly NewPayment[],
): Promise<readonly AcceptVerdict[]> {
  deps.metrics.batchRows.observe({ batch: 'accept' }, payments.length)
  const verdicts = await resolveUnknown(deps.clock, () => insertPayments(deps.db, payments))
  for (const [index, verdict] of verdicts.entries()) {
    const payment = payments[index]
    if (verdict.kind === 'ACCEPTED' && payment !== undefined) {
      deps.metrics.payments.inc({ kind: payment.kind, method: payment.methodCode, status: 'CREATED' })
    }
  }
  return verdicts
}

async function findBatch(
  deps: PaymentDeps,
  keys: readonly PaymentKey[],
): Promise<readonly (Payment | undefined)[]> {
  deps.metrics.batchRows.observe({ batch: 'find' }, keys.length)
  const payments = await resolveUnknown(deps.clock, () => listPayments(deps.db, keys))
  const byKey = new Map(payments.map((payment) => [textOf(payment), payment]))
  return keys.map((key) => byKey.get(textOf(key)))
}

async function proposeBatch(
  deps: PaymentDeps,
  changes: readonly ProposedChange[],
): Promise<readonly TransitionOutcome[]> {
  deps.metrics.batchRows.observe({ batch: 'propose' }, changes.length)
  const outcomes = new Map<ProposedChange, TransitionOutcome>()
  for (const round of roundsOf(changes)) {
    const results = await resolveUnknown(deps.clock, () =>
      deps.db.transaction((tx) => transition(deps, tx, round)),
    )
    for (const [index, change] of round.entries()) {
      const result = results[index]
      if (result !== undefined) outcomes.set(change, result)
    }
  }
  return changes.map((change) => {
    const outcome = outcomes.get(change)
    if (outcome === undefined) throw new Error('a proposal was left without an outcome')
    return outcome
  })
}

/** Two proposals for one payment go one after the other: the second must see what the first did. */
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
