-- The key that all others derive from, sealed with the master key: so the master key can change, and nothing else does.
-- One row. Without the master key it opens nothing.
create table root_key (
  is_the_one boolean primary key default true check (is_the_one),
  -- Null: the root key is the master key itself, and is sealed at the next start.
  sealed bytea,
  -- Which master key sealed it.
  master_key_id text,
  sealed_at timestamptz not null default clock_timestamp(),
  check ((sealed is null) = (master_key_id is null))
);
-- Before this migration all keys derived from the master key itself. Where any was used, that stays so.
insert into root_key (sealed)
  select null
  where exists (select from merchants) or exists (select from operators) or exists (select from token_signing_keys);
