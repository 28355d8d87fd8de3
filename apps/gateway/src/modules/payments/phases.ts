import type { RailReport } from '../../rails/rail.ts'
import { isOutgoing, type Payment, type PaymentStatus, type ProcessorStatus, type Proposal } from './model.ts'

/**
 * True when a refused report and the payment disagree about whether money arrived, so that a person must look at it.
 * A rejection of a payment that has expired is no news.
 */
export function isContradiction(status: PaymentStatus, proposal: Proposal): boolean {
  const isPaid = status === 'SUCCESS' || status === 'REVERSED'
  return isPaid !== (proposal.status === 'SUCCESS')
}

/** The phase that a rail's waiting for the outcome leads to; undefined when it stays as it is. */
export function phaseWhileWaiting(
  payment: Pick<Payment, 'kind' | 'processorStatus'>,
  report: 'WAITING' | 'UNKNOWN',
): ProcessorStatus | undefined {
  const isUnknown = payment.processorStatus === 'UNKNOWN'
  if (report === 'UNKNOWN') return isUnknown ? undefined : 'UNKNOWN'
  // It is known again that nothing has happened; an unknown outcome would keep the payment from expiring.
  if (!isUnknown) return undefined
  return isOutgoing(payment.kind) ? 'SUBMITTED' : 'AWAITING_CUSTOMER'
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

/** The proposal that follows from what a rail reports once the outcome is known. */
export function proposalFrom(
  report: Exclude<RailReport, { kind: 'WAITING' | 'UNKNOWN' }>,
  rail: string,
): Proposal {
  const actor = `rail:${rail}`
  switch (report.kind) {
    case 'SUCCEEDED':
      return {
        status: 'SUCCESS',
        actor,
        received: report.received,
        ...(report.payer && { payer: report.payer }),
        ...(report.watchSeconds !== undefined && { watchSeconds: report.watchSeconds }),
      }
    case 'RETURNED':
      return { status: 'REVERSED', actor, failure: { code: report.code, message: report.message } }
    case 'FAILED':
      return { status: 'FAILED', actor, failure: { code: report.code, message: report.message } }
    case 'CANCELLED':
      return { status: 'CANCELLED', actor, failure: { code: 'CANCELLED', message: report.message } }
  }
}
