import { type Clock, type Ids, type Log, stopwatch } from '@tollgate/runtime'
import type { Database, Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Rail } from '../../rails/rail.ts'
import { isFinal, isOutgoing, type Payment } from './model.ts'
import { type HeldPayment, withSealedData } from './privacy/personal-data.ts'
import { type Noted, updateSubmitted, updateSubmittedAgain } from './progress/hand-over-store.ts'
import {
  consult,
  INQUIRY_SCHEDULE,
  type InquirySchedule,
  nextExpirySeconds,
  type Question,
  type TalkResult,
} from './progress/rail-talk.ts'
import { createTaskLoop } from './progress/task-loop.ts'
import { deleteTask, type Task, updateTaskDue } from './progress/task-store.ts'
import type { PaymentService } from './service.ts'
import { listPaymentsForUpdate, lockPayment } from './store.ts'

interface PaymentWorkerDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly secrets: Secrets
  readonly payments: Pick<PaymentService, 'propose' | 'keepInquiry'>
  readonly rails: ReadonlyMap<string, Rail>
  /** The public code of a merchant, for rails that show it to institutions. It never changes. */
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
  /** The hash of what people approve: it is compared once more before a payment is handed over. */
  readonly contentHashOf: (held: HeldPayment) => Buffer
  /** How long an answer of a rail is awaited; 20 unless a test is in a hurry. */
  readonly railDeadlineSeconds?: number
  /** How long a task stays with a worker that may have died; 30, and more than the rail's deadline. */
  readonly leaseSeconds?: number
  /** When an outcome that is not known is asked for again; INQUIRY_SCHEDULE unless a test is in a hurry. */
  readonly inquirySchedule?: InquirySchedule
  /** Is told how each talk with a rail went; must not throw. */
  readonly onTalk?: (result: TalkResult) => void
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
/**
 * So long after a hand-over nothing of it is on its way any more. What is sent to a rail is given up after 20 seconds, or
 * when its worker dies, and its task is free after 30. The rest is for networks that deliver late and for processes that stood still.
 */
const HAND_OVER_ENDS_SECONDS = 300

/** So long after it was noted a hand-over may begin: what is sent then has ended long before another worker may hand over again. */
const HAND_OVER_BEGINS_SECONDS = 10

const LOOK_AGAIN_SECONDS = 5

/** Expiry and rails have a loop each: an institution that hangs keeps no payment from expiring. */
export function createPaymentWorker(given: PaymentWorkerDeps): PaymentWorker {
  const deps: WorkDeps = {
    railDeadlineSeconds: RAIL_DEADLINE_SECONDS,
    leaseSeconds: LEASE_SECONDS,
    inquirySchedule: INQUIRY_SCHEDULE,
    onTalk: () => undefined,
    ...given,
  }
  const expiry = createTaskLoop(deps, 'EXPIRE', (task) => expire(deps, task))
  const rails = createTaskLoop(deps, 'RAIL', (task) => talk(deps, task))
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

async function expire(deps: WorkDeps, task: Task): Promise<void> {
  const { payment } = task
  if (payment === undefined || isFinal(payment.status)) {
    await deleteTask(deps.db, task)
    return
  }
  const outcome = await deps.payments.propose(task, {
    status: 'EXPIRED',
    actor: 'worker',
    evidence: { class: 'CLOCK' },
    reason: 'the time to pay is over',
  })
  if (outcome.kind !== 'REFUSED') return
  const overdueSeconds = (task.claimedAt.getTime() - payment.expireAt.getTime()) / 1000
  await updateTaskDue(deps.db, task, nextExpirySeconds(overdueSeconds))
}

async function talk(deps: WorkDeps, task: Task): Promise<void> {
  const { payment } = task
  const talk = payment && (await talkAbout(deps, task, payment))
  if (talk === undefined) await deleteTask(deps.db, task)
  else if (talk === 'NOT_NOTED') await lookAgain(deps, task)
  else await consult(deps, { task, payment: talk.payment }, talk.question)
}

const ADVANCE: Question = {
  name: 'ADVANCE',
  ask: (rail, payment, { progress, signal }) => rail.advance(payment, progress, signal),
}
/** Made before the hand-over is noted: whoever stands still between the two leaves it to those who ask for its outcome. */
function submitSoon({ clock }: WorkDeps): Question {
  const passedSeconds = stopwatch(clock)
  return {
    name: 'SUBMIT',
    ask: (rail, payment, { signal }) => rail.submit(payment, signal),
    requireInTime() {
      if (passedSeconds() > HAND_OVER_BEGINS_SECONDS)
        throw new Error('the payment could not be handed over in time; its institution is asked for it')
    },
  }
}

const INQUIRE: Question = {
  name: 'INQUIRE',
  ask: (rail, payment, { progress, signal }) => rail.inquire(payment, progress, signal),
}

const handsOverByFile = ({ rails }: WorkDeps, { rail }: Payment): boolean =>
  rails.get(rail)?.capabilities.handsOverByFile === true

interface Talk {
  readonly question: Question
  readonly payment: Payment
}

/** What the rail is to be asked now; undefined when there is nothing to ask, NOT_NOTED when the hand-over could not be noted. */
async function talkAbout(
  deps: WorkDeps,
  task: Task,
  payment: Payment,
): Promise<Talk | 'NOT_NOTED' | undefined> {
  if (!isOutgoing(payment.kind)) return isFinal(payment.status) ? undefined : { question: ADVANCE, payment }
  // What went out may come back.
  if (payment.status === 'SUCCESS') return { question: INQUIRE, payment }
  if (isFinal(payment.status)) return undefined
  // Its file will take it along.
  if (payment.submittedAt === undefined && handsOverByFile(deps, payment)) return undefined
  // Handed over, or perhaps only noted by somebody who died: asked for.
  if (payment.submittedAt !== undefined)
    return { question: { ...INQUIRE, whenAbsent: () => handOverAgain(deps, task, payment) }, payment }
  const question = submitSoon(deps)
  const submitted = await noteHandOver(deps, task, payment)
  return submitted === undefined ? 'NOT_NOTED' : { question, payment: submitted }
}

/**
 * Somebody else changed the payment since the task was taken up, or it was stopped. It may be handed over by now, so its task stays
 * unless the payment, as it is under its lock, has ended or is held.
 */
function lookAgain(deps: WorkDeps, task: Task): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, task)
    if (payment !== undefined && mayBeAskedAbout(payment)) await updateTaskDue(tx, task, LOOK_AGAIN_SECONDS)
    else await deleteTask(tx, task)
  })
}

const mayBeAskedAbout = ({ status, processorStatus, submittedAt }: Payment): boolean =>
  status === 'CREATED' && (submittedAt !== undefined || processorStatus === 'QUEUED')

const ACTOR = 'worker'

/** The payment as it may be handed over now; undefined when others do so, or when it was stopped. */
async function noteHandOver(deps: WorkDeps, task: Task, payment: Payment): Promise<Payment | undefined> {
  const noted = await updateSubmitted(deps.db, task, { actor: ACTOR })
  if (noted === 'CONTENT_NEEDED')
    return withContent(deps, task, (tx, contentHash) =>
      updateSubmitted(tx, task, { actor: ACTOR, contentHash }),
    )
  return noted === 'SUBMITTED' ? payment : undefined
}

/**
 * Hands the payment over once more, under its reference, where it was perhaps only noted before: the institution has proved
 * that it has nothing. False when it is too early, or when something speaks against it: then it is asked for again.
 */
async function handOverAgain(deps: WorkDeps, task: Task, payment: Payment): Promise<boolean> {
  const takesTwice = deps.rails.get(payment.rail)?.capabilities.takesTwice === true
  const note = { actor: ACTOR, afterSeconds: takesTwice ? 0 : HAND_OVER_ENDS_SECONDS }
  const question = submitSoon(deps)
  const noted = await updateSubmittedAgain(deps.db, task, note)
  const again =
    noted === 'CONTENT_NEEDED'
      ? await withContent(deps, task, (tx, contentHash) =>
          updateSubmittedAgain(tx, task, { ...note, contentHash }),
        )
      : noted === 'SUBMITTED'
        ? payment
        : undefined
  if (again === undefined) return false
  await consult(deps, { task, payment: again }, question)
  return true
}

/** What people approved is compared with what is there under the lock, and that is what is handed over. */
function withContent(
  deps: WorkDeps,
  task: Task,
  note: (tx: Tx, contentHash: Buffer) => Promise<Noted>,
): Promise<Payment | undefined> {
  return deps.db.transaction(async (tx) => {
    const [held] = await withSealedData(tx, await listPaymentsForUpdate(tx, [task]))
    if (held === undefined) return undefined
    return (await note(tx, deps.contentHashOf(held))) === 'SUBMITTED' ? held.payment : undefined
  })
}
