-- What a bank's own channel brings and takes. Which channels there are says a file on the machine; here is what became of them.
create table bank_channels (
  channel_code text primary key check (channel_code ~ '^[A-Z][A-Z0-9_-]{0,31}$'),
  -- One process at a time talks to a bank; what it writes about a payout file carries a number of its own (payout_file_puts.attempt).
  lease_no bigint not null default 0,
  leased_until timestamptz,
  next_look_at timestamptz not null default '-infinity',
  looked_at timestamptz,
  succeeded_at timestamptz,
  failures integer not null default 0 check (failures >= 0),
  fault_kind text check (fault_kind in ('HOST_KEY', 'SIGN_IN', 'UNREACHABLE', 'REFUSED', 'FILE')),
  fault text,
  faulted_at timestamptz,
  -- The digest of the settings that were refused: nothing is tried with them again until somebody asks for it.
  halted_settings text,
  check ((fault_kind is null) = (fault is null) and (fault is null) = (faulted_at is null))
);

-- Files that a channel brought. The bytes are here, sealed, until the room of the documents has them.
create table bank_channel_files (
  file_no bigint generated always as identity primary key,
  channel_code text not null references bank_channels,
  holds text not null check (holds in ('STATEMENTS', 'PAYOUT_REPORTS')),
  file_name text not null check (length(file_name) between 1 and 255),
  content_hash bytea not null check (octet_length(content_hash) = 32),
  byte_count integer not null check (byte_count >= 0),
  data_key bytea not null,
  sealed bytea not null,
  fetched_at timestamptz not null default statement_timestamp(),
  outcome text check (outcome in ('TAKEN', 'ASIDE')),
  ended_at timestamptz,
  unique (channel_code, holds, content_hash),
  check ((outcome is null) = (ended_at is null))
);
create index bank_channel_files_waiting on bank_channel_files (file_no) where outcome is null;

-- How a file of payouts goes over a channel: WAITING, STAGING (under a name that the bank does not read), RELEASING (it is being
-- given its name), PUT. UNCLEAR: nobody knows whether the bank has it. BY_HAND: a person carries it.
create table payout_file_puts (
  file_id text primary key references payout_files,
  channel_code text not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'STAGING', 'RELEASING', 'PUT', 'UNCLEAR', 'BY_HAND')),
  attempt integer not null default 0 check (attempt >= 0),
  why text,
  changed_at timestamptz not null default statement_timestamp()
);
create index payout_file_puts_open on payout_file_puts (channel_code, file_id) where state in ('WAITING', 'STAGING', 'RELEASING');

create function payout_file_puts_go_forward() returns trigger language plpgsql as $$
begin
  raise exception 'the file % cannot go from % to %', old.file_id, old.state, new.state;
end $$;
create trigger payout_file_puts_forward before update on payout_file_puts for each row when (not (
  (old.state, new.state) in (
    ('WAITING', 'STAGING'), ('WAITING', 'BY_HAND'), ('WAITING', 'UNCLEAR'), ('STAGING', 'UNCLEAR'), ('STAGING', 'STAGING'), ('STAGING', 'RELEASING'), ('STAGING', 'BY_HAND'),
    ('RELEASING', 'PUT'), ('RELEASING', 'UNCLEAR'), ('RELEASING', 'BY_HAND'), ('UNCLEAR', 'PUT'), ('UNCLEAR', 'BY_HAND'))
  and new.file_id = old.file_id and new.channel_code = old.channel_code
  and new.attempt = old.attempt + (new.state = 'STAGING')::int))
  execute function payout_file_puts_go_forward();
create trigger payout_file_puts_kept before delete or truncate on payout_file_puts
  for each statement execute function payout_files_are_append_only();

-- A backup does not know what was put after it.
create function restore_gap_unclears_puts() returns trigger language plpgsql as $$
begin
  update payout_file_puts set state = 'UNCLEAR', changed_at = clock_timestamp(),
    why = 'The database was restored from a backup: the bank may have the file since.'
    where state in ('WAITING', 'STAGING', 'RELEASING');
  return null;
end $$;
create trigger restore_gaps_unclear_puts after insert or update of restored_at on restore_gaps
  for each statement execute function restore_gap_unclears_puts();
