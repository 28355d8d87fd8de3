-- Acts of one operator that need a second one: files that somebody hands in, and decisions about statement lines. Nothing of
-- an act touches payments, lines or the books before its end is CONFIRMED.

create table confirmations (
  confirmation_id bigint generated always as identity primary key,
  kind text not null check (kind in ('STATEMENT_FILE', 'PAYOUT_REPORT', 'LINE_DECISION')),
  -- SHA-256 of the file's bytes, or of what a decision says.
  digest bytea not null check (octet_length(digest) = 32),
  title text not null check (length(title) between 1 and 255),
  -- operator:<code>, or folder.
  actor text not null,
  -- JSON of what is done with the bytes, without anything about persons.
  directive text not null,
  line_ids bigint[] not null default '{}',
  -- The file, or the reason of a decision, encrypted. Of what one operator did alone the bytes are not kept here.
  data_key bytea,
  sealed bytea,
  byte_count integer not null check (byte_count >= 0),
  state text not null check (state in ('WAITING', 'ALONE', 'CONFIRMED', 'REFUSED', 'WITHDRAWN', 'EXPIRED', 'FAILED')),
  proposed_at timestamptz not null default clock_timestamp(),
  expire_at timestamptz not null,
  ended_at timestamptz,
  -- operator:<code>; null for what expired, and for what one operator did alone.
  ended_by text,
  ended_reason text check (length(ended_reason) between 1 and 500),
  -- The file, report or line that came of it.
  result text,
  check ((state = 'WAITING') = (ended_at is null)),
  check ((data_key is null) = (sealed is null)),
  check (state = 'ALONE' or sealed is not null),
  check (state not in ('CONFIRMED', 'REFUSED', 'WITHDRAWN', 'FAILED') or ended_by is not null),
  check (state not in ('CONFIRMED', 'REFUSED') or ended_by <> actor),
  check (state <> 'WITHDRAWN' or ended_by = actor)
);
-- The same file waits once.
create unique index confirmations_waiting on confirmations (kind, digest) where state = 'WAITING';
create index confirmations_due on confirmations (expire_at) where state = 'WAITING';
create index confirmations_by_state on confirmations (state, confirmation_id);
create index confirmations_by_digest on confirmations (digest);
-- What an operator did alone is added up over a day.
create index confirmations_alone on confirmations (actor, proposed_at) where state = 'ALONE';

-- The money that an act is about, as it was when it was proposed.
create table confirmation_sums (
  confirmation_id bigint not null references confirmations,
  currency_code text not null,
  amount numeric not null check (amount >= 0 and amount < 'Infinity'),
  primary key (confirmation_id, currency_code)
);

-- From which amounts the running gateway wants two operators. The command line obeys the last row, whatever its own
-- environment says.
create table confirmation_policies (
  policy_id bigint generated always as identity primary key,
  is_on boolean not null,
  -- CUR=amount, separated by commas.
  from_amounts text not null,
  expires_after_hours integer not null check (expires_after_hours > 0),
  folder_is_channel boolean not null,
  set_at timestamptz not null default clock_timestamp()
);

create function confirmations_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'acts that need a second operator stay as they are' using errcode = 'restrict_violation';
end $$;
-- An act ends once, and says for ever what it said.
create trigger confirmations_end_once before update on confirmations for each row
  when (old.state <> 'WAITING' or row(old.confirmation_id, old.kind, old.digest, old.title, old.actor, old.directive, old.line_ids,
      old.data_key, old.sealed, old.byte_count, old.proposed_at, old.expire_at)
    is distinct from row(new.confirmation_id, new.kind, new.digest, new.title, new.actor, new.directive, new.line_ids,
      new.data_key, new.sealed, new.byte_count, new.proposed_at, new.expire_at))
  execute function confirmations_are_append_only();
create trigger confirmations_kept before delete or truncate on confirmations
  for each statement execute function confirmations_are_append_only();
create trigger confirmation_sums_append_only before update or delete or truncate on confirmation_sums
  for each statement execute function confirmations_are_append_only();
create trigger confirmation_policies_append_only before update or delete or truncate on confirmation_policies
  for each statement execute function confirmations_are_append_only();

-- Who else stood by a file: the evidence that its lines and entries are.
alter table statement_files add column confirmed_by text;
alter table statement_decisions add column confirmed_by text;
alter table payout_reports add column confirmed_by text;
