import type { Tx } from '../../../platform/database.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Rail, RailPayment, RailProgress, RailReport } from '../../../rails/rail.ts'
import { isOutgoing, type Payment, type PaymentKey, type ProcessorStatus } from '../model.ts'
import { openPersonalData } from '../privacy/personal-data.ts'
import type { SealedData } from '../privacy/personal-data-store.ts'
import { lockPayment, updatePhase } from '../store.ts'
import type { NewInquiry } from './inquiry-store.ts'
import { phaseWhileWaiting } from './phases.ts'
import { keepAnswer, putForwardForTask, type ReportDeps } from './reports.ts'
import { deleteTask, deleteTasksButReview, type Task, updateTaskAnswered } from './task-store.ts'

/** How a talk with a rail went: for those who watch whether its institution is there. */
export interface TalkResult {
  readonly rail: string
  readonly operatorCode: string | undefined
  readonly kind: Payment['kind']
  /** False when the rail failed, did not answer in time, or could not say what became of the payment. */
  readonly isAnswered: boolean
}

interface RailTalkDeps extends ReportDeps {
  readonly secrets: Secrets
  readonly rails: ReadonlyMap<string, Rail>
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
  readonly railDeadlineSeconds: number
  readonly inquirySchedule: InquirySchedule
  /** Is told how each talk went; must not throw. */
  readonly onTalk: (result: TalkResult) => void
}

/** What is asked of a rail about one payment. */
export interface Question {
  readonly name: Extract<NewInquiry['question'], 'SUBMIT' | 'INQUIRE' | 'ADVANCE'>
  readonly ask: (
    rail: Rail,
    payment: RailPayment,
    more: { readonly progress: RailProgress; readonly signal: AbortSignal },
  ) => Promise<RailReport>
  /** Throws when it is too late to ask. Is called at the last moment, and nothing is sent then. */
  readonly requireInTime?: () => void
  /** What is done when the institution proves that it has nothing of the payment; false when it is asked again later. */
  readonly whenAbsent?: () => Promise<boolean>
}

/** What was heard, and why there was no answer, if there was none. */
interface Heard {
  readonly report: RailReport
  readonly fault?: 'DEADLINE' | 'RAIL_FAULT'
}

/** The reason that is kept with an answer by which the institution proved that it has nothing. */
const ABSENT = 'ABSENT'
const NO_ANSWER: RailReport = { kind: 'UNKNOWN', askAgainSeconds: 0 }

/** Asks the payment's rail, outside any transaction, keeps the answer, and puts forward what it says. */
export async function consult(
  deps: RailTalkDeps,
  { task, payment }: { readonly task: Task; readonly payment: Payment },
  question: Question,
): Promise<void> {
  const rail = deps.rails.get(payment.rail)
  if (rail === undefined) throw new Error(`there is no rail ${payment.rail}`)
  const { report, fault } = await askRail(deps, payment, { rail, question, sealed: task.sealed })
  const heard = { report, question: question.name, askedAt: task.claimedAt }
  if (report.kind !== 'WAITING' && report.kind !== 'UNKNOWN') {
    const actor = `rail:${rail.code}`
    await putForwardForTask(deps, task, { ...heard, report, actor, evidence: { class: 'RAIL' } })
    return
  }
  if (isOutgoing(payment.kind) || report.kind === 'UNKNOWN')
    await keepAnswer(deps, payment, { ...heard, report: coded(report, fault) })
  if (isAbsent(report) && (await question.whenAbsent?.()) === true) return
  await waitLonger(deps, { task, payment, report })
}

const isAbsent = (report: RailReport): boolean => report.kind === 'UNKNOWN' && report.isAbsent === true

/** The answer with the reason under which it is kept, if there is one. */
function coded(report: RailReport, fault: Heard['fault']): RailReport & { readonly code?: string } {
  const code = isAbsent(report) ? ABSENT : fault
  return code === undefined ? report : { ...report, code }
}

interface Asking {
  readonly rail: Rail
  readonly question: Question
  readonly sealed: SealedData | undefined
}

/** The rail's report; UNKNOWN when it takes too long. A late answer is dropped: the rail is asked again. */
async function askRail(
  deps: RailTalkDeps,
  payment: Payment,
  { rail, question, sealed }: Asking,
): Promise<Heard> {
  const asked = await forRail(deps, payment, sealed)
  question.requireInTime?.()
  const { ageSeconds, externalReference, status, kind, operatorCode } = payment
  const progress = { ageSeconds, externalReference, isPaid: status === 'SUCCESS' }
  const told = (isAnswered: boolean): void =>
    deps.onTalk({ rail: payment.rail, operatorCode, kind, isAnswered })
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), deps.railDeadlineSeconds * 1000)
  const givenUp = new Promise<Heard>((resolve) => {
    patience.signal.addEventListener('abort', () => resolve({ report: NO_ANSWER, fault: 'DEADLINE' }))
  })
  const answer = async (): Promise<Heard> => ({
    report: await question.ask(rail, asked, { progress, signal: patience.signal }),
  })
  try {
    const heard = await Promise.race([answer(), givenUp])
    told(heard.report.kind !== 'UNKNOWN')
    return heard
  } catch (error) {
    told(false)
    // Money that comes in can be asked about anew; what was handed over, or perhaps was, is not known.
    if (!isOutgoing(kind)) throw error
    deps.log.warn({ kind, err: error }, 'a rail failed; the outcome of its payment is not known')
    return { report: NO_ANSWER, fault: 'RAIL_FAULT' }
  } finally {
    clearTimeout(timer)
  }
}

async function forRail(
  deps: RailTalkDeps,
  payment: Payment,
  sealed: SealedData | undefined,
): Promise<RailPayment> {
  return {
    ...payment,
    kind: payment.kind === 'SETTLEMENT' ? 'PAYOUT' : payment.kind,
    merchantCode: await deps.merchantCodeOf(payment.merchantId),
    returnUrl: payment.instructions.returnTo ?? (payment.returnUrl && new URL(payment.returnUrl).href),
    customer: sealed === undefined ? {} : openPersonalData(deps.secrets, payment, sealed),
  }
}

interface Undecided {
  readonly task: Task
  readonly payment: Payment
  readonly report: Extract<RailReport, { kind: 'WAITING' | 'UNKNOWN' }>
}

/** Notes whether the outcome is known, and puts the task off; without a time the outside will report by itself. */
async function waitLonger(deps: RailTalkDeps, { task, payment, report }: Undecided): Promise<void> {
  if (report.kind === 'UNKNOWN') {
    await askLater(deps, { task, payment, askAgainSeconds: report.askAgainSeconds })
    return
  }
  const { askAgainSeconds } = report
  await notePhase(deps, { task, payment, report: report.isUnsent === true ? 'UNSENT' : 'WAITING' }, (tx) =>
    askAgainSeconds === undefined
      ? deleteTask(tx, task)
      : updateTaskAnswered(tx, task, { afterSeconds: askAgainSeconds, isUnknown: false }),
  )
}

/** Asks again by the schedule; when that is over, people have to find out. */
async function askLater(
  deps: RailTalkDeps,
  { task, payment, askAgainSeconds }: Omit<Undecided, 'report'> & { readonly askAgainSeconds: number },
): Promise<void> {
  const { unknownAnswers, unknownSeconds } = task
  const afterSeconds = nextInquirySeconds(deps.inquirySchedule, {
    answers: unknownAnswers + 1,
    unknownSeconds,
    askAgainSeconds,
  })
  if (afterSeconds === undefined) {
    await handToPeople(deps, task)
    return
  }
  await notePhase(deps, { task, payment, report: 'UNKNOWN' }, (tx) =>
    updateTaskAnswered(tx, task, { afterSeconds, isUnknown: true }),
  )
}

/** Neither the rail nor the clock ends the payment any more. Of one that has ended nobody needs to know more. */
function handToPeople(deps: RailTalkDeps, task: Task): Promise<void> {
  return whileLeased(
    deps,
    { task, settle: (tx) => deleteTask(tx, task) },
    async (tx, { status, processorStatus }) => {
      if (status === 'CREATED' && processorStatus !== 'IN_REVIEW') {
        await updatePhase(tx, {
          ...keyOf(task),
          status,
          processorStatus: 'IN_REVIEW',
          actor: 'worker',
          reason: 'outcome still unknown after the last inquiry; needs review',
        })
      }
      await deleteTasksButReview(tx, task)
    },
  )
}

/** Puts an end to the task, and notes with it what the payment waits for. */
async function notePhase(
  deps: RailTalkDeps,
  told: Pick<Undecided, 'task' | 'payment'> & { readonly report: 'WAITING' | 'UNSENT' | 'UNKNOWN' },
  settle: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  const { task, report } = told
  if (phaseAfter(told.payment, report) === undefined) {
    await settle(deps.db)
    return
  }
  await whileLeased(deps, { task, settle }, async (tx, payment) => {
    const processorStatus = phaseAfter(payment, report)
    if (processorStatus === undefined) return
    const actor = `rail:${payment.rail}`
    await updatePhase(tx, { ...keyOf(payment), status: payment.status, processorStatus, actor })
  })
}

const phaseAfter = (
  payment: Payment,
  report: 'WAITING' | 'UNSENT' | 'UNKNOWN',
): ProcessorStatus | undefined =>
  payment.status === 'CREATED' ? phaseWhileWaiting(payment, report) : undefined

/**
 * Settles the task and does the rest under the lock of the payment. Whoever lost the lease does nothing: others have asked since, or
 * the payment has ended and what there is to do for it is another task.
 */
function whileLeased(
  { db }: RailTalkDeps,
  { task, settle }: { readonly task: Task; readonly settle: (tx: Tx) => Promise<boolean> },
  rest: (tx: Tx, payment: Payment) => Promise<void>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const payment = await lockPayment(tx, task)
    if (payment !== undefined && (await settle(tx))) await rest(tx, payment)
  })
}

function keyOf({ merchantId, kind, idPayment }: PaymentKey): PaymentKey {
  return { merchantId, kind, idPayment }
}

/** When an institution is asked again about a payment whose outcome nobody knows. */
export interface InquirySchedule {
  /** Seconds from one answer to the next question: after the first answer, the second, and so on. */
  readonly distancesSeconds: readonly number[]
  /** From then on, always so many. */
  readonly lastDistanceSeconds: number
  /** How long an outcome may stay unknown; after that a person decides. */
  readonly patienceSeconds: number
}

/** Soon at first, since most answers are only late; then rarely, since an institution that is down is not helped by questions. */
export const INQUIRY_SCHEDULE: InquirySchedule = {
  distancesSeconds: [5, 15, 60, 300, 900],
  lastDistanceSeconds: 3600,
  patienceSeconds: 259_200,
}

/** What is known about not knowing. */
interface Uncertainty {
  /** How often in a row the answer was that it is not known, this time included. */
  readonly answers: number
  /** Seconds since the first of them. */
  readonly unknownSeconds: number
  /** The rail wants to be left alone for so long. */
  readonly askAgainSeconds: number
}

/** Seconds until the next question; undefined when nobody is asked any more and a person decides. */
export function nextInquirySeconds(
  schedule: InquirySchedule,
  { answers, unknownSeconds, askAgainSeconds }: Uncertainty,
): number | undefined {
  if (unknownSeconds >= schedule.patienceSeconds) return undefined
  const distance = schedule.distancesSeconds[answers - 1] ?? schedule.lastDistanceSeconds
  return Math.max(distance, askAgainSeconds)
}

const EXPIRY_RETRY_SECONDS_MIN = 5
/** What is known again to be unpaid expires within this time. */
const EXPIRY_RETRY_SECONDS_MAX = 300

/**
 * Seconds until a payment whose time to pay is over, and that may not expire while its outcome is not known, is looked at
 * again: half as long as it has been overdue, within limits.
 */
export function nextExpirySeconds(overdueSeconds: number): number {
  return Math.min(EXPIRY_RETRY_SECONDS_MAX, Math.max(EXPIRY_RETRY_SECONDS_MIN, overdueSeconds / 2))
}
