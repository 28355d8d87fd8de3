import type { Statement, Tx } from '../../platform/database.ts'
import type { CallbackKind, ClaimedCallback } from './model.ts'

/** With fewer due events than this, their lanes are read off them; with more, lanes are looked up one by one. */
const HEAD_EVENTS_MAX = 1_000
/** Lanes looked at in a backlog, besides those of the head; lanes after these have their turn when some are through. */
const LANES_MAX = 10_000

/**
 * One statement, so that it commits on the server without another word from us: a process that stops in the middle
 * holds no lock. Its steps:
 * head    the events that are due for longest, a bounded number
 * walk    only when the head is full: every lane with its oldest event, by one index look-up each, however many it holds
 * lanes   those of which something is due
 * open    the lanes with what they may still take; `share` keeps the number of locked rows near the number wanted
 * found   the oldest due events of each lane; those that another worker is taking right now are passed over
 * ranked  in turns: the lane with the fewest attempts under way comes first, not the one with the longest backlog
 * claimed a lease that ran out with its token still set belongs to an attempt whose result nobody recorded: its number
 *         is used again
 */
const CLAIM_DUE: Statement = {
  name: 'callbacks_claim_due',
  text: `with recursive
    clock as materialized (select clock_timestamp() as now),
    head as materialized (
      select receiver, merchant_id from callback_events
      where state = 'PENDING' and due_at <= (select now from clock)
      order by due_at limit ${HEAD_EVENTS_MAX}),
    walk as (
      (select receiver, merchant_id, due_at from callback_events
        where state = 'PENDING' and (select count(*) from head) = ${HEAD_EVENTS_MAX}
        order by receiver, merchant_id, due_at limit 1)
      union all
      select next.receiver, next.merchant_id, next.due_at from walk cross join lateral (
        select e.receiver, e.merchant_id, e.due_at from callback_events e
        where e.state = 'PENDING' and (e.receiver, e.merchant_id) > (walk.receiver, walk.merchant_id)
        order by e.receiver, e.merchant_id, e.due_at limit 1) next),
    lanes as materialized (
      select receiver, merchant_id from head
      union select receiver, merchant_id from (select * from walk limit ${LANES_MAX}) w where due_at <= (select now from clock)),
    busy as materialized (select * from unnest($1::text[], $2::bigint[], $3::integer[]) as b (receiver, merchant_id, taken)),
    share as materialized (select greatest(1, ceil($4::numeric / greatest(1, count(*))))::integer as most from lanes),
    open as materialized (
      select lanes.*, coalesce(lane.taken, 0) as lane_taken,
        $5::integer - coalesce(r.taken, 0) as receiver_free, $6::integer - coalesce(m.taken, 0) as merchant_free,
        receiver = any ($7::text[]) as is_slow
      from lanes left join busy lane using (receiver, merchant_id)
        left join (select receiver, sum(taken) as taken from busy group by receiver) r using (receiver)
        left join (select merchant_id, sum(taken) as taken from busy group by merchant_id) m using (merchant_id)),
    found as (
      select open.*, e.event_id, e.due_at,
        open.lane_taken + row_number() over (partition by open.receiver, open.merchant_id order by e.due_at) as turn
      from open cross join lateral (
        select event_id, due_at from callback_events
        where state = 'PENDING' and receiver = open.receiver and merchant_id = open.merchant_id
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
        where state = 'PENDING') as oldest_wait_seconds
    from (values (1)) one left join claimed on true`,
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
}

/** How many attempts of one merchant at one receiver the asking process has under way. */
export interface BusyLane {
  readonly receiver: string
  readonly merchantId: string
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
  ])
  return {
    callbacks: rows.flatMap((row) => toClaimed(row, order.leaseToken)),
    isCut: rows[0]?.is_cut ?? false,
    hasMore: rows[0]?.has_more ?? false,
    nextDueInMs: rows[0]?.next_due_in_ms ?? undefined,
    oldestWaitSeconds: Math.max(0, rows[0]?.oldest_wait_seconds ?? 0),
  }
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
