import type { Log } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { FinalReport, NotificationReading, Rail } from '../../rails/rail.ts'
import {
  contradicts,
  findPaymentByReference,
  isOutgoing,
  keepAnswer,
  type PaymentKey,
  type PaymentService,
  putForward,
} from '../payments/index.ts'
import { openMessage } from './message.ts'
import {
  type Found,
  type Judgement,
  judgeNotice,
  type Notice,
  type QuarantineReason,
  retryAfterSeconds,
} from './model.ts'
import {
  type ClaimedNotification,
  type NotificationEnd,
  updateNotificationDone,
  updateNotificationDue,
} from './store.ts'

export interface ApplyDeps {
  readonly db: Database
  readonly log: Log
  readonly metrics: Pick<Metrics, 'railNotifications'>
  readonly secrets: Secrets
  readonly rails: ReadonlyMap<string, Rail>
  readonly payments: Pick<PaymentService, 'propose' | 'keepInquiry'>
  /** The public code of a merchant. */
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}

const ATTEMPTS_MAX = 50

/** What a message turned out to do; undefined when it is looked at again later. */
type Outcome = NotificationEnd | undefined

/**
 * Puts forward what a stored message says about its payment, and notes what became of it. It may be done twice, by a
 * worker that died in between: the second time says what is true already.
 */
export async function applyNotification(deps: ApplyDeps, claimed: ClaimedNotification): Promise<void> {
  const outcome =
    claimed.attempts > ATTEMPTS_MAX ? given('FAULT', 'it was given up') : await work(deps, claimed)
  if (outcome === undefined) return
  await updateNotificationDone(deps.db, claimed, outcome)
  deps.metrics.railNotifications.inc({ rail: claimed.railCode, result: outcome.state })
  if (outcome.state === 'QUARANTINED')
    deps.log.warn(
      { rail: claimed.railCode, notificationNo: claimed.notificationNo, reason: outcome.reason },
      'a message of an institution was quarantined',
    )
}

const given = (reason: QuarantineReason, detail: string, key?: PaymentKey): NotificationEnd => ({
  state: 'QUARANTINED',
  reason,
  detail,
  ...(key !== undefined && { key }),
})

async function work(deps: ApplyDeps, claimed: ClaimedNotification): Promise<Outcome> {
  const reading = readAgain(deps, claimed)
  if (reading?.kind !== 'NOTICE') {
    const why = reading === undefined ? 'its rail is not here any more' : reading.why
    return given('UNREADABLE', why)
  }
  const found = await findPayment(deps, reading.reference)
  return follow(deps, { claimed, notice: reading, found })
}

function readAgain(deps: ApplyDeps, claimed: ClaimedNotification): NotificationReading | undefined {
  const rail = deps.rails.get(claimed.railCode)
  return rail?.readNotification?.(openMessage(deps.secrets, claimed.nonce, claimed))
}

async function findPayment(deps: ApplyDeps, reference: string): Promise<Found | undefined> {
  const found = await findPaymentByReference(deps.db, reference)
  return found && { ...found, merchantCode: await deps.merchantCodeOf(found.payment.merchantId) }
}

interface Case {
  readonly claimed: ClaimedNotification
  readonly notice: Notice
  readonly found: Found | undefined
}

async function follow(deps: ApplyDeps, { claimed, notice, found }: Case): Promise<Outcome> {
  const key = found && keyOf(found)
  const judgement = judgeNotice(claimed.railCode, notice, found)
  switch (judgement.kind) {
    case 'NO_NEWS':
      // That the institution has a payout is evidence: it is not handed over again, whatever is answered later.
      if (found !== undefined && isOutgoing(found.payment.kind) && notice.report.kind === 'WAITING')
        await keepAnswer(deps, found.payment, { report: notice.report, question: 'NOTIFICATION' })
      return { state: 'KNOWN', ...(key !== undefined && { key }) }
    case 'QUARANTINE':
      return quarantine(deps, { claimed, notice, found }, judgement)
    case 'EARLY':
      return waitOrQuarantine(deps, { claimed, notice, found }, judgement)
    case 'PROPOSE':
      return propose(deps, { claimed, notice, found })
  }
}

async function quarantine(
  deps: ApplyDeps,
  { claimed, notice, found }: Case,
  { reason, detail, needsReview }: Extract<Judgement, { kind: 'QUARANTINE' }>,
): Promise<Outcome> {
  const { report } = notice
  // The payments room refuses other money than was asked for, and hands the payment to people.
  if (needsReview && found !== undefined && report.kind !== 'WAITING')
    await hear(deps, { railCode: claimed.railCode, found, report })
  return given(reason, detail, found && keyOf(found))
}

/** What comes too early is looked at again for a while: what it follows may be on its way. */
async function waitOrQuarantine(
  deps: ApplyDeps,
  { claimed, notice, found }: Case,
  { reason, detail }: Extract<Judgement, { kind: 'EARLY' }>,
): Promise<Outcome> {
  const afterSeconds = retryAfterSeconds(claimed.ageSeconds)
  if (afterSeconds === undefined) {
    const needsReview = reason === 'CONTRADICTS'
    return quarantine(deps, { claimed, notice, found }, { kind: 'QUARANTINE', reason, detail, needsReview })
  }
  await updateNotificationDue(deps.db, claimed, { afterSeconds, counts: true })
  return undefined
}

async function propose(deps: ApplyDeps, { claimed, notice, found }: Case): Promise<Outcome> {
  const { report } = notice
  if (found === undefined || report.kind === 'WAITING') throw new Error('there is nothing to propose')
  const key = keyOf(found)
  const outcome = await hear(deps, { railCode: claimed.railCode, found, report })
  switch (outcome.kind) {
    case 'CHANGED':
      return { state: 'APPLIED', key }
    case 'SAME':
      return { state: 'KNOWN', key }
    case 'REFUSED':
      return contradicts(outcome.status, report)
        ? given('CONTRADICTS', outcome.why, key)
        : { state: 'KNOWN', detail: outcome.why, key }
    case 'MISSING':
      throw new Error('a payment was there and is not any more')
  }
}

interface Heard {
  readonly railCode: string
  readonly found: Found
  readonly report: FinalReport
}

const hear = (deps: ApplyDeps, { railCode, found, report }: Heard) =>
  putForward(deps, keyOf(found), {
    report,
    actor: `rail:${railCode}`,
    // Its signature was verified when it came in.
    evidence: { class: 'RAIL' },
    question: 'NOTIFICATION',
  })

function keyOf({ payment }: Found): PaymentKey {
  const { merchantId, kind, idPayment } = payment
  return { merchantId, kind, idPayment }
}
