import type { CallbackKind, CallbackOutcome } from '../../modules/callbacks/model.ts'
import type { AttemptRecord, EventRecord } from './disk.ts'
import { Violation } from './disk.ts'
import { element, later, type Session, type Statements, secondsBetween, type Texts } from './statements.ts'

const ATTEMPTS_MAX = 5
/** With as many due events the statement goes another way, which is not imitated. */
const HEAD_EVENTS_MAX = 1_000

type NewEvents = [
  ...[Texts, Texts, readonly CallbackKind[], Texts, readonly number[], Texts, Texts],
  toldIds: readonly (string | null)[],
  leaseTokens: readonly (string | null)[],
  leaseSeconds: number,
]

function insertEvents({ disk, at }: Session, ...values: NewEvents): readonly object[] {
  const [eventIds, merchantIds, kinds, ids, entries, urls, receivers, toldIds, leaseTokens, leaseSeconds] =
    values
  eventIds.forEach((event_id, i) => {
    const lease_token = leaseTokens[i] ?? null
    const isLeased = lease_token !== null
    const event: EventRecord = {
      event_id,
      merchant_id: element(merchantIds, i),
      kind: element(kinds, i),
      id_entity: element(ids, i),
      timeline_entry_no: element(entries, i),
      url: element(urls, i),
      receiver: element(receivers, i),
      id_told: toldIds[i] ?? null,
      state: 'PENDING',
      attempts_started: isLeased ? 1 : 0,
      attempts_max: ATTEMPTS_MAX,
      due_at: isLeased ? later(at, leaseSeconds) : at,
      last_started_at: isLeased ? at : null,
      lease_token,
      done_at: null,
    }
    for (const other of disk.events.values())
      if (isOfEntry(other, event)) throw new Violation('23505', 'the entry has its callback')
    disk.events.insert(event_id, event)
  })
  return [{ now_seconds: Math.floor(at / 1_000_000), pg_notify: leaseTokens.includes(null) ? '' : null }]
}

const isOfEntry = (a: EventRecord, b: EventRecord): boolean =>
  a.id_entity === b.id_entity &&
  a.merchant_id === b.merchant_id &&
  a.kind === b.kind &&
  a.timeline_entry_no === b.timeline_entry_no

type ClaimValues = [
  busyReceivers: Texts,
  busyMerchants: Texts,
  busyTaken: readonly number[],
  eventsMax: number,
  receiverMax: number,
  merchantMax: number,
  slowReceivers: Texts,
  slowEventsMax: number,
  leaseToken: string,
  leaseSeconds: number,
  quickReceivers: Texts,
  quickReceiverMax: number,
]

interface Candidate {
  readonly event: EventRecord
  readonly turn: number
  readonly isSlow: boolean
}

const dueAt = ({ due_at }: EventRecord): number => due_at ?? Number.POSITIVE_INFINITY

function claimDue(session: Session, ...values: ClaimValues): readonly object[] {
  const { disk, at } = session
  const pending = [...disk.events.values()].filter(({ state }) => state === 'PENDING')
  const due = pending.filter((event) => dueAt(event) <= at).sort((a, b) => dueAt(a) - dueAt(b))
  if (due.length >= HEAD_EVENTS_MAX) throw new Error('so many due events are not simulated')
  const lanes = Map.groupBy(due, ({ receiver, merchant_id }) => `${receiver} ${merchant_id}`)
  const wanted = choose(
    [...lanes.values()].flatMap((lane) => turnsOf(lane, values)),
    values,
  )
  const chosen = wanted.slice(0, values[3])
  const meta = {
    now_seconds: Math.floor(at / 1_000_000),
    is_cut: wanted.length > chosen.length,
    has_more: due.length > chosen.length,
    is_backlog: false,
    next_due_in_ms: millisecondsUntil(
      at,
      pending.map(dueAt).filter((moment) => moment > at),
    ),
    oldest_wait_seconds: due.length === 0 ? null : secondsBetween(Math.min(...due.map(dueAt)), at),
  }
  if (chosen.length > 0) return chosen.map(({ event }) => ({ ...start(session, event, values), ...meta }))
  const nothing = { event_id: null, merchant_id: null, kind: null, id_entity: null, id_told: null, url: null }
  return [{ ...nothing, receiver: null, attempts_started: null, ...meta }]
}

const millisecondsUntil = (at: number, moments: readonly number[]): number | null =>
  moments.length === 0 ? null : (Math.min(...moments) - at) / 1_000

/** A lane's events, the oldest first, behind those that are under way. */
function turnsOf(lane: readonly EventRecord[], values: ClaimValues): readonly Candidate[] {
  const taken = takenBy(
    values,
    (receiver, merchantId) => receiver === lane[0]?.receiver && merchantId === lane[0].merchant_id,
  )
  return lane.map((event, index) => ({
    event,
    turn: taken + index + 1,
    isSlow: values[6].includes(event.receiver),
  }))
}

function takenBy(
  [receivers, merchantIds, taken]: ClaimValues,
  counts: (receiver: string, merchantId: string) => boolean,
): number {
  return taken.reduce(
    (sum, each, i) => sum + (counts(element(receivers, i), element(merchantIds, i)) ? each : 0),
    0,
  )
}

/** In turns: each receiver within what it may take, then each merchant, then the slow receivers together. */
function choose(found: readonly Candidate[], values: ClaimValues): readonly Candidate[] {
  const [, , , , receiverMax, merchantMax, , slowEventsMax, , , quickReceivers, quickReceiverMax] = values
  const free = (max: number, counts: Parameters<typeof takenBy>[1]): number => max - takenBy(values, counts)
  const places = new Map<string, number>()
  const isWithin = (name: string, most: number): boolean => {
    const place = (places.get(name) ?? 0) + 1
    places.set(name, place)
    return place <= most
  }
  return found
    .toSorted((a, b) => a.turn - b.turn || dueAt(a.event) - dueAt(b.event))
    .filter(
      ({ event: { receiver, merchant_id }, isSlow }) =>
        free(merchantMax, (_, of) => of === merchant_id) > 0 &&
        isWithin(
          `receiver ${receiver}`,
          free(quickReceivers.includes(receiver) ? quickReceiverMax : receiverMax, (of) => of === receiver),
        ) &&
        isWithin(
          `merchant ${merchant_id}`,
          free(merchantMax, (_, of) => of === merchant_id),
        ) &&
        (!isSlow || isWithin('slow', slowEventsMax)),
    )
}

/** A lease that ran out with its token still set belongs to an attempt without a result: its number is used again. */
function start({ disk, at }: Session, event: EventRecord, values: ClaimValues): object {
  const attempts_started = event.attempts_started + (event.lease_token === null ? 1 : 0)
  if (attempts_started > event.attempts_max) throw new Violation('23514', 'too many attempts')
  const leased = { lease_token: values[8], due_at: later(at, values[9]) }
  disk.events.put(event.event_id, { ...event, attempts_started, last_started_at: at, ...leased })
  const key = `${event.event_id} ${attempts_started}`
  const before = disk.attempts.get(key)
  const fresh = { starts: 2, finished_at: null, outcome: null, http_status: null }
  if (event.lease_token !== null)
    disk.attempts.put(key, {
      event_id: event.event_id,
      attempt_no: attempts_started,
      ...(before === undefined ? fresh : { ...before, starts: before.starts + 1 }),
      started_at: at,
    })
  const { event_id, merchant_id, kind, id_entity, id_told, url, receiver } = event
  return { event_id, merchant_id, kind, id_entity, id_told, url, receiver, attempts_started }
}

type Results = [
  eventIds: Texts,
  leaseTokens: Texts,
  startDelays: readonly number[],
  outcomes: readonly CallbackOutcome[],
  statuses: readonly (number | null)[],
  took: readonly number[],
  messages: readonly (string | null)[],
  answers: readonly (string | null)[],
  intervalSeconds: number,
]

function record({ disk, at }: Session, ...values: Results): readonly object[] {
  const [eventIds, leaseTokens, startDelays, outcomes, statuses, , , , intervalSeconds] = values
  return eventIds.flatMap((event_id, i) => {
    const event = disk.events.get(event_id)
    const lease_token = element(leaseTokens, i)
    if (event?.lease_token !== lease_token || event.last_started_at === null) return []
    const outcome = element(outcomes, i)
    const goesOn = event.attempts_started < event.attempts_max
    const state = outcome === 'OK' ? 'DELIVERED' : goesOn ? 'PENDING' : 'EXHAUSTED'
    const delay = element(startDelays, i)
    const due_at = state === 'PENDING' ? later(event.last_started_at, delay + intervalSeconds) : null
    const last_started_at = later(event.last_started_at, delay)
    const done_at = state === 'PENDING' ? null : at
    disk.events.put(event_id, { ...event, state, due_at, done_at, last_started_at, lease_token: null })
    const result = { finished_at: at, outcome, http_status: element(statuses, i) }
    endAttempt(disk, { ...event, last_started_at }, result)
    return [{ event_id, lease_token, state, due_in_ms: due_at === null ? null : (due_at - at) / 1_000 }]
  })
}

/** Writes the attempt's row, unless it has one since it was started again. */
function endAttempt(
  { attempts }: Session['disk'],
  { event_id, attempts_started: attempt_no, last_started_at }: EventRecord & { last_started_at: number },
  result: Pick<AttemptRecord, 'finished_at' | 'outcome' | 'http_status'>,
): void {
  const key = `${event_id} ${attempt_no}`
  const starts = attempts.get(key)?.starts ?? 1
  attempts.put(key, { event_id, attempt_no, started_at: last_started_at, starts, ...result })
}

/** The statements of the room of callbacks that its workers need. */
export const CALLBACK_STATEMENTS: Statements = {
  callbacks_insert_events: insertEvents,
  callbacks_claim_due: claimDue,
  callbacks_update_attempts: record,
}
