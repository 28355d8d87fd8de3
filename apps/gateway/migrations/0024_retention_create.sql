-- What is removed when its time is over: docs/decisions/0021-retention.md.

-- Up to when things of a class may have been removed. Who misses something older misses nothing: `tollgate verify` asks
-- here, and so do people. It goes up only, whatever the setting says later.
create table retention_horizons (
  class text primary key check (class in ('DELIVERIES', 'INQUIRIES', 'PERSONAL_DATA')),
  removed_until timestamptz not null
);

-- The oldest first, without reading through the rest. Callback events need none: callback_events_by_time has them in order.
-- Both only grow at their end. They are built while payments wait: about a second for a million rows.
create index payment_inquiries_by_time on payment_inquiries (asked_at) where question <> 'OPERATOR';
-- What was erased leaves it, so that it holds what is still to be erased and not all of the past.
create index payment_personal_data_by_time on payment_personal_data (collected_at) where sealed is not null;

-- A day's removals are one row in ninety. With the default, one row in five, the room of 18 days would wait to be used again.
alter table callback_events set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
alter table callback_attempts set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
alter table payment_inquiries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
