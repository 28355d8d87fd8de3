import type { Statement, Tx } from '../../platform/database.ts'
import type { CallbackKind, ClaimedCallback, Lane } from './model.ts'
import type { BusyLane } from './slots.ts'

/** So many of the oldest due events are looked at. With fewer due, that is all of them. */
const HEAD_EVENTS_MAX = 250
/** Lanes looked at in a backlog, besides those of the head; the next walk goes on where this one stopped. */
const LANES_WALKED_MAX = 250

/** The lanes of a walk, and what of them is found besides the head. */
const WALK = `
    walk as (
      (select receiver, merchant_id, due_at from callback_events
        where state = 'PENDING' and (select count(*) from head) = ${HEAD_EVENTS_MAX}
          and (receiver, merchant_id) > ($13::text, $14::bigint)
        order by receiver, merchant_id, due_at limit 1)
      union all
      select next.receiver, next.merchant_id, next.due_at from walk cross join lateral (
        select e.receiver, e.merchant_id, e.due_at from callback_events e
        where e.state = 'PENDING' and (e.receiver, e.merchant_id) > (walk.receiver, walk.merchant_id)
        order by e.receiver, e.merchant_id, e.due_at limit 1) next),
    walked as materialized (select * from walk limit ${LANES_WALKED_MAX}),
    share as materialized (
      select greatest(1, ceil($4::numeric / greatest(1, count(*))))::integer as most from walked where due_at <= (select now from clock)),
    found as (
      select event_id, receiver, merchant_id, due_at from head
      union
      select e.event_id, lane.receiver, lane.merchant_id, e.due_at
      from walked lane left join at_receiver using (receiver) left join quick using (receiver) cross join lateral (
        select event_id, due_at from callback_events
        where state = 'PENDING' and (receiver, merchant_id, due_at) >= (lane.receiver, lane.merchant_id, lane.due_at)
          and (receiver, merchant_id, due_at) <= (lane.receiver, lane.merchant_id, (select now from clock))
        order by receiver, merchant_id, due_at limit (select most from share)) e
      where lane.due_at <= (select now from clock) and coalesce(at_receiver.taken, 0) < coalesce(quick.most, $5)),`

/** Where the walk came to, and that it was not in vain. */
const WALKED = `
      exists (select from claimed where receiver not in (select receiver from head)) as is_beyond_head,
      last_lane.receiver as walked_receiver, last_lane.merchant_id as walked_merchant_id
    from (values (1)) one left join claimed on true
      left join (select receiver, merchant_id from walked order by receiver desc, merchant_id desc limit 1) last_lane
        on (select count(*) from walked) = ${LANES_WALKED_MAX}`

/**
 * One statement, so that it commits on the server without another word from us: a process that stops in the middle
 * holds no lock. Its steps:
 * head    the events that are due for longest, a bounded number
 * walk    when asked for, and only when the head is full: some lanes more, by one index look-up each, however many events they hold
 * share   what each of these lanes may add, which keeps the number of events looked at near the number wanted
 * found   the head, and the oldest due events of the lanes of the walk
 * open    of them, what has a free slot at its receiver and its merchant
 * wanted  in turns: the lane with the fewest attempts under way comes first, not the one with the longest backlog
 * locked  those that another worker or a resend is taking right now are passed over; `case` keeps the planner to the key
 * claimed a lease that ran out with its token still set belongs to an attempt whose result nobody recorded: its number
 *         is used again
 * attempt the event itself says that an attempt is under way, and its row is written with its result; only that it was started
 *         again is noted here
 */
const claimText = (isWalking: boolean): string => `with recursive
    clock as materialized (select clock_timestamp() as now),
    head as materialized (
      select event_id, receiver, merchant_id, due_at from callback_events
      where state = 'PENDING' and due_at <= (select now from clock)
      order by due_at limit ${HEAD_EVENTS_MAX}),
    busy as materialized (select * from unnest($1::text[], $2::bigint[], $3::integer[]) as b (receiver, merchant_id, taken)),
    at_receiver as materialized (select receiver, sum(taken) as taken from busy group by receiver),
    of_merchant as materialized (select merchant_id, sum(taken) as taken from busy group by merchant_id),
    quick as materialized (select receiver, $12::integer as most from unnest($11::text[]) as q (receiver)),${isWalking ? WALK : ''}
    open as (
      select event_id, receiver, merchant_id, due_at, coalesce(quick.most, $5::integer) - coalesce(r.taken, 0) as receiver_free,
        $6::integer - coalesce(m.taken, 0) as merchant_free,
        coalesce(lane.taken, 0) + row_number() over (partition by receiver, merchant_id order by due_at) as turn
      from ${isWalking ? 'found' : 'head'} left join busy lane using (receiver, merchant_id) left join at_receiver r using (receiver)
        left join of_merchant m using (merchant_id) left join quick using (receiver)
      where coalesce(r.taken, 0) < coalesce(quick.most, $5) and coalesce(m.taken, 0) < $6),
    at_receivers as (
      select *, row_number() over (partition by receiver order by turn, due_at) as receiver_place from open),
    of_merchants as (
      select *, row_number() over (partition by merchant_id order by turn, due_at) as merchant_place
      from at_receivers where receiver_place <= receiver_free),
    at_slow as (
      select *, receiver = any ($7::text[]) as is_slow,
        row_number() over (partition by receiver = any ($7::text[]) order by turn, due_at) as slow_place
      from of_merchants where merchant_place <= merchant_free),
    wanted as materialized (select event_id, turn, due_at from at_slow where not is_slow or slow_place <= $8::integer),
    locked as (
      select event_id, lease_token is not null as is_again from callback_events
      where event_id = any (array(select event_id from wanted order by turn, due_at limit $4))
        and case when state = 'PENDING' then due_at <= (select now from clock) end
      for update skip locked),
    claimed as (
      update callback_events e set
        attempts_started = attempts_started + case when lease_token is null then 1 else 0 end,
        last_started_at = (select now from clock), lease_token = $9::uuid,
        due_at = (select now from clock) + make_interval(secs => $10::double precision)
      where event_id = any (array(select event_id from locked))
      returning event_id, merchant_id, kind, id_entity, id_told, url, receiver, attempts_started),
    attempt as (
      insert into callback_attempts as a (event_id, attempt_no, started_at, starts)
      select event_id, attempts_started, (select now from clock), 2 from claimed join locked using (event_id) where is_again
      on conflict (event_id, attempt_no) do update set started_at = excluded.started_at, starts = a.starts + 1)
    select claimed.*,
      (select floor(extract(epoch from now))::double precision from clock) as now_seconds,
      (select count(*) from wanted) > (select count(*) from claimed) as is_cut,
      (select count(*) from head) > (select count(*) from claimed) as has_more,
      (select count(*) from head) = ${HEAD_EVENTS_MAX} as is_backlog,
      (select (extract(epoch from min(due_at) - (select now from clock)) * 1000)::double precision from callback_events
        where state = 'PENDING' and due_at > (select now from clock)) as next_due_in_ms,
      (select extract(epoch from (select now from clock) - min(due_at))::double precision from head) as oldest_wait_seconds${
        isWalking ? `,${WALKED}` : '\n    from (values (1)) one left join claimed on true'
      }`

/**
 * The plan is made once, perhaps while the table is empty. The head asks for `event_id`, which the index of lanes does not
 * have, so that it goes by when events are due, and neither reads through what is leased or waits for a repeat.
 */
const CLAIM_DUE: Statement = { name: 'callbacks_claim_due', isPlannedOnce: true, text: claimText(false) }
/**
 * Planned each time: a plan that was made while the table was empty would read all that is due for each lane, and a walk is rare
 * enough.
 */
const CLAIM_WALKING: Statement = { name: 'callbacks_claim_walking', text: claimText(true) }

interface ClaimRow {
  readonly event_id: string | null
  readonly merchant_id: string
  readonly kind: CallbackKind
  readonly id_entity: string
  readonly id_told: string | null
  readonly url: string
  readonly receiver: string
  readonly attempts_started: number
  readonly now_seconds: number
  readonly is_cut: boolean
  readonly has_more: boolean
  readonly is_backlog: boolean
  readonly next_due_in_ms: number | null
  readonly oldest_wait_seconds: number | null
  /** Of a walk, as what follows. */
  readonly is_beyond_head?: boolean
  readonly walked_receiver?: string | null
  readonly walked_merchant_id?: string | null
}

/** What a worker asks for, and what it is busy with already. */
export interface ClaimOrder {
  readonly leaseToken: string
  readonly leaseSeconds: number
  readonly eventsMax: number
  readonly receiverMax: number
  readonly merchantMax: number
  readonly busyLanes: readonly BusyLane[]
  /** Receivers that may have more under way than others, up to `quickReceiverMax`. */
  readonly quickReceivers: readonly string[]
  readonly quickReceiverMax: number
  /** Receivers that took long of late; together they are given at most `slowEventsMax` events. */
  readonly slowReceivers: readonly string[]
  readonly slowEventsMax: number
  /** To look at lanes behind a backlog as well, from where the last walk stopped; from the first lane when that is undefined. */
  readonly walk: { readonly from: Lane | undefined } | undefined
}

/** What a claim found. */
export interface Claim {
  readonly callbacks: readonly ClaimedCallback[]
  /** True when more had a free slot: the order was for fewer, or another worker was taking them: ask again. */
  readonly isCut: boolean
  /** True when due events were left: for want of free slots, or because another worker has its hands on them. */
  readonly hasMore: boolean
  /** True when there may be lanes that only a walk comes to. */
  readonly isBacklog: boolean
  /** True when the walk found work for receivers that the oldest events have none for. */
  readonly isBeyondHead: boolean
  /** Until the next event falls due that was not due yet; undefined when there is none. */
  readonly nextDueInMs: number | undefined
  /** How long the event that was due for longest had been waiting. */
  readonly oldestWaitSeconds: number
  /** For the next walk: where this one stopped looking at lanes. */
  readonly walkedTo: Lane | undefined
}

/** Leases due events to the caller, by the database's clock, and writes down that their attempts have started. */
export async function claimDueCallbacks(tx: Tx, order: ClaimOrder): Promise<Claim> {
  const { walk } = order
  const rows = await tx.rows<ClaimRow>(walk === undefined ? CLAIM_DUE : CLAIM_WALKING, [
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
    order.quickReceivers,
    order.quickReceiverMax,
    ...(walk === undefined ? [] : [walk.from?.receiver ?? '', walk.from?.merchantId ?? '0']),
  ])
  const [first] = rows
  if (first === undefined) throw new Error('a claim answers with a row, even when nothing is due')
  return {
    callbacks: rows.flatMap((row) => toClaimed(row, order.leaseToken)),
    isCut: first.is_cut,
    hasMore: first.has_more,
    isBacklog: first.is_backlog,
    isBeyondHead: first.is_beyond_head === true,
    nextDueInMs: first.next_due_in_ms ?? undefined,
    oldestWaitSeconds: Math.max(0, first.oldest_wait_seconds ?? 0),
    walkedTo: laneOf(first),
  }
}

function laneOf({ walked_receiver: receiver, walked_merchant_id: merchantId }: ClaimRow): Lane | undefined {
  return receiver && merchantId ? { receiver, merchantId } : undefined
}

function toClaimed(row: ClaimRow, leaseToken: string): readonly ClaimedCallback[] {
  if (row.event_id === null) return []
  return [
    {
      eventId: row.event_id,
      merchantId: row.merchant_id,
      kind: row.kind,
      idEntity: row.id_told ?? row.id_entity,
      isRefund: row.id_told !== null,
      url: row.url,
      receiver: row.receiver,
      attemptNo: row.attempts_started,
      leaseToken,
      startedAtSeconds: row.now_seconds,
    },
  ]
}
