import type { Tx } from '../../platform/database.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { insertCallbackEvents } from '../callbacks/index.ts'
import { bookTransfers, payinSuccessPostings, reversalPostings, type Transfer } from '../ledger/index.ts'
import {
  type Decision,
  decide,
  type Payment,
  type PaymentKey,
  type PaymentStatus,
  type Proposal,
} from './model.ts'
import { sealPersonalData } from './personal-data.ts'
import { insertPersonalData, listPaymentsForUpdate, updatePayments } from './store.ts'

/** A proposal and the payment it is about. */
export interface ProposedChange {
  readonly key: PaymentKey
  readonly proposal: Proposal
}

/** What became of a proposal. */
export type TransitionOutcome =
  | { readonly kind: 'CHANGED'; readonly status: PaymentStatus }
  | { readonly kind: 'SAME' }
  | { readonly kind: 'REFUSED'; readonly why: string; readonly status: PaymentStatus }
  | { readonly kind: 'MISSING' }

export interface TransitionDeps {
  readonly ids: Ids
  readonly secrets: Secrets
  readonly metrics: Metrics
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
    return { kind: 'CHANGED', status: decision.status }
  })
  if (accepted.length > 0) await write(deps, tx, accepted)
  return outcomes
}

async function write(deps: TransitionDeps, tx: Tx, accepted: readonly Accepted[]): Promise<void> {
  await updatePayments(tx, accepted.map(toRow))
  await bookTransfers(tx, await transfersFor(deps, tx, accepted))
  await insertCallbackEvents(
    tx,
    accepted.flatMap((each) => noticeOf(deps.ids, each)),
  )
  for (const { payment, proposal } of accepted) {
    const sealed = proposal.payer && sealPersonalData(deps.secrets, payment, proposal.payer)
    if (sealed !== undefined) await insertPersonalData(tx, payment, { ...sealed, source: 'PROCESS' })
  }
  for (const { payment, change } of accepted) {
    deps.metrics.payments.inc({ kind: payment.kind, method: payment.methodCode, status: change.status })
  }
}

function toRow({ payment, proposal, change }: Accepted) {
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
  }
}

/** Every change of the public status is called back, if a URL was given (specification 6.1). */
function noticeOf(ids: Ids, { payment }: Accepted) {
  if (payment.callbackUrl === undefined) return []
  const { merchantId, kind, idPayment, callbackUrl } = payment
  return [
    {
      eventId: ids.uuid(),
      merchantId,
      kind,
      idEntity: idPayment,
      timelineEntryNo: payment.timelineCount + 1,
      url: callbackUrl,
    },
  ]
}

async function transfersFor(
  deps: TransitionDeps,
  tx: Tx,
  accepted: readonly Accepted[],
): Promise<readonly Transfer[]> {
  const transfers: Transfer[] = []
  for (const each of accepted) {
    const effect = await effectOf(tx, each)
    if (effect === undefined) continue
    const { merchantId, kind, idPayment, money } = each.payment
    transfers.push({
      transferId: deps.ids.uuid(),
      merchantId,
      kind,
      idPayment,
      currencyCode: money.currencyCode,
      ...effect,
    })
  }
  return transfers
}

/** What a change does to the books. A payin moves money when it succeeds and when it is recalled, and at no other time. */
async function effectOf(
  tx: Tx,
  { payment, change }: Accepted,
): Promise<Pick<Transfer, 'event' | 'postings'> | undefined> {
  const { money, fee } = payment
  if (change.status === 'SUCCESS')
    return { event: 'PAYIN_SUCCESS', postings: payinSuccessPostings(money.amount, fee.amount) }
  if (change.status === 'REVERSED') {
    const postings = await reversalPostings(tx, {
      merchantId: payment.merchantId,
      currencyCode: money.currencyCode,
      gross: money.amount,
    })
    return { event: 'PAYIN_REVERSED', postings }
  }
  return undefined
}

/** A key as one text, for maps. */
export function textOf(key: PaymentKey): string {
  return `${key.merchantId} ${key.kind} ${key.idPayment}`
}
