import type { Statement, Tx } from '../../platform/database.ts'
import { type DueWork, dueStatement, findDue } from '../../platform/due.ts'
import type { FreshCallbacks } from './fresh.ts'
import {
  type AttemptResult,
  CALLBACK_ATTEMPTS_MAX,
  type CallbackState,
  type ClaimedCallback,
  type NewCallbackEvent,
  receiverOf,
} from './model.ts'

/** Woken by this, workers look at once. Only a hint. */
export const CALLBACK_CHANNEL = 'tollgate_callbacks'

const INSERT_EVENTS: Statement = {
  name: 'callbacks_insert_events',
  text: `with clock as materialized (select clock_timestamp() as now),
    added as (
      insert into callback_events (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver, id_told, lease_token,
        due_at, last_started_at, attempts_started)
      select n.*, case when n.lease_token is null then now else now + make_interval(secs => $10::double precision) end,
        case when n.lease_token is not null then now end, case when n.lease_token is null then 0 else 1 end
      from clock, unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::uuid[])
        as n (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver, id_told, lease_token))
    select floor(extract(epoch from now))::double precision as now_seconds,
      (select pg_notify('${CALLBACK_CHANNEL}', '') where array_position($9::uuid[], null) is not null)
    from clock`,
}

/**
 * Notes callbacks to be sent in the transaction of the status changes they tell of: due at once, or leased to a worker of this
 * process that sends them when they are durable.
 * A second event for the same timeline entry is a unique violation: an entry has one callback.
 */
export async function insertCallbackEvents(
  tx: Tx,
  events: readonly NewCallbackEvent[],
  fresh?: FreshCallbacks,
): Promise<void> {
  if (events.length === 0) return
  const receivers = events.map((event) => receiverOf(event.url))
  const leases = events.map((event, index) => fresh?.lease(event, receivers[index] ?? '') ?? null)
  const [written] = await tx.rows<{ now_seconds: number }>(INSERT_EVENTS, [
    events.map((event) => event.eventId),
    events.map((event) => event.merchantId),
    events.map((event) => event.kind),
    events.map((event) => event.idEntity),
    events.map((event) => event.timelineEntryNo),
    events.map((event) => event.url),
    receivers,
    events.map((event) => event.idTold ?? null),
    leases,
    fresh?.leaseSeconds ?? 0,
  ])
  if (written !== undefined) fresh?.noteWritten(written.now_seconds)
}

const UPDATE_ATTEMPTS: Statement = {
  name: 'callbacks_update_attempts',
  // Planned once: `= any ($1)` and a subquery that gives a value leave no other plan than to look up by keys.
  isPlannedOnce: true,
  // What a receiver answers may name the customer: where that data was erased, it is not kept anew.
  text: `with result as (
      select * from unnest($1::uuid[], $2::uuid[], $3::double precision[], $4::text[], $5::integer[], $6::integer[], $7::text[], $8::text[])
        as r (event_id, lease_token, start_delay_seconds, outcome, http_status, took_ms, message, answer_start)),
    recorded as (
      update callback_events e set
        (state, due_at, done_at) = (
          select next.state, case next.state when 'PENDING' then e.last_started_at + make_interval(secs => r.start_delay_seconds + $9) end,
            case when next.state <> 'PENDING' then clock_timestamp() end
          from (select case when r.outcome = 'OK' then 'DELIVERED' when e.attempts_started < e.attempts_max then 'PENDING' else 'EXHAUSTED' end) next (state)),
        last_started_at = e.last_started_at + make_interval(secs => r.start_delay_seconds),
        lease_token = null
      from result r where e.event_id = r.event_id and e.lease_token = r.lease_token and e.event_id = any ($1)
      returning e.event_id, r.lease_token, e.state, e.attempts_started, e.last_started_at, e.due_at, e.merchant_id, e.kind, e.id_entity),
    attempt as (
      insert into callback_attempts (event_id, attempt_no, started_at, finished_at, outcome, http_status, took_ms, message, answer_start)
      select event_id, attempts_started, last_started_at, clock_timestamp(), outcome, http_status, took_ms, message,
        case when r.answer_start is not null and (select d.sealed is null from payment_personal_data d
          where d.merchant_id = recorded.merchant_id and d.kind = recorded.kind and d.id_payment = recorded.id_entity
            and d.source = 'REQUEST') is not true then r.answer_start end
      from recorded join result r using (event_id, lease_token)
      on conflict (event_id, attempt_no) do update set started_at = excluded.started_at, finished_at = excluded.finished_at,
        outcome = excluded.outcome, http_status = excluded.http_status, took_ms = excluded.took_ms, message = excluded.message,
        answer_start = excluded.answer_start)
    select event_id, lease_token, state, (extract(epoch from due_at - clock_timestamp()) * 1000)::double precision as due_in_ms
    from recorded`,
}

/** The result of an attempt and whose it is. */
export interface FinishedAttempt {
  readonly callback: ClaimedCallback
  readonly result: AttemptResult
  /** From the claim to the moment of sending. Repeats keep their distance from the latter. */
  readonly startDelaySeconds: number
}

/** What a recorded attempt led to; LEASE_LOST when another worker had taken over, and nothing was recorded. */
export interface RecordedAttempt {
  readonly state: CallbackState | 'LEASE_LOST'
  /** Until the next attempt; undefined when there is none. */
  readonly dueInMs: number | undefined
}

interface RecordedRow {
  readonly event_id: string
  readonly lease_token: string
  readonly state: CallbackState
  readonly due_in_ms: number | null
}

/** Records results, each only if its lease still holds, and plans what follows. Answers in order. */
export async function updateFinishedAttempts(
  tx: Tx,
  finished: readonly FinishedAttempt[],
  intervalSeconds: number,
): Promise<readonly RecordedAttempt[]> {
  const rows = await tx.rows<RecordedRow>(UPDATE_ATTEMPTS, [
    finished.map(({ callback }) => callback.eventId),
    finished.map(({ callback }) => callback.leaseToken),
    finished.map((attempt) => attempt.startDelaySeconds),
    finished.map(({ result }) => result.outcome),
    finished.map(({ result }) => result.httpStatus ?? null),
    finished.map(({ result }) => result.tookMs),
    finished.map(({ result }) => result.message ?? null),
    finished.map(({ result }) => result.answerStart ?? null),
    intervalSeconds,
  ])
  const byLease = new Map(rows.map((row) => [`${row.event_id} ${row.lease_token}`, row]))
  return finished.map(({ callback }) => {
    const row = byLease.get(`${callback.eventId} ${callback.leaseToken}`)
    return { state: row?.state ?? 'LEASE_LOST', dueInMs: row?.due_in_ms ?? undefined }
  })
}

const UPDATE_FOR_RESEND: Statement = {
  name: 'callbacks_update_for_resend',
  // An attempt that was under way when its process died has no row yet.
  text: `with held as (
      select event_id, attempts_started, last_started_at, lease_token from callback_events
      where event_id = $1 and ($2::bigint is null or merchant_id = $2)
        and (lease_token is null or due_at <= clock_timestamp()) for update),
    left_over as (
      insert into callback_attempts (event_id, attempt_no, started_at)
      select event_id, attempts_started, last_started_at from held where lease_token is not null
      on conflict (event_id, attempt_no) do nothing),
    resent as (
      update callback_events set state = 'PENDING', attempts_max = attempts_started + ${CALLBACK_ATTEMPTS_MAX},
        due_at = clock_timestamp(), done_at = null, lease_token = null
      where event_id in (select event_id from held)
      returning event_id)
    select pg_notify('${CALLBACK_CHANNEL}', '') from resent`,
}

/** Grants an event a fresh series that starts now. False when there is no such event or an attempt is under way. */
export async function updateEventForResend(tx: Tx, eventId: string, merchantId?: string): Promise<boolean> {
  return (await tx.rows(UPDATE_FOR_RESEND, [eventId, merchantId ?? null])).length > 0
}

const UPDATE_EXHAUSTED: Statement = {
  name: 'callbacks_update_exhausted',
  text: `with held as (
      select event_id from callback_events
      where state = 'EXHAUSTED' and ($1::bigint is null or merchant_id = $1)
        and ($2::timestamptz is null or created_at >= $2) and ($3::timestamptz is null or created_at < $3)
      order by created_at limit $4 for update skip locked),
    resent as (
      update callback_events set state = 'PENDING', attempts_max = attempts_started + ${CALLBACK_ATTEMPTS_MAX},
        due_at = clock_timestamp(), done_at = null
      where event_id in (select event_id from held)
      returning event_id)
    select resent, pg_notify('${CALLBACK_CHANNEL}', '') from (select count(*)::int as resent from resent) counted`,
}

/** Callbacks that are out of attempts. */
export interface ExhaustedFilter {
  /** Of all merchants where it is undefined. */
  readonly merchantId: string | undefined
  readonly from: Date | undefined
  readonly to: Date | undefined
}

/** Grants the oldest that fit a fresh series that starts now. Gives how many. */
export async function updateExhaustedForResend(
  tx: Tx,
  { merchantId, from, to }: ExhaustedFilter,
  limit: number,
): Promise<number> {
  const values = [merchantId ?? null, from ?? null, to ?? null, limit]
  const [row] = await tx.rows<{ resent: number }>(UPDATE_EXHAUSTED, values)
  return row?.resent ?? 0
}

const FIND_EVENT: Statement = {
  name: 'callbacks_find_event',
  text: 'select event_id from callback_events where event_id = $1 and ($2::bigint is null or merchant_id = $2)',
}

/** Whether there is such an event, of this merchant where one is given. */
export async function findEventExists(tx: Tx, eventId: string, merchantId?: string): Promise<boolean> {
  return (await tx.rows(FIND_EVENT, [eventId, merchantId ?? null])).length > 0
}

const FIND_OLDEST_PENDING: Statement = {
  name: 'callbacks_find_oldest_pending',
  text: `select extract(epoch from clock_timestamp() - min(due_at))::double precision as wait_seconds
    from callback_events where state = 'PENDING'`,
}

/** How long the event that has been due for longest has been waiting; 0 when none is due. */
export async function findOldestPendingSeconds(tx: Tx): Promise<number> {
  const [row] = await tx.rows<{ wait_seconds: number | null }>(FIND_OLDEST_PENDING, [])
  return Math.max(0, row?.wait_seconds ?? 0)
}

const FIND_PENDING_COUNT: Statement = {
  name: 'callbacks_find_pending_count',
  text: `select count(*)::double precision as events from callback_events where state = 'PENDING'`,
}

/** How many events have attempts to come or under way. Reads them all: for people, not for a loop. */
export async function findPendingCount(tx: Tx): Promise<number> {
  const [row] = await tx.rows<{ events: number }>(FIND_PENDING_COUNT, [])
  return row?.events ?? 0
}

const FIND_DUE: Statement = dueStatement('callbacks_find_due', `callback_events where state = 'PENDING'`)

/** How many attempts are due. */
export const findDueCallbacks = (tx: Tx): Promise<DueWork> => findDue(tx, FIND_DUE)
