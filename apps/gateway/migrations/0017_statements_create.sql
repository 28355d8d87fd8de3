-- Bank statements: what our banks say arrived and left, line by line, and what became of each line.
-- These tables are the house's own, not a merchant's: whose money a line is, is what they are there to find out.

create table statement_files (
  file_id bigint generated always as identity primary key,
  -- SHA-256 of the bytes: the same file is taken once.
  content_hash bytea not null unique check (octet_length(content_hash) = 32),
  file_name text not null check (length(file_name) between 1 and 255),
  format text not null check (format in ('CAMT_053', 'CAMT_054', 'MT940', 'CSV')),
  byte_count integer not null check (byte_count > 0),
  -- Who handed it in: operator:<code>, or folder.
  actor text not null,
  -- What was strange about it, but no reason to refuse it.
  warnings text[] not null,
  received_at timestamptz not null default clock_timestamp()
);

create table statements (
  statement_id bigint generated always as identity primary key,
  file_id bigint not null references statement_files,
  -- Within the file, from 1.
  position integer not null check (position > 0),
  account_code text not null references bank_accounts,
  currency_code text not null,
  -- A notification (camt.054) tells of single bookings, before the statement has them all.
  is_notification boolean not null,
  -- How the bank names it.
  bank_name text,
  opening_amount numeric,
  opening_on date,
  closing_amount numeric,
  closing_on date,
  -- Booked lines that this file brought, lines that another file had brought before, and entries that are not booked yet.
  line_count integer not null check (line_count >= 0),
  known_count integer not null check (known_count >= 0),
  pending_count integer not null check (pending_count >= 0),
  unique (file_id, position),
  check ((opening_amount is null) = (closing_amount is null))
);
create index statements_by_account on statements (account_code, statement_id);

-- One booked movement of money. A batch entry with its transactions has one row per transaction: its parts.
create table statement_lines (
  line_id bigint generated always as identity primary key,
  statement_id bigint not null references statements,
  account_code text not null,
  currency_code text not null,
  -- Within the statement, from 1.
  position integer not null check (position > 0),
  -- Keyed digest of what makes an entry that entry, in whichever file it comes; equal real entries of one statement are
  -- counted through.
  entry_fingerprint bytea not null check (octet_length(entry_fingerprint) = 32),
  occurrence integer not null check (occurrence > 0),
  part integer not null check (part > 0),
  direction text not null check (direction in ('CREDIT', 'DEBIT')),
  -- It takes an earlier booking back.
  is_reversal boolean not null,
  amount numeric not null check (amount > 0 and amount < 'Infinity'),
  charge_amount numeric check (charge_amount >= 0 and charge_amount < 'Infinity'),
  booked_on date not null,
  valued_on date,
  -- The bank's own reference, and its code of the kind of booking.
  bank_reference text,
  transaction_code text,
  -- Names, accounts and texts, encrypted with a key of the row's own.
  data_key bytea not null,
  sealed bytea not null,
  state text not null default 'NEW' check (state in ('NEW', 'MATCHED', 'UNDER', 'OVER', 'LATE', 'DOUBLE', 'UNKNOWN', 'AMBIGUOUS',
    'OTHER_CURRENCY', 'APPLIED', 'RETURNING', 'RETURNED', 'SAME_MONEY', 'NOTED', 'SPLIT')),
  -- How much of it lies in SUSPENSE.
  open_amount numeric not null default 0 check (open_amount >= 0 and open_amount <= amount),
  -- The payment it is about, as far as that is known.
  merchant_id bigint,
  kind text,
  id_payment text,
  -- How sure the matching was, 0 to 1, and why.
  score numeric check (score between 0 and 1),
  reasons text[] not null default '{}',
  -- Travels with money that goes back to its sender.
  return_reference text unique,
  decision_count integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  state_since timestamptz not null default clock_timestamp(),
  unique (account_code, entry_fingerprint, occurrence, part),
  check (num_nonnulls(merchant_id, kind, id_payment) in (0, 3)),
  check (open_amount = 0 or direction = 'CREDIT'
    and state in ('UNDER', 'OVER', 'LATE', 'DOUBLE', 'UNKNOWN', 'AMBIGUOUS', 'OTHER_CURRENCY', 'RETURNING'))
);
create index statement_lines_by_state on statement_lines (state, line_id);
create index statement_lines_by_statement on statement_lines (statement_id, position, part);
create index statement_lines_by_payment on statement_lines (merchant_id, kind, id_payment) where merchant_id is not null;

-- What operators decided about money whose place was not clear. Nothing is changed or removed.
create table statement_decisions (
  line_id bigint not null references statement_lines,
  decision_no integer not null check (decision_no > 0),
  decision text not null check (decision in ('ACCEPT', 'COVER', 'SAME_MONEY', 'RETURN', 'RETURNED', 'NOTE')),
  actor text not null,
  reason text not null check (length(reason) between 1 and 500),
  -- How much money it moved, in the line's currency.
  amount numeric not null check (amount >= 0 and amount < 'Infinity'),
  merchant_id bigint,
  kind text,
  id_payment text,
  decided_at timestamptz not null default clock_timestamp(),
  primary key (line_id, decision_no),
  check (num_nonnulls(merchant_id, kind, id_payment) in (0, 3))
);
create function statement_decisions_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'decisions about statement lines are append-only' using errcode = 'restrict_violation';
end $$;
create trigger statement_decisions_append_only before update or delete or truncate on statement_decisions
  for each statement execute function statement_decisions_are_append_only();

-- What a line says about itself stays as the bank said it: only what became of it changes.
create function statement_lines_keep_what_the_bank_said() returns trigger language plpgsql as $$
begin
  raise exception 'a statement line stays as the bank sent it' using errcode = 'restrict_violation';
end $$;
create trigger statement_lines_said before update on statement_lines for each row
  when (row(old.statement_id, old.account_code, old.currency_code, old.position, old.entry_fingerprint, old.occurrence, old.part,
      old.direction, old.is_reversal, old.amount, old.booked_on)
    is distinct from row(new.statement_id, new.account_code, new.currency_code, new.position, new.entry_fingerprint, new.occurrence,
      new.part, new.direction, new.is_reversal, new.amount, new.booked_on))
  execute function statement_lines_keep_what_the_bank_said();
create trigger statement_lines_kept before delete or truncate on statement_lines
  for each statement execute function statement_lines_keep_what_the_bank_said();

-- Matching looks for the references that a line names. None of these changes with the status.
create index payments_by_reference on payments (reference);
-- What was printed for the customer, where that is another form of it: a variable symbol, a creditor reference.
create index payments_by_printed_reference on payments ((instructions ->> 'reference')) where instructions ? 'reference';
create index payments_by_external_reference on payments (external_reference) where external_reference is not null;
