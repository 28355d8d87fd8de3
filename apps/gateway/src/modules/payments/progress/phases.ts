import type { FinalReport, RailReport } from '../../../rails/rail.ts'
import type { Evidence } from '../evidence.ts'
import {
  isOutgoing,
  type Payment,
  type PaymentStatus,
  type ProcessorStatus,
  type Proposal,
} from '../model.ts'

/**
 * True when a refused report and the payment disagree about whether money arrived, so that a person must look at it.
 * A rejection of a payment that has expired is no news.
 */
export function isContradiction(status: PaymentStatus, proposal: Pick<Proposal, 'status'>): boolean {
  // Money that came back had arrived before: of a payment that has not ended, we have not heard that.
  if (proposal.status === 'REVERSED') return status === 'CREATED'
  const isPaid = status === 'SUCCESS' || status === 'REVERSED'
  return isPaid !== (proposal.status === 'SUCCESS')
}

/** The phase that a rail's waiting for the outcome leads to; undefined when it stays as it is. */
export function phaseWhileWaiting(
  payment: Pick<Payment, 'kind' | 'processorStatus'>,
  report: 'WAITING' | 'UNSENT' | 'UNKNOWN',
): ProcessorStatus | undefined {
  // A person has it: that the institution still cannot say, or waits, changes nothing.
  if (payment.processorStatus === 'IN_REVIEW') return undefined
  const isUnknown = payment.processorStatus === 'UNKNOWN'
  if (report === 'UNKNOWN') return isUnknown ? undefined : 'UNKNOWN'
  if (!isOutgoing(payment.kind)) return phaseOfIncoming(payment.processorStatus, report)
  // It is known again that nothing has happened; an unknown outcome would keep the payment from expiring.
  if (!isUnknown) return undefined
  return 'SUBMITTED'
}

/** Whether the customer is waited for, or the institution has to hear of the payment first. */
function phaseOfIncoming(before: ProcessorStatus, report: 'WAITING' | 'UNSENT'): ProcessorStatus | undefined {
  if (before !== 'UNKNOWN' && before !== 'ACCEPTED' && before !== 'AWAITING_CUSTOMER') return undefined
  const after = report === 'UNSENT' ? 'ACCEPTED' : 'AWAITING_CUSTOMER'
  return after === before ? undefined : after
}

/** The phase after the customer submitted a reference. What waits for a person or for the institution goes on waiting. */
export function phaseAfterReference({
  status,
  processorStatus,
}: Pick<Payment, 'status' | 'processorStatus'>): ProcessorStatus {
  if (status !== 'CREATED') return 'IN_REVIEW'
  return processorStatus === 'UNKNOWN' || processorStatus === 'IN_REVIEW'
    ? processorStatus
    : 'REFERENCE_SUBMITTED'
}

/** The proposal that follows from what was reported once the outcome is known: who says so, and what proves it. */
export function proposalFrom(
  report: Exclude<RailReport, { kind: 'WAITING' | 'UNKNOWN' }>,
  by: { readonly actor: string; readonly evidence: Evidence },
): Proposal {
  const { actor, evidence } = by
  const status = STATUS_REPORTED[report.kind]
  switch (report.kind) {
    case 'SUCCEEDED':
      return {
        status,
        actor,
        evidence,
        received: report.received,
        ...(report.payer && { payer: report.payer }),
        ...(report.watchSeconds !== undefined && { watchSeconds: report.watchSeconds }),
      }
    case 'RETURNED':
    case 'FAILED':
      return { status, actor, evidence, failure: { code: report.code, message: report.message } }
    case 'CANCELLED':
      return { status, actor, evidence, failure: { code: 'CANCELLED', message: report.message } }
  }
}

const STATUS_REPORTED = {
  SUCCEEDED: 'SUCCESS',
  RETURNED: 'REVERSED',
  FAILED: 'FAILED',
  CANCELLED: 'CANCELLED',
} as const satisfies Readonly<Record<FinalReport['kind'], PaymentStatus>>

/** Whether a report that was refused disagrees with the payment about money, and not only comes too late to matter. */
export function contradicts(status: PaymentStatus, report: FinalReport): boolean {
  return isContradiction(status, { status: STATUS_REPORTED[report.kind] })
}
