import type { Ids } from '@tollgate/runtime'
import type { Tx } from '../../../platform/database.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { type FreshCallbacks, insertCallbackEvents } from '../../callbacks/index.ts'
import { bookEntries, type LedgerEntry, type LedgerEvent } from '../../ledger/index.ts'
import { operatorsNeeded, operatorsOf } from '../evidence.ts'
import {
  type Decision,
  decide,
  isOutgoing,
  type Payment,
  type PaymentKey,
  type PaymentStatus,
  type Proposal,
  textOf,
} from '../model.ts'
import { sealPersonalData } from '../privacy/personal-data.ts'
import { insertPersonalData, type NewPersonalData } from '../privacy/personal-data-store.ts'
import { listPaymentsForUpdate, type PaymentChange, updatePayments } from '../store.ts'
import { insertWatches } from './task-store.ts'

/** A proposal and the payment it is about. */
export interface ProposedChange {
  readonly key: PaymentKey
  readonly proposal: Proposal
}

/** What became of a proposal. */
export type TransitionOutcome =
  /** With the payment as it was before. */
  | { readonly kind: 'CHANGED'; readonly payment: Payment; readonly status: PaymentStatus }
  /** It was so already; also when an earlier try of ours, whose answer was lost, had done it. */
  | { readonly kind: 'SAME' }
  | { readonly kind: 'REFUSED'; readonly why: string; readonly status: PaymentStatus }
  | { readonly kind: 'MISSING' }

export interface TransitionDeps {
  readonly ids: Ids
  readonly secrets: Secrets
  /** Where a worker of this process may send the callbacks of the transaction itself. */
  readonly fresh?: FreshCallbacks | undefined
}

type Change = Extract<Decision, { kind: 'CHANGE' }>
interface Accepted {
  readonly payment: Payment
  readonly proposal: Proposal
  readonly change: Change
}

/**
 * The one place where a payment changes its status. Under the lock of the rows, each proposal is decided by the table of
 * edges; then the status, its timeline row, the ledger transfer and the callback notice are written together.
 * The keys must be distinct.
 */
export async function transition(
  deps: TransitionDeps,
  tx: Tx,
  proposed: readonly ProposedChange[],
): Promise<readonly TransitionOutcome[]> {
  const payments = await listPaymentsForUpdate(
    tx,
    proposed.map((each) => each.key),
  )
  const byKey = new Map(payments.map((payment) => [textOf(payment), payment]))
  const accepted: Accepted[] = []
  const outcomes = proposed.map(({ key, proposal }): TransitionOutcome => {
    const payment = byKey.get(textOf(key))
    if (payment === undefined) return { kind: 'MISSING' }
    const decision = decide(payment, proposal)
    if (decision.kind === 'SAME') return decision
    if (decision.kind === 'REFUSED') return { ...decision, status: payment.status }
    accepted.push({ payment, proposal, change: decision })
    return { kind: 'CHANGED', payment, status: decision.status }
  })
  if (accepted.length > 0) await write(deps, tx, accepted)
  return outcomes
}

async function write(deps: TransitionDeps, tx: Tx, accepted: readonly Accepted[]): Promise<void> {
  const changes = accepted.map(toChange)
  const notices = accepted.flatMap((each) => noticesOf(deps.ids, each))
  const watches = accepted.flatMap(({ payment, proposal }) =>
    proposal.watchSeconds === undefined ? [] : [{ ...payment, afterSeconds: proposal.watchSeconds }],
  )
  const payers = accepted.flatMap((each) => payersOf(deps.secrets, each))
  const entries = accepted.flatMap((each) => entriesOf(deps.ids, each))
  // Together, for none needs the answer to another: meanwhile the payments are locked.
  await Promise.all([
    updatePayments(tx, changes),
    insertCallbackEvents(tx, notices, deps.fresh),
    insertWatches(tx, watches),
    insertPersonalData(tx, payers),
    // Last, since other batches wait for the balances of the merchants.
    bookEntries(tx, entries),
  ])
}

function toChange({ payment, proposal, change }: Accepted): PaymentChange {
  const { merchantId, kind, idPayment } = payment
  return {
    merchantId,
    kind,
    idPayment,
    status: change.status,
    processorStatus: change.processorStatus,
    receivedAmount: proposal.received?.amount,
    receivedCurrencyCode: proposal.received?.currencyCode,
    failureCode: proposal.failure?.code,
    failureMessage: proposal.failure?.message,
    actor: proposal.actor,
    reason: proposal.reason,
    evidenceClass: proposal.evidence.class,
    operators: operatorsOf(proposal.evidence),
    operatorsNeeded: operatorsNeeded(payment, change.status, proposal.evidence) ?? 0,
  }
}

/** What a change does to the books. An end without money moves nothing, but for a hold that is released. */
function entriesOf(ids: Ids, { payment, change }: Accepted): readonly LedgerEntry[] {
  const event = eventOf(payment, change.status)
  if (event === undefined) return []
  const { merchantId, kind, idPayment, money, fee } = payment
  return [
    {
      transferId: ids.uuid(),
      merchantId,
      event,
      kind,
      idPayment,
      currencyCode: money.currencyCode,
      gross: money.amount,
      fee: fee.amount,
    },
  ]
}

function eventOf(before: Payment, after: PaymentStatus): LedgerEvent | undefined {
  const isPaid = after === 'SUCCESS'
  if (isOutgoing(before.kind)) {
    if (after === 'REVERSED') return 'PAYOUT_REVERSED'
    if (!isPaid) return 'PAYOUT_RELEASED'
    return before.status === 'CREATED' ? 'PAYOUT_SUCCESS' : 'PAYOUT_SUCCESS_LATE'
  }
  if (!isPaid && after !== 'REVERSED') return undefined
  if (before.kind === 'TOPUP') return isPaid ? 'TOPUP_SUCCESS' : 'TOPUP_REVERSED'
  return isPaid ? 'PAYIN_SUCCESS' : 'PAYIN_REVERSED'
}

/** Every change of the public status is called back, if a URL was given (specification 6.1). */
function noticesOf(ids: Ids, { payment }: Accepted) {
  const { merchantId, kind, idPayment, callbackUrl } = payment
  // Nobody is called back about a settlement: it has no URL.
  if (callbackUrl === undefined || kind === 'SETTLEMENT') return []
  return [
    {
      eventId: ids.uuid(),
      merchantId,
      kind,
      idEntity: idPayment,
      idTold: payment.instructions.refundOf,
      timelineEntryNo: payment.timelineCount + 1,
      url: callbackUrl,
    },
  ]
}

/** The payer's data that the institution reported, sealed. */
function payersOf(secrets: Secrets, { payment, proposal }: Accepted): readonly NewPersonalData[] {
  const sealed = proposal.payer && sealPersonalData(secrets, payment, proposal.payer)
  if (sealed === undefined) return []
  const { merchantId, kind, idPayment } = payment
  return [{ merchantId, kind, idPayment, source: 'PROCESS', ...sealed }]
}
