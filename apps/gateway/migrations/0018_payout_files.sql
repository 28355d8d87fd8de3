-- Files of payouts to our banks, and what the banks report about them. These tables are the house's own.

create table payout_files (
  -- The message id by which the bank knows it.
  file_id text primary key check (file_id ~ '^[A-Z0-9]{1,35}$'),
  -- In the order in which files were made.
  file_no bigint generated always as identity unique,
  account_code text not null references bank_accounts,
  currency_code text not null,
  format text not null check (format in ('PAIN_001_001_03', 'PAIN_001_001_09')),
  payment_count integer not null check (payment_count > 0),
  control_sum numeric not null check (control_sum > 0 and control_sum < 'Infinity'),
  execution_on date not null,
  -- The bytes, encrypted with a key of their own: names and accounts of persons are in them.
  data_key bytea not null,
  sealed bytea not null,
  byte_count integer not null check (byte_count > 0),
  -- SHA-256 of the bytes.
  content_hash bytea not null unique check (octet_length(content_hash) = 32),
  -- Whether it is to be laid into the folder for the bank.
  is_for_folder boolean not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- A payment is in one file, and never in another one.
create table payout_file_payments (
  merchant_id bigint not null,
  kind text not null check (kind in ('PAYOUT', 'SETTLEMENT')),
  id_payment text not null,
  file_id text not null references payout_files,
  -- Within the file, from 1.
  position integer not null check (position > 0),
  -- Ours, which the bank calls the end-to-end id.
  reference text not null unique,
  amount numeric not null check (amount > 0),
  primary key (merchant_id, kind, id_payment),
  unique (file_id, position)
);

-- What was done with a file. LAYING is noted before it is laid into the folder, LAID after: a crash in between lays it
-- there at most once, and can be seen.
create table payout_file_events (
  event_id bigint generated always as identity primary key,
  file_id text not null references payout_files,
  event text not null check (event in ('LAYING', 'LAID', 'FETCHED', 'SUBMITTED')),
  actor text not null,
  happened_at timestamptz not null default clock_timestamp()
);
create index payout_file_events_by_file on payout_file_events (file_id, event_id);
create unique index payout_file_events_once on payout_file_events (file_id, event) where event <> 'FETCHED';

-- Status reports of banks, each of them taken once.
create table payout_reports (
  report_id bigint generated always as identity primary key,
  content_hash bytea not null unique check (octet_length(content_hash) = 32),
  file_name text not null check (length(file_name) between 1 and 255),
  -- The bank's own id of the report, and the file that it says it is about.
  message_id text not null check (length(message_id) between 1 and 140),
  original_message_id text not null check (length(original_message_id) between 1 and 140),
  file_id text references payout_files,
  actor text not null,
  -- As it came.
  data_key bytea not null,
  sealed bytea not null,
  received_at timestamptz not null default clock_timestamp()
);

-- What a report says about one payment, or about all of the file, and what followed from it.
create table payout_report_entries (
  report_id bigint not null references payout_reports,
  position integer not null check (position > 0),
  level text not null check (level in ('GROUP', 'BATCH', 'TRANSACTION')),
  reference text check (length(reference) <= 140),
  merchant_id bigint,
  kind text,
  id_payment text,
  status_code text not null check (length(status_code) <= 35),
  reason_code text check (length(reason_code) <= 35),
  says text not null check (says in ('SETTLED', 'REJECTED', 'UNDECIDED', 'UNCLEAR')),
  -- Null until it was looked at; what was begun and broken off is gone on with.
  outcome text check (outcome in ('APPLIED', 'SAME', 'NO_OUTCOME', 'ASIDE')),
  why text,
  primary key (report_id, position),
  check (num_nonnulls(merchant_id, kind, id_payment) in (0, 3))
);
create index payout_report_entries_aside on payout_report_entries (report_id) where outcome = 'ASIDE';
create index payout_report_entries_by_payment on payout_report_entries (merchant_id, kind, id_payment) where merchant_id is not null;

create function payout_files_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'files of payouts and reports about them stay as they are' using errcode = 'restrict_violation';
end $$;
create trigger payout_files_append_only before update or delete or truncate on payout_files
  for each statement execute function payout_files_are_append_only();
create trigger payout_file_payments_append_only before update or delete or truncate on payout_file_payments
  for each statement execute function payout_files_are_append_only();
create trigger payout_file_events_append_only before update or delete or truncate on payout_file_events
  for each statement execute function payout_files_are_append_only();
create trigger payout_reports_append_only before update or delete or truncate on payout_reports
  for each statement execute function payout_files_are_append_only();
-- Of an entry, what became of it is written once.
create trigger payout_report_entries_said before update on payout_report_entries for each row
  when (old.outcome is not null or row(old.report_id, old.position, old.level, old.reference, old.merchant_id, old.kind,
      old.id_payment, old.status_code, old.reason_code, old.says)
    is distinct from row(new.report_id, new.position, new.level, new.reference, new.merchant_id, new.kind,
      new.id_payment, new.status_code, new.reason_code, new.says))
  execute function payout_files_are_append_only();
create trigger payout_report_entries_kept before delete or truncate on payout_report_entries
  for each statement execute function payout_files_are_append_only();
