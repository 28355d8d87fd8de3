-- How many payments came to each status in an hour and in a day, and their money: docs/decisions/0044-volumes.md.

create table payment_volumes (
  step text not null check (step in ('HOUR', 'DAY')),
  -- In UTC.
  begins_at timestamptz not null,
  merchant_id bigint not null,
  kind text not null,
  method_code text not null,
  currency_code text not null,
  -- The status that was entered; LATE for a success after another end.
  entered text not null check (entered in ('CREATED', 'SUCCESS', 'LATE', 'FAILED', 'CANCELLED', 'EXPIRED', 'REVERSED')),
  payments bigint not null,
  amount numeric not null,
  primary key (step, begins_at, merchant_id, kind, method_code, currency_code, entered)
);

-- Up to when the timeline is counted. One row; whoever counts has it locked.
create table payment_volume_marks (
  is_only boolean primary key default true check (is_only),
  counted_until timestamptz not null
);
insert into payment_volume_marks (counted_until) select coalesce(min(created_at), now()) from payments;

-- Entries are written in the order of their time, so a few bytes for each 32 pages find those of a span.
create index payment_timeline_by_time on payment_timeline using brin (happened_at) with (pages_per_range = 32, autosummarize = on);
