import { createHash } from 'node:crypto'
import { isPositive, type Money } from '@tollgate/money'
import type { Log } from '@tollgate/runtime'
import type { Database } from '../../../platform/database.ts'
import type { FinalReport, RailReport } from '../../../rails/rail.ts'
import type { Evidence } from '../evidence.ts'
import { isOutgoing, type PaymentKey, type PaymentKind, type Proposal } from '../model.ts'
import type { PaymentService } from '../service.ts'
import { listPaymentsForUpdate, updatePhase } from '../store.ts'
import { insertInquiries, type NewInquiry } from './inquiry-store.ts'
import { isContradiction, proposalFrom } from './phases.ts'
import { deleteTask, type Task } from './task-store.ts'
import type { TransitionOutcome } from './transitions.ts'

export interface ReportDeps {
  readonly db: Database
  readonly log: Log
  readonly payments: Pick<PaymentService, 'propose' | 'keepInquiry'>
}

/** Something final that was said about a payment, and how we came to hear of it. */
export interface HeardReport {
  readonly report: FinalReport
  /** `rail:<code>`, or whoever else says so. */
  readonly actor: string
  /** What proves it. */
  readonly evidence: Evidence
  readonly question: NewInquiry['question']
  /** When it was asked, by the database's clock; undefined for what came unasked. */
  readonly askedAt?: Date
}

/**
 * Puts forward what an institution said about a payment: on its own (a notification, a statement), or asked. What is said
 * about an outgoing payment is kept as evidence before anything follows from it. What does not fit the payment is kept,
 * too, and goes to review: nothing is guessed.
 */
export async function putForward(
  deps: ReportDeps,
  key: PaymentKey,
  heard: HeardReport,
): Promise<TransitionOutcome> {
  if (isOutgoing(key.kind)) await keepAnswer(deps, key, heard)
  const proposal = proposalFrom(heard.report, heard)
  const outcome = await deps.payments.propose(key, proposal)
  if (outcome.kind === 'REFUSED') await putAside(deps, key, { heard, proposal, why: outcome.why })
  return outcome
}

type Unproved = Omit<HeardReport, 'report' | 'actor' | 'evidence'>

/** Keeps what was answered, without persons. */
export function keepAnswer(
  { payments }: Pick<ReportDeps, 'payments'>,
  key: PaymentKey,
  heard: Unproved & { readonly report: RailReport },
): Promise<void> {
  return payments.keepInquiry(toInquiry(key, heard, false))
}

function toInquiry(
  { merchantId, kind, idPayment }: PaymentKey,
  { report, question, askedAt }: Unproved & { readonly report: RailReport },
  contradicts: boolean,
): NewInquiry {
  return {
    merchantId,
    kind,
    idPayment,
    question,
    answer: report.kind,
    reasonCode: 'code' in report ? report.code : undefined,
    contradicts,
    digest: digestOf(report),
    askedAt,
  }
}

/** Of what was said, and nothing of whom: the payer is left out, and so is when to ask again. */
function digestOf(report: RailReport): Buffer {
  const { kind } = report
  const said = {
    kind,
    ...('received' in report && { received: [report.received.amount, report.received.currencyCode] }),
    ...('code' in report && { code: report.code }),
    ...('message' in report && { message: report.message }),
  }
  return createHash('sha256').update(JSON.stringify(said)).digest()
}

interface Refused {
  readonly heard: HeardReport
  readonly proposal: Proposal
  readonly why: string
}

/** What the institution says does not fit the payment: a person looks at it, nothing is guessed. */
function putAside(deps: ReportDeps, key: PaymentKey, { heard, proposal, why }: Refused): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const [payment] = await listPaymentsForUpdate(tx, [key])
    if (payment === undefined || !isContradiction(payment.status, proposal)) return
    deps.log.warn({ kind: key.kind, why }, 'a rail reported what the payment cannot become')
    const { merchantId, kind, idPayment, status } = payment
    await insertInquiries(tx, [toInquiry(key, heard, true)])
    await updatePhase(tx, {
      merchantId,
      kind,
      idPayment,
      status,
      processorStatus: 'IN_REVIEW',
      actor: proposal.actor,
      reason: why,
      received: arrivedBy(kind, proposal),
    })
  })
}

/** Of money that goes out, nothing arrives; and nothing is not money that arrived, whatever an institution calls it. */
function arrivedBy(kind: PaymentKind, { received }: Proposal): Money | undefined {
  return isOutgoing(kind) || received === undefined || !isPositive(received.amount) ? undefined : received
}

/** The same for an answer to a task, which is done then. A change of status has removed the task itself. */
export async function putForwardForTask(deps: ReportDeps, task: Task, heard: HeardReport): Promise<void> {
  const outcome = await putForward(deps, task, heard)
  if (outcome.kind === 'REFUSED' || outcome.kind === 'SAME') await deleteTask(deps.db, task)
}
