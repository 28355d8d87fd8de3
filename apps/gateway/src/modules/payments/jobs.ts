import type { Database } from '../../platform/database.ts'
import type { Ids } from '../../platform/ids.ts'
import { createLoadingCache } from '../../platform/loading-cache.ts'
import type { Log } from '../../platform/log.ts'
import type { Rail, RailReport } from '../../rails/rail.ts'
import {
  isContradiction,
  isFinal,
  type Payment,
  type PaymentKey,
  type Proposal,
  phaseWhileWaiting,
  proposalFrom,
} from './model.ts'
import type { PaymentService } from './service.ts'
import { listPaymentsForUpdate, updatePhase } from './store.ts'
import { createTaskLoop } from './task-loop.ts'
import { deleteTask, type Task, updateTaskDue } from './task-store.ts'

export interface PaymentWorkerDeps {
  readonly db: Database
  readonly ids: Ids
  readonly log: Log
  readonly payments: PaymentService
  readonly rails: ReadonlyMap<string, Rail>
  /** The public code of a merchant, for rails that show it to institutions. It never changes. */
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
  /** How long an answer of a rail is awaited; 20 unless a test is in a hurry. */
  readonly railDeadlineSeconds?: number
  /** How long a task stays with a worker that may have died; 30, and more than the rail's deadline. */
  readonly leaseSeconds?: number
}

type WorkDeps = Required<PaymentWorkerDeps>

/** Expires payments and talks to the rails, from durable rows. Any number of workers may run. */
export interface PaymentWorker {
  start(): void
  /** Looks at once whether a rail has work. */
  wake(): void
  /** Takes no new work, and resolves when the work under way is done. */
  stop(): Promise<void>
}

const RAIL_DEADLINE_SECONDS = 20
const LEASE_SECONDS = 30
const RAIL_TIMEOUT_RETRY_SECONDS = 5
const EXPIRY_RETRY_SECONDS = 5
const MERCHANT_CODES_MAX = 10_000

/** Expiry and rails have a loop each: an institution that hangs keeps no payment from expiring. */
export function createPaymentWorker(given: PaymentWorkerDeps): PaymentWorker {
  const deps: WorkDeps = {
    railDeadlineSeconds: RAIL_DEADLINE_SECONDS,
    leaseSeconds: LEASE_SECONDS,
    ...given,
    merchantCodeOf: remembered(given.merchantCodeOf),
  }
  const expiry = createTaskLoop(deps, 'EXPIRE', (task) => workOn(deps, task, expire))
  const rails = createTaskLoop(deps, 'RAIL', (task) => workOn(deps, task, advance))
  return {
    start() {
      expiry.start()
      rails.start()
    },
    wake: () => rails.wake(),
    async stop() {
      await Promise.all([expiry.stop(), rails.stop()])
    },
  }
}

/** The same, asked once per merchant: a merchant keeps its code. */
function remembered(merchantCodeOf: PaymentWorkerDeps['merchantCodeOf']) {
  const codes = createLoadingCache({ entriesMax: MERCHANT_CODES_MAX, load: merchantCodeOf })
  return async (merchantId: string): Promise<string> => {
    const code = await codes.get(merchantId)
    if (code === undefined) throw new Error(`there is no merchant with the id ${merchantId}`)
    return code
  }
}

type Work = (deps: WorkDeps, task: Task, payment: Payment) => Promise<void>

async function workOn(deps: WorkDeps, task: Task, work: Work): Promise<void> {
  const payment = await deps.payments.find(task)
  if (payment === undefined || isFinal(payment.status)) await deleteTask(deps.db, task)
  else await work(deps, task, payment)
}

async function expire(deps: WorkDeps, task: Task): Promise<void> {
  const outcome = await deps.payments.propose(task, {
    status: 'EXPIRED',
    actor: 'worker',
    reason: 'the time to pay is over',
  })
  if (outcome.kind === 'REFUSED') await updateTaskDue(deps.db, task, EXPIRY_RETRY_SECONDS)
}

/** Asks the rail, outside any transaction, and puts forward what it reports. */
async function advance(deps: WorkDeps, task: Task, payment: Payment): Promise<void> {
  const rail = deps.rails.get(payment.rail)
  if (rail === undefined) throw new Error(`there is no rail ${payment.rail}`)
  const report = await askRail(deps, rail, payment)
  if (report.kind === 'WAITING' || report.kind === 'UNKNOWN') {
    await waitLonger(deps, task, payment, report)
    return
  }
  const proposal = proposalFrom(report, rail.code)
  const outcome = await deps.payments.propose(task, proposal)
  if (outcome.kind === 'REFUSED') await putAside(deps, task, proposal, outcome.why)
}

/** What the institution says does not fit the payment: a person looks at it, nothing is guessed. */
function putAside(deps: WorkDeps, task: Task, proposal: Proposal, why: string): Promise<void> {
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

/** The rail's report; UNKNOWN when it takes too long. A late answer is dropped: the rail is asked again. */
async function askRail(deps: WorkDeps, rail: Rail, payment: Payment): Promise<RailReport> {
  const collected = await deps.payments.listPersonalData(payment)
  const asked = {
    ...payment,
    merchantCode: await deps.merchantCodeOf(payment.merchantId),
    customer: collected.find((each) => each.source === 'REQUEST')?.data ?? {},
  }
  const progress = { ageSeconds: payment.ageSeconds, externalReference: payment.externalReference }
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), deps.railDeadlineSeconds * 1000)
  const givenUp = new Promise<RailReport>((resolve) => {
    patience.signal.addEventListener('abort', () =>
      resolve({ kind: 'UNKNOWN', askAgainSeconds: RAIL_TIMEOUT_RETRY_SECONDS }),
    )
  })
  try {
    return await Promise.race([rail.advance(asked, progress, patience.signal), givenUp])
  } finally {
    clearTimeout(timer)
  }
}

/** Notes whether the outcome is known, and puts the task off; without a time the outside will report by itself. */
async function waitLonger(
  deps: WorkDeps,
  task: Task,
  payment: Payment,
  report: Extract<RailReport, { kind: 'WAITING' | 'UNKNOWN' }>,
): Promise<void> {
  const processorStatus = phaseWhileWaiting(payment, report.kind)
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
