import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { Rail, RailReport } from '../../rails/rail.ts'
import { isFinal, type Payment, proposalFrom } from './model.ts'
import type { PaymentService } from './service.ts'
import { updatePhase } from './store.ts'
import { claimTasks, deleteTask, findNextDueSeconds, type Task, updateTaskDue } from './task-store.ts'

export interface PaymentWorkerDeps {
  readonly db: Database
  readonly ids: Ids
  readonly log: Log
  readonly payments: PaymentService
  readonly rails: ReadonlyMap<string, Rail>
  /** The public code of a merchant, for rails that show it to institutions. */
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}

/** Expires payments and talks to the rails, from durable rows. Any number of workers may run. */
export interface PaymentWorker {
  start(): void
  /** Looks for due work at once. */
  wake(): void
  /** Takes no new work, and resolves when the work under way is done. */
  stop(): Promise<void>
}

const TASKS_CLAIMED_MAX = 200
const LEASE_SECONDS = 30
const POLL_MS = 250
const RAIL_FAULT_RETRY_SECONDS = 5
const EXPIRE_TOO_EARLY_SECONDS = 1

export function createPaymentWorker(deps: PaymentWorkerDeps): PaymentWorker {
  let stopping = false
  let waker = new AbortController()
  let loop: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    while (!stopping) {
      const worked = await workOnce(deps).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'due payment work could not be done; it stays due')
        return 0
      })
      if (worked === TASKS_CLAIMED_MAX) continue
      await pause(await pauseMs(deps))
    }
  }
  /** A wake that came while work was under way counts too: the pause is skipped. */
  async function pause(ms: number): Promise<void> {
    if (!waker.signal.aborted) await sleep(ms, undefined, { signal: waker.signal }).catch(() => undefined)
    if (!stopping) waker = new AbortController()
  }
  return {
    start() {
      loop = run()
    },
    wake: () => waker.abort(),
    async stop() {
      stopping = true
      waker.abort()
      await loop
    },
  }
}

/** Sleeps no longer than a poll, and not past the next task. */
async function pauseMs(deps: PaymentWorkerDeps): Promise<number> {
  const seconds = await findNextDueSeconds(deps.db).catch(() => undefined)
  return seconds === undefined ? POLL_MS : Math.min(POLL_MS, Math.ceil(seconds * 1000) + 1)
}

/** Claims due tasks and works on all of them at once. Returns how many there were. */
async function workOnce(deps: PaymentWorkerDeps): Promise<number> {
  const tasks = await claimTasks(deps.db, {
    limit: TASKS_CLAIMED_MAX,
    leaseToken: deps.ids.uuid(),
    leaseSeconds: LEASE_SECONDS,
  })
  await Promise.all(tasks.map((task) => workOn(deps, task)))
  return tasks.length
}

async function workOn(deps: PaymentWorkerDeps, task: Task): Promise<void> {
  try {
    const payment = await deps.payments.find(task)
    if (payment === undefined || isFinal(payment.status)) await deleteTask(deps.db, task)
    else if (task.task === 'EXPIRE') await expire(deps, task)
    else await advance(deps, task, payment)
  } catch (error) {
    deps.log.error(
      { task: task.task, kind: task.kind, err: error },
      'a payment task failed; it is tried again',
    )
    await updateTaskDue(deps.db, task, RAIL_FAULT_RETRY_SECONDS).catch(() => undefined)
  }
}

async function expire(deps: PaymentWorkerDeps, task: Task): Promise<void> {
  const outcome = await deps.payments.propose(task, {
    status: 'EXPIRED',
    actor: 'worker',
    reason: 'the time to pay is over',
  })
  if (outcome.kind === 'REFUSED') await updateTaskDue(deps.db, task, EXPIRE_TOO_EARLY_SECONDS)
}

/** Asks the rail, outside any transaction, and puts forward what it reports. */
async function advance(deps: PaymentWorkerDeps, task: Task, payment: Payment): Promise<void> {
  const rail = deps.rails.get(payment.rail)
  if (rail === undefined) throw new Error(`there is no rail ${payment.rail}`)
  const report = await askRail(deps, rail, payment)
  const proposal = proposalFrom(report, rail.code)
  if (proposal === undefined) {
    await waitLonger(deps, task, payment, report)
    return
  }
  const outcome = await deps.payments.propose(task, proposal)
  if (outcome.kind !== 'REFUSED') return
  // What the institution says does not fit the payment: a person looks at it, nothing is guessed.
  deps.log.warn({ kind: task.kind, why: outcome.why }, 'a rail reported what the payment cannot become')
  await updatePhase(deps.db, {
    ...keyOf(payment),
    processorStatus: 'IN_REVIEW',
    actor: proposal.actor,
    reason: outcome.why,
  })
  await deleteTask(deps.db, task)
}

async function askRail(deps: PaymentWorkerDeps, rail: Rail, payment: Payment): Promise<RailReport> {
  const collected = await deps.payments.listPersonalData(payment)
  return rail.advance(
    {
      ...payment,
      merchantCode: await deps.merchantCodeOf(payment.merchantId),
      customer: collected.find((each) => each.source === 'REQUEST')?.data ?? {},
    },
    { ageSeconds: payment.ageSeconds, externalReference: payment.externalReference },
  )
}

async function waitLonger(
  deps: PaymentWorkerDeps,
  task: Task,
  payment: Payment,
  report: RailReport,
): Promise<void> {
  const askAgainSeconds =
    report.kind === 'WAITING' || report.kind === 'UNKNOWN' ? report.askAgainSeconds : undefined
  if (report.kind === 'UNKNOWN' && payment.processorStatus !== 'UNKNOWN') {
    await updatePhase(deps.db, {
      ...keyOf(payment),
      processorStatus: 'UNKNOWN',
      actor: `rail:${payment.rail}`,
    })
  }
  if (askAgainSeconds === undefined) await deleteTask(deps.db, task)
  else await updateTaskDue(deps.db, task, askAgainSeconds)
}

function keyOf(payment: Payment): Pick<Payment, 'merchantId' | 'kind' | 'idPayment'> {
  return { merchantId: payment.merchantId, kind: payment.kind, idPayment: payment.idPayment }
}
