import type { Statement, Tx } from '../../platform/database.ts'
import type { CallbackKind, ClaimedCallback } from './model.ts'

/** With fewer due events than this, their lanes are read off them; with more, lanes are looked up one by one. */
const HEAD_EVENTS_MAX = 250
/** Lanes looked at in a backlog, besides those of the head; the next claim goes on where this one stopped. */
const LANES_WALKED_MAX = 250

/**
 * One statement, so that it commits on the server without another word from us: a process that stops in the middle
 * holds no lock. Its steps:
 * head    the events that are due for longest, a bounded number
 * walk    only when the head is full: some lanes more with their oldest events, by one index look-up each, however many they hold
 * lanes   those of which something is due
 * open    the lanes with what they may still take; `share` keeps the number of locked rows near the number wanted
 * near    the lanes whose first event can be among the chosen, by their places among those of the receiver, of the merchant and
 *         of the slow ones; twice as many, since another worker may be taking the first ones right now
 * found   the oldest due events of each lane; those that another worker is taking right now are passed over
 * ranked  in turns: the lane with the fewest attempts under way comes first, not the one with the longest backlog
 * claimed a lease that ran out with its token still set belongs to an attempt whose result nobody recorded: its number
 *         is used again
 */
const CLAIM_DUE: Statement = {
  name: 'callbacks_claim_due',
  isPlannedOnce: true,
  text: `with recursive
    clock as materialized (select clock_timestamp() as now),
    head as materialized (
      select receiver, merchant_id, due_at from callback_events
      where state = 'PENDING' and due_at <= (select now from clock)
      order by due_at limit ${HEAD_EVENTS_MAX}),
    walk as (
      (select receiver, merchant_id, due_at from callback_events
        where state = 'PENDING' and (select count(*) from head) = ${HEAD_EVENTS_MAX} and (receiver, merchant_id) > ($11::text, $12::bigint)
        order by receiver, merchant_id, due_at limit 1)
      union all
      select next.receiver, next.merchant_id, next.due_at from walk cross join lateral (
        select e.receiver, e.merchant_id, e.due_at from callback_events e
        where e.state = 'PENDING' and (e.receiver, e.merchant_id) > (walk.receiver, walk.merchant_id)
        order by e.receiver, e.merchant_id, e.due_at limit 1) next),
    walked as materialized (select * from walk limit ${LANES_WALKED_MAX}),
    lanes as materialized (
      select receiver, merchant_id, min(due_at) as due_at
      from (select * from head union all select * from walked where due_at <= (select now from clock)) due
      group by receiver, merchant_id),
    busy as materialized (select * from unnest($1::text[], $2::bigint[], $3::integer[]) as b (receiver, merchant_id, taken)),
    share as materialized (select greatest(1, ceil($4::numeric / greatest(1, count(*))))::integer as most from lanes),
    open as materialized (
      select lanes.*, coalesce(lane.taken, 0) as lane_taken,
        $5::integer - coalesce(r.taken, 0) as receiver_free, $6::integer - coalesce(m.taken, 0) as merchant_free,
        receiver = any ($7::text[]) as is_slow
      from lanes left join busy lane using (receiver, merchant_id)
        left join (select receiver, sum(taken) as taken from busy group by receiver) r using (receiver)
        left join (select merchant_id, sum(taken) as taken from busy group by merchant_id) m using (merchant_id)),
    near as materialized (
      select receiver, merchant_id, lane_taken, receiver_free, merchant_free, is_slow from (
        select *, row_number() over (partition by receiver order by lane_taken, due_at) as receiver_place,
          row_number() over (partition by merchant_id order by lane_taken, due_at) as merchant_place,
          row_number() over (partition by is_slow order by lane_taken, due_at) as slow_place
        from open where receiver_free > 0 and merchant_free > 0) placed
      where receiver_place <= 2 * receiver_free and merchant_place <= 2 * merchant_free and (not is_slow or slow_place <= 2 * $8::integer)),
    found as (
      select near.*, e.event_id, e.due_at,
        near.lane_taken + row_number() over (partition by near.receiver, near.merchant_id order by e.due_at) as turn
      from near cross join lateral (
        select event_id, due_at from callback_events
        where state = 'PENDING' and receiver = near.receiver and merchant_id = near.merchant_id
          and due_at <= (select now from clock)
        order by due_at
        limit greatest(0, least(receiver_free, merchant_free, case when is_slow then $8::integer end, (select most from share)))
        for update skip locked) e),
    ranked as (
      select *, row_number() over (partition by receiver order by turn, due_at) as receiver_place,
        row_number() over (partition by merchant_id order by turn, due_at) as merchant_place,
        row_number() over (partition by is_slow order by turn, due_at) as slow_place
      from found),
    chosen as (
      select event_id from ranked
      where receiver_place <= receiver_free and merchant_place <= merchant_free and (not is_slow or slow_place <= $8)
      order by turn, due_at limit $4),
    claimed as (
      update callback_events e set
        attempts_started = attempts_started + case when lease_token is null then 1 else 0 end,
        last_started_at = (select now from clock), lease_token = $9::uuid,
        due_at = (select now from clock) + make_interval(secs => $10::double precision)
      where event_id = any (array(select event_id from chosen))
      returning event_id, merchant_id, kind, id_entity, url, receiver, attempts_started),
    attempt as (
      insert into callback_attempts as a (event_id, attempt_no, started_at)
      select event_id, attempts_started, (select now from clock) from claimed
      on conflict (event_id, attempt_no) do update set started_at = excluded.started_at, starts = a.starts + 1)
    select claimed.*,
      (select floor(extract(epoch from now))::double precision from clock) as now_seconds,
      (select most from share) < $5 as is_cut,
      (select count(*) from head) > (select count(*) from claimed) as has_more,
      (select (extract(epoch from min(due_at) - (select now from clock)) * 1000)::double precision from callback_events
        where state = 'PENDING' and due_at > (select now from clock)) as next_due_in_ms,
      (select extract(epoch from (select now from clock) - min(due_at))::double precision from callback_events
        where state = 'PENDING') as oldest_wait_seconds,
      last_lane.receiver as walked_receiver, last_lane.merchant_id as walked_merchant_id
    from (values (1)) one left join claimed on true
      left join (select receiver, merchant_id from walked order by receiver desc, merchant_id desc limit 1) last_lane
        on (select count(*) from walked) = ${LANES_WALKED_MAX}`,
}

interface ClaimRow {
  readonly event_id: string | null
  readonly merchant_id: string
  readonly kind: CallbackKind
  readonly id_entity: string
  readonly url: string
  readonly receiver: string
  readonly attempts_started: number
  readonly now_seconds: number
  readonly is_cut: boolean
  readonly has_more: boolean
  readonly next_due_in_ms: number | null
  readonly oldest_wait_seconds: number | null
  readonly walked_receiver: string | null
  readonly walked_merchant_id: string | null
}

/** One merchant at one receiver. */
export interface Lane {
  readonly receiver: string
  readonly merchantId: string
}

/** How many attempts of one merchant at one receiver the asking process has under way. */
export interface BusyLane extends Lane {
  readonly taken: number
}

/** What a worker asks for, and what it is busy with already. */
export interface ClaimOrder {
  readonly leaseToken: string
  readonly leaseSeconds: number
  readonly eventsMax: number
  readonly receiverMax: number
  readonly merchantMax: number
  readonly busyLanes: readonly BusyLane[]
  /** Receivers that took long of late; together they are given at most `slowEventsMax` events. */
  readonly slowReceivers: readonly string[]
  readonly slowEventsMax: number
  /** Where the last claim stopped looking at lanes; the first lane when undefined. */
  readonly walkedTo: Lane | undefined
}

/** What a claim found. */
export interface Claim {
  readonly callbacks: readonly ClaimedCallback[]
  /** True when lanes were given less than their due, because there were many: ask again. */
  readonly isCut: boolean
  /** True when due events were left: for want of free slots, or because another worker has its hands on them. */
  readonly hasMore: boolean
  /** Until the next event falls due that was not due yet; undefined when there is none. */
  readonly nextDueInMs: number | undefined
  /** How long the event that was due for longest had been waiting. */
  readonly oldestWaitSeconds: number
  /** For the next claim: where this one stopped looking at lanes. */
  readonly walkedTo: Lane | undefined
}

/** Leases due events to the caller, by the database's clock, and writes down that their attempts have started. */
export async function claimDueCallbacks(tx: Tx, order: ClaimOrder): Promise<Claim> {
  const rows = await tx.rows<ClaimRow>(CLAIM_DUE, [
    order.busyLanes.map((lane) => lane.receiver),
    order.busyLanes.map((lane) => lane.merchantId),
    order.busyLanes.map((lane) => lane.taken),
    order.eventsMax,
    order.receiverMax,
    order.merchantMax,
    order.slowReceivers,
    order.slowEventsMax,
    order.leaseToken,
    order.leaseSeconds,
    order.walkedTo?.receiver ?? '',
    order.walkedTo?.merchantId ?? '0',
  ])
  const [first] = rows
  if (first === undefined) throw new Error('a claim answers with a row, even when nothing is due')
  return {
    callbacks: rows.flatMap((row) => toClaimed(row, order.leaseToken)),
    isCut: first.is_cut,
    hasMore: first.has_more,
    nextDueInMs: first.next_due_in_ms ?? undefined,
    oldestWaitSeconds: Math.max(0, first.oldest_wait_seconds ?? 0),
    walkedTo: laneOf(first),
  }
}

function laneOf({ walked_receiver: receiver, walked_merchant_id: merchantId }: ClaimRow): Lane | undefined {
  return receiver === null || merchantId === null ? undefined : { receiver, merchantId }
}

function toClaimed(row: ClaimRow, leaseToken: string): readonly ClaimedCallback[] {
  if (row.event_id === null) return []
  return [
    {
      eventId: row.event_id,
      merchantId: row.merchant_id,
      kind: row.kind,
      idEntity: row.id_entity,
      url: row.url,
      receiver: row.receiver,
      attemptNo: row.attempts_started,
      leaseToken,
      startedAtSeconds: row.now_seconds,
    },
  ]
}
