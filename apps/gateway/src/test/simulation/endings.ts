import { isFinal } from '../../modules/payments/model.ts'
import type { BankPayment } from './bank.ts'
import type { Client } from './client.ts'
import type { PaymentRecord } from './disk.ts'
import type { Breach } from './properties.ts'
import { keyText } from './statements.ts'
import { START_MS, type World } from './world.ts'

/** Within so long after the last fault nothing is left that could be done: an institution is asked at least every hour. */
export const HEALING_MS = 75 * 60_000
/** What the institution did last may still be on its way. */
const ON_ITS_WAY_MS = 5 * 60_000

/** S2 and S9: payments that were acknowledged and are not there, money that is nowhere or was moved twice. */
export function findLost(
  { disk, bank, time }: World,
  { acknowledged, duplicates }: Client,
): readonly Breach[] {
  const byReference = new Map([...disk.payments.values()].map((each) => [each.reference, each]))
  const gone = [...acknowledged].flatMap(([name, { amount, currencyCode }]) => {
    const payment = disk.payments.get(name)
    const isThere = payment?.amount === String(amount) && payment.currency_code === currencyCode
    return isThere
      ? []
      : [{ property: 'S2', what: `${name} was acknowledged, and is not there with its money` }]
  })
  const moved = [...bank.payments].flatMap(([reference, told]) => {
    const payment = byReference.get(reference)
    if (payment === undefined) return [`the bank has ${reference}, and the gateway has not`]
    const isTold = time.nowMs() - told.updatedAtMs >= ON_ITS_WAY_MS
    const faults = [...ofHandOver(told), ...(isTold ? ofMoney(payment, told) : [])]
    return faults.map((what) => `${keyText(payment.merchant_id, payment.kind, payment.id_payment)} ${what}`)
  })
  const unsaid = [...duplicates].filter((name) => disk.payments.get(name) === undefined)
  return [
    ...gone,
    ...unsaid.map((name) => ({ property: 'S1', what: `${name} was answered 409, and is not there` })),
    ...moved.map((what) => ({ property: 'S9', what })),
  ]
}

const ofHandOver = ({ asked, handOvers }: BankPayment): readonly string[] =>
  asked.direction === 'PAYOUT' && handOvers > 1 ? [`was handed over ${handOvers} times`] : []

const ofReturn = ({ status }: PaymentRecord): readonly string[] =>
  status === 'REVERSED' ? [] : [`is ${status}, and its money came back`]

const MOVED: ReadonlySet<string | undefined> = new Set(['SUCCEEDED', 'RETURNED'])
const PAID: ReadonlySet<string> = new Set(['SUCCESS', 'REVERSED'])

/** Whether the money that was asked for went where it should, by what anybody can know. */
const isCovered = ({ status, onPaper, received }: BankPayment): boolean =>
  received === undefined && (MOVED.has(status) || MOVED.has(onPaper))

/** What a payment says against what its institution knows. */
function ofMoney(payment: PaymentRecord, told: BankPayment): readonly string[] {
  const isPaid = PAID.has(payment.status)
  if (isPaid && !isCovered(told)) return ['is paid, and no such money moved']
  // Of money that came too late and went back before anybody told of it, nothing is left.
  const isGone = payment.status === 'EXPIRED' && told.status === 'RETURNED'
  if (isGone || payment.processor_status === 'IN_REVIEW') return []
  if (MOVED.has(told.status) && !isPaid) return [`is ${payment.status}, and its money moved`]
  return told.status === 'RETURNED' ? ofReturn(payment) : []
}

/** Whoever wakes late is given a little. */
const GRACE_MICROSECONDS = 2_000_000

const SECOND_HAND_OVER_MICROSECONDS = 1_800_000_000

/** What is still due when everything has been well for long, and payments that nobody will end. */
export function findLeft({ disk, time, bank }: World): readonly Breach[] {
  const at = time.nowMs() * 1_000 - GRACE_MICROSECONDS
  const waited = (since: number): boolean => since < at - ON_ITS_WAY_MS * 2_000
  const late = [
    ...[...disk.tasks.values()].filter(({ task, due_at }) => task !== 'REVIEW' && due_at < at),
    ...[...disk.events.values()].filter(({ state, due_at }) => state === 'PENDING' && (due_at ?? at) < at),
    ...[...disk.notifications.values()].filter(
      (each) => each.state === 'PENDING' && waited(each.received_at),
    ),
  ]
  const tasks = new Set(
    [...disk.tasks.values()].map((task) => keyText(task.merchant_id, task.kind, task.id_payment)),
  )
  const forgotten = [...disk.payments.values()]
    .filter(({ status }) => !isFinal(status))
    .map(({ merchant_id, kind, id_payment }) => keyText(merchant_id, kind, id_payment))
    .filter((name) => !tasks.has(name))
  const undelivered = [...disk.payments.values()].filter(
    ({ kind, status, processor_status: phase, reference, submitted_at: submittedAt }) =>
      kind === 'PAYOUT' &&
      // Handed over again five minutes after the note at the earliest, when it is asked for the next time.
      submittedAt !== null &&
      submittedAt < at - SECOND_HAND_OVER_MICROSECONDS &&
      status === 'CREATED' &&
      (phase === 'SUBMITTED' || phase === 'UNKNOWN') &&
      !bank.payments.has(reference),
  )
  return [
    ...undelivered.map(({ merchant_id, kind, id_payment }) => ({
      property: 'LIVENESS',
      what: `the institution never got ${keyText(merchant_id, kind, id_payment)}`,
    })),
    ...late.map((row) => ({ property: 'LIVENESS', what: `is left: ${JSON.stringify(row)}` })),
    ...forgotten.map((name) => ({ property: 'LIVENESS', what: `nobody ends ${name}` })),
  ]
}

/**
 * S11, as the receivers see it: they hear of a callback only what was begun, always in the same words, and where nobody
 * died each beginning is another attempt.
 */
export function findUnheard({ disk, receivers, crashes, faults, failovers }: World): readonly Breach[] {
  const starts = new Map<string, number>()
  for (const attempt of disk.attempts.values())
    starts.set(attempt.event_id, (starts.get(attempt.event_id) ?? 0) + attempt.starts)
  const heard = Map.groupBy(receivers.arrivals, ({ webhookId }) => webhookId)
  const wrong = [...heard].flatMap(([id, arrivals]) => {
    const event = disk.events.get(id)
    const body = JSON.stringify({ idEntity: event?.id_entity })
    const hasOtherWords = arrivals.some((arrival) => arrival.body !== body || arrival.url !== event?.url)
    return [
      ...(arrivals.length > (starts.get(id) ?? 0) ? [`arrived ${arrivals.length} times`] : []),
      ...(hasOtherWords ? ['came with other words'] : []),
      ...(arrivals.every(({ isSigned }) => isSigned) ? [] : ['was not signed by a key in force']),
    ].map((what) => `the callback ${id} ${what}`)
  })
  const isCalm = crashes() === 0 && faults.count() === 0 && failovers() === 0
  const isTwice = isCalm && [...disk.attempts.values()].some((attempt) => attempt.starts > 1)
  return [...wrong, ...(isTwice ? ['an attempt was begun twice, and nobody had died'] : [])].map((what) => ({
    property: 'S11',
    what,
  }))
}

/** More statements than this for each payment would be a loop that nobody ends. */
const STATEMENTS_PER_PAYMENT_MAX = 400
/** An institution that does not know yet is asked once an hour. */
const STATEMENTS_PER_DAY_MAX = 150
const DAYS_USUAL = 4
const DAY_MS = 86_400_000

/**
 * What a request repeats by itself it repeats for 1.5 seconds at most, every 50 ms: so often at most, with up to so many
 * calls each time.
 */
const CALLS_PER_REQUEST_MAX = 31 * 5

/** S18: what payments cost, looks at the queues left out, and each request by itself. */
export function findStorms({ disk, server, callsMax, time }: World): readonly Breach[] {
  const count = server.statements() / Math.max(1, disk.payments.size)
  const daysMore = Math.max(0, (time.nowMs() - START_MS) / DAY_MS - DAYS_USUAL)
  const isMuch = count > STATEMENTS_PER_PAYMENT_MAX + STATEMENTS_PER_DAY_MAX * daysMore
  const calls = callsMax()
  return [
    ...(isMuch ? [`a payment took ${count} statements`] : []),
    ...(calls > CALLS_PER_REQUEST_MAX ? [`a request called the database ${calls} times`] : []),
  ].map((what) => ({ property: 'S18', what }))
}
