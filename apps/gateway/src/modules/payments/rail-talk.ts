import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Rail, RailPayment, RailProgress, RailReport } from '../../rails/rail.ts'
import { isOutgoing, type Payment, type PaymentKey, type Proposal } from './model.ts'
import { isContradiction, phaseWhileWaiting, proposalFrom } from './phases.ts'
import type { PaymentService } from './service.ts'
import { listPaymentsForUpdate, updatePhase } from './store.ts'
import { deleteTask, type Task, updateTaskDue } from './task-store.ts'

export interface RailTalkDeps {
  readonly db: Database
  readonly log: Log
  readonly payments: PaymentService
  readonly rails: ReadonlyMap<string, Rail>
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
  readonly railDeadlineSeconds: number
}

/** What is asked of a rail about one payment. */
export type Question = (
  rail: Rail,
  payment: RailPayment,
  more: { readonly progress: RailProgress; readonly signal: AbortSignal },
) => Promise<RailReport>

const RAIL_TIMEOUT_RETRY_SECONDS = 5

/** Asks the payment's rail, outside any transaction, and puts forward what it reports. */
export async function consult(
  deps: RailTalkDeps,
  { task, payment }: { readonly task: Task; readonly payment: Payment },
  question: Question,
): Promise<void> {
  const rail = deps.rails.get(payment.rail)
  if (rail === undefined) throw new Error(`there is no rail ${payment.rail}`)
  const report = await askRail(deps, payment, (asked, more) => question(rail, asked, more))
  if (report.kind === 'WAITING' || report.kind === 'UNKNOWN') {
    await waitLonger(deps, task, payment, report)
    return
  }
  const proposal = proposalFrom(report, rail.code)
  const outcome = await deps.payments.propose(task, proposal)
  if (outcome.kind === 'REFUSED') await putAside(deps, task, proposal, outcome.why)
  if (outcome.kind === 'SAME') await deleteTask(deps.db, task)
}

/** What the institution says does not fit the payment: a person looks at it, nothing is guessed. */
function putAside(deps: RailTalkDeps, task: Task, proposal: Proposal, why: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const [payment] = await listPaymentsForUpdate(tx, [task])
    if (payment !== undefined && isContradiction(payment.status, proposal)) {
      deps.log.warn({ kind: task.kind, why }, 'a rail reported what the payment cannot become')
      await updatePhase(tx, {
        ...keyOf(payment),
        status: payment.status,
        processorStatus: 'IN_REVIEW',
        actor: proposal.actor,
        reason: why,
      })
    }
    await deleteTask(tx, task)
  })
}

type Asked = (
  payment: RailPayment,
  more: { readonly progress: RailProgress; readonly signal: AbortSignal },
) => Promise<RailReport>

/** The rail's report; UNKNOWN when it takes too long. A late answer is dropped: the rail is asked again. */
async function askRail(deps: RailTalkDeps, payment: Payment, ask: Asked): Promise<RailReport> {
  const collected = await deps.payments.listPersonalData(payment)
  const asked: RailPayment = {
    ...payment,
    kind: payment.kind === 'SETTLEMENT' ? 'PAYOUT' : payment.kind,
    merchantCode: await deps.merchantCodeOf(payment.merchantId),
    customer: collected.find((each) => each.source === 'REQUEST')?.data ?? {},
  }
  const progress = {
    ageSeconds: payment.ageSeconds,
    externalReference: payment.externalReference,
    isPaid: payment.status === 'SUCCESS',
  }
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), deps.railDeadlineSeconds * 1000)
  const givenUp = new Promise<RailReport>((resolve) => {
    patience.signal.addEventListener('abort', () =>
      resolve({ kind: 'UNKNOWN', askAgainSeconds: RAIL_TIMEOUT_RETRY_SECONDS }),
    )
  })
  try {
    return await Promise.race([ask(asked, { progress, signal: patience.signal }), givenUp])
  } catch (error) {
    // Money that comes in can be asked about anew; what was handed over, or perhaps was, is not known.
    if (!isOutgoing(payment.kind)) throw error
    deps.log.warn(
      { kind: payment.kind, err: error },
      'a rail failed; the outcome of its payment is not known',
    )
    return { kind: 'UNKNOWN', askAgainSeconds: RAIL_TIMEOUT_RETRY_SECONDS }
  } finally {
    clearTimeout(timer)
  }
}

/** Notes whether the outcome is known, and puts the task off; without a time the outside will report by itself. */
async function waitLonger(
  deps: RailTalkDeps,
  task: Task,
  payment: Payment,
  report: Extract<RailReport, { kind: 'WAITING' | 'UNKNOWN' }>,
): Promise<void> {
  const processorStatus = payment.status === 'CREATED' ? phaseWhileWaiting(payment, report.kind) : undefined
  if (processorStatus !== undefined) {
    const actor = `rail:${payment.rail}`
    await updatePhase(deps.db, { ...keyOf(payment), status: payment.status, processorStatus, actor })
  }
  if (report.askAgainSeconds === undefined) await deleteTask(deps.db, task)
  else await updateTaskDue(deps.db, task, report.askAgainSeconds)
}

function keyOf({ merchantId, kind, idPayment }: Payment): PaymentKey {
  return { merchantId, kind, idPayment }
}
