-- One row per status change that a merchant is told of, written in the transaction of the change.
-- A queue, so it stays local to the coordinator of a distributed database.
create table callback_events (
  event_id uuid primary key,
  merchant_id bigint not null,
  kind text not null check (kind in ('PAYIN', 'PAYOUT', 'TOPUP')),
  id_entity text not null check (id_entity ~ '^[A-Za-z0-9_-]+$' and length(id_entity) <= 250),
  timeline_entry_no integer not null,
  url text not null,
  -- scheme://host[:port] of the URL: attempts under way are limited per receiver.
  receiver text not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'EXHAUSTED')),
  attempts_started integer not null default 0,
  -- Attempts allowed in all; a resend by an operator raises it.
  attempts_max integer not null default 5,
  -- From when on a worker may take the event: the time of its next attempt or, while an attempt is under way, the end
  -- of its lease. Null when there is nothing more to do.
  due_at timestamptz default clock_timestamp(),
  last_started_at timestamptz,
  -- Set while an attempt is under way. The result is recorded only by who holds the token.
  lease_token uuid,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  check (attempts_started <= attempts_max),
  check ((state = 'PENDING') = (due_at is not null)),
  check ((state = 'PENDING') = (done_at is null)),
  -- The id comes first, so that a payment's callbacks are found without knowing its merchant, too.
  unique (id_entity, merchant_id, kind, timeline_entry_no)
);
create index callback_events_due on callback_events (due_at) where state = 'PENDING';
-- A lane is one merchant at one receiver. With a backlog, workers step from lane to lane and never read through one.
create index callback_events_lanes on callback_events (receiver, merchant_id, due_at) where state = 'PENDING';
-- What operators look through.
create index callback_events_by_merchant on callback_events (merchant_id, created_at);
create index callback_events_by_time on callback_events (created_at);
create index callback_events_exhausted on callback_events (created_at) where state = 'EXHAUSTED';

-- One row per attempt, written with the claim and before anything is sent. No foreign key: it would cost a look-up per
-- attempt, and the only statement that writes here holds the event.
create table callback_attempts (
  event_id uuid not null,
  attempt_no integer not null,
  started_at timestamptz not null,
  -- How often it was started: more than once when a process died between sending and recording.
  starts integer not null default 1,
  -- Null until the result is known.
  finished_at timestamptz,
  outcome text check (outcome in ('OK', 'WRONG_STATUS', 'TIMEOUT', 'BLOCKED', 'DNS', 'REFUSED', 'RESET', 'TLS', 'PROTOCOL', 'OTHER')),
  http_status integer,
  took_ms integer,
  message text,
  -- The first 4 kB of an answer other than 200.
  answer_start text,
  primary key (event_id, attempt_no)
);
